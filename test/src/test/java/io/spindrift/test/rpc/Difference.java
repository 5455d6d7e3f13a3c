package io.spindrift.test.rpc;

/// One way in which our answer is not the peer's.
///
/// @param kind what differs
/// @param path where in the answer: `result.bdevs[].uuid`
/// @param text the sentence that a person reads
record Difference(Kind kind, String path, String text) {
    /// What can differ.
    enum Kind {
        /// The peer has a property, or elements of an array, that ours lacks.
        MISSING,
        /// Ours has a property that the peer's lacks.
        EXTRA,
        /// The JSON types.
        TYPE,
        /// The values, of the same type.
        VALUE,
        /// The codes of two errors.
        CODE,
        /// One has succeeded, one has failed.
        OUTCOME
    }
}
