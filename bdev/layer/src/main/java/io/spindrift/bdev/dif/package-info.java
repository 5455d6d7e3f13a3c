/// End-to-end data protection: the protection information (T10's data integrity field) that accompanies each block,
/// as the NVM Command Set specification defines it.
///
/// First type to read: [Dif]. A `Dif` belongs to one thread (a bdev channel has its own); the values around it
/// ([DifFormat], [DifType], [PiFormat]) are immutable. Nothing here allocates or throws while I/O runs: a corrupt block
/// is a [DifResult].
///
/// Vocabulary: *metadata* is what a block carries beside its data; *protection information*, or *tuple*, is the 8 or 16
/// bytes of it that are checked; the *guard* is a CRC, the *application tag* belongs to the host, the *reference tag*
/// says which block this is.
package io.spindrift.bdev.dif;
