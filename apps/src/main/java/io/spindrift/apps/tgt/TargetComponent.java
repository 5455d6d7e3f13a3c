package io.spindrift.apps.tgt;

import dagger.Component;
import io.spindrift.framework.app.Subsystem;
import jakarta.inject.Singleton;
import java.util.List;

/// What `spdk_tgt` and `nvmf_tgt` are made of: everything that there is.
@Singleton
@Component(modules = TargetModule.class)
interface TargetComponent {
    List<Subsystem> subsystems();
}
