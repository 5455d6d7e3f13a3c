package io.spindrift.nvme.spec;

/// Opcodes of the NVM command set (NVM command set 1.0, 3; those for all I/O command sets: base specification
/// 2.0, 7). [Opcode] tells which way their data goes.
public final class NvmOpcode {
    public static final int FLUSH = 0x00;
    public static final int WRITE = 0x01;
    public static final int READ = 0x02;
    public static final int WRITE_UNCORRECTABLE = 0x04;
    public static final int COMPARE = 0x05;
    public static final int WRITE_ZEROES = 0x08;
    public static final int DATASET_MANAGEMENT = 0x09;
    public static final int VERIFY = 0x0c;
    public static final int RESERVATION_REGISTER = 0x0d;
    public static final int RESERVATION_REPORT = 0x0e;
    public static final int RESERVATION_ACQUIRE = 0x11;
    public static final int IO_MANAGEMENT_RECEIVE = 0x12;
    public static final int RESERVATION_RELEASE = 0x15;
    public static final int COPY = 0x19;
    public static final int IO_MANAGEMENT_SEND = 0x1d;
    public static final int FABRICS = 0x7f;

    private NvmOpcode() {}

    /// The specification's name of a command.
    public static String name(int opc) {
        return switch (opc) {
            case FLUSH -> "Flush";
            case WRITE -> "Write";
            case READ -> "Read";
            case WRITE_UNCORRECTABLE -> "Write Uncorrectable";
            case COMPARE -> "Compare";
            case WRITE_ZEROES -> "Write Zeroes";
            case DATASET_MANAGEMENT -> "Dataset Management";
            case VERIFY -> "Verify";
            case RESERVATION_REGISTER -> "Reservation Register";
            case RESERVATION_REPORT -> "Reservation Report";
            case RESERVATION_ACQUIRE -> "Reservation Acquire";
            case IO_MANAGEMENT_RECEIVE -> "I/O Management Receive";
            case RESERVATION_RELEASE -> "Reservation Release";
            case COPY -> "Copy";
            case IO_MANAGEMENT_SEND -> "I/O Management Send";
            case FABRICS -> "Fabrics Commands";
            default -> opc >= 0x80 ? "Vendor Specific" : "Reserved";
        };
    }
}
