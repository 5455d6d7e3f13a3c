package io.spindrift.bdev.uring;

import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.Unsigned;
import java.util.Optional;
import java.util.UUID;

/// Parameters of `bdev_aio_create`.
public record AioCreateParams(
        @Positional @Description("path of a file or block device") String filename,
        @Positional @Description("name of the bdev") String name,
        @Positional @Unsigned(32) @Default("0") @Description("block size in bytes; 0 has it detected") int blockSize,
        @Option({
                "-r", "--readonly"})
        @Default("false") @Description("open for reading only") boolean readonly,
        @Option({
                "--fallocate"})
        @Default("false") @Description("unmap and write zeroes by allocation calls") boolean fallocate,
        @Option({"-u", "--uuid"}) @Description("UUID of the bdev") Optional<UUID> uuid,
        @Option({"--no-wait"}) @Default("false") @Description("never wait in a submission") boolean nowait) {
    FileSpec spec() {
        return new FileSpec(FileSpec.Family.AIO, name, filename, blockSize, readonly, fallocate, uuid, nowait);
    }
}
