package io.spindrift.bdev;

import io.spindrift.bdev.dif.Dif;
import io.spindrift.framework.memory.IoVector;

/// The rare parts of an I/O: separate metadata, protection checks, NVMe dwords. Mutable, for its owner to use again.
///
/// Owned by the caller, lent to the I/O until its completion.
public final class BdevIoOptions {
    private IoVector metadata;
    private int checkMask = -1;
    private int applicationTag;
    private int applicationTagMask = 0xffff;
    private int cdw12;
    private int cdw13;

    /// Options that change nothing.
    public BdevIoOptions() {}

    /// Separate metadata, `numBlocks * metadataSize` bytes; null for none or interleaved.
    public IoVector metadata() {
        return metadata;
    }

    public BdevIoOptions metadata(IoVector vector) {
        metadata = vector;
        return this;
    }

    /// Which protection checks to make, the `CHECK_` bits of [Dif]; negative for those that the device makes by itself.
    public int checkMask() {
        return checkMask;
    }

    /// Has the protection checks in `mask` made, as the PRCHK field of an NVMe command has them: of the guard and the
    /// reference tag those that the device makes, and the application tag, under its mask, on every device.
    public BdevIoOptions checkMask(int mask) {
        checkMask = mask;
        return this;
    }

    /// The checks to make on a device that makes `deviceChecks` by itself.
    public int checks(int deviceChecks) {
        return checkMask < 0 ? deviceChecks : (deviceChecks | Dif.CHECK_APPLICATION_TAG) & checkMask;
    }

    public int applicationTag() {
        return applicationTag;
    }

    public int applicationTagMask() {
        return applicationTagMask;
    }

    /// The application tag to write, or to compare with: in those bits that are ones in `mask`.
    public BdevIoOptions applicationTag(int tag, int mask) {
        applicationTag = tag & 0xffff;
        applicationTagMask = mask & 0xffff;
        return this;
    }

    public int cdw12() {
        return cdw12;
    }

    public int cdw13() {
        return cdw13;
    }

    /// NVMe command dwords 12 and 13, for devices that pass them on (directives, FUA, dataset management hints).
    public BdevIoOptions nvmeDwords(int dword12, int dword13) {
        cdw12 = dword12;
        cdw13 = dword13;
        return this;
    }

    /// Takes over all of `other` but its metadata.
    BdevIoOptions copyOf(BdevIoOptions other) {
        metadata = null;
        checkMask = other.checkMask;
        applicationTag = other.applicationTag;
        applicationTagMask = other.applicationTagMask;
        cdw12 = other.cdw12;
        cdw13 = other.cdw13;
        return this;
    }
}
