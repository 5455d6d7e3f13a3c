package io.spindrift.nvmf;

import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.thread.Reactors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The targets of one application. Control path.
public final class NvmfTargets {
    private static final int MAX_NAME = 255;

    private final BdevRegistry registry;
    private final NvmfEngine engine;
    /// Oldest first; guarded by this.
    private final Map<String, NvmfTarget> byName = new LinkedHashMap<>();

    /// No targets; those to come have their devices from `registry` and their controllers from `engine`.
    public NvmfTargets(BdevRegistry registry, NvmfEngine engine) {
        this.registry = registry;
        this.engine = engine;
    }

    public Reactors reactors() {
        return registry.reactors();
    }

    /// Oldest first.
    public synchronized List<NvmfTarget> all() {
        return List.copyOf(byName.values());
    }

    /// Makes a target. [IllegalArgumentException] if its name cannot be or is taken.
    public synchronized NvmfTarget create(String name, TargetOptions options) {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException("name=" + name + " has " + name.length() + " characters; 1 to "
                    + MAX_NAME + " are allowed");
        }
        if (byName.containsKey(name)) {
            throw new IllegalArgumentException("name=" + name + " is the name of a target already");
        }
        NvmfTarget target = new NvmfTarget(name, options, registry, engine);
        byName.put(name, target);
        return target;
    }

    /// Ends a target and all that it has. [IllegalArgumentException] if there is none with this name.
    public void delete(String name) throws Exception {
        NvmfTarget target;
        synchronized (this) {
            target = byName.remove(name);
        }
        if (target == null) {
            throw new IllegalArgumentException("name=" + name + ": there is no such target");
        }
        target.close();
    }

    /// The target that a call's `tgt_name` means: the only one if there is no name.
    public synchronized NvmfTarget get(Optional<String> name) {
        if (name.isPresent()) {
            NvmfTarget target = byName.get(name.get());
            if (target == null) {
                throw RpcException.invalidParams("tgt_name=" + name.get() + ": there is no such target; there are "
                        + byName.keySet());
            }
            return target;
        }
        if (byName.size() != 1) {
            throw RpcException.internal("tgt_name must be given: there are the targets " + byName.keySet());
        }
        return byName.values().iterator().next();
    }

    /// The subsystem that a call's `tgt_name` and `nqn` mean. [RpcException] if there is none.
    public NvmfSubsystem subsystem(Optional<String> targetName, String nqn) {
        return get(targetName).get(nqn);
    }

    /// Ends all targets, the youngest first.
    public void close() throws Exception {
        List<NvmfTarget> ending;
        synchronized (this) {
            ending = new ArrayList<>(byName.values());
            byName.clear();
        }
        for (NvmfTarget target : ending.reversed()) {
            target.close();
        }
    }
}
