package io.spindrift.apps.tgt;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoSet;
import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.Subsystem;
import jakarta.inject.Singleton;

/// The subsystems of the target, one provider each.
@Module
final class TargetModule {
    private final Application application;

    TargetModule(Application application) {
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
