package io.spindrift.nvme.spec;

/// Command specific status, SCT 1h, of Fabrics commands and of the discovery log page (base specification 2.0,
/// 3.3.3.2.1.2). See [Status] for the encoding.
public final class FabricsStatus {
    /// The Record Format (RECFMT) of Connect is not supported.
    public static final int INCOMPATIBLE_FORMAT = 0x180;
    public static final int CONTROLLER_BUSY = 0x181;
    /// Dword 0 tells which, see `fabrics.ConnectResponse`.
    public static final int CONNECT_INVALID_PARAMETERS = 0x182;
    public static final int CONNECT_RESTART_DISCOVERY = 0x183;
    /// The host is not allowed to use the subsystem.
    public static final int CONNECT_INVALID_HOST = 0x184;
    public static final int INVALID_QUEUE_TYPE = 0x185;
    /// The discovery log changed while it was read.
    public static final int DISCOVER_RESTART = 0x190;
    public static final int AUTHENTICATION_REQUIRED = 0x191;

    private FabricsStatus() {}

    /// The specification's name of a status of this type.
    public static String name(int status) {
        return switch (Status.code(status)) {
            case INCOMPATIBLE_FORMAT -> "Connect Incompatible Format";
            case CONTROLLER_BUSY -> "Connect Controller Busy";
            case CONNECT_INVALID_PARAMETERS -> "Connect Invalid Parameters";
            case CONNECT_RESTART_DISCOVERY -> "Connect Restart Discovery";
            case CONNECT_INVALID_HOST -> "Connect Invalid Host";
            case INVALID_QUEUE_TYPE -> "Disconnect Invalid Queue Type";
            case DISCOVER_RESTART -> "Discover Restart";
            case AUTHENTICATION_REQUIRED -> "Authentication Required";
            default -> CommandSpecificStatus.name(status);
        };
    }
}
