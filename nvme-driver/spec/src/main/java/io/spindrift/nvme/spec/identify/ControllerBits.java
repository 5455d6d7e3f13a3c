package io.spindrift.nvme.spec.identify;

/// Bits of the fields of [IdentifyController] (base specification 2.0, 5.17.2.1, figure 275).
///
/// Each is named by its field.
public final class ControllerBits {
    /// The NVM subsystem may have more than one port.
    public static final int CMIC_MULTIPLE_PORTS = 1;
    public static final int CMIC_MULTIPLE_CONTROLLERS = 1 << 1;
    public static final int CMIC_SR_IOV = 1 << 2;
    /// Asymmetric Namespace Access Reporting.
    public static final int CMIC_ANA = 1 << 3;

    public static final int OAES_NAMESPACE_ATTRIBUTE = 1 << 8;
    public static final int OAES_FIRMWARE_ACTIVATION = 1 << 9;
    public static final int OAES_ANA_CHANGE = 1 << 11;
    public static final int OAES_PREDICTABLE_LATENCY = 1 << 12;
    public static final int OAES_LBA_STATUS = 1 << 13;
    public static final int OAES_ENDURANCE_GROUP = 1 << 14;
    public static final int OAES_SUBSYSTEM_SHUTDOWN = 1 << 15;
    public static final int OAES_ZONE_DESCRIPTOR = 1 << 27;
    public static final int OAES_DISCOVERY_LOG_CHANGE = 1 << 31;

    /// 128-bit Host Identifier.
    public static final int CTRATT_HOST_ID_128 = 1;
    public static final int CTRATT_NON_OPERATIONAL_PERMISSIVE = 1 << 1;
    public static final int CTRATT_NVM_SETS = 1 << 2;
    public static final int CTRATT_READ_RECOVERY_LEVELS = 1 << 3;
    public static final int CTRATT_ENDURANCE_GROUPS = 1 << 4;
    public static final int CTRATT_PREDICTABLE_LATENCY = 1 << 5;
    public static final int CTRATT_TRAFFIC_BASED_KEEP_ALIVE = 1 << 6;
    public static final int CTRATT_NAMESPACE_GRANULARITY = 1 << 7;
    public static final int CTRATT_SQ_ASSOCIATIONS = 1 << 8;
    public static final int CTRATT_UUID_LIST = 1 << 9;
    public static final int CTRATT_MULTI_DOMAIN = 1 << 10;
    public static final int CTRATT_FIXED_CAPACITY = 1 << 11;
    public static final int CTRATT_VARIABLE_CAPACITY = 1 << 12;
    public static final int CTRATT_DELETE_ENDURANCE_GROUP = 1 << 13;
    public static final int CTRATT_DELETE_NVM_SET = 1 << 14;
    public static final int CTRATT_EXTENDED_LBA_FORMATS = 1 << 15;
    /// Of revision 2.1.
    public static final int CTRATT_FLEXIBLE_DATA_PLACEMENT = 1 << 19;

    public static final int CNTRLTYPE_NOT_REPORTED = 0;
    public static final int CNTRLTYPE_IO = 1;
    public static final int CNTRLTYPE_DISCOVERY = 2;
    public static final int CNTRLTYPE_ADMINISTRATIVE = 3;

    public static final int OACS_SECURITY = 1;
    public static final int OACS_FORMAT_NVM = 1 << 1;
    public static final int OACS_FIRMWARE = 1 << 2;
    public static final int OACS_NAMESPACE_MANAGEMENT = 1 << 3;
    public static final int OACS_DEVICE_SELF_TEST = 1 << 4;
    public static final int OACS_DIRECTIVES = 1 << 5;
    public static final int OACS_NVME_MI = 1 << 6;
    public static final int OACS_VIRTUALIZATION_MANAGEMENT = 1 << 7;
    public static final int OACS_DOORBELL_BUFFER_CONFIG = 1 << 8;
    public static final int OACS_GET_LBA_STATUS = 1 << 9;
    public static final int OACS_LOCKDOWN = 1 << 10;

    public static final int FRMW_SLOT_1_READ_ONLY = 1;
    /// Bits 3:1 are the number of firmware slots.
    public static final int FRMW_SLOTS_SHIFT = 1;
    /// Firmware is activated without a reset.
    public static final int FRMW_NO_RESET = 1 << 4;
    public static final int FRMW_MULTIPLE_UPDATE_DETECTION = 1 << 5;

    public static final int LPA_SMART_PER_NAMESPACE = 1;
    public static final int LPA_COMMANDS_SUPPORTED_AND_EFFECTS = 1 << 1;
    /// Get Log Page takes offsets and lengths of 32 bits.
    public static final int LPA_EXTENDED_DATA = 1 << 2;
    public static final int LPA_TELEMETRY = 1 << 3;
    public static final int LPA_PERSISTENT_EVENT = 1 << 4;
    /// The log pages 00h, 12h and 13h.
    public static final int LPA_SUPPORTED_LOG_PAGES = 1 << 5;
    public static final int LPA_TELEMETRY_AREA_4 = 1 << 6;

    /// The state ANA Optimized is reported.
    public static final int ANACAP_OPTIMIZED = 1;
    public static final int ANACAP_NON_OPTIMIZED = 1 << 1;
    public static final int ANACAP_INACCESSIBLE = 1 << 2;
    public static final int ANACAP_PERSISTENT_LOSS = 1 << 3;
    public static final int ANACAP_CHANGE = 1 << 4;
    /// The ANAGRPID of a namespace does not change while it is attached.
    public static final int ANACAP_FIXED_ANAGRPID = 1 << 6;
    /// Namespace management takes an ANAGRPID.
    public static final int ANACAP_NON_ZERO_ANAGRPID = 1 << 7;

    public static final int ONCS_COMPARE = 1;
    public static final int ONCS_WRITE_UNCORRECTABLE = 1 << 1;
    public static final int ONCS_DATASET_MANAGEMENT = 1 << 2;
    public static final int ONCS_WRITE_ZEROES = 1 << 3;
    /// Set Features has Save, Get Features has Select.
    public static final int ONCS_SAVE_AND_SELECT = 1 << 4;
    public static final int ONCS_RESERVATIONS = 1 << 5;
    public static final int ONCS_TIMESTAMP = 1 << 6;
    public static final int ONCS_VERIFY = 1 << 7;
    public static final int ONCS_COPY = 1 << 8;

    public static final int FUSES_COMPARE_AND_WRITE = 1;

    public static final int FNA_FORMAT_ALL = 1;
    public static final int FNA_ERASE_ALL = 1 << 1;
    public static final int FNA_CRYPTO_ERASE = 1 << 2;

    public static final int VWC_PRESENT = 1;
    /// Flush does not take the broadcast NSID.
    public static final int VWC_FLUSH_BROADCAST_NO = 2 << 1;
    /// Flush takes the broadcast NSID.
    public static final int VWC_FLUSH_BROADCAST = 3 << 1;

    /// Without alignment.
    public static final int SGLS_SUPPORTED = 1;
    public static final int SGLS_DWORD_ALIGNED = 2;
    public static final int SGLS_KEYED = 1 << 2;
    public static final int SGLS_BIT_BUCKET = 1 << 16;
    public static final int SGLS_MPTR_CONTIGUOUS = 1 << 17;
    /// An SGL may be longer than the data.
    public static final int SGLS_OVERSIZED = 1 << 18;
    public static final int SGLS_MPTR_SGL = 1 << 19;
    /// The address of a data block may be an offset: in-capsule data.
    public static final int SGLS_OFFSET = 1 << 20;
    /// Transport SGL data blocks.
    public static final int SGLS_TRANSPORT = 1 << 21;

    /// Controllers are static; else dynamic.
    public static final int FCATT_STATIC_CONTROLLERS = 1;
    public static final int OFCS_DISCONNECT = 1;

    private ControllerBits() {}
}
