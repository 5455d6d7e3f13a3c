package io.spindrift.framework.thread;

import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.internal.ffi.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The OS thread that runs a reactor, pinned to its core.
final class ReactorThread extends Thread {
    private final Reactor reactor;
    private final Reactors reactors;

    ReactorThread(Reactors reactors, Reactor reactor) {
        super(reactors.name() + "-reactor-" + reactor.core());
        this.reactors = reactors;
        this.reactor = reactor;
    }

    Reactor reactor() {
        return reactor;
    }

    @Override
    public void run() {
        pin();
        reactor.osThreadId(Libc.gettid());
        reactor.loop();
    }

    private void pin() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(CpuMask.LIMIT / 8);
            int core = reactor.core();
            set.set(ValueLayout.JAVA_BYTE, core / 8, (byte) (1 << core % 8));
            int result = Libc.sched_setaffinity(0, set);
            if (result < 0) {
                reactors.report("reactor " + core + " is not pinned: "
                        + new ErrnoException("sched_setaffinity(core " + core + ")", -result).getMessage());
            }
        }
    }
}
