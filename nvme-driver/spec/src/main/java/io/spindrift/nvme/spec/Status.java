package io.spindrift.nvme.spec;

/// The status field of a completion queue entry (base specification 2.0, 3.3.3.2.1), an `int` without the phase tag.
///
/// ```
///    14   13   12 11   10   8   7      0
///   +----+----+-------+-------+---------+
///   |DNR | M  |  CRD  |  SCT  |   SC    |
///   +----+----+-------+-------+---------+
/// ```
/// 0 is success. The constants of [GenericStatus], [CommandSpecificStatus], [FabricsStatus], [MediaStatus] and
/// [PathStatus] are such fields: SCT and SC in their places.
public final class Status {
    public static final int SUCCESS = 0;

    /// Status Code Type: generic command status.
    public static final int SCT_GENERIC = 0;
    public static final int SCT_COMMAND_SPECIFIC = 1;
    public static final int SCT_MEDIA = 2;
    public static final int SCT_PATH = 3;
    public static final int SCT_VENDOR_SPECIFIC = 7;

    /// Do Not Retry.
    public static final int DNR = 1 << 14;
    /// More: the error log has an entry about this command.
    public static final int M = 1 << 13;

    private Status() {}

    public static int of(int sct, int sc) {
        return (sct & 7) << 8 | sc & 0xff;
    }

    /// Status Code Type.
    public static int sct(int status) {
        return status >>> 8 & 7;
    }

    /// Status Code.
    public static int sc(int status) {
        return status & 0xff;
    }

    /// SCT and SC in their places: what the constants are compared with.
    public static int code(int status) {
        return status & 0x7ff;
    }

    /// Command Retry Delay: 0 for none, else which CRDT of the Identify Controller data.
    public static int crd(int status) {
        return status >>> 11 & 3;
    }

    public static int withCrd(int status, int crd) {
        return status & ~(3 << 11) | (crd & 3) << 11;
    }

    public static int withDnr(int status) {
        return status | DNR;
    }

    public static boolean doNotRetry(int status) {
        return (status & DNR) != 0;
    }

    public static boolean more(int status) {
        return (status & M) != 0;
    }

    /// What to print: `Invalid Field in Command (SCT 0h, SC 02h), do not retry`. `fabrics` tells that the command was
    /// one of Fabrics, whose specific codes overlap with those of the NVM command set. Allocates.
    public static String text(int status, boolean fabrics) {
        StringBuilder text = new StringBuilder(name(status, fabrics));
        text.append(String.format(" (SCT %Xh, SC %02Xh)", sct(status), sc(status)));
        if (crd(status) != 0) {
            text.append(", retry after CRDT").append(crd(status));
        }
        if (more(status)) {
            text.append(", more in the error log");
        }
        return text.append(doNotRetry(status) ? ", do not retry" : "").toString();
    }

    private static String name(int status, boolean fabrics) {
        return switch (sct(status)) {
            case SCT_GENERIC -> GenericStatus.name(status);
            case SCT_COMMAND_SPECIFIC -> fabrics ? FabricsStatus.name(status) : CommandSpecificStatus.name(status);
            case SCT_MEDIA -> MediaStatus.name(status);
            case SCT_PATH -> PathStatus.name(status);
            case SCT_VENDOR_SPECIFIC -> "Vendor Specific";
            default -> "Reserved status code type";
        };
    }
}
