package io.spindrift.framework.rpc;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/// Collects the bytes of a connection and hands out one request (or reply) after the other. One thread.
final class RequestFramer {
    /// The longest request, from its first bracket to its last.
    static final int MAX_REQUEST_BYTES = 1 << 20;

    private static final int INITIAL_BYTES = 4096;

    private final int maxBytes;
    private final RequestScanner scanner = new RequestScanner();
    private byte[] bytes = new byte[INITIAL_BYTES];
    private int end;

    /// `maxBytes` bounds each value; what is longer is refused.
    RequestFramer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Where bytes can be written that were read; at least one byte long. [#received] follows.
    ByteBuffer space() {
        if (end == bytes.length || scanner.start() == end) {
            makeRoom();
        }
        return ByteBuffer.wrap(bytes, end, bytes.length - end);
    }

    /// `count` bytes were written to the [#space()].
    void received(int count) {
        end += count;
    }

    /// Moves what is not handed out yet to the front; doubles the buffer if that is more than half of it.
    private void makeRoom() {
        int start = scanner.start();
        int kept = end - start;
        byte[] target = kept == 0 && bytes.length > INITIAL_BYTES
                ? new byte[INITIAL_BYTES]
                : kept > bytes.length / 2 ? new byte[bytes.length * 2] : bytes;
        System.arraycopy(bytes, start, target, 0, kept);
        bytes = target;
        end = kept;
        scanner.moved(start);
    }

    /// The next complete request, if there is one. The bytes are the caller's.
    ///
    /// Throws [RpcException] if what comes is no request or too long; then nothing that follows can be understood.
    Optional<byte[]> next() {
        while (scanner.position() < end) {
            int start = scanner.start();
            RequestScanner.Outcome outcome = scanner.scan(bytes, (int) Math.min(end, (long) start + maxBytes));
            switch (outcome) {
                case COMPLETE -> {
                    return Optional.of(Arrays.copyOfRange(bytes, scanner.begun(), scanner.position()));
                }
                case MORE -> {
                    if (scanner.inValue() && scanner.position() - scanner.start() >= maxBytes) {
                        throw new RpcException(RpcException.INVALID_REQUEST,
                                "the request is longer than " + maxBytes + " bytes");
                    }
                }
                case SCALAR -> throw new RpcException(RpcException.INVALID_REQUEST,
                        "a request is an object, or an array of objects");
                case MALFORMED -> throw new RpcException(RpcException.PARSE_ERROR, "the request is no JSON");
                case TOO_DEEP -> throw new RpcException(RpcException.PARSE_ERROR,
                        "values are nested deeper than " + TreeReader.MAX_DEPTH);
            }
        }
        return Optional.empty();
    }
}
