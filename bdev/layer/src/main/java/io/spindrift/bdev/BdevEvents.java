package io.spindrift.bdev;

/// What the holder of a descriptor is told, on the thread it named when it opened the device.
public interface BdevEvents {
    /// For holders that need to know nothing, because they hold the device only for the length of a call.
    BdevEvents IGNORE = new BdevEvents() {
        @Override
        public void removed(BdevDescriptor descriptor) {}
    };

    /// The device goes away: release the channels and close the descriptor; until then I/O fails or succeeds as it may.
    void removed(BdevDescriptor descriptor);

    /// The device has a new size.
    default void resized(BdevDescriptor descriptor) {}
}
