package io.spindrift.bdev.uring;

import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.Unsigned;
import java.util.Optional;
import java.util.UUID;

/// Parameters of `bdev_uring_create`.
public record UringCreateParams(
        @Positional @Description("path of a file or block device") String filename,
        @Positional @Description("name of the bdev") String name,
        @Positional @Unsigned(32) @Default("0") @Description("block size in bytes; 0 has it detected") int blockSize,
        @Option({
                "-u", "--uuid"})
        @Description("UUID of the bdev") Optional<UUID> uuid) {
    FileSpec spec() {
        return new FileSpec(FileSpec.Family.URING, name, filename, blockSize, false, true, uuid, false);
    }
}
