package io.spindrift.nvme.spec.fabrics;

/// Fabrics Command Types: what opcode 7Fh does (base specification 2.0, 6). Bits 1:0 tell which way data goes, as an
/// opcode's.
public final class Fctype {
    public static final int PROPERTY_SET = 0x00;
    public static final int CONNECT = 0x01;
    public static final int PROPERTY_GET = 0x04;
    public static final int AUTHENTICATION_SEND = 0x05;
    public static final int AUTHENTICATION_RECEIVE = 0x06;
    public static final int DISCONNECT = 0x08;

    private Fctype() {}

    /// The specification's name of a Fabrics command.
    public static String name(int fctype) {
        return switch (fctype) {
            case PROPERTY_SET -> "Property Set";
            case CONNECT -> "Connect";
            case PROPERTY_GET -> "Property Get";
            case AUTHENTICATION_SEND -> "Authentication Send";
            case AUTHENTICATION_RECEIVE -> "Authentication Receive";
            case DISCONNECT -> "Disconnect";
            default -> fctype >= 0xc0 ? "Vendor Specific" : "Reserved";
        };
    }
}
