package io.spindrift.sock;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A request that takes its ends down.
final class TestRequest extends SendRequest {
    final List<Integer> ends = new ArrayList<>();
    Runnable onSent = () -> {};

    TestRequest(int ranges) {
        super(ranges);
    }

    /// A copy of `bytes` in native memory, in pieces of `piece` bytes.
    static TestRequest of(byte[] bytes, int piece) {
        TestRequest request = new TestRequest(Math.max(1, (bytes.length + piece - 1) / piece));
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, bytes.length));
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
        for (int at = 0; at < bytes.length; at += piece) {
            request.add(memory, at, Math.min(piece, bytes.length - at));
        }
        return request;
    }

    static TestRequest of(byte[] bytes) {
        return of(bytes, Math.max(1, bytes.length));
    }

    @Override
    protected void sent(int errno) {
        ends.add(errno);
        onSent.run();
    }
}
