package io.spindrift.bdev.nulldev;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevRegistration;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.RpcBinding;
import java.util.List;

/// Makes null bdevs: every I/O succeeds at once, reads leave the buffer as it is. See the manual in this module's folder.
public final class NullBdevModule implements BdevModule {
    private static final String PRODUCT_NAME = "Null disk";
    private static final long MIB = 1 << 20;

    private BdevModuleContext context;
    private NullDevice device;

    /// For the service loader.
    public NullBdevModule() {}

    @Override
    public String name() {
        return "null";
    }

    @Override
    public List<RpcBinding<?>> rpcs() {
        return List.of(NullRpcs.CREATE.bind(params -> create(params).name()), NullRpcs.DELETE.bind(params -> {
            context.registry().unregister(find(params.name()));
            return true;
        }), NullRpcs.RESIZE.bind(params -> {
            resize(find(params.name()), params.newSize());
            return true;
        }));
    }

    @Override
    public void init(BdevModuleContext moduleContext) {
        context = moduleContext;
        device = new NullDevice(context.reactors());
    }

    @Override
    public void close() {
        device.unregister();
    }

    /// Makes a null bdev without an RPC, for programs that embed the block layer. No protection information is
    /// generated or checked, whatever the geometry says.
    public Bdev create(BdevRegistration registration) {
        return context.registry().register(this, new NullBackend(device, false), registration);
    }

    private Bdev create(NullCreateParams params) {
        BdevRegistration registration = BdevRegistration.of(params.name(), PRODUCT_NAME, params.uuid(),
                params.numBlocks(), params.geometry());
        NullBackend backend = params.layout().dif()
                .map(format -> new NullBackend(new ProtectedNullDevice(context.reactors(),
                        "bdev_null_" + params.name(), format, params.layout().checks()), true))
                .orElseGet(() -> new NullBackend(device, false));
        return context.registry().register(this, backend, registration);
    }

    private void resize(Bdev bdev, long newMebibytes) {
        long dataSize = bdev.geometry().dataBlockSize();
        long limit = Long.MAX_VALUE / bdev.blockSize() / MIB * dataSize;
        if (newMebibytes > limit) {
            throw new ErrnoException(Errno.EINVAL, "new_size=" + newMebibytes + " is more than " + limit + " MiB");
        }
        long numBlocks = newMebibytes * MIB / dataSize;
        if (numBlocks < bdev.numBlocks()) {
            throw new ErrnoException(Errno.EINVAL, "new_size=" + newMebibytes + " (" + numBlocks
                    + " blocks) is less than the present size of bdev " + bdev.name() + ", " + bdev.numBlocks()
                    + " blocks");
        }
        context.registry().resize(bdev, numBlocks);
    }

    private Bdev find(String name) {
        return context.registry().find(name).filter(bdev -> bdev.module() == this)
                .orElseThrow(() -> new ErrnoException(Errno.ENODEV, "there is no null bdev '" + name + "'"));
    }
}
