package io.spindrift.framework.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.ReactorEvents;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Memory is unmapped by its owner as soon as `unregister` returns; an I/O that touched it later would throw.
class ForeignMemoryRaceTest {
    private final ConcurrentLinkedQueue<String> reports = new ConcurrentLinkedQueue<>();
    private final AtomicLong accesses = new AtomicLong();
    private volatile MemoryRegion current;

    /// Holds the region for two turns, touching it in each.
    private final class Toucher implements PollFunction {
        private final int slot;
        private MemoryRegion held;

        Toucher(int slot) {
            this.slot = slot;
        }

        @Override
        public int poll() {
            if (held == null) {
                MemoryRegion region = current;
                if (region == null || !region.hold(slot)) {
                    return 0;
                }
                held = region;
                touch();
            } else {
                touch();
                MemoryRegion region = held;
                held = null;
                region.release(slot);
            }
            return 1;
        }

        private void touch() {
            held.segment().set(ValueLayout.JAVA_LONG, slot * 8L, slot);
            accesses.incrementAndGet();
        }

        @Override
        public boolean readyToSleep() {
            return false;
        }
    }

    @Test
    void neverLosesAHolderWhileThreadsComeToIt() throws InterruptedException {
        Reactors reactors = Reactors
                .start(new ReactorOptions("race", CpuMask.of(0, 1), 0, true, 0, new ReactorEvents() {
                    @Override
                    public void exception(String where, Throwable cause) {
                        reports.add(where + ": " + cause);
                    }

                    @Override
                    public void report(String sentence) {
                        reports.add(sentence);
                    }
                }));
        try (Memory memory = new Memory(MemoryOptions.DEFAULT, reactors)) {
            List<IoThread> threads = new ArrayList<>();
            List<Poller> pollers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                IoThread thread = reactors.createThread("toucher " + i, CpuMask.of(i % 2));
                threads.add(thread);
                pollers.add(thread.call(() -> thread.addPoller("touch", new Toucher(thread.slot()))));
            }
            for (int i = 0; i < 300; i++) {
                long before = accesses.get();
                try (Arena arena = Arena.ofShared()) {
                    MemoryRegion region = memory.register(arena.allocate(4096, 4096));
                    current = region;
                    while (accesses.get() < before + 10 && reports.isEmpty()) {
                        Thread.onSpinWait();
                    }
                    memory.unregister(region);
                }
            }
            for (int i = 0; i < threads.size(); i++) {
                threads.get(i).run(pollers.get(i)::unregister);
            }
        } finally {
            reactors.stop(1_000_000_000L);
        }
        assertEquals(List.of(), List.copyOf(reports));
        assertTrue(accesses.get() >= 3000);
    }
}
