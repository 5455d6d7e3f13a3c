package io.spindrift.apps;

import io.spindrift.apps.tgt.TargetApp;
import io.spindrift.framework.app.AppComponents;

/// Programs as parts of another program, which makes an [io.spindrift.framework.app.Application] of them; several may run
/// in one JVM.
public final class EmbeddedPrograms {
    private EmbeddedPrograms() {}

    /// What `spdk_tgt` and `nvmf_tgt` are made of, new for each call.
    public static AppComponents target() {
        return new TargetApp();
    }
}
