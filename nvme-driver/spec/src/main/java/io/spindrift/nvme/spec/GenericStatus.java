package io.spindrift.nvme.spec;

/// Generic command status, SCT 0h (base specification 2.0, 3.3.3.2.1.1; from 80h on those of the I/O command sets).
/// See [Status] for the encoding.
public final class GenericStatus {
    public static final int SUCCESS = 0x00;
    public static final int INVALID_OPCODE = 0x01;
    public static final int INVALID_FIELD = 0x02;
    public static final int COMMAND_ID_CONFLICT = 0x03;
    public static final int DATA_TRANSFER_ERROR = 0x04;
    public static final int ABORTED_POWER_LOSS = 0x05;
    public static final int INTERNAL_ERROR = 0x06;
    public static final int ABORT_REQUESTED = 0x07;
    public static final int ABORTED_SQ_DELETION = 0x08;
    public static final int ABORTED_FAILED_FUSED = 0x09;
    public static final int ABORTED_MISSING_FUSED = 0x0a;
    public static final int INVALID_NAMESPACE_OR_FORMAT = 0x0b;
    public static final int COMMAND_SEQUENCE_ERROR = 0x0c;
    public static final int INVALID_SGL_SEGMENT_DESCRIPTOR = 0x0d;
    public static final int INVALID_NUMBER_OF_SGL_DESCRIPTORS = 0x0e;
    public static final int DATA_SGL_LENGTH_INVALID = 0x0f;
    public static final int METADATA_SGL_LENGTH_INVALID = 0x10;
    public static final int SGL_DESCRIPTOR_TYPE_INVALID = 0x11;
    public static final int INVALID_USE_OF_CMB = 0x12;
    public static final int PRP_OFFSET_INVALID = 0x13;
    public static final int ATOMIC_WRITE_UNIT_EXCEEDED = 0x14;
    public static final int OPERATION_DENIED = 0x15;
    public static final int SGL_OFFSET_INVALID = 0x16;
    public static final int HOST_IDENTIFIER_INCONSISTENT_FORMAT = 0x18;
    public static final int KEEP_ALIVE_TIMER_EXPIRED = 0x19;
    public static final int KEEP_ALIVE_TIMEOUT_INVALID = 0x1a;
    public static final int ABORTED_PREEMPT_AND_ABORT = 0x1b;
    public static final int SANITIZE_FAILED = 0x1c;
    public static final int SANITIZE_IN_PROGRESS = 0x1d;
    public static final int SGL_DATA_BLOCK_GRANULARITY_INVALID = 0x1e;
    public static final int COMMAND_NOT_SUPPORTED_IN_CMB = 0x1f;
    public static final int NAMESPACE_WRITE_PROTECTED = 0x20;
    public static final int COMMAND_INTERRUPTED = 0x21;
    public static final int TRANSIENT_TRANSPORT_ERROR = 0x22;
    public static final int PROHIBITED_BY_LOCKDOWN = 0x23;
    public static final int ADMIN_COMMAND_MEDIA_NOT_READY = 0x24;
    public static final int LBA_OUT_OF_RANGE = 0x80;
    public static final int CAPACITY_EXCEEDED = 0x81;
    public static final int NAMESPACE_NOT_READY = 0x82;
    public static final int RESERVATION_CONFLICT = 0x83;
    public static final int FORMAT_IN_PROGRESS = 0x84;

    private GenericStatus() {}

    /// The specification's name of a status of this type.
    public static String name(int status) {
        return switch (Status.code(status)) {
            case SUCCESS -> "Successful Completion";
            case INVALID_OPCODE -> "Invalid Command Opcode";
            case INVALID_FIELD -> "Invalid Field in Command";
            case COMMAND_ID_CONFLICT -> "Command ID Conflict";
            case DATA_TRANSFER_ERROR -> "Data Transfer Error";
            case ABORTED_POWER_LOSS -> "Commands Aborted due to Power Loss Notification";
            case INTERNAL_ERROR -> "Internal Error";
            case ABORT_REQUESTED -> "Command Abort Requested";
            case ABORTED_SQ_DELETION -> "Command Aborted due to SQ Deletion";
            case ABORTED_FAILED_FUSED -> "Command Aborted due to Failed Fused Command";
            case ABORTED_MISSING_FUSED -> "Command Aborted due to Missing Fused Command";
            case INVALID_NAMESPACE_OR_FORMAT -> "Invalid Namespace or Format";
            case COMMAND_SEQUENCE_ERROR -> "Command Sequence Error";
            case INVALID_SGL_SEGMENT_DESCRIPTOR -> "Invalid SGL Segment Descriptor";
            case INVALID_NUMBER_OF_SGL_DESCRIPTORS -> "Invalid Number of SGL Descriptors";
            case DATA_SGL_LENGTH_INVALID -> "Data SGL Length Invalid";
            case METADATA_SGL_LENGTH_INVALID -> "Metadata SGL Length Invalid";
            case SGL_DESCRIPTOR_TYPE_INVALID -> "SGL Descriptor Type Invalid";
            case INVALID_USE_OF_CMB -> "Invalid Use of Controller Memory Buffer";
            case PRP_OFFSET_INVALID -> "PRP Offset Invalid";
            case ATOMIC_WRITE_UNIT_EXCEEDED -> "Atomic Write Unit Exceeded";
            case OPERATION_DENIED -> "Operation Denied";
            case SGL_OFFSET_INVALID -> "SGL Offset Invalid";
            case HOST_IDENTIFIER_INCONSISTENT_FORMAT -> "Host Identifier Inconsistent Format";
            case KEEP_ALIVE_TIMER_EXPIRED -> "Keep Alive Timer Expired";
            case KEEP_ALIVE_TIMEOUT_INVALID -> "Keep Alive Timeout Invalid";
            case ABORTED_PREEMPT_AND_ABORT -> "Command Aborted due to Preempt and Abort";
            case SANITIZE_FAILED -> "Sanitize Failed";
            case SANITIZE_IN_PROGRESS -> "Sanitize In Progress";
            case SGL_DATA_BLOCK_GRANULARITY_INVALID -> "SGL Data Block Granularity Invalid";
            case COMMAND_NOT_SUPPORTED_IN_CMB -> "Command Not Supported for Queue in CMB";
            case NAMESPACE_WRITE_PROTECTED -> "Namespace is Write Protected";
            case COMMAND_INTERRUPTED -> "Command Interrupted";
            case TRANSIENT_TRANSPORT_ERROR -> "Transient Transport Error";
            case PROHIBITED_BY_LOCKDOWN -> "Command Prohibited by Command and Feature Lockdown";
            case ADMIN_COMMAND_MEDIA_NOT_READY -> "Admin Command Media Not Ready";
            case LBA_OUT_OF_RANGE -> "LBA Out of Range";
            case CAPACITY_EXCEEDED -> "Capacity Exceeded";
            case NAMESPACE_NOT_READY -> "Namespace Not Ready";
            case RESERVATION_CONFLICT -> "Reservation Conflict";
            case FORMAT_IN_PROGRESS -> "Format In Progress";
            default -> "Reserved or vendor specific status code";
        };
    }
}
