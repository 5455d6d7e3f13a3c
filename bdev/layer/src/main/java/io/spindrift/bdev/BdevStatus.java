package io.spindrift.bdev;

import io.spindrift.framework.Errno;

/// How an I/O ended, packed into a `long` so that nothing is lost and nothing is allocated; 0 is success.
///
/// ```
///   63            32 31   24 23   16 15    8 7     0
///   +---------------+-------+-------+-------+-------+
///   | detail        |   c   |   b   |   a   | kind  |
///   +---------------+-------+-------+-------+-------+
///   NVME:  cdw0        dnr      sc      sct     1
///   SCSI:  0           ascq     asc     key     2      (CHECK CONDITION with that sense)
///   ERRNO: errno       0        0       0       3
/// ```
/// This class alone converts between the three worlds. NVMe codes: NVM Express base specification 2.0, figure 92 and
/// following (status code type and status code); SCSI: SPC-4, sense keys and additional sense codes.
public final class BdevStatus {
    public static final long SUCCESS = 0;

    private static final int KIND_NVME = 1;
    private static final int KIND_SCSI = 2;
    private static final int KIND_ERRNO = 3;
    private static final int KIND_NOMEM = 4;

    /// The module has no room for the I/O now: the core queues it and submits it again. Never seen by a caller.
    public static final long NOMEM = KIND_NOMEM;
    /// A failure of no known reason: Internal Error.
    public static final long FAILED = nvme(0, 0x06);
    /// Given up on request or by a reset: Command Abort Requested.
    public static final long ABORTED = nvme(0, 0x07);
    /// A field of the request makes no sense: Invalid Field in Command.
    public static final long INVALID = nvme(0, 0x02);
    /// The module cannot do this type of I/O: Invalid Command Opcode.
    public static final long UNSUPPORTED = nvme(0, 0x01);
    /// Past the end of the device, and so again.
    public static final long LBA_OUT_OF_RANGE = nvme(0, 0x80, true, 0);
    /// The descriptor was opened for reading only, or the device is write-protected: Namespace is Write Protected.
    public static final long WRITE_PROTECTED = nvme(0, 0x20);
    /// The compared data differs: Compare Failure.
    public static final long MISCOMPARE = nvme(2, 0x85);
    /// The first command of a fused pair failed.
    public static final long FUSED_ABORTED = nvme(0, 0x09);

    private BdevStatus() {}

    /// An NVMe status code type and status code.
    public static long nvme(int sct, int sc) {
        return nvme(sct, sc, false, 0);
    }

    /// An NVMe status with the Do Not Retry bit and completion dword 0.
    public static long nvme(int sct, int sc, boolean doNotRetry, int cdw0) {
        return KIND_NVME | (sct & 7L) << 8 | (sc & 0xffL) << 16 | (doNotRetry ? 1L << 24 : 0) | (long) cdw0 << 32;
    }

    /// SCSI CHECK CONDITION with a sense key, additional sense code and qualifier.
    public static long scsi(int key, int asc, int ascq) {
        return KIND_SCSI | (key & 0xfL) << 8 | (asc & 0xffL) << 16 | (ascq & 0xffL) << 24;
    }

    /// A failed system call's error number, positive.
    public static long errno(int errno) {
        return KIND_ERRNO | (long) errno << 32;
    }

    private static int kind(long status) {
        return (int) status & 0xff;
    }

    private static int a(long status) {
        return (int) status >>> 8 & 0xff;
    }

    private static int b(long status) {
        return (int) status >>> 16 & 0xff;
    }

    private static int c(long status) {
        return (int) status >>> 24;
    }

    /// Whether a retry is pointless.
    public static boolean doNotRetry(long status) {
        return kind(status) == KIND_NVME && c(status) != 0;
    }

    /// Completion dword 0 of an NVMe status, else 0.
    public static int cdw0(long status) {
        return kind(status) == KIND_NVME ? (int) (status >>> 32) : 0;
    }

    /// The NVMe status field without its phase bit: sc in bits 0-7, sct in bits 8-10, DNR in bit 14.
    public static int toNvme(long status) {
        return switch (kind(status)) {
            case 0 -> 0;
            case KIND_NVME -> b(status) | a(status) << 8 | c(status) << 14;
            case KIND_SCSI -> scsiToNvme(a(status), b(status), c(status));
            case KIND_ERRNO -> errnoToNvme((int) (status >>> 32));
            default -> 0x06;
        };
    }

    private static int errnoToNvme(int errno) {
        return switch (errno) {
            case Errno.EINVAL -> 0x02;
            case Errno.ENOSPC -> 0x81;
            case Errno.ENODATA, Errno.EILSEQ -> 0x281;
            case Errno.EOPNOTSUPP, Errno.ENOSYS -> 0x01;
            case Errno.EROFS, Errno.EPERM, Errno.EACCES -> 0x20;
            case Errno.ECANCELED -> 0x07;
            case Errno.ENODEV, Errno.ENXIO -> 0x0b;
            default -> 0x06;
        };
    }

    private static int scsiToNvme(int key, int asc, int ascq) {
        return switch (key) {
            case 0x3 -> switch (asc) {
                case 0x11 -> 0x281;
                case 0x0c -> 0x280;
                default -> 0x06;
            };
            case 0x5 -> switch (asc) {
                case 0x20 -> 0x01;
                case 0x21 -> 0x80;
                default -> 0x02;
            };
            case 0x7 -> 0x20;
            case 0xb -> asc == 0x10 ? 0x281 + ascq : 0x07;
            case 0xe -> 0x285;
            default -> 0x06;
        };
    }

    /// The SCSI sense: key in bits 16-23, asc in bits 8-15, ascq in bits 0-7; 0 for success.
    public static int toScsi(long status) {
        return switch (kind(status)) {
            case 0 -> 0;
            case KIND_SCSI -> a(status) << 16 | b(status) << 8 | c(status);
            default -> nvmeToScsi(toNvme(status) & 0x7ff);
        };
    }

    private static int nvmeToScsi(int code) {
        return switch (code) {
            case 0x01 -> 0x052000;
            case 0x02 -> 0x052400;
            case 0x07, 0x08, 0x09, 0x0a -> 0x0b0000;
            case 0x0b -> 0x052500;
            case 0x20 -> 0x072700;
            case 0x80 -> 0x052100;
            case 0x81 -> 0x072707;
            case 0x280 -> 0x030c00;
            case 0x281 -> 0x031100;
            case 0x282 -> 0x0b1001;
            case 0x283 -> 0x0b1002;
            case 0x284 -> 0x0b1003;
            case 0x285 -> 0x0e1d00;
            case 0x286 -> 0x072002;
            default -> 0x044400;
        };
    }

    /// The error number that is nearest, positive; 0 for success.
    public static int toErrno(long status) {
        if (kind(status) == KIND_ERRNO) {
            return (int) (status >>> 32);
        }
        return switch (toNvme(status) & 0x7ff) {
            case 0 -> 0;
            case 0x01 -> Errno.EOPNOTSUPP;
            case 0x02 -> Errno.EINVAL;
            case 0x07, 0x08, 0x09, 0x0a -> Errno.ECANCELED;
            case 0x0b -> Errno.ENODEV;
            case 0x20 -> Errno.EROFS;
            case 0x80 -> Errno.ERANGE;
            case 0x81 -> Errno.ENOSPC;
            case 0x282, 0x283, 0x284, 0x285 -> Errno.EILSEQ;
            default -> Errno.EIO;
        };
    }

    /// A few words for log lines and error sentences.
    public static String text(long status) {
        return switch (kind(status)) {
            case 0 -> "success";
            case KIND_NOMEM -> "no memory";
            case KIND_ERRNO -> Errno.text((int) (status >>> 32));
            case KIND_SCSI -> String.format("SCSI sense %xh/%02xh/%02xh", a(status), b(status), c(status));
            default -> String.format("NVMe status %02xh/%02xh", a(status), b(status));
        };
    }
}
