package io.spindrift.apps.tgt;

import dagger.Component;
import io.spindrift.framework.app.Subsystem;
import jakarta.inject.Singleton;
import java.util.Set;

/// What `nvmf_tgt` is made of.
@Singleton
@Component(modules = {TargetModule.class, NvmfModule.class})
interface NvmfTargetComponent {
    Set<Subsystem> subsystems();
}
