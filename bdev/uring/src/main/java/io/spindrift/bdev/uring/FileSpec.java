package io.spindrift.bdev.uring;

import io.spindrift.bdev.Bdev;
import io.spindrift.framework.rpc.ConfigEntry;
import java.util.Optional;
import java.util.UUID;

/// What is asked for when a bdev is made, by either family of methods.
///
/// @param family    whose method it was, and so which one `save_config` writes
/// @param blockSize in bytes; 0 has it detected
/// @param fallocate whether blocks are unmapped and zeroed by allocation calls, where the file can
/// @param noWait    kept for the saved configuration: no request ever waits on the reactor
record FileSpec(Family family, String name, String filename, int blockSize, boolean readOnly, boolean fallocate,
        Optional<UUID> uuid, boolean noWait) {
    /// The two families of RPC names.
    enum Family {
        URING("URING bdev"), AIO("AIO disk");

        private final String productName;

        Family(String productName) {
            this.productName = productName;
        }

        String productName() {
            return productName;
        }
    }

    /// The call that makes `bdev` again.
    ConfigEntry config(Bdev bdev) {
        Optional<UUID> same = Optional.of(bdev.uuid());
        return switch (family) {
            case URING -> new ConfigEntry(UringRpcs.URING_CREATE.name(),
                    new UringCreateParams(filename, name, bdev.blockSize(), same));
            case AIO -> new ConfigEntry(UringRpcs.AIO_CREATE.name(),
                    new AioCreateParams(filename, name, bdev.blockSize(), readOnly, fallocate, same, noWait));
        };
    }
}
