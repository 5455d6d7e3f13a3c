/// The null bdev. First type to read: [io.spindrift.bdev.nulldev.NullBdevModule].
///
/// RPCs run on control threads; a channel, which has no state but a protected one's, on its own.
package io.spindrift.bdev.nulldev;
