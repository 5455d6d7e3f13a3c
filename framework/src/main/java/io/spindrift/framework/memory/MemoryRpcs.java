package io.spindrift.framework.memory;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The methods about memory and buffer pools; [IobufSubsystem] answers them.
public final class MemoryRpcs implements RpcCatalog {
    /// What is not given stays as it is; the limits are those of [BufferPoolOptions].
    record SetOptionsParams(
            @Unsigned(64) @Description("Number of small buffers") OptionalLong smallPoolCount,
            @Unsigned(64) @Description("Number of large buffers") OptionalLong largePoolCount,
            @Unsigned(32) @Description("Size of a small buffer in bytes") OptionalLong smallBufsize,
            @Unsigned(32) @Description("Size of a large buffer in bytes") OptionalLong largeBufsize,
            @Description("Accepted; there is one pool of each size") Optional<Boolean> enableNuma) {

        BufferPoolOptions over(BufferPoolOptions current) {
            return new BufferPoolOptions(smallPoolCount.orElse(current.smallPoolCount()),
                    largePoolCount.orElse(current.largePoolCount()), smallBufsize.orElse(current.smallBufsize()),
                    largeBufsize.orElse(current.largeBufsize()), enableNuma.orElse(current.enableNuma()));
        }
    }

    static final RpcMethod<SetOptionsParams> SET_OPTIONS = RpcMethod
            .of("iobuf_set_options", SetOptionsParams.class, STARTUP)
            .summary("Sets the number and size of the buffers in the buffer pools.");
    static final RpcMethod<NoParams> GET_STATS = RpcMethod.of("iobuf_get_stats", NoParams.class, RUNTIME)
            .summary("Shows how each module fares with the buffer pools.");
    static final RpcMethod<NoParams> GET_MEM_STATS = RpcMethod.of("env_dpdk_get_mem_stats", NoParams.class, RUNTIME)
            .summary("Writes all regions of memory and their owners to a file and says where it is.");

    /// For the service loader.
    public MemoryRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(SET_OPTIONS, GET_STATS, GET_MEM_STATS);
    }
}
