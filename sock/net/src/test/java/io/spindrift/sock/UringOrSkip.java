package io.spindrift.sock;

import static org.junit.jupiter.api.Assumptions.abort;

import io.spindrift.framework.uring.IoUring;
import io.spindrift.framework.uring.IoUringException;
import io.spindrift.framework.uring.IoUringOptions;
import io.spindrift.sock.spi.SockImplementation;
import io.spindrift.sock.uring.UringSockImplementation;

/// The implementation `uring`, where the kernel lets us use io_uring.
final class UringOrSkip {
    private UringOrSkip() {}

    static SockImplementation implementation() {
        try {
            IoUring.open(IoUringOptions.ofEntries(1)).close();
        } catch (IoUringException e) {
            abort(e.getMessage());
        }
        return new UringSockImplementation();
    }
}
