package io.spindrift.nvme.spec;

/// Path related status, SCT 3h (base specification 2.0, 3.3.3.2.1.4). See [Status] for the encoding.
public final class PathStatus {
    public static final int INTERNAL_PATH_ERROR = 0x300;
    public static final int ANA_PERSISTENT_LOSS = 0x301;
    public static final int ANA_INACCESSIBLE = 0x302;
    public static final int ANA_TRANSITION = 0x303;
    public static final int CONTROLLER_PATHING_ERROR = 0x360;
    /// Set by the host: the path failed.
    public static final int HOST_PATHING_ERROR = 0x370;
    public static final int ABORTED_BY_HOST = 0x371;

    private PathStatus() {}

    /// The specification's name of a status of this type.
    public static String name(int status) {
        return switch (Status.code(status)) {
            case INTERNAL_PATH_ERROR -> "Internal Path Error";
            case ANA_PERSISTENT_LOSS -> "Asymmetric Access Persistent Loss";
            case ANA_INACCESSIBLE -> "Asymmetric Access Inaccessible";
            case ANA_TRANSITION -> "Asymmetric Access Transition";
            case CONTROLLER_PATHING_ERROR -> "Controller Pathing Error";
            case HOST_PATHING_ERROR -> "Host Pathing Error";
            case ABORTED_BY_HOST -> "Command Aborted By Host";
            default -> "Reserved or vendor specific status code";
        };
    }
}
