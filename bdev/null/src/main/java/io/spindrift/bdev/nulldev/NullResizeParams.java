package io.spindrift.bdev.nulldev;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.Unsigned;

/// Parameters of `bdev_null_resize`.
record NullResizeParams(@Positional @Description("name of the bdev") String name,
        @Positional @Unsigned(64)
        @Description("new size in MiB of data, not less than the present one") long newSize) {}
