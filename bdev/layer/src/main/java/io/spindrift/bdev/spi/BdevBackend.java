package io.spindrift.bdev.spi;

import io.spindrift.bdev.Bdev;
import io.spindrift.framework.rpc.ConfigEntry;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// What stands behind a [Bdev]: the module's side of one device.
public abstract class BdevBackend {
    /// For subclasses, on a control thread.
    protected BdevBackend() {}

    /// The current thread's channel, with a reference for the caller; usually `device.channel()`. On an IoThread.
    public abstract ModuleChannel channel();

    /// Whether the module does this type of I/O itself; see [io.spindrift.bdev.BdevIoType]. Constant.
    public abstract boolean supports(int ioType);

    /// Frees what the device holds: nobody has it open and it is registered no more. On a control thread.
    public void destroy() throws Exception {}

    /// The NUMA node of its memory, shown by `bdev_get_bdevs`; -1 for any; nothing if it makes no sense.
    public OptionalInt numaId() {
        return OptionalInt.empty();
    }

    /// What `bdev_get_bdevs` shows under `driver_specific`.
    public Map<String, Object> driverSpecific(Bdev bdev) {
        return Map.of();
    }

    /// The calls that make this device again, for `save_config`.
    public List<ConfigEntry> config(Bdev bdev) {
        return List.of();
    }
}
