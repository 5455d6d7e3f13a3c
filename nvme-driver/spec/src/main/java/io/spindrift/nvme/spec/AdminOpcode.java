package io.spindrift.nvme.spec;

/// Opcodes of admin commands (base specification 2.0, 5). [Opcode] tells which way their data goes.
public final class AdminOpcode {
    public static final int DELETE_IO_SQ = 0x00;
    public static final int CREATE_IO_SQ = 0x01;
    public static final int GET_LOG_PAGE = 0x02;
    public static final int DELETE_IO_CQ = 0x04;
    public static final int CREATE_IO_CQ = 0x05;
    public static final int IDENTIFY = 0x06;
    public static final int ABORT = 0x08;
    public static final int SET_FEATURES = 0x09;
    public static final int GET_FEATURES = 0x0a;
    public static final int ASYNC_EVENT_REQUEST = 0x0c;
    public static final int NAMESPACE_MANAGEMENT = 0x0d;
    public static final int FIRMWARE_COMMIT = 0x10;
    public static final int FIRMWARE_IMAGE_DOWNLOAD = 0x11;
    public static final int DEVICE_SELF_TEST = 0x14;
    public static final int NAMESPACE_ATTACHMENT = 0x15;
    public static final int KEEP_ALIVE = 0x18;
    public static final int DIRECTIVE_SEND = 0x19;
    public static final int DIRECTIVE_RECEIVE = 0x1a;
    public static final int VIRTUALIZATION_MANAGEMENT = 0x1c;
    public static final int NVME_MI_SEND = 0x1d;
    public static final int NVME_MI_RECEIVE = 0x1e;
    public static final int CAPACITY_MANAGEMENT = 0x20;
    public static final int LOCKDOWN = 0x24;
    public static final int DOORBELL_BUFFER_CONFIG = 0x7c;
    public static final int FABRICS = 0x7f;
    public static final int FORMAT_NVM = 0x80;
    public static final int SECURITY_SEND = 0x81;
    public static final int SECURITY_RECEIVE = 0x82;
    public static final int SANITIZE = 0x84;
    public static final int GET_LBA_STATUS = 0x86;

    private AdminOpcode() {}

    /// The specification's name of a command.
    public static String name(int opc) {
        return switch (opc) {
            case DELETE_IO_SQ -> "Delete I/O Submission Queue";
            case CREATE_IO_SQ -> "Create I/O Submission Queue";
            case GET_LOG_PAGE -> "Get Log Page";
            case DELETE_IO_CQ -> "Delete I/O Completion Queue";
            case CREATE_IO_CQ -> "Create I/O Completion Queue";
            case IDENTIFY -> "Identify";
            case ABORT -> "Abort";
            case SET_FEATURES -> "Set Features";
            case GET_FEATURES -> "Get Features";
            case ASYNC_EVENT_REQUEST -> "Asynchronous Event Request";
            case NAMESPACE_MANAGEMENT -> "Namespace Management";
            case FIRMWARE_COMMIT -> "Firmware Commit";
            case FIRMWARE_IMAGE_DOWNLOAD -> "Firmware Image Download";
            case DEVICE_SELF_TEST -> "Device Self-test";
            case NAMESPACE_ATTACHMENT -> "Namespace Attachment";
            case KEEP_ALIVE -> "Keep Alive";
            case DIRECTIVE_SEND -> "Directive Send";
            case DIRECTIVE_RECEIVE -> "Directive Receive";
            case VIRTUALIZATION_MANAGEMENT -> "Virtualization Management";
            case NVME_MI_SEND -> "NVMe-MI Send";
            case NVME_MI_RECEIVE -> "NVMe-MI Receive";
            case CAPACITY_MANAGEMENT -> "Capacity Management";
            case LOCKDOWN -> "Lockdown";
            case DOORBELL_BUFFER_CONFIG -> "Doorbell Buffer Config";
            case FABRICS -> "Fabrics Commands";
            case FORMAT_NVM -> "Format NVM";
            case SECURITY_SEND -> "Security Send";
            case SECURITY_RECEIVE -> "Security Receive";
            case SANITIZE -> "Sanitize";
            case GET_LBA_STATUS -> "Get LBA Status";
            default -> opc >= 0xc0 ? "Vendor Specific" : "Reserved";
        };
    }
}
