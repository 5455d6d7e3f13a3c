package io.spindrift.bdev.uring;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Positional;

/// Parameters of the methods that take a bdev's name and nothing else.
public record FileBdevName(@Positional @Description("name of the bdev") String name) {}
