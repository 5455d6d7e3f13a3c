package io.spindrift.nvme.spec;

/// Controller Status, property CSTS (base specification 2.0, 3.1.3.6).
public final class Csts {
    /// Ready.
    public static final int RDY = 1;
    /// Controller Fatal Status.
    public static final int CFS = 1 << 1;
    /// NVM Subsystem Reset Occurred.
    public static final int NSSRO = 1 << 4;
    /// Processing Paused.
    public static final int PP = 1 << 5;

    /// Shutdown Status: normal operation.
    public static final int SHST_NORMAL = 0;
    public static final int SHST_OCCURRING = 1;
    public static final int SHST_COMPLETE = 2;

    private Csts() {}

    public static boolean ready(int csts) {
        return (csts & RDY) != 0;
    }

    public static boolean fatal(int csts) {
        return (csts & CFS) != 0;
    }

    /// Shutdown Status.
    public static int shst(int csts) {
        return csts >>> 2 & 3;
    }

    public static int withShst(int csts, int shst) {
        return csts & ~(3 << 2) | (shst & 3) << 2;
    }

    /// What a PCIe device that is gone answers: all ones.
    public static boolean gone(int csts) {
        return csts == -1;
    }
}
