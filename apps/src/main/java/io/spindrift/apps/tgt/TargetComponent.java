package io.spindrift.apps.tgt;

import dagger.Component;
import io.spindrift.framework.app.Subsystem;
import jakarta.inject.Singleton;
import java.util.Set;

/// What the target is made of.
@Singleton
@Component(modules = TargetModule.class)
interface TargetComponent {
    Set<Subsystem> subsystems();
}
