package io.spindrift.framework.rpc;

/// The parameters of a method that has none.
public record NoParams() {}
