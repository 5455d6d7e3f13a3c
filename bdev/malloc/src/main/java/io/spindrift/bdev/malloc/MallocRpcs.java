package io.spindrift.bdev.malloc;

import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcState;
import java.util.List;

/// The methods of this module.
public final class MallocRpcs implements RpcCatalog {
    static final RpcMethod<MallocCreateParams> CREATE = RpcMethod
            .of("bdev_malloc_create", MallocCreateParams.class, RpcState.RUNTIME).cli(MallocCreateForm.class)
            .summary("Creates a bdev in memory.");
    static final RpcMethod<MallocDeleteParams> DELETE = RpcMethod
            .of("bdev_malloc_delete", MallocDeleteParams.class, RpcState.RUNTIME)
            .summary("Deletes a malloc bdev and all that was written to it.");

    /// For the service loader.
    public MallocRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(CREATE, DELETE);
    }
}
