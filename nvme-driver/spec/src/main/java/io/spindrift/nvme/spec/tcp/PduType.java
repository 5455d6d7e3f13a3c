package io.spindrift.nvme.spec.tcp;

/// Types of PDU, and the length of each one's header (NVMe/TCP transport 1.0, "PDUs").
public final class PduType {
    /// Initialize Connection Request, host to controller.
    public static final int IC_REQ = 0x00;
    /// Initialize Connection Response.
    public static final int IC_RESP = 0x01;
    /// Host to Controller Terminate Connection Request.
    public static final int H2C_TERM_REQ = 0x02;
    /// Controller to Host Terminate Connection Request.
    public static final int C2H_TERM_REQ = 0x03;
    /// Command Capsule, host to controller.
    public static final int CAPSULE_CMD = 0x04;
    /// Response Capsule.
    public static final int CAPSULE_RESP = 0x05;
    /// Host to Controller Data Transfer.
    public static final int H2C_DATA = 0x06;
    /// Controller to Host Data Transfer.
    public static final int C2H_DATA = 0x07;
    /// Ready to Transfer, controller to host.
    public static final int R2T = 0x09;

    private PduType() {}

    /// HLEN of a type, 0 if there is no such type.
    public static int hlen(int type) {
        return switch (type) {
            case IC_REQ, IC_RESP -> 128;
            case CAPSULE_CMD -> 72;
            case H2C_TERM_REQ, C2H_TERM_REQ, CAPSULE_RESP, H2C_DATA, C2H_DATA, R2T -> 24;
            default -> 0;
        };
    }

    /// Whether a host sends it. What a controller sends has the odd numbers.
    public static boolean fromHost(int type) {
        return type == IC_REQ || type == H2C_TERM_REQ || type == CAPSULE_CMD || type == H2C_DATA;
    }

    /// What the specification calls it.
    public static String name(int type) {
        return switch (type) {
            case IC_REQ -> "ICReq";
            case IC_RESP -> "ICResp";
            case H2C_TERM_REQ -> "H2CTermReq";
            case C2H_TERM_REQ -> "C2HTermReq";
            case CAPSULE_CMD -> "CapsuleCmd";
            case CAPSULE_RESP -> "CapsuleResp";
            case H2C_DATA -> "H2CData";
            case C2H_DATA -> "C2HData";
            case R2T -> "R2T";
            default -> "reserved";
        };
    }
}
