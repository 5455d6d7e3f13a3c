package io.spindrift.apps.bdevperf;

import dagger.Component;
import io.spindrift.bdev.BdevSubsystem;
import io.spindrift.framework.app.Subsystem;
import jakarta.inject.Singleton;
import java.util.Set;

/// What bdevperf is made of.
@Singleton
@Component(modules = BdevperfModule.class)
interface BdevperfComponent {
    BdevSubsystem bdev();

    Set<Subsystem> subsystems();
}
