package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Field.Array;
import io.spindrift.nvme.spec.Field.Ascii;
import io.spindrift.nvme.spec.Field.Bytes;
import io.spindrift.nvme.spec.Field.U128;
import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U8;
import io.spindrift.nvme.spec.Field.Utf8;

/// The Identify Controller data structure, 4,096 bytes (base specification 2.0, 5.17.2.1, figure 275).
///
/// The bits of its capability fields are in [ControllerBits].
public final class IdentifyController {
    public static final int SIZE = 4096;
    /// A controller identifier that no controller has: in Connect, any that is free.
    public static final int NO_CNTLID = 0xffff;

    /// PCI Vendor ID.
    public static final U16 VID = new U16(0);
    /// PCI Subsystem Vendor ID.
    public static final U16 SSVID = new U16(2);
    /// Serial Number.
    public static final Ascii SN = new Ascii(4, 20);
    /// Model Number.
    public static final Ascii MN = new Ascii(24, 40);
    /// Firmware Revision.
    public static final Ascii FR = new Ascii(64, 8);
    /// Recommended Arbitration Burst: 2^n commands.
    public static final U8 RAB = new U8(72);
    /// IEEE OUI Identifier, least significant byte first.
    public static final Bytes IEEE = new Bytes(73, 3);
    /// Controller Multi-Path I/O and Namespace Sharing Capabilities.
    public static final U8 CMIC = new U8(76);
    /// Maximum Data Transfer Size: 2^n times the minimum memory page size (CAP.MPSMIN), 0 for no limit.
    public static final U8 MDTS = new U8(77);
    /// Controller ID.
    public static final U16 CNTLID = new U16(78);
    /// Version, as the property VS.
    public static final U32 VER = new U32(80);
    /// RTD3 Resume Latency, microseconds.
    public static final U32 RTD3R = new U32(84);
    /// RTD3 Entry Latency, microseconds.
    public static final U32 RTD3E = new U32(88);
    /// Optional Asynchronous Events Supported.
    public static final U32 OAES = new U32(92);
    /// Controller Attributes.
    public static final U32 CTRATT = new U32(96);
    /// Read Recovery Levels Supported.
    public static final U16 RRLS = new U16(100);
    /// Controller Type.
    public static final U8 CNTRLTYPE = new U8(111);
    /// FRU Globally Unique Identifier.
    public static final Bytes FGUID = new Bytes(112, 16);
    /// Command Retry Delay Time 1, units of 100 ms.
    public static final U16 CRDT1 = new U16(128);
    public static final U16 CRDT2 = new U16(130);
    public static final U16 CRDT3 = new U16(132);
    /// NVM Subsystem Report.
    public static final U8 NVMSR = new U8(253);
    /// VPD Write Cycle Information.
    public static final U8 VWCI = new U8(254);
    /// Management Endpoint Capabilities.
    public static final U8 MEC = new U8(255);

    /// Optional Admin Command Support.
    public static final U16 OACS = new U16(256);
    /// Abort Command Limit, 0's based.
    public static final U8 ACL = new U8(258);
    /// Asynchronous Event Request Limit, 0's based.
    public static final U8 AERL = new U8(259);
    /// Firmware Updates.
    public static final U8 FRMW = new U8(260);
    /// Log Page Attributes.
    public static final U8 LPA = new U8(261);
    /// Error Log Page Entries, 0's based.
    public static final U8 ELPE = new U8(262);
    /// Number of Power States Support, 0's based.
    public static final U8 NPSS = new U8(263);
    /// Admin Vendor Specific Command Configuration.
    public static final U8 AVSCC = new U8(264);
    /// Autonomous Power State Transition Attributes.
    public static final U8 APSTA = new U8(265);
    /// Warning Composite Temperature Threshold, kelvins.
    public static final U16 WCTEMP = new U16(266);
    /// Critical Composite Temperature Threshold, kelvins.
    public static final U16 CCTEMP = new U16(268);
    /// Maximum Time for Firmware Activation, units of 100 ms.
    public static final U16 MTFA = new U16(270);
    /// Host Memory Buffer Preferred Size, units of 4 KiB.
    public static final U32 HMPRE = new U32(272);
    /// Host Memory Buffer Minimum Size, units of 4 KiB.
    public static final U32 HMMIN = new U32(276);
    /// Total NVM Capacity, bytes.
    public static final U128 TNVMCAP = new U128(280);
    /// Unallocated NVM Capacity, bytes.
    public static final U128 UNVMCAP = new U128(296);
    /// Replay Protected Memory Block Support.
    public static final U32 RPMBS = new U32(312);
    /// Extended Device Self-test Time, minutes.
    public static final U16 EDSTT = new U16(316);
    /// Device Self-test Options.
    public static final U8 DSTO = new U8(318);
    /// Firmware Update Granularity, units of 4 KiB.
    public static final U8 FWUG = new U8(319);
    /// Keep Alive Support: granularity of the timer, units of 100 ms; 0 for no Keep Alive.
    public static final U16 KAS = new U16(320);
    /// Host Controlled Thermal Management Attributes.
    public static final U16 HCTMA = new U16(322);
    /// Minimum Thermal Management Temperature, kelvins.
    public static final U16 MNTMT = new U16(324);
    /// Maximum Thermal Management Temperature, kelvins.
    public static final U16 MXTMT = new U16(326);
    /// Sanitize Capabilities.
    public static final U32 SANICAP = new U32(328);
    /// Host Memory Buffer Minimum Descriptor Entry Size, units of 4 KiB.
    public static final U32 HMMINDS = new U32(332);
    /// Host Memory Maximum Descriptors Entries.
    public static final U16 HMMAXD = new U16(336);
    /// NVM Set Identifier Maximum.
    public static final U16 NSETIDMAX = new U16(338);
    /// Endurance Group Identifier Maximum.
    public static final U16 ENDGIDMAX = new U16(340);
    /// ANA Transition Time, seconds.
    public static final U8 ANATT = new U8(342);
    /// Asymmetric Namespace Access Capabilities.
    public static final U8 ANACAP = new U8(343);
    /// ANA Group Identifier Maximum.
    public static final U32 ANAGRPMAX = new U32(344);
    /// Number of ANA Group Identifiers.
    public static final U32 NANAGRPID = new U32(348);
    /// Persistent Event Log Size, units of 64 KiB.
    public static final U32 PELS = new U32(352);
    /// Domain Identifier.
    public static final U16 DOMAINID = new U16(356);
    /// Max Endurance Group Capacity, bytes.
    public static final U128 MEGCAP = new U128(368);

    /// Submission Queue Entry Size: maximum in bits 7:4, required in bits 3:0, 2^n bytes: 66h.
    public static final U8 SQES = new U8(512);
    /// Completion Queue Entry Size: maximum in bits 7:4, required in bits 3:0, 2^n bytes: 44h.
    public static final U8 CQES = new U8(513);
    /// Maximum Outstanding Commands of an I/O queue; mandatory on Fabrics.
    public static final U16 MAXCMD = new U16(514);
    /// Number of Namespaces: the largest NSID.
    public static final U32 NN = new U32(516);
    /// Optional NVM Command Support.
    public static final U16 ONCS = new U16(520);
    /// Fused Operation Support.
    public static final U16 FUSES = new U16(522);
    /// Format NVM Attributes.
    public static final U8 FNA = new U8(524);
    /// Volatile Write Cache.
    public static final U8 VWC = new U8(525);
    /// Atomic Write Unit Normal, logical blocks, 0's based.
    public static final U16 AWUN = new U16(526);
    /// Atomic Write Unit Power Fail, logical blocks, 0's based.
    public static final U16 AWUPF = new U16(528);
    /// I/O Command Set Vendor Specific Command Configuration.
    public static final U8 ICSVSCC = new U8(530);
    /// Namespace Write Protection Capabilities.
    public static final U8 NWPC = new U8(531);
    /// Atomic Compare & Write Unit, logical blocks, 0's based.
    public static final U16 ACWU = new U16(532);
    /// Optional Copy Formats Supported: bit n stands for format n.
    public static final U16 OCFS = new U16(534);
    /// SGL Support.
    public static final U32 SGLS = new U32(536);
    /// Maximum Number of Allowed Namespaces, 0 for NN.
    public static final U32 MNAN = new U32(540);
    /// Maximum Domain Namespace Attachments.
    public static final U128 MAXDNA = new U128(544);
    /// Maximum I/O Controller Namespace Attachments.
    public static final U32 MAXCNA = new U32(560);
    /// NVM Subsystem NVMe Qualified Name.
    public static final Utf8 SUBNQN = new Utf8(768, 256);

    /// I/O Queue Command Capsule Supported Size, units of 16 bytes: 4 and in-capsule data.
    public static final U32 IOCCSZ = new U32(1792);
    /// I/O Queue Response Capsule Supported Size, units of 16 bytes: 1.
    public static final U32 IORCSZ = new U32(1796);
    /// In Capsule Data Offset, units of 16 bytes from the end of the command.
    public static final U16 ICDOFF = new U16(1800);
    /// Fabrics Controller Attributes.
    public static final U8 FCATT = new U8(1802);
    /// Maximum SGL Data Block Descriptors, 0 for no limit.
    public static final U8 MSDBD = new U8(1803);
    /// Optional Fabrics Commands Support.
    public static final U16 OFCS = new U16(1804);
    /// Discovery Controller Type.
    public static final U8 DCTYPE = new U8(1806);

    /// Power states: [PowerStateDescriptor]s.
    public static final Array PSD = new Array(2048, PowerStateDescriptor.SIZE, 32);

    private IdentifyController() {}
}
