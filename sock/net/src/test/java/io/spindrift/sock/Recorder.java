package io.spindrift.sock;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/// Takes down what arrives; how much of an offer it consumes can be scripted.
final class Recorder implements Receiver {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final List<Integer> ends = new ArrayList<>();
    LongUnaryOperator appetite = offered -> offered;
    Runnable onReceived = () -> {};
    int offers;

    @Override
    public long received(MemorySegment buffer, long offset, long length) {
        offers++;
        long consumed = appetite.applyAsLong(length);
        if (consumed >= 0 && consumed <= length) {
            byte[] copy = new byte[(int) consumed];
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, offset, copy, 0, copy.length);
            bytes.writeBytes(copy);
        }
        onReceived.run();
        return consumed;
    }

    @Override
    public void closed(int errno) {
        ends.add(errno);
    }
}
