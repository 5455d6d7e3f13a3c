package io.spindrift.apps.tgt;

import dagger.Module;
import dagger.Provides;
import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.nvmf.NvmfTargetSubsystem;
import io.spindrift.nvmf.engine.TargetEngine;
import io.spindrift.nvmf.engine.TargetResources;
import io.spindrift.sock.SockSubsystem;
import io.spindrift.sock.Sockets;
import io.spindrift.sock.spi.SockImplementation;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.ServiceLoader;

/// The subsystems of the target, one provider each, and their order.
@Module
final class TargetModule {
    private final Application application;

    TargetModule(Application application) {
        this.application = application;
    }

    @Provides
    @Singleton
    SockSubsystem sock() {
        return new SockSubsystem(
                new Sockets(application.reactors(), application.log(),
                        application.plugins().services(layer -> ServiceLoader.load(layer, SockImplementation.class))),
                application.log());
    }

    @Provides
    @Singleton
    BdevSubsystem bdev(SockSubsystem sock) {
        return new BdevSubsystem(application, sock.sockets());
    }

    @Provides
    @Singleton
    NvmfTargetSubsystem nvmf(BdevSubsystem bdev, SockSubsystem sock) {
        return new NvmfTargetSubsystem(application, bdev,
                new TargetEngine(new TargetResources(sock.sockets(), application::bufferPools, application.log())));
    }

    /// In the order of a saved configuration, which must not change from run to run: a list, not a set.
    @Provides
    List<Subsystem> subsystems(SockSubsystem sock, BdevSubsystem bdev, NvmfTargetSubsystem nvmf) {
        return List.of(sock, bdev, nvmf);
    }
}
