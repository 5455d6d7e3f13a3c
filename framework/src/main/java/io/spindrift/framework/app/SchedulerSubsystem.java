package io.spindrift.framework.app;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.app.SchedulerParams.Current;
import io.spindrift.framework.app.SchedulerParams.Options;
import io.spindrift.framework.app.SchedulerParams.Select;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// Places threads on cores: `static`, as they were made (or mapped by hand), or `dynamic`, by their load.
///
/// The dynamic one looks once a period, on a control thread, and moves threads as [LoadBalance] says. Control path.
final class SchedulerSubsystem implements Subsystem {
    private static final String STATIC = "static";
    private static final String DYNAMIC = "dynamic";
    private static final long DEFAULT_PERIOD_MICROS = 1_000_000;

    private record NoGovernor() {}

    private static final RpcMethod<Select> SET = RpcMethod
            .of("framework_set_scheduler", Select.class, STARTUP, RUNTIME)
            .summary("Chooses how threads are placed on cores.");
    private static final RpcMethod<NoParams> GET = RpcMethod
            .of("framework_get_scheduler", NoParams.class, STARTUP, RUNTIME)
            .summary("Tells how threads are placed on cores.");
    private static final RpcMethod<NoParams> GET_GOVERNOR = RpcMethod
            .of("framework_get_governor", NoParams.class, STARTUP, RUNTIME)
            .summary("Tells what sets the cores' frequencies: nothing.");
    private static final RpcMethod<Options> SET_OPTIONS = RpcMethod
            .of("scheduler_set_options", Options.class, STARTUP).summary("Sets what cores the scheduler uses.");

    private final Reactors reactors;
    private String scheduler = STATIC;
    private long periodMicros;
    private SchedulerLimits limits = SchedulerLimits.DEFAULT;
    private Optional<CpuMask> isolated = Optional.empty();
    private int schedulingCore;
    private Map<Long, Integer> mappings = Map.of();
    private boolean running;
    private Optional<Future<Void>> balancing = Optional.empty();

    SchedulerSubsystem(Reactors reactors, int mainCore) {
        this.reactors = reactors;
        this.schedulingCore = mainCore;
    }

    static List<RpcMethod<?>> methods() {
        return List.of(SET, GET, GET_GOVERNOR, SET_OPTIONS);
    }

    @Override
    public String name() {
        return "scheduler";
    }

    @Override
    public void registerRpcs(RpcRegistry rpcs) {
        rpcs.register(SET, params -> {
            select(params);
            return true;
        });
        rpcs.register(GET, _ -> current());
        rpcs.register(GET_GOVERNOR, _ -> new NoGovernor());
        rpcs.register(SET_OPTIONS, params -> {
            options(params);
            return true;
        });
    }

    private synchronized void select(Select params) {
        switch (params.name()) {
            case STATIC -> {
                Map<Long, Integer> cores = params.threadCores();
                cores.values()
                        .forEach(core -> requireReactors("mappings=" + params.mappings().get(), CpuMask.of(core)));
                mappings = cores;
                periodMicros = params.period().orElse(0);
            }
            case DYNAMIC -> {
                limits = new SchedulerLimits(params.loadLimit().orElse(limits.load()),
                        params.coreLimit().orElse(limits.core()), params.coreBusy().orElse(limits.coreBusy()));
                long period = params.period().orElse(periodMicros);
                periodMicros = period == 0 ? DEFAULT_PERIOD_MICROS : period;
                mappings = Map.of();
            }
            default -> throw RpcException.internal("name=" + params.name() + " is no scheduler; there are " + STATIC
                    + " and " + DYNAMIC);
        }
        scheduler = params.name();
        if (running) {
            stopBalancing();
            apply();
        }
    }

    private synchronized void options(Options params) {
        Optional<CpuMask> cores = params.isolatedCoreMask().map(CpuMask::parse);
        cores.ifPresent(mask -> requireReactors("isolated_core_mask=" + params.isolatedCoreMask().get(), mask));
        int core = params.schedulingCore().orElse(schedulingCore);
        requireReactors("scheduling_core=" + core, CpuMask.of(core));
        if (cores.or(() -> isolated).filter(mask -> mask.contains(core)).isPresent()) {
            throw RpcException.invalidParams("scheduling_core=" + core + " is one of the isolated cores");
        }
        schedulingCore = core;
        isolated = cores.or(() -> isolated);
    }

    private void requireReactors(String parameter, CpuMask mask) {
        for (int core : mask.cores()) {
            if (!reactors.cpuMask().contains(core)) {
                throw RpcException.invalidParams(parameter + ": core " + core + " is not in the cpumask "
                        + reactors.cpuMask());
            }
        }
    }

    private synchronized Current current() {
        boolean dynamic = scheduler.equals(DYNAMIC);
        return new Current(scheduler, periodMicros, isolated.map(CpuMask::hex).orElse("0"), schedulingCore,
                dynamic ? OptionalInt.of(limits.load()) : OptionalInt.empty(),
                dynamic ? OptionalInt.of(limits.core()) : OptionalInt.empty(),
                dynamic ? OptionalInt.of(limits.coreBusy()) : OptionalInt.empty());
    }

    @Override
    public synchronized void init() {
        running = true;
        apply();
    }

    @Override
    public synchronized void shutdown() {
        running = false;
        stopBalancing();
    }

    private void apply() {
        mappings.forEach(this::move);
        if (scheduler.equals(DYNAMIC)) {
            LoadBalance balance = new LoadBalance(usableCores(), schedulingCore, limits);
            long period = TimeUnit.MICROSECONDS.toNanos(periodMicros);
            balancing = Optional.of(reactors.control().submit(() -> {
                balance(balance, period);
                return null;
            }));
        }
    }

    private CpuMask usableCores() {
        var bits = reactors.cpuMask().bits();
        isolated.ifPresent(mask -> bits.andNot(mask.bits()));
        return new CpuMask(bits);
    }

    private void stopBalancing() {
        balancing.ifPresent(task -> task.cancel(true));
        balancing = Optional.empty();
    }

    /// Ends when it is interrupted.
    private void balance(LoadBalance balance, long periodNanos) throws InterruptedException {
        Map<Long, Long> busyBefore = busy();
        while (true) {
            TimeUnit.NANOSECONDS.sleep(periodNanos);
            Map<Long, Long> busy = busy();
            List<LoadBalance.Load> loads = new ArrayList<>();
            for (IoThread thread : reactors.threads()) {
                int core = thread.reactor().core();
                Long before = busyBefore.get(thread.id());
                Long after = busy.get(thread.id());
                if (before != null && after != null && isolated.filter(mask -> mask.contains(core)).isEmpty()) {
                    long percent = (after - before) * 100 / periodNanos;
                    loads.add(new LoadBalance.Load(thread.id(), core, Math.clamp(percent, 0, 100),
                            thread.cpuMask()));
                }
            }
            balance.moves(loads).forEach(this::move);
            busyBefore = busy;
        }
    }

    private Map<Long, Long> busy() {
        Map<Long, Long> busy = new HashMap<>();
        reactors.threads().forEach(thread -> busy.put(thread.id(), thread.busyNanos()));
        return busy;
    }

    private void move(long id, int core) {
        for (IoThread thread : reactors.threads()) {
            if (thread.id() == id && thread.reactor().core() != core) {
                thread.moveTo(reactors.reactor(core));
            }
        }
    }

    @Override
    public synchronized List<ConfigEntry> config() {
        List<ConfigEntry> entries = new ArrayList<>();
        if (isolated.isPresent()) {
            entries.add(new ConfigEntry(SET_OPTIONS.name(),
                    new Options(OptionalInt.of(schedulingCore), isolated.map(mask -> "0x" + mask.hex()))));
        }
        boolean dynamic = scheduler.equals(DYNAMIC);
        entries.add(new ConfigEntry(SET.name(), new Select(scheduler,
                periodMicros == 0 ? OptionalLong.empty() : OptionalLong.of(periodMicros),
                dynamic ? OptionalInt.of(limits.load()) : OptionalInt.empty(),
                dynamic ? OptionalInt.of(limits.core()) : OptionalInt.empty(),
                dynamic ? OptionalInt.of(limits.coreBusy()) : OptionalInt.empty(),
                mappings.isEmpty() ? Optional.empty() : Optional.of(Select.text(new TreeMap<>(mappings))))));
        return entries;
    }
}
