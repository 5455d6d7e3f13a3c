/// Bdevs in memory. First type to read: [io.spindrift.bdev.malloc.MallocChannel], where I/O arrives; the device's memory
/// is a [io.spindrift.bdev.malloc.MallocStorage].
///
/// RPCs create and delete on control threads; the channels of all threads copy to and from the one storage without
/// locks, as disks do: two writes to one block at a time leave either of them, or a mixture.
package io.spindrift.bdev.malloc;
