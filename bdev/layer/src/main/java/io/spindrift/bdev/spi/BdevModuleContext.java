package io.spindrift.bdev.spi;

import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.thread.Reactors;

/// What a module gets from the application it is in.
public record BdevModuleContext(BdevRegistry registry, Reactors reactors, Memory memory, Log log) {}
