package io.spindrift.apps.tgt;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoSet;
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
import java.util.ServiceLoader;

/// The subsystems of a target that serves hosts over a network, beside those of [TargetModule].
@Module
final class NvmfModule {
    private final Application application;

    NvmfModule(Application application) {
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
    @IntoSet
    Subsystem sockSubsystem(SockSubsystem sock) {
        return sock;
    }

    @Provides
    @IntoSet
    Subsystem nvmfSubsystem(BdevSubsystem bdev, SockSubsystem sock) {
        return new NvmfTargetSubsystem(application, bdev,
                new TargetEngine(new TargetResources(sock.sockets(), application::bufferPools)));
    }
}
