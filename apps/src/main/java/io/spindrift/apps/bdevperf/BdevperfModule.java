package io.spindrift.apps.bdevperf;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoSet;
import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.sock.SockSubsystem;
import io.spindrift.sock.Sockets;
import io.spindrift.sock.spi.SockImplementation;
import jakarta.inject.Singleton;
import java.util.ServiceLoader;

/// The subsystems of bdevperf, one provider each.
@Module
final class BdevperfModule {
    private final Application application;

    BdevperfModule(Application application) {
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
    @IntoSet
    Subsystem sockSubsystem(SockSubsystem sock) {
        return sock;
    }

    @Provides
    @IntoSet
    Subsystem bdevSubsystem(BdevSubsystem bdev) {
        return bdev;
    }
}
