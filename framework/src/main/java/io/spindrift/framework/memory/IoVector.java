package io.spindrift.framework.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The memory of an I/O: a list of (segment, offset, length) and their total length, used again for each I/O.
///
/// One thread at a time. Each range is checked against its segment when it is added, and every copy goes through the
/// segment again, so that a wrong length is an exception in one request and never touches foreign memory. Nothing here
/// allocates, except [#add] on a full vector, which then keeps its larger size.
///
/// Positions called `fromByte` count over the whole vector, as if its ranges were one.
public final class IoVector {
    private Entry[] entries;
    /// The first entry, kept when `entries` grows: an I/O of one range needs no other.
    private final Entry first;
    private int count;
    private long byteLength;
    private long addressBits;
    private long lengthBits;
    /// Whether a range lies in a region that counts its holders.
    private boolean counted;

    /// One range. What it knows of its segment is read once, when the segment changes.
    private static final class Entry {
        private MemorySegment segment = MemorySegment.NULL;
        private MemoryRegion region;
        private ByteBuffer view;
        private long base;
        private long size;
        private long offset;
        private long length;
        /// Bytes of the ranges before it.
        private long start;

        /// Bytes of it that are before byte `fromByte` of the vector.
        private long skip(long fromByte) {
            return Math.max(0, fromByte - start);
        }

        private void useSegment(MemorySegment newSegment) {
            if (!newSegment.isNative()) {
                throw new IllegalArgumentException("segment=" + newSegment + " is not native memory");
            }
            segment = newSegment;
            view = null;
            base = newSegment.address();
            size = newSegment.byteSize();
        }
    }

    /// A vector with room for `capacity` ranges, at least 1.
    public IoVector(int capacity) {
        entries = newEntries(new Entry[0], Math.max(1, capacity));
        first = entries[0];
    }

    private static Entry[] newEntries(Entry[] old, int capacity) {
        Entry[] larger = new Entry[capacity];
        System.arraycopy(old, 0, larger, 0, old.length);
        for (int i = old.length; i < capacity; i++) {
            larger[i] = new Entry();
        }
        return larger;
    }

    // ---- building ---------------------------------------------------------------------------------------------

    /// Empties the vector. It still references its last segments until others take their place.
    public void clear() {
        count = 0;
        byteLength = 0;
        addressBits = 0;
        lengthBits = 0;
        counted = false;
    }

    /// [#clear] and [#add(MemorySegment, long, long)] in one: the usual I/O has one range.
    public void set(MemorySegment segment, long offset, long length) {
        replace(segment, null, offset, length);
    }

    /// [#clear] and [#add(MemoryRegion, long, long)] in one.
    public void set(MemoryRegion region, long offset, long length) {
        replace(region.segment(), region, offset, length);
    }

    /// [#clear] and [#add(Buffer, long)] in one.
    public void set(Buffer buffer, long length) {
        replace(buffer.segment(), buffer.region(), 0, length);
    }

    private void replace(MemorySegment segment, MemoryRegion region, long offset, long length) {
        Entry e = first;
        if (e.segment != segment) {
            e.useSegment(segment);
        }
        if (!isWithin(e.size, offset, length)) {
            throw outside(e, offset, length);
        }
        if (e.region != region) {
            e.region = region;
        }
        e.offset = offset;
        e.length = length;
        count = length == 0 ? 0 : 1;
        byteLength = length;
        addressBits = e.base + offset;
        lengthBits = length;
        counted = region != null && region.counted();
    }

    /// Appends `length` bytes of `segment` from `offset`, memory of no known region. A length of 0 adds nothing.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the segment: a caller's bug, see [#tryAdd]
    /// @throws IllegalArgumentException if the segment is on the Java heap
    public void add(MemorySegment segment, long offset, long length) {
        append(segment, null, offset, length);
    }

    /// Appends `length` bytes of `region` from `offset`. A length of 0 adds nothing.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the region
    public void add(MemoryRegion region, long offset, long length) {
        append(region.segment(), region, offset, length);
    }

    /// Appends the first `length` bytes of `buffer`.
    ///
    /// @throws IndexOutOfBoundsException if the buffer is shorter
    public void add(Buffer buffer, long length) {
        append(buffer.segment(), buffer.region(), 0, length);
    }

    /// Appends `length` bytes of `segment`, which is a part of `region` or all of it, from `offset` in the segment.
    ///
    /// @throws IndexOutOfBoundsException if the range is not within the segment, or not within the region
    public void add(MemorySegment segment, MemoryRegion region, long offset, long length) {
        if (segment.address() < region.address() || segment.byteSize() > region.end() - segment.address()) {
            throw new IndexOutOfBoundsException("segment=" + segment + " is not within region " + region);
        }
        append(segment, region, offset, length);
    }

    /// As [#add(MemorySegment, long, long)] for an offset and length that a guest, a peer or a disk gave: neither
    /// throws for them nor grows.
    ///
    /// @return false, and nothing changed, if the range is not within the segment or the vector is full
    public boolean tryAdd(MemorySegment segment, long offset, long length) {
        if (count == entries.length || !isWithin(segment.byteSize(), offset, length)) {
            return false;
        }
        append(segment, null, offset, length);
        return true;
    }

    /// As [#tryAdd(MemorySegment, long, long)], for a region.
    public boolean tryAdd(MemoryRegion region, long offset, long length) {
        if (count == entries.length || !isWithin(region.byteLength(), offset, length)) {
            return false;
        }
        append(region.segment(), region, offset, length);
        return true;
    }

    /// Appends `length` bytes of `other` from its byte `fromByte`: the same memory, not a copy of it.
    ///
    /// @throws IndexOutOfBoundsException if `other` is shorter
    /// @throws IllegalArgumentException if `other` is this vector
    public void addSlice(IoVector other, long fromByte, long length) {
        if (other == this) {
            throw new IllegalArgumentException("other=this: a vector cannot be appended to itself");
        }
        Objects.checkFromIndexSize(fromByte, length, other.byteLength);
        long done = 0;
        for (int i = other.rangeAt(fromByte); done < length; i++) {
            Entry e = other.entries[i];
            long skip = e.skip(fromByte);
            long part = Math.min(e.length - skip, length - done);
            append(e.segment, e.region, e.offset + skip, part);
            done += part;
        }
    }

    private static boolean isWithin(long size, long offset, long length) {
        return offset >= 0 && length >= 0 && offset <= size - length;
    }

    private void append(MemorySegment segment, MemoryRegion region, long offset, long length) {
        if (count == entries.length) {
            entries = newEntries(entries, entries.length * 2);
        }
        Entry e = entries[count];
        if (e.segment != segment) {
            e.useSegment(segment);
        }
        if (!isWithin(e.size, offset, length)) {
            throw outside(e, offset, length);
        }
        if (length == 0) {
            return;
        }
        if (e.region != region) {
            e.region = region;
        }
        e.offset = offset;
        e.length = length;
        e.start = byteLength;
        count++;
        byteLength += length;
        addressBits |= e.base + offset;
        lengthBits |= length;
        counted |= region != null && region.counted();
    }

    private static IndexOutOfBoundsException outside(Entry e, long offset, long length) {
        return new IndexOutOfBoundsException(
                "offset=" + offset + " length=" + length + " is outside a segment of " + e.size + " bytes");
    }

    // ---- reading ----------------------------------------------------------------------------------------------

    /// The number of ranges.
    public int count() {
        return count;
    }

    /// The number of ranges that fit without growing.
    public int capacity() {
        return entries.length;
    }

    /// The sum of all lengths.
    public long byteLength() {
        return byteLength;
    }

    /// All addresses or-ed: `(addressBits() & (alignment - 1)) == 0` says that each is aligned to a power of two.
    public long addressBits() {
        return addressBits;
    }

    /// All lengths or-ed, to be used as [#addressBits].
    public long lengthBits() {
        return lengthBits;
    }

    /// The range that has byte `fromByte` of the vector; the last one for a byte after the end.
    public int rangeAt(long fromByte) {
        int range = 0;
        while (range + 1 < count && entries[range + 1].start <= fromByte) {
            range++;
        }
        return range;
    }

    private Entry entry(int index) {
        return entries[Objects.checkIndex(index, count)];
    }

    public MemorySegment segment(int index) {
        return entry(index).segment;
    }

    /// The memory of [#segment(int)] for calls that take a ByteBuffer, less than 2 GiB. Position and limit are its user's to
    /// set. Made at the first call, and kept as long as the range's segment does not change.
    public ByteBuffer view(int index) {
        Entry e = entry(index);
        if (e.view == null) {
            e.view = e.segment.asByteBuffer();
        }
        return e.view;
    }

    /// How many bytes the ranges before range `index` have.
    public long start(int index) {
        return entry(index).start;
    }

    /// Where range `index` starts in its segment.
    public long offset(int index) {
        return entry(index).offset;
    }

    public long length(int index) {
        return entry(index).length;
    }

    /// The region that range `index` lies in, or null if it was added without one.
    public MemoryRegion region(int index) {
        return entry(index).region;
    }

    /// The address of the first byte of range `index`, for a native call; [#length(int)] bytes are there.
    public long address(int index) {
        Entry e = entry(index);
        return e.base + e.offset;
    }

    // ---- holding ----------------------------------------------------------------------------------------------

    /// Whether a range lies in foreign memory, so that [#hold] is needed for an I/O.
    public boolean counted() {
        return counted;
    }

    /// Holds the region of each range, as [MemoryRegion#hold].
    ///
    /// @return false, and nothing is held, if one of them is being unregistered
    public boolean hold(int slot) {
        return !counted || holdEach(slot);
    }

    private boolean holdEach(int slot) {
        for (int i = 0; i < count; i++) {
            MemoryRegion region = entries[i].region;
            if (region != null && !region.hold(slot)) {
                releaseFirst(i, slot);
                return false;
            }
        }
        return true;
    }

    /// Undoes [#hold]; the same ranges must still be in the vector.
    public void release(int slot) {
        if (counted) {
            releaseFirst(count, slot);
        }
    }

    private void releaseFirst(int n, int slot) {
        for (int i = 0; i < n; i++) {
            MemoryRegion region = entries[i].region;
            if (region != null) {
                region.release(slot);
            }
        }
    }

    // ---- bulk operations --------------------------------------------------------------------------------------

    /// Copies `length` bytes from byte `fromByte` of this vector to `dst` at `dstOffset`.
    ///
    /// @throws IndexOutOfBoundsException if either is shorter
    public void copyTo(MemorySegment dst, long dstOffset, long fromByte, long length) {
        Objects.checkFromIndexSize(fromByte, length, byteLength);
        long done = 0;
        for (int i = rangeAt(fromByte); done < length; i++) {
            Entry e = entries[i];
            long skip = e.skip(fromByte);
            long part = Math.min(e.length - skip, length - done);
            MemorySegment.copy(e.segment, e.offset + skip, dst, dstOffset + done, part);
            done += part;
        }
    }

    /// Copies `length` bytes from `src` at `srcOffset` to byte `toByte` of this vector.
    ///
    /// @throws IndexOutOfBoundsException if either is shorter
    public void copyFrom(MemorySegment src, long srcOffset, long toByte, long length) {
        Objects.checkFromIndexSize(toByte, length, byteLength);
        long done = 0;
        for (int i = rangeAt(toByte); done < length; i++) {
            Entry e = entries[i];
            long skip = e.skip(toByte);
            long part = Math.min(e.length - skip, length - done);
            MemorySegment.copy(src, srcOffset + done, e.segment, e.offset + skip, part);
            done += part;
        }
    }

    /// Copies `length` bytes from byte `fromByte` of `other` to byte `toByte` of this vector.
    ///
    /// @throws IndexOutOfBoundsException if either is shorter
    public void copyFrom(IoVector other, long fromByte, long toByte, long length) {
        Objects.checkFromIndexSize(fromByte, length, other.byteLength);
        Objects.checkFromIndexSize(toByte, length, byteLength);
        long done = 0;
        for (int i = other.rangeAt(fromByte); done < length; i++) {
            Entry e = other.entries[i];
            long skip = e.skip(fromByte);
            long part = Math.min(e.length - skip, length - done);
            copyFrom(e.segment, e.offset + skip, toByte + done, part);
            done += part;
        }
    }

    /// Sets every byte to `value`.
    public void fill(byte value) {
        for (int i = 0; i < count; i++) {
            Entry e = entries[i];
            fill(e.segment, e.offset, e.length, value);
        }
    }

    /// Sets a start to `value`, then doubles it: bulk copies without the slice that [MemorySegment#fill] needs.
    private static void fill(MemorySegment segment, long offset, long length, byte value) {
        long pattern = (value & 0xffL) * 0x0101_0101_0101_0101L;
        long start = Math.min(length, 256);
        long done = 0;
        for (; done + Long.BYTES <= start; done += Long.BYTES) {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + done, pattern);
        }
        for (; done < start; done++) {
            segment.set(ValueLayout.JAVA_BYTE, offset + done, value);
        }
        while (done < length) {
            long part = Math.min(done, length - done);
            MemorySegment.copy(segment, offset, segment, offset + done, part);
            done += part;
        }
    }

    /// Compares `length` bytes from byte `fromByte` of this vector with `other` from `otherOffset`.
    ///
    /// @return -1 if they are equal, else how many bytes are equal before the first difference
    /// @throws IndexOutOfBoundsException if either is shorter
    public long mismatch(MemorySegment other, long otherOffset, long fromByte, long length) {
        Objects.checkFromIndexSize(fromByte, length, byteLength);
        Objects.checkFromIndexSize(otherOffset, length, other.byteSize());
        long done = 0;
        for (int i = rangeAt(fromByte); done < length; i++) {
            Entry e = entries[i];
            long skip = e.skip(fromByte);
            long part = Math.min(e.length - skip, length - done);
            long from = e.offset + skip;
            long otherFrom = otherOffset + done;
            long at = MemorySegment.mismatch(e.segment, from, from + part, other, otherFrom, otherFrom + part);
            if (at >= 0) {
                return done + at;
            }
            done += part;
        }
        return -1;
    }

    /// Compares `length` bytes from byte `fromByte` of this vector with `other` from its byte `otherFromByte`.
    ///
    /// @return -1 if they are equal, else how many bytes are equal before the first difference
    /// @throws IndexOutOfBoundsException if either is shorter
    public long mismatch(IoVector other, long otherFromByte, long fromByte, long length) {
        Objects.checkFromIndexSize(otherFromByte, length, other.byteLength);
        Objects.checkFromIndexSize(fromByte, length, byteLength);
        long done = 0;
        for (int i = other.rangeAt(otherFromByte); done < length; i++) {
            Entry e = other.entries[i];
            long skip = e.skip(otherFromByte);
            long part = Math.min(e.length - skip, length - done);
            long at = mismatch(e.segment, e.offset + skip, fromByte + done, part);
            if (at >= 0) {
                return done + at;
            }
            done += part;
        }
        return -1;
    }

    /// `IoVector[2 ranges, 8192 bytes]`, for messages.
    @Override
    public String toString() {
        return "IoVector[" + count + " ranges, " + byteLength + " bytes]";
    }
}
