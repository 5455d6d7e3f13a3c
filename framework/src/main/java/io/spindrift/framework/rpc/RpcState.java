package io.spindrift.framework.rpc;

/// When a method may be called, seen from `framework_start_init`.
public enum RpcState {
    /// Before the subsystems are initialised: options that they read once.
    STARTUP,
    /// After the subsystems are initialised.
    RUNTIME
}
