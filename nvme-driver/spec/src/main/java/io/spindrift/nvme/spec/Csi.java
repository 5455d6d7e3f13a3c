package io.spindrift.nvme.spec;

/// Command Set Identifiers (base specification 2.0, 5.17, figure 274).
public final class Csi {
    public static final int NVM = 0x00;
    public static final int KEY_VALUE = 0x01;
    public static final int ZONED = 0x02;

    private Csi() {}
}
