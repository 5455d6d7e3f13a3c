package io.spindrift.bdev.malloc;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Positional;

/// Parameters of `bdev_malloc_delete`.
record MallocDeleteParams(@Positional @Description("name of the bdev") String name) {}
