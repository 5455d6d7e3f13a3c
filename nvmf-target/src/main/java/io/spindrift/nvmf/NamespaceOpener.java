package io.spindrift.nvmf;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevDescriptor;
import io.spindrift.bdev.BdevEvents;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.ClaimType;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.nvmf.reservation.PtplFile;
import io.spindrift.nvmf.reservation.Reservations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/// Opens and claims the devices of namespaces, and gives them back. Control path.
final class NamespaceOpener {
    /// In whose name devices are claimed.
    private static final BdevModule OWNER = new BdevModule() {
        @Override
        public String name() {
            return "NVMe-oF Target";
        }

        @Override
        public void init(BdevModuleContext context) {}
    };

    private final BdevRegistry registry;

    NamespaceOpener(BdevRegistry registry) {
        this.registry = registry;
    }

    /// The device, open for writing and claimed; `events` are told on the application's first thread. Throws
    /// [RpcException] with a sentence if it cannot be had.
    BdevDescriptor open(String name, BdevEvents events) {
        BdevDescriptor descriptor = null;
        boolean complete = false;
        try {
            descriptor = registry.open(name, true, registry.reactors().appThread(), events);
            refuseSeparateMetadata(descriptor.bdev());
            registry.claim(descriptor, ClaimType.EXCLUSIVE_WRITE, OWNER);
            complete = true;
            return descriptor;
        } catch (ErrnoException e) {
            throw new RpcException(RpcException.INVALID_PARAMS, "namespace.bdev_name=" + name + ": " + e.getMessage(),
                    e);
        } finally {
            if (!complete && descriptor != null) {
                descriptor.close();
            }
        }
    }

    private static void refuseSeparateMetadata(Bdev bdev) {
        if (bdev.geometry().metadataSize() > 0 && !bdev.geometry().metadataInterleaved()) {
            throw RpcException.invalidParams("namespace.bdev_name=" + bdev.name()
                    + ": its metadata are separate; a namespace can have interleaved metadata only");
        }
    }

    /// What `file` keeps of the reservations on `bdev`, or a sentence why it cannot be used.
    Reservations reservations(Optional<String> file, Bdev bdev) throws Exception {
        return file.isEmpty()
                ? Reservations.NONE
                : registry.reactors().control().blocking(() -> ptplFile(file.get(), bdev).load());
    }

    /// Has `file` keep them.
    void keep(String file, Bdev bdev, Reservations reservations) throws Exception {
        registry.reactors().control().blocking(() -> {
            ptplFile(file, bdev).store(reservations);
            return null;
        });
    }

    private static PtplFile ptplFile(String file, Bdev bdev) {
        try {
            return new PtplFile(Path.of(file), bdev.uuid());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("ptpl_file=" + file + ": " + e.getReason(), e);
        }
    }

    /// Gives up the claim and closes; returns when the last channel is gone.
    void close(BdevDescriptor descriptor) throws InterruptedException {
        registry.releaseClaim(descriptor.bdev());
        descriptor.closeAndWait();
    }
}
