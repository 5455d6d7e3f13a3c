package io.spindrift.nvme.spec;

/// Offsets of the controller properties, registers in PCIe's BAR0 (base specification 2.0, 3.1.3). Those beyond CRTO
/// are PCIe's own.
public final class ControllerProperty {
    /// Controller Capabilities, 8 bytes, see [Cap].
    public static final int CAP = 0x00;
    /// Version, see [Version].
    public static final int VS = 0x08;
    /// Interrupt Mask Set.
    public static final int INTMS = 0x0c;
    /// Interrupt Mask Clear.
    public static final int INTMC = 0x10;
    /// Controller Configuration, see [Cc].
    public static final int CC = 0x14;
    /// Controller Status, see [Csts].
    public static final int CSTS = 0x1c;
    /// NVM Subsystem Reset: [#NSSR_RESET] is written to it.
    public static final int NSSR = 0x20;
    /// Admin Queue Attributes, see [Aqa].
    public static final int AQA = 0x24;
    /// Admin Submission Queue Base Address, 8 bytes.
    public static final int ASQ = 0x28;
    /// Admin Completion Queue Base Address, 8 bytes.
    public static final int ACQ = 0x30;
    /// Controller Memory Buffer Location.
    public static final int CMBLOC = 0x38;
    /// Controller Memory Buffer Size.
    public static final int CMBSZ = 0x3c;
    /// Boot Partition Information.
    public static final int BPINFO = 0x40;
    /// Boot Partition Read Select.
    public static final int BPRSEL = 0x44;
    /// Boot Partition Memory Buffer Location, 8 bytes.
    public static final int BPMBL = 0x48;
    /// Controller Memory Buffer Memory Space Control, 8 bytes.
    public static final int CMBMSC = 0x50;
    /// Controller Memory Buffer Status.
    public static final int CMBSTS = 0x58;
    /// NVM Subsystem Shutdown.
    public static final int NSSD = 0x64;
    /// Controller Ready Timeouts, see [Crto].
    public static final int CRTO = 0x68;
    /// The first doorbell; queue y's submission queue tail is at 2y times the stride from here, its completion queue
    /// head at 2y + 1 times (PCIe transport 1.0, "Submission Queue y Tail Doorbell").
    public static final int DOORBELLS = 0x1000;

    /// "NVMe": what resets the NVM subsystem when written to NSSR.
    public static final int NSSR_RESET = 0x4e564d65;

    private ControllerProperty() {}

    /// Bytes of the property at an offset of this class, 4 or 8; 0 if none that Fabrics has begins there (base
    /// specification 2.0, 3.1.3).
    public static int fabricsSize(long offset) {
        if (offset == CAP) {
            return 8;
        }
        return offset == VS || offset == CC || offset == CSTS || offset == NSSR || offset == NSSD || offset == CRTO
                ? 4
                : 0;
    }
}
