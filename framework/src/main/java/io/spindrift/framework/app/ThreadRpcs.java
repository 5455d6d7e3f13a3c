package io.spindrift.framework.app;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoChannel;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.thread.Reactor;
import io.spindrift.framework.thread.Reactors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/// The methods about reactors and threads: `framework_get_reactors`, `thread_*`. Ticks are nanoseconds.
final class ThreadRpcs {
    static final long TICK_RATE = 1_000_000_000;

    private record MaskParams(@Option({"-i", "--id"}) @Unsigned(64) @Description("thread's id") long id,
            @Option({"-m", "--cpumask"}) @Description("cores it may run on") String cpumask) {}

    private record LightThread(String name, long id, String cpumask, long elapsed) {}

    private record ReactorInfo(int lcore, int numaId, int tid, long busy, long idle, boolean inInterrupt, long irq,
            long sys, long usr, List<LightThread> lwThreads) {}

    private record ReactorList(long tickRate, long pid, List<ReactorInfo> reactors) {}

    private record ThreadStats(String name, long id, String cpumask, long busy, long idle, int activePollersCount,
            int timedPollersCount, int pausedPollersCount) {}

    private record PollerInfo(String name, long id, String state, long runCount, long busyCount,
            OptionalLong periodTicks) {
        static PollerInfo of(Poller poller) {
            return new PollerInfo(poller.name(), poller.id(), stateName(poller), poller.runCount(), poller.busyCount(),
                    poller.kind() == Poller.Kind.TIMED ? OptionalLong.of(poller.periodNanos()) : OptionalLong.empty());
        }

        private static String stateName(Poller poller) {
            return switch (poller.state()) {
                case WAITING -> "waiting";
                case PAUSED -> "paused";
                case UNREGISTERED -> "unregistered";
            };
        }
    }

    private record ThreadPollers(String name, long id, List<PollerInfo> activePollers, List<PollerInfo> timedPollers,
            List<PollerInfo> pausedPollers) {}

    private record ChannelInfo(String name, int ref) {}

    private record ThreadChannels(String name, List<ChannelInfo> ioChannels) {}

    private record ThreadList(long tickRate, List<? extends Record> threads) {}

    private static final RpcMethod<NoParams> GET_REACTORS = RpcMethod
            .of("framework_get_reactors", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists the reactors, their times and their threads.");
    private static final RpcMethod<NoParams> GET_STATS = RpcMethod
            .of("thread_get_stats", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists the threads and their busy and idle times.");
    private static final RpcMethod<NoParams> GET_POLLERS = RpcMethod
            .of("thread_get_pollers", NoParams.class, STARTUP, RUNTIME).summary("Lists the pollers of each thread.");
    private static final RpcMethod<NoParams> GET_CHANNELS = RpcMethod
            .of("thread_get_io_channels", NoParams.class, STARTUP, RUNTIME)
            .summary("Lists the channels of each thread.");
    private static final RpcMethod<MaskParams> SET_CPUMASK = RpcMethod
            .of("thread_set_cpumask", MaskParams.class, RUNTIME).summary("Sets the cores that a thread may run on.");

    private final Reactors reactors;
    private final KernelStatistics kernel;

    private ThreadRpcs(Reactors reactors, KernelStatistics kernel) {
        this.reactors = reactors;
        this.kernel = kernel;
    }

    static List<RpcMethod<?>> methods() {
        return List.of(GET_REACTORS, GET_STATS, GET_POLLERS, GET_CHANNELS, SET_CPUMASK);
    }

    static void register(RpcRegistry rpcs, Reactors reactors, KernelStatistics kernel) {
        ThreadRpcs threads = new ThreadRpcs(reactors, kernel);
        rpcs.register(GET_REACTORS, _ -> threads.reactorList());
        rpcs.register(GET_STATS, _ -> threads.ofEach(ThreadRpcs::stats));
        rpcs.register(GET_POLLERS, _ -> threads.ofEach(ThreadRpcs::pollers));
        rpcs.register(GET_CHANNELS, _ -> threads.ofEach(ThreadRpcs::channels));
        rpcs.register(SET_CPUMASK, params -> {
            threads.cpuMask(params.id(), params.cpumask());
            return true;
        });
    }

    private ReactorList reactorList() throws IOException {
        long now = System.nanoTime();
        List<ReactorInfo> list = new ArrayList<>();
        for (Reactor reactor : reactors.reactors()) {
            KernelStatistics.Times times = kernel.times(reactor.osThreadId());
            list.add(new ReactorInfo(reactor.core(), kernel.numaNode(reactor.core()), reactor.osThreadId(),
                    reactor.busyNanos(), idle(reactors.appThread().startNanos(), reactor.busyNanos()), reactor.asleep(),
                    kernel.interruptTicks(reactor.core()),
                    times.system(), times.user(),
                    reactors.threads().stream().filter(thread -> thread.reactor() == reactor)
                            .map(thread -> new LightThread(thread.name(), thread.id(), thread.cpuMask().hex(),
                                    now - thread.startNanos()))
                            .toList()));
        }
        return new ReactorList(TICK_RATE, ProcessHandle.current().pid(), list);
    }

    /// All time since the start that was not busy: a sleeping reactor has not counted its sleep yet, and its threads
    /// count none of it. So busy / (busy + idle) is the part of a core that was used.
    private static long idle(long startNanos, long busyNanos) {
        return Math.max(0, System.nanoTime() - startNanos - busyNanos);
    }

    /// Asks each living thread on itself.
    private <R extends Record> ThreadList ofEach(Function<IoThread, R> question) {
        List<R> answers = new ArrayList<>();
        for (IoThread thread : reactors.threads()) {
            List<R> answer = new ArrayList<>(1);
            if (thread.callIfAlive(() -> answer.add(question.apply(thread)))) {
                answers.addAll(answer);
            }
        }
        return new ThreadList(TICK_RATE, answers);
    }

    private static ThreadStats stats(IoThread thread) {
        return new ThreadStats(thread.name(), thread.id(), thread.cpuMask().hex(), thread.busyNanos(),
                idle(thread.startNanos(), thread.busyNanos()),
                thread.pollers(Poller.Kind.ACTIVE).size() + thread.pollers(Poller.Kind.FD).size(),
                thread.pollers(Poller.Kind.TIMED).size(), thread.pausedPollers().size());
    }

    /// Pollers that wait for a descriptor are shown among the active ones, as in the peer.
    private static ThreadPollers pollers(IoThread thread) {
        List<PollerInfo> active = new ArrayList<>(infos(thread.pollers(Poller.Kind.ACTIVE)));
        active.addAll(infos(thread.pollers(Poller.Kind.FD)));
        return new ThreadPollers(thread.name(), thread.id(), active, infos(thread.pollers(Poller.Kind.TIMED)),
                infos(thread.pausedPollers()));
    }

    private static List<PollerInfo> infos(List<Poller> pollers) {
        return pollers.stream().map(PollerInfo::of).toList();
    }

    private static ThreadChannels channels(IoThread thread) {
        return new ThreadChannels(thread.name(), thread.channels().stream()
                .map((IoChannel channel) -> new ChannelInfo(channel.device().name(), channel.references())).toList());
    }

    private void cpuMask(long id, String cores) {
        Optional<IoThread> thread = reactors.threads().stream().filter(t -> t.id() == id).findFirst();
        if (thread.isEmpty()) {
            throw RpcException
                    .internal("id=" + id + ": there is no such thread; thread_get_stats lists those there are");
        }
        try {
            thread.get().cpuMask(CpuMask.parse(cores));
        } catch (IllegalArgumentException refused) {
            throw RpcException.internal("Invalid cpumask " + cores + ": " + refused.getMessage());
        }
    }
}
