package io.spindrift.apps.bdevperf;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoSet;
import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.Subsystem;
import jakarta.inject.Singleton;

/// The subsystems of bdevperf, one provider each.
@Module
final class BdevperfModule {
    private final Application application;

    BdevperfModule(Application application) {
        this.application = application;
    }

    @Provides
    @Singleton
    BdevSubsystem bdev() {
        return new BdevSubsystem(application);
    }

    @Provides
    @IntoSet
    Subsystem bdevSubsystem(BdevSubsystem bdev) {
        return bdev;
    }
}
