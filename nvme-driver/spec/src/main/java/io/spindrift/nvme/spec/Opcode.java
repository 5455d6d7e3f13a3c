package io.spindrift.nvme.spec;

/// What bits 1:0 of every opcode tell: which way its data goes (base specification 2.0, 3.3.3.1). Of a Fabrics
/// command it is the FCTYPE whose bits tell it.
public final class Opcode {
    public static final int NO_DATA = 0;
    public static final int HOST_TO_CONTROLLER = 1;
    public static final int CONTROLLER_TO_HOST = 2;
    public static final int BIDIRECTIONAL = 3;

    private Opcode() {}

    /// Data Transfer.
    public static int transfer(int opc) {
        return opc & 3;
    }
}
