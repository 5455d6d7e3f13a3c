package io.spindrift.nvme.spec;

/// Command specific status, SCT 1h, of admin commands and of the NVM command set (base specification 2.0,
/// 3.3.3.2.1.2; NVM command set 1.0, 2.1). Those of Fabrics commands are in [FabricsStatus]. See [Status] for the
/// encoding.
public final class CommandSpecificStatus {
    public static final int COMPLETION_QUEUE_INVALID = 0x100;
    public static final int INVALID_QUEUE_IDENTIFIER = 0x101;
    public static final int INVALID_QUEUE_SIZE = 0x102;
    public static final int ABORT_COMMAND_LIMIT_EXCEEDED = 0x103;
    public static final int ASYNC_EVENT_REQUEST_LIMIT_EXCEEDED = 0x105;
    public static final int INVALID_FIRMWARE_SLOT = 0x106;
    public static final int INVALID_FIRMWARE_IMAGE = 0x107;
    public static final int INVALID_INTERRUPT_VECTOR = 0x108;
    public static final int INVALID_LOG_PAGE = 0x109;
    public static final int INVALID_FORMAT = 0x10a;
    public static final int FIRMWARE_NEEDS_CONVENTIONAL_RESET = 0x10b;
    public static final int INVALID_QUEUE_DELETION = 0x10c;
    public static final int FEATURE_NOT_SAVEABLE = 0x10d;
    public static final int FEATURE_NOT_CHANGEABLE = 0x10e;
    public static final int FEATURE_NOT_NAMESPACE_SPECIFIC = 0x10f;
    public static final int FIRMWARE_NEEDS_SUBSYSTEM_RESET = 0x110;
    public static final int FIRMWARE_NEEDS_CONTROLLER_RESET = 0x111;
    public static final int FIRMWARE_MAX_TIME_VIOLATION = 0x112;
    public static final int FIRMWARE_ACTIVATION_PROHIBITED = 0x113;
    public static final int OVERLAPPING_RANGE = 0x114;
    public static final int NAMESPACE_INSUFFICIENT_CAPACITY = 0x115;
    public static final int NAMESPACE_IDENTIFIER_UNAVAILABLE = 0x116;
    public static final int NAMESPACE_ALREADY_ATTACHED = 0x118;
    public static final int NAMESPACE_IS_PRIVATE = 0x119;
    public static final int NAMESPACE_NOT_ATTACHED = 0x11a;
    public static final int THIN_PROVISIONING_NOT_SUPPORTED = 0x11b;
    public static final int CONTROLLER_LIST_INVALID = 0x11c;
    public static final int DEVICE_SELF_TEST_IN_PROGRESS = 0x11d;
    public static final int BOOT_PARTITION_WRITE_PROHIBITED = 0x11e;
    public static final int INVALID_CONTROLLER_IDENTIFIER = 0x11f;
    public static final int INVALID_SECONDARY_CONTROLLER_STATE = 0x120;
    public static final int INVALID_NUMBER_OF_CONTROLLER_RESOURCES = 0x121;
    public static final int INVALID_RESOURCE_IDENTIFIER = 0x122;
    public static final int SANITIZE_PROHIBITED_WITH_PMR = 0x123;
    public static final int ANA_GROUP_IDENTIFIER_INVALID = 0x124;
    public static final int ANA_ATTACH_FAILED = 0x125;
    public static final int INSUFFICIENT_CAPACITY = 0x126;
    public static final int NAMESPACE_ATTACHMENT_LIMIT_EXCEEDED = 0x127;
    public static final int PROHIBITION_NOT_SUPPORTED = 0x128;
    public static final int COMMAND_SET_NOT_SUPPORTED = 0x129;
    public static final int COMMAND_SET_NOT_ENABLED = 0x12a;
    public static final int COMMAND_SET_COMBINATION_REJECTED = 0x12b;
    public static final int INVALID_COMMAND_SET = 0x12c;
    public static final int IDENTIFIER_UNAVAILABLE = 0x12d;
    public static final int CONFLICTING_ATTRIBUTES = 0x180;
    public static final int INVALID_PROTECTION_INFORMATION = 0x181;
    public static final int WRITE_TO_READ_ONLY_RANGE = 0x182;
    public static final int COMMAND_SIZE_LIMIT_EXCEEDED = 0x183;

    private CommandSpecificStatus() {}

    /// The specification's name of a status of this type.
    public static String name(int status) {
        return switch (Status.code(status)) {
            case COMPLETION_QUEUE_INVALID -> "Completion Queue Invalid";
            case INVALID_QUEUE_IDENTIFIER -> "Invalid Queue Identifier";
            case INVALID_QUEUE_SIZE -> "Invalid Queue Size";
            case ABORT_COMMAND_LIMIT_EXCEEDED -> "Abort Command Limit Exceeded";
            case ASYNC_EVENT_REQUEST_LIMIT_EXCEEDED -> "Asynchronous Event Request Limit Exceeded";
            case INVALID_FIRMWARE_SLOT -> "Invalid Firmware Slot";
            case INVALID_FIRMWARE_IMAGE -> "Invalid Firmware Image";
            case INVALID_INTERRUPT_VECTOR -> "Invalid Interrupt Vector";
            case INVALID_LOG_PAGE -> "Invalid Log Page";
            case INVALID_FORMAT -> "Invalid Format";
            case FIRMWARE_NEEDS_CONVENTIONAL_RESET -> "Firmware Activation Requires Conventional Reset";
            case INVALID_QUEUE_DELETION -> "Invalid Queue Deletion";
            case FEATURE_NOT_SAVEABLE -> "Feature Identifier Not Saveable";
            case FEATURE_NOT_CHANGEABLE -> "Feature Not Changeable";
            case FEATURE_NOT_NAMESPACE_SPECIFIC -> "Feature Not Namespace Specific";
            case FIRMWARE_NEEDS_SUBSYSTEM_RESET -> "Firmware Activation Requires NVM Subsystem Reset";
            case FIRMWARE_NEEDS_CONTROLLER_RESET -> "Firmware Activation Requires Controller Level Reset";
            case FIRMWARE_MAX_TIME_VIOLATION -> "Firmware Activation Requires Maximum Time Violation";
            case FIRMWARE_ACTIVATION_PROHIBITED -> "Firmware Activation Prohibited";
            case OVERLAPPING_RANGE -> "Overlapping Range";
            case NAMESPACE_INSUFFICIENT_CAPACITY -> "Namespace Insufficient Capacity";
            case NAMESPACE_IDENTIFIER_UNAVAILABLE -> "Namespace Identifier Unavailable";
            case NAMESPACE_ALREADY_ATTACHED -> "Namespace Already Attached";
            case NAMESPACE_IS_PRIVATE -> "Namespace Is Private";
            case NAMESPACE_NOT_ATTACHED -> "Namespace Not Attached";
            case THIN_PROVISIONING_NOT_SUPPORTED -> "Thin Provisioning Not Supported";
            case CONTROLLER_LIST_INVALID -> "Controller List Invalid";
            case DEVICE_SELF_TEST_IN_PROGRESS -> "Device Self-test In Progress";
            case BOOT_PARTITION_WRITE_PROHIBITED -> "Boot Partition Write Prohibited";
            case INVALID_CONTROLLER_IDENTIFIER -> "Invalid Controller Identifier";
            case INVALID_SECONDARY_CONTROLLER_STATE -> "Invalid Secondary Controller State";
            case INVALID_NUMBER_OF_CONTROLLER_RESOURCES -> "Invalid Number of Controller Resources";
            case INVALID_RESOURCE_IDENTIFIER -> "Invalid Resource Identifier";
            case SANITIZE_PROHIBITED_WITH_PMR -> "Sanitize Prohibited While Persistent Memory Region is Enabled";
            case ANA_GROUP_IDENTIFIER_INVALID -> "ANA Group Identifier Invalid";
            case ANA_ATTACH_FAILED -> "ANA Attach Failed";
            case INSUFFICIENT_CAPACITY -> "Insufficient Capacity";
            case NAMESPACE_ATTACHMENT_LIMIT_EXCEEDED -> "Namespace Attachment Limit Exceeded";
            case PROHIBITION_NOT_SUPPORTED -> "Prohibition of Command Execution Not Supported";
            case COMMAND_SET_NOT_SUPPORTED -> "I/O Command Set Not Supported";
            case COMMAND_SET_NOT_ENABLED -> "I/O Command Set Not Enabled";
            case COMMAND_SET_COMBINATION_REJECTED -> "I/O Command Set Combination Rejected";
            case INVALID_COMMAND_SET -> "Invalid I/O Command Set";
            case IDENTIFIER_UNAVAILABLE -> "Identifier Unavailable";
            case CONFLICTING_ATTRIBUTES -> "Conflicting Attributes";
            case INVALID_PROTECTION_INFORMATION -> "Invalid Protection Information";
            case WRITE_TO_READ_ONLY_RANGE -> "Attempted Write to Read Only Range";
            case COMMAND_SIZE_LIMIT_EXCEEDED -> "Command Size Limit Exceeded";
            default -> "Reserved or vendor specific status code";
        };
    }
}
