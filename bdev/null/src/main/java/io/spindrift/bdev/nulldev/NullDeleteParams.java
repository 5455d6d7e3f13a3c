package io.spindrift.bdev.nulldev;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Positional;

/// Parameters of `bdev_null_delete`.
record NullDeleteParams(@Positional @Description("name of the bdev") String name) {}
