package io.spindrift.nvme.spec.identify;

import io.spindrift.nvme.spec.Field.Array;
import io.spindrift.nvme.spec.Field.Bytes;
import io.spindrift.nvme.spec.Field.U128;
import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U32;
import io.spindrift.nvme.spec.Field.U64;
import io.spindrift.nvme.spec.Field.U8;

/// The Identify Namespace data structure of the NVM command set, 4,096 bytes (NVM command set 1.0, 4.1.5.1).
public final class IdentifyNamespace {
    public static final int SIZE = 4096;

    /// NSFEAT: NCAP may be less than NSZE.
    public static final int NSFEAT_THIN_PROVISIONING = 1;
    /// NAWUN, NAWUPF and NACWU are the namespace's.
    public static final int NSFEAT_ATOMICS = 1 << 1;
    public static final int NSFEAT_DEALLOCATED_ERROR = 1 << 2;
    /// NGUID and EUI64 are never used again.
    public static final int NSFEAT_IDS_NOT_REUSED = 1 << 3;
    /// NPWG, NPWA, NPDG, NPDA and NOWS are defined.
    public static final int NSFEAT_OPTIMAL_PERFORMANCE = 1 << 4;

    /// FLBAS: metadata is at the end of each logical block, not in a buffer of its own.
    public static final int FLBAS_EXTENDED = 1 << 4;

    /// MC: metadata at the end of each logical block.
    public static final int MC_EXTENDED = 1;
    /// MC: metadata in a buffer of its own.
    public static final int MC_SEPARATE = 1 << 1;

    public static final int DPC_TYPE_1 = 1;
    public static final int DPC_TYPE_2 = 1 << 1;
    public static final int DPC_TYPE_3 = 1 << 2;
    /// Protection information as the first bytes of metadata.
    public static final int DPC_FIRST = 1 << 3;
    /// Protection information as the last bytes of metadata.
    public static final int DPC_LAST = 1 << 4;

    /// DPS: the type of protection, 0 for none.
    public static final int DPS_TYPE_MASK = 7;
    /// DPS: protection information is the first bytes of metadata.
    public static final int DPS_FIRST = 1 << 3;

    /// NMIC: may be attached to more than one controller.
    public static final int NMIC_SHARED = 1;

    /// RESCAP: Persist Through Power Loss.
    public static final int RESCAP_PERSIST = 1;
    public static final int RESCAP_WRITE_EXCLUSIVE = 1 << 1;
    public static final int RESCAP_EXCLUSIVE_ACCESS = 1 << 2;
    public static final int RESCAP_WRITE_EXCLUSIVE_REGISTRANTS_ONLY = 1 << 3;
    public static final int RESCAP_EXCLUSIVE_ACCESS_REGISTRANTS_ONLY = 1 << 4;
    public static final int RESCAP_WRITE_EXCLUSIVE_ALL_REGISTRANTS = 1 << 5;
    public static final int RESCAP_EXCLUSIVE_ACCESS_ALL_REGISTRANTS = 1 << 6;
    public static final int RESCAP_IGNORE_EXISTING_KEY = 1 << 7;

    /// DLFEAT: deallocated blocks read as zeroes.
    public static final int DLFEAT_READS_ZEROES = 1;
    public static final int DLFEAT_READS_ONES = 2;
    public static final int DLFEAT_WRITE_ZEROES_DEALLOCATE = 1 << 3;
    /// DLFEAT: the guard of deallocated blocks is the CRC of what is read.
    public static final int DLFEAT_GUARD_CRC = 1 << 4;

    public static final int NSATTR_WRITE_PROTECTED = 1;

    /// RESCAP: Persist Through Power Loss can be had.
    public static final int RESCAP_PERSISTENT = 1;
    /// RESCAP: Write Exclusive, Exclusive Access, and both for Registrants Only and for All Registrants.
    public static final int RESCAP_ALL_TYPES = 0x3f << 1;
    /// RESCAP: Ignore Existing Key is as in revision 1.3 and later.
    public static final int RESCAP_IEKEY_1_3 = 1 << 7;

    /// Namespace Size, logical blocks.
    public static final U64 NSZE = new U64(0);
    /// Namespace Capacity, logical blocks.
    public static final U64 NCAP = new U64(8);
    /// Namespace Utilization, logical blocks.
    public static final U64 NUSE = new U64(16);
    /// Namespace Features.
    public static final U8 NSFEAT = new U8(24);
    /// Number of LBA Formats, 0's based.
    public static final U8 NLBAF = new U8(25);
    /// Formatted LBA Size: the format's index in bits 3:0 and 6:5.
    public static final U8 FLBAS = new U8(26);
    /// Metadata Capabilities.
    public static final U8 MC = new U8(27);
    /// End-to-end Data Protection Capabilities.
    public static final U8 DPC = new U8(28);
    /// End-to-end Data Protection Type Settings.
    public static final U8 DPS = new U8(29);
    /// Namespace Multi-path I/O and Namespace Sharing Capabilities.
    public static final U8 NMIC = new U8(30);
    /// Reservation Capabilities.
    public static final U8 RESCAP = new U8(31);
    /// Format Progress Indicator.
    public static final U8 FPI = new U8(32);
    /// Deallocate Logical Block Features.
    public static final U8 DLFEAT = new U8(33);
    /// Namespace Atomic Write Unit Normal, 0's based.
    public static final U16 NAWUN = new U16(34);
    /// Namespace Atomic Write Unit Power Fail, 0's based.
    public static final U16 NAWUPF = new U16(36);
    /// Namespace Atomic Compare & Write Unit, 0's based.
    public static final U16 NACWU = new U16(38);
    /// Namespace Atomic Boundary Size Normal, 0's based.
    public static final U16 NABSN = new U16(40);
    /// Namespace Atomic Boundary Offset.
    public static final U16 NABO = new U16(42);
    /// Namespace Atomic Boundary Size Power Fail, 0's based.
    public static final U16 NABSPF = new U16(44);
    /// Namespace Optimal I/O Boundary, logical blocks, 0 for none.
    public static final U16 NOIOB = new U16(46);
    /// NVM Capacity, bytes.
    public static final U128 NVMCAP = new U128(48);
    /// Namespace Preferred Write Granularity, logical blocks, 0's based.
    public static final U16 NPWG = new U16(64);
    /// Namespace Preferred Write Alignment, 0's based.
    public static final U16 NPWA = new U16(66);
    /// Namespace Preferred Deallocate Granularity, 0's based.
    public static final U16 NPDG = new U16(68);
    /// Namespace Preferred Deallocate Alignment, 0's based.
    public static final U16 NPDA = new U16(70);
    /// Namespace Optimal Write Size, 0's based.
    public static final U16 NOWS = new U16(72);
    /// Maximum Single Source Range Length of Copy, logical blocks.
    public static final U16 MSSRL = new U16(74);
    /// Maximum Copy Length, logical blocks.
    public static final U32 MCL = new U32(76);
    /// Maximum Source Range Count of Copy, 0's based.
    public static final U8 MSRC = new U8(80);
    /// Number of Unique Capability LBA Formats.
    public static final U8 NULBAF = new U8(82);
    /// ANA Group Identifier, 0 for none.
    public static final U32 ANAGRPID = new U32(92);
    /// Namespace Attributes.
    public static final U8 NSATTR = new U8(99);
    /// NVM Set Identifier.
    public static final U16 NVMSETID = new U16(100);
    /// Endurance Group Identifier.
    public static final U16 ENDGID = new U16(102);
    /// Namespace Globally Unique Identifier, see [io.spindrift.nvme.spec.Nguid].
    public static final Bytes NGUID = new Bytes(104, 16);
    /// IEEE Extended Unique Identifier, see [io.spindrift.nvme.spec.Eui64].
    public static final Bytes EUI64 = new Bytes(120, 8);
    /// LBA formats: [LbaFormat]s.
    public static final Array LBAF = new Array(128, LbaFormat.SIZE, 64);

    private IdentifyNamespace() {}

    /// The index of the format in use, 0 to 63; `nlbaf` is [#NLBAF], for bits 6:5 count only with more than 16 formats.
    public static int formatIndex(int flbas, int nlbaf) {
        return flbas & 0xf | (nlbaf >= 16 ? (flbas >>> 5 & 3) << 4 : 0);
    }
}
