package io.spindrift.framework.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
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
    void aReaderInALoopSeesNewValues() throws InterruptedException {
        OwnerCounter counter = new OwnerCounter();
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            long times = 0;
            while (counter.get() == 0) {
                times++;
            }
            assertFalse(times < 0);
        });
        reader.join(Duration.ofSeconds(1)); // long enough for the loop to be compiled
        counter.add(1);
        assertEquals(true, reader.join(Duration.ofSeconds(20)), "the reader still sees 0");
    }
}
