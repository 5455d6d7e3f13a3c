package io.spindrift.bdev.uring;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcHandler;
import io.spindrift.framework.rpc.RpcMethod;
import java.util.List;

/// The methods `bdev_uring_*` and `bdev_aio_*`.
public final class UringRpcs implements RpcCatalog {
    static final RpcMethod<UringCreateParams> URING_CREATE = RpcMethod
            .of("bdev_uring_create", UringCreateParams.class, RUNTIME)
            .summary("Makes a bdev on a file or block device.");
    static final RpcMethod<FileBdevName> URING_RESCAN = RpcMethod.of("bdev_uring_rescan", FileBdevName.class, RUNTIME)
            .summary("Takes over the size that the file has now.");
    static final RpcMethod<FileBdevName> URING_DELETE = RpcMethod.of("bdev_uring_delete", FileBdevName.class, RUNTIME)
            .summary("Removes a bdev; its file stays.");
    static final RpcMethod<AioCreateParams> AIO_CREATE = RpcMethod
            .of("bdev_aio_create", AioCreateParams.class, RUNTIME)
            .summary("Makes a bdev on a file or block device.");
    static final RpcMethod<FileBdevName> AIO_RESCAN = RpcMethod.of("bdev_aio_rescan", FileBdevName.class, RUNTIME)
            .summary("Takes over the size that the file has now.");
    static final RpcMethod<FileBdevName> AIO_DELETE = RpcMethod.of("bdev_aio_delete", FileBdevName.class, RUNTIME)
            .summary("Removes a bdev; its file stays.");

    /// For the service loader.
    public UringRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(URING_CREATE, URING_RESCAN, URING_DELETE, AIO_CREATE, AIO_RESCAN, AIO_DELETE);
    }

    static List<RpcBinding<?>> bindings(UringBdevModule module) {
        RpcHandler<FileBdevName> rescan = params -> {
            module.rescan(params.name());
            return true;
        };
        RpcHandler<FileBdevName> delete = params -> {
            module.delete(params.name());
            return true;
        };
        return List.of(URING_CREATE.bind(params -> module.create(params.spec()).name()), URING_RESCAN.bind(rescan),
                URING_DELETE.bind(delete), AIO_CREATE.bind(params -> module.create(params.spec()).name()),
                AIO_RESCAN.bind(rescan), AIO_DELETE.bind(delete));
    }
}
