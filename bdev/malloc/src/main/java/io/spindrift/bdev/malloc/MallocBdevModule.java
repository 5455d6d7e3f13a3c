package io.spindrift.bdev.malloc;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevRegistration;
import io.spindrift.bdev.dif.BlockLayout;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.RpcBinding;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Makes bdevs whose blocks are memory. See the manual in this module's folder.
public final class MallocBdevModule implements BdevModule {
    private static final String PRODUCT_NAME = "Malloc disk";

    private BdevModuleContext context;
    /// The number in the next default name that is tried; guarded by this.
    private int nextNumber;

    /// For the service loader.
    public MallocBdevModule() {}

    @Override
    public String name() {
        return "malloc";
    }

    @Override
    public List<RpcBinding<?>> rpcs() {
        return List.of(MallocRpcs.CREATE.bind(params -> create(params).name()), MallocRpcs.DELETE.bind(params -> {
            delete(params.name());
            return true;
        }));
    }

    @Override
    public void init(BdevModuleContext moduleContext) {
        context = moduleContext;
    }

    /// Creates and registers a bdev. If anything fails, nothing is left of it and its name is free.
    private synchronized Bdev create(MallocCreateParams params) throws Exception {
        BlockLayout layout = params.layout();
        String name = params.name().orElseGet(this::freeName);
        requireMemory(layout, params.numBlocks());
        BdevRegistration registration = BdevRegistration.of(name, PRODUCT_NAME, params.uuid(), params.numBlocks(),
                geometry(params, layout));
        MallocStorage storage = new MallocStorage(context.memory(), "malloc " + name, layout, params.numBlocks());
        MallocBackend backend = new MallocBackend(context.reactors(), params, name, storage);
        try {
            return context.registry().register(this, backend, registration);
        } catch (RuntimeException e) {
            backend.destroy();
            throw e;
        }
    }

    private static BdevGeometry geometry(MallocCreateParams params, BlockLayout layout) {
        return layout.geometry().withPhysicalBlockSize(layout.physicalSize(params.physicalBlockSize()))
                .withBoundary(params.optimalIoBoundary(), params.optimalIoBoundary() > 0);
    }

    private String freeName() {
        String name;
        do {
            name = "Malloc" + nextNumber++;
        } while (context.registry().find(name).isPresent());
        return name;
    }

    /// Memory is occupied as it is written, so the system would promise more than there is: refuse that here.
    private void requireMemory(BlockLayout layout, long numBlocks) throws IOException {
        long wanted = numBlocks * (layout.dataSize() + layout.metadataSize());
        long promised = 0;
        for (Bdev bdev : context.registry().bdevs()) {
            if (bdev.module() == this) {
                BdevGeometry geometry = bdev.geometry();
                promised += bdev.numBlocks() * (geometry.dataBlockSize() + geometry.metadataSize());
            }
        }
        long total = PhysicalMemory.totalBytes();
        if (wanted > total - promised) {
            throw new ErrnoException(Errno.ENOMEM, "num_blocks=" + numBlocks + " needs " + wanted
                    + " bytes of memory; the machine has " + total + ", of which malloc bdevs have " + promised);
        }
    }

    private void delete(String name) throws Exception {
        Optional<Bdev> bdev = context.registry().find(name).filter(found -> found.module() == this);
        if (bdev.isEmpty()) {
            throw new ErrnoException(Errno.ENODEV, "there is no malloc bdev '" + name + "'");
        }
        context.registry().unregister(bdev.get());
    }
}
