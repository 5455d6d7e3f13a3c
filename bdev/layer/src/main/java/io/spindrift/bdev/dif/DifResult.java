package io.spindrift.bdev.dif;

import io.spindrift.bdev.BdevStatus;

/// What [Dif] found, packed into a `long`: 0 is success, else the kind of error and the first block that has it.
///
/// ```
///  bit 63..40   39..32             31..0
///      zero     kind of error      index of the block in the request
/// ```
/// Allocates nothing, except for [#describe]. Any thread.
public final class DifResult {
    /// Every check passed.
    public static final long OK = 0;

    /// The guard does not match the block.
    public static final int GUARD = 1;
    /// The application tag, under the mask, is not the expected one.
    public static final int APPLICATION_TAG = 2;
    /// The reference tag is not the expected one.
    public static final int REFERENCE_TAG = 3;

    /// NVMe's Status Code Type "Media and Data Integrity Errors", for all three errors.
    public static final int NVME_STATUS_CODE_TYPE = 0x2;

    private static final int KIND_SHIFT = 32;

    private DifResult() {}

    static long of(int kind, int block) {
        return (long) kind << KIND_SHIFT | Integer.toUnsignedLong(block);
    }

    /// The kind of error: [#GUARD], [#APPLICATION_TAG] or [#REFERENCE_TAG]; 0 for [#OK].
    public static int kind(long result) {
        return (int) (result >>> KIND_SHIFT);
    }

    /// Index in the request of the first block with an error.
    public static int block(long result) {
        return (int) result;
    }

    /// NVMe's Status Code under [#NVME_STATUS_CODE_TYPE]: 82h End-to-end Guard Check Error, 83h Application Tag Check
    /// Error, 84h Reference Tag Check Error; 0 for [#OK] (NVMe Base specification, "Media and Data Integrity Errors").
    public static int nvmeStatusCode(long result) {
        return result == OK ? 0 : 0x81 + kind(result);
    }

    /// How an I/O with this result ends. Allocates nothing.
    public static long status(long result) {
        return result == OK ? BdevStatus.SUCCESS : BdevStatus.nvme(NVME_STATUS_CODE_TYPE, nvmeStatusCode(result));
    }

    /// The sentence for a log line. `expected` and `actual` are [Dif#expected()] and [Dif#actual()]. Allocates.
    public static String describe(long result, long expected, long actual) {
        if (result == OK) {
            return "protection information is correct";
        }
        String field = switch (kind(result)) {
            case GUARD -> "guard";
            case APPLICATION_TAG -> "application tag";
            default -> "reference tag";
        };
        return "block " + block(result) + ": " + field + " is 0x" + Long.toHexString(actual) + ", expected 0x"
                + Long.toHexString(expected);
    }
}
