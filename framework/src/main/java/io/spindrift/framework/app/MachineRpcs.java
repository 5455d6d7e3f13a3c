package io.spindrift.framework.app;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.Reactors;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The methods about the process and the machine: signals, core locks, context switches, PCI devices.
final class MachineRpcs {
    private record KillParams(@Positional @Description("signal to send") KillSignal sigName) {}

    private record MonitorParams(
            @Option({"--monitor", "--no-monitor"})
            @Description("whether to watch; left out, it is only asked") Optional<Boolean> enabled) {}

    private record MonitorState(boolean enabled) {}

    /// What is typed for `framework_get_pci_devices`; how the answer is shown is the client's matter.
    private record PciForm(
            @Option({
                    "--format-lspci"})
            @Default("false") @Description("print as lspci -x would") boolean formatLspci)
            implements
                CliForm<NoParams> {
        @Override
        public NoParams toParams() {
            return new NoParams();
        }
    }

    private static final RpcMethod<KillParams> KILL = RpcMethod
            .of("spdk_kill_instance", KillParams.class, STARTUP, RUNTIME).summary("Sends the application a signal.");
    private static final RpcMethod<NoParams> ENABLE_LOCKS = RpcMethod
            .of("framework_enable_cpumask_locks", NoParams.class, RUNTIME)
            .summary("Locks the cores against other programs.");
    private static final RpcMethod<NoParams> DISABLE_LOCKS = RpcMethod
            .of("framework_disable_cpumask_locks", NoParams.class, RUNTIME)
            .summary("Gives the locks on the cores back.");
    private static final RpcMethod<MonitorParams> MONITOR = RpcMethod
            .of("framework_monitor_context_switch", MonitorParams.class, RUNTIME)
            .summary("Logs, each second, how often the kernel took a reactor's core away.");
    private static final RpcMethod<NoParams> GET_PCI = RpcMethod
            .of("framework_get_pci_devices", NoParams.class, STARTUP, RUNTIME).cli(PciForm.class)
            .summary("Lists the PCI devices that are bound to a user-space driver.");
    private MachineRpcs() {}

    static List<RpcMethod<?>> methods() {
        return List.of(KILL, ENABLE_LOCKS, DISABLE_LOCKS, MONITOR, GET_PCI);
    }

    static void registerProcess(RpcRegistry rpcs, Consumer<KillSignal> signals, ContextSwitchMonitor monitor) {
        rpcs.register(KILL, params -> {
            signals.accept(params.sigName());
            return true;
        });
        rpcs.register(MONITOR, params -> {
            params.enabled().ifPresent(monitor::enable);
            return new MonitorState(monitor.enabled());
        });
    }

    static void registerLocks(RpcRegistry rpcs, CoreLocks locks, Reactors reactors) {
        rpcs.register(ENABLE_LOCKS, _ -> reactors.control().blocking(() -> lock(locks, reactors.cpuMask())));
        rpcs.register(DISABLE_LOCKS, _ -> reactors.control().blocking(() -> {
            locks.unlock();
            return true;
        }));
    }

    private static boolean lock(CoreLocks locks, CpuMask cores) {
        try {
            locks.lock(cores);
            return true;
        } catch (CoreLocks.Refused refused) {
            throw RpcException.internal("Failed to claim CPU core: " + refused.core() + ": " + refused.getMessage());
        }
    }

    static void registerDevices(RpcRegistry rpcs, PciDevices devices) {
        rpcs.register(GET_PCI, _ -> devices.list());
    }
}
