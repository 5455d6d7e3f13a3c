package io.spindrift.framework.memory;

import io.spindrift.framework.Errno;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.rpc.ConfigEntry;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcRegistry;
import java.util.List;
import java.util.Map;

/// The buffer pools as a part of an application: their options before it starts, their statistics while it runs.
///
/// Those that use the pools depend on `iobuf` and ask for [#pools] when they are initialised.
public final class IobufSubsystem implements Subsystem {
    private final Memory memory;
    private final MemoryDump dump;
    private volatile BufferPoolOptions options = BufferPoolOptions.DEFAULT;
    private volatile BufferPools pools;

    /// The pools will be allocated from `memory`, which outlives this subsystem.
    public IobufSubsystem(Memory memory) {
        this.memory = memory;
        this.dump = new MemoryDump(memory);
    }

    @Override
    public String name() {
        return "iobuf";
    }

    /// The application's pools, from the end of [#init] to [#shutdown].
    ///
    /// @throws IllegalStateException at another time
    public BufferPools pools() {
        BufferPools current = pools;
        if (current == null) {
            throw new IllegalStateException("subsystem iobuf is not initialised");
        }
        return current;
    }

    @Override
    public void registerRpcs(RpcRegistry rpcs) {
        rpcs.register(MemoryRpcs.SET_OPTIONS, params -> {
            try {
                options = params.over(options);
            } catch (IllegalArgumentException e) {
                throw RpcException.errno(Errno.EINVAL, e.getMessage());
            }
            return true;
        });
        rpcs.register(MemoryRpcs.GET_STATS, params -> pools().stats());
        rpcs.register(MemoryRpcs.GET_MEM_STATS, params -> Map.of("filename", dump.write().toString()));
    }

    @Override
    public void init() {
        pools = new BufferPools(memory, options);
    }

    @Override
    public void shutdown() throws java.io.IOException {
        BufferPools ending = pools();
        pools = null;
        ending.close();
        dump.delete();
    }

    @Override
    public List<ConfigEntry> config() {
        return List.of(new ConfigEntry(MemoryRpcs.SET_OPTIONS.name(), options));
    }
}
