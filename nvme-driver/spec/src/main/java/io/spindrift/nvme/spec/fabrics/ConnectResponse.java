package io.spindrift.nvme.spec.fabrics;

/// Dword 0 of the completion of Connect (base specification 2.0, 6.3).
///
/// ```
///   success              31          16 15          0
///                        |    AUTHREQ  |   CNTLID   |
///   Invalid Parameters   31 24 23    16 15          0
///                        |  0 | IATTR  |    IPO     |
/// ```
public final class ConnectResponse {
    /// AUTHREQ: the host must authenticate and set up a secure channel.
    public static final int AUTHREQ_ASCR = 1 << 18;
    /// AUTHREQ: the host must authenticate.
    public static final int AUTHREQ_ATR = 1 << 17;

    /// IATTR: the offset is one into the data; else into the command.
    private static final int IATTR_DATA = 1 << 16;

    private ConnectResponse() {}

    /// Dword 0 of success.
    public static int success(int cntlid, int authreq) {
        return cntlid & 0xffff | authreq;
    }

    /// Controller ID.
    public static int cntlid(int dw0) {
        return dw0 & 0xffff;
    }

    /// Whether authentication is asked for.
    public static boolean authenticationRequired(int dw0) {
        return (dw0 & (AUTHREQ_ATR | AUTHREQ_ASCR)) != 0;
    }

    /// Dword 0 of Connect Invalid Parameters: the parameter at this byte of the submission queue entry.
    public static int invalidCommandParameter(int offset) {
        return offset & 0xffff;
    }

    /// Dword 0 of Connect Invalid Parameters: the parameter at this byte of the [ConnectData].
    public static int invalidDataParameter(int offset) {
        return offset & 0xffff | IATTR_DATA;
    }

    /// Invalid Parameter Offset.
    public static int ipo(int dw0) {
        return dw0 & 0xffff;
    }

    /// Invalid Attributes: whether [#ipo] is an offset into the data.
    public static boolean inData(int dw0) {
        return (dw0 & IATTR_DATA) != 0;
    }
}
