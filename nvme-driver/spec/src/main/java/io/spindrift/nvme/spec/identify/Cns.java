package io.spindrift.nvme.spec.identify;

/// Controller or Namespace Structure: what Identify returns (base specification 2.0, 5.17, figure 273).
public final class Cns {
    /// [IdentifyNamespace] of an active namespace.
    public static final int NAMESPACE = 0x00;
    /// [IdentifyController].
    public static final int CONTROLLER = 0x01;
    /// [NamespaceList].
    public static final int ACTIVE_NAMESPACES = 0x02;
    /// [NamespaceDescriptor]s.
    public static final int NAMESPACE_DESCRIPTORS = 0x03;
    public static final int NVM_SETS = 0x04;
    /// For CSI 0 [IdentifyNamespaceNvm].
    public static final int COMMAND_SET_NAMESPACE = 0x05;
    /// For CSI 0 [IdentifyControllerNvm].
    public static final int COMMAND_SET_CONTROLLER = 0x06;
    /// [NamespaceList] of one I/O command set.
    public static final int COMMAND_SET_ACTIVE_NAMESPACES = 0x07;
    /// [IdentifyNamespaceIndependent].
    public static final int INDEPENDENT_NAMESPACE = 0x08;
    public static final int ALLOCATED_NAMESPACES = 0x10;
    public static final int ALLOCATED_NAMESPACE = 0x11;
    /// [ControllerList] of a namespace.
    public static final int ATTACHED_CONTROLLERS = 0x12;
    /// [ControllerList] of the NVM subsystem.
    public static final int CONTROLLERS = 0x13;
    public static final int PRIMARY_CONTROLLER_CAPABILITIES = 0x14;
    public static final int SECONDARY_CONTROLLERS = 0x15;
    public static final int NAMESPACE_GRANULARITIES = 0x16;
    public static final int UUID_LIST = 0x17;
    public static final int DOMAINS = 0x18;
    public static final int ENDURANCE_GROUPS = 0x19;
    public static final int COMMAND_SET_ALLOCATED_NAMESPACES = 0x1a;
    public static final int COMMAND_SET_ALLOCATED_NAMESPACE = 0x1b;
    /// Identify I/O Command Set: vectors of 8 bytes, bit n of which stands for CSI n.
    public static final int COMMAND_SETS = 0x1c;

    private Cns() {}
}
