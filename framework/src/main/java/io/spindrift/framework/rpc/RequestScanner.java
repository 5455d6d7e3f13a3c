package io.spindrift.framework.rpc;

/// Finds where a JSON value ends in a stream of bytes, which has no other framing: several requests may arrive in one
/// read, or one a byte at a time. Looks at each byte once.
///
/// It knows strings and brackets, no more: what it takes for a value may still be no JSON, but what it refuses is
/// none, or no request. One thread.
final class RequestScanner {
    /// What [#scan] found.
    enum Outcome {
        /// All bytes were looked at; the value goes on, or has not begun.
        MORE,
        /// The byte before [#position()] is the value's last.
        COMPLETE,
        /// A value begins that is neither an object nor an array.
        SCALAR,
        /// No value begins so, or a bracket closes another kind of bracket.
        MALFORMED,
        /// More than [TreeReader#MAX_DEPTH] levels.
        TOO_DEEP
    }

    private int position;
    private int start;
    private int depth;
    /// The kinds of the open brackets, the innermost in bit 0: 1 for an object. 64 bits, as many as [TreeReader#MAX_DEPTH].
    private long objects;
    private boolean inString;
    private boolean escaped;

    /// Where to look next; an index into the bytes given to [#scan].
    int position() {
        return position;
    }

    /// Where the value begins, or would begin: the index of its first bracket, or [#position()] before that.
    int start() {
        return depth > 0 ? start : position;
    }

    /// The index of the first bracket of the value that was begun last.
    int begun() {
        return start;
    }

    /// Whether a value has begun and not ended.
    boolean inValue() {
        return depth > 0;
    }

    /// The bytes moved by `distance` to the front.
    void moved(int distance) {
        position -= distance;
        start -= distance;
    }

    /// Looks at the bytes from [#position()] to `end`. After [Outcome#COMPLETE] it is ready for the next value; after
    /// what is no value it must not be called again.
    Outcome scan(byte[] bytes, int end) {
        while (position < end) {
            byte b = bytes[position];
            if (inString) {
                insideString(b);
            } else if (depth == 0) {
                Outcome outcome = begin(b);
                if (outcome != Outcome.MORE) {
                    return outcome;
                }
            } else {
                Outcome outcome = insideValue(b);
                if (outcome != Outcome.MORE) {
                    return outcome;
                }
            }
            position++;
        }
        return Outcome.MORE;
    }

    private void insideString(byte b) {
        if (escaped) {
            escaped = false;
        } else if (b == '\\') {
            escaped = true;
        } else if (b == '"') {
            inString = false;
        }
    }

    private Outcome begin(byte b) {
        return switch (b) {
            case ' ', '\t', '\r', '\n' -> Outcome.MORE;
            case '{', '[' -> {
                start = position;
                yield open(b);
            }
            case '"', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 't', 'f', 'n' -> Outcome.SCALAR;
            default -> Outcome.MALFORMED;
        };
    }

    private Outcome insideValue(byte b) {
        switch (b) {
            case '"' -> inString = true;
            case '{', '[' -> {
                return open(b);
            }
            case '}', ']' -> {
                return close(b);
            }
            default -> {
                // Names, numbers and separators are the parser's to judge.
            }
        }
        return Outcome.MORE;
    }

    private Outcome open(byte b) {
        if (depth == TreeReader.MAX_DEPTH) {
            return Outcome.TOO_DEEP;
        }
        depth++;
        objects = objects << 1 | (b == '{' ? 1 : 0);
        return Outcome.MORE;
    }

    private Outcome close(byte b) {
        if ((objects & 1) != (b == '}' ? 1 : 0)) {
            return Outcome.MALFORMED;
        }
        depth--;
        objects >>>= 1;
        if (depth > 0) {
            return Outcome.MORE;
        }
        position++;
        return Outcome.COMPLETE;
    }
}
