package io.spindrift.bdev.nulldev;

import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcState;
import java.util.List;

/// The methods of this module.
public final class NullRpcs implements RpcCatalog {
    static final RpcMethod<NullCreateParams> CREATE = RpcMethod
            .of("bdev_null_create", NullCreateParams.class, RpcState.RUNTIME).cli(NullCreateForm.class)
            .summary("Creates a bdev that accepts everything and keeps nothing.");
    static final RpcMethod<NullDeleteParams> DELETE = RpcMethod
            .of("bdev_null_delete", NullDeleteParams.class, RpcState.RUNTIME).summary("Deletes a null bdev.");
    static final RpcMethod<NullResizeParams> RESIZE = RpcMethod
            .of("bdev_null_resize", NullResizeParams.class, RpcState.RUNTIME).summary("Makes a null bdev larger.");

    /// For the service loader.
    public NullRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(CREATE, DELETE, RESIZE);
    }
}
