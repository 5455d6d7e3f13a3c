package io.spindrift.nvme.spec;

/// Media and data integrity errors, SCT 2h (base specification 2.0, 3.3.3.2.1.3). See [Status] for the encoding.
public final class MediaStatus {
    public static final int WRITE_FAULT = 0x280;
    public static final int UNRECOVERED_READ_ERROR = 0x281;
    public static final int GUARD_CHECK_ERROR = 0x282;
    public static final int APPLICATION_TAG_CHECK_ERROR = 0x283;
    public static final int REFERENCE_TAG_CHECK_ERROR = 0x284;
    public static final int COMPARE_FAILURE = 0x285;
    public static final int ACCESS_DENIED = 0x286;
    public static final int DEALLOCATED_OR_UNWRITTEN_BLOCK = 0x287;
    public static final int STORAGE_TAG_CHECK_ERROR = 0x288;

    private MediaStatus() {}

    /// The specification's name of a status of this type.
    public static String name(int status) {
        return switch (Status.code(status)) {
            case WRITE_FAULT -> "Write Fault";
            case UNRECOVERED_READ_ERROR -> "Unrecovered Read Error";
            case GUARD_CHECK_ERROR -> "End-to-end Guard Check Error";
            case APPLICATION_TAG_CHECK_ERROR -> "End-to-end Application Tag Check Error";
            case REFERENCE_TAG_CHECK_ERROR -> "End-to-end Reference Tag Check Error";
            case COMPARE_FAILURE -> "Compare Failure";
            case ACCESS_DENIED -> "Access Denied";
            case DEALLOCATED_OR_UNWRITTEN_BLOCK -> "Deallocated or Unwritten Logical Block";
            case STORAGE_TAG_CHECK_ERROR -> "End-to-End Storage Tag Check Error";
            default -> "Reserved or vendor specific status code";
        };
    }
}
