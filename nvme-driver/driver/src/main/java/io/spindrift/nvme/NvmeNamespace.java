package io.spindrift.nvme;

import io.spindrift.nvme.spec.Csi;
import io.spindrift.nvme.spec.Eui64;
import io.spindrift.nvme.spec.Nguid;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.UUID;

/// A namespace as its controller described it last.
///
/// @param nsid       its identifier with this controller, from 1 on
/// @param blocks     its size in logical blocks, at least 1
/// @param format     what a logical block is
/// @param ids        what it is known by, everywhere
/// @param csi        its I/O command set, as in [Csi]
/// @param anaGroup   its ANA group; 0 for none
/// @param page       its Identify Namespace data, 4,096 bytes, to be read only
public record NvmeNamespace(long nsid, long blocks, Format format, Ids ids, int csi, long anaGroup,
        MemorySegment page) {
    /// What a logical block is.
    ///
    /// @param dataSize    bytes of data, a power of two
    /// @param metadataSize bytes of metadata; 0 for none
    /// @param extended    whether the metadata follow each block's data, else they are in a buffer of their own
    /// @param protection  type of protection information, 0 for none, to 3
    /// @param piFormat    of protection information: 0 with a 16-bit guard, 1 32-bit, 2 64-bit
    /// @param piFirst     whether it is the first bytes of the metadata, else the last
    public record Format(int dataSize, int metadataSize, boolean extended, int protection, int piFormat,
            boolean piFirst) {
        /// Bytes of a block as they are transferred: with metadata if these are extended.
        public int transferSize() {
            return extended ? dataSize + metadataSize : dataSize;
        }
    }

    /// What a namespace is known by; zero or empty where it has no such identifier.
    public record Ids(Eui64 eui64, Nguid nguid, Optional<UUID> uuid) {
        /// Whether there is any.
        public boolean any() {
            return !eui64.isZero() || !nguid.isZero() || uuid.isPresent();
        }
    }

    /// Bytes of data.
    public long bytes() {
        return blocks * format.dataSize();
    }

    /// Whether several controllers may have it.
    public boolean shared() {
        return (IdentifyNamespace.NMIC.get(page, 0) & IdentifyNamespace.NMIC_SHARED) != 0;
    }

    public boolean writeProtected() {
        return (IdentifyNamespace.NSATTR.get(page, 0) & IdentifyNamespace.NSATTR_WRITE_PROTECTED) != 0;
    }

    /// Whether `other` is the same namespace, perhaps through another controller: all identifiers are equal.
    public boolean sameAs(NvmeNamespace other) {
        return ids.equals(other.ids) && csi == other.csi && (ids.any() || nsid == other.nsid);
    }
}
