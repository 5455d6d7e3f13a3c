/// What every part of NVMe shares: queue entries, SGLs, status, opcodes, controller properties, names and identifiers.
///
/// First type to read: [SubmissionQueueEntry]. One final class is one structure of the specification. Names are the
/// specification's abbreviations, and the comment says what they stand for:
/// - **Structures of the data path**, queue entries, command dwords and PDUs, have static accessors: `cid(sqe, at)`
///   reads, `cid(sqe, at, 7)` writes.
/// - **Pages**, identify data and log pages, are tables of [Field] constants:
///   `IdentifyController.MDTS.set(page, at, 5)`. Control path.
/// - **Registers and dwords** are an `int` or `long`, which static methods make and take apart.
///
/// `at` is where the structure begins in the segment; it may be any number, for nothing here needs alignment. Only
/// [LittleEndian] knows the byte order. What the specification counts from 0 is named so ("0's based"); methods named
/// `blocks`, `ranges`, `bytes`, `size` count from 1.
///
/// **Errors.** A number from a peer is returned as it came: whoever uses it checks it. Reading or writing outside the
/// segment throws IndexOutOfBoundsException. **Threads.** No state, any thread. Nothing allocates, but for text and
/// identifiers.
///
/// The specifications: NVM Express base 2.0, NVM command set 1.0, NVMe/TCP transport 1.0. Where a section's number
/// differs between revisions its title is cited.
package io.spindrift.nvme.spec;
