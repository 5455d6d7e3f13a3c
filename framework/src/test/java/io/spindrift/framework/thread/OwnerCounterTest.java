package io.spindrift.framework.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnerCounterTest {
    @Test
    void addsUp() {
        OwnerCounter counter = new OwnerCounter();
        counter.add(40);
        counter.add(2);
        assertEquals(42, counter.get());
    }

    /// A reader that does nothing but read sees the owner's additions: the compiler may not read once and keep that.
    @Test
    void aReaderInALoopSeesNewValues() throws Exception {
        OwnerCounter counter = new OwnerCounter();
        FutureTask<Long> seen = new FutureTask<>(() -> {
            long value = 0;
            while (value == 0) {
                value = counter.get();
            }
            return value;
        });
        Thread reader = Thread.ofPlatform().daemon().start(seen);
        reader.join(Duration.ofSeconds(1)); // long enough for the loop to be compiled
        counter.add(1);
        assertEquals(1, seen.get(20, TimeUnit.SECONDS), "ends by a TimeoutException while the reader still sees 0");
    }
}
