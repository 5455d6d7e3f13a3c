package io.spindrift.bdev.nulldev;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.Unsigned;
import java.util.Optional;
import java.util.UUID;

/// What is typed for `bdev_null_create`: a size in MiB instead of a number of blocks.
record NullCreateForm(
        @Positional @Description("name of the bdev") String name,
        @Option({
                "-u", "--uuid"})
        @Description("UUID of the bdev") Optional<UUID> uuid,
        @Positional @Unsigned(32) @Description("size in MiB") long totalSize,
        @Positional @Description("data of a block, in bytes") int blockSize,
        @Option({"-p", "--physical-block-size"}) @Default("0")
        @Description("size of a physical block in bytes") int physicalBlockSize,
        @Option({"-m", "--md-size"}) @Default("0") @Description("metadata of a block, in bytes") int mdSize,
        @Option(value = {"-t", "--dif-type"}, choices = {"0", "1", "2", "3"}) @Default("0")
        @Description("type of protection information") int difType,
        @Option({"-d", "--dif-is-head-of-md"}) @Default("false")
        @Description("protection information is at the head of the metadata") boolean difIsHeadOfMd,
        @Option(value = {"-f", "--dif-pi-format"}, choices = {"0", "1", "2"}) @Default("0")
        @Description("format of protection information") int difPiFormat,
        @Option({"-a", "--preferred-write-alignment"}) @Default("0")
        @Description("in blocks") int preferredWriteAlignment,
        @Option({"-g", "--preferred-write-granularity"}) @Default("0")
        @Description("in blocks") int preferredWriteGranularity,
        @Option({"-s", "--optimal-write-size"}) @Default("0") @Description("in blocks") int optimalWriteSize,
        @Option({"-c", "--preferred-unmap-alignment"}) @Default("0")
        @Description("in blocks") int preferredUnmapAlignment,
        @Option({"-r", "--preferred-unmap-granularity"}) @Default("0")
        @Description("in blocks") int preferredUnmapGranularity) implements CliForm<NullCreateParams> {
    private static final long MIB = 1 << 20;

    @Override
    public NullCreateParams toParams() {
        if (blockSize < 1) {
            throw new IllegalArgumentException("block_size=" + blockSize + " must be at least 1");
        }
        return new NullCreateParams(name, totalSize * MIB / blockSize, blockSize, physicalBlockSize, mdSize, difType,
                difIsHeadOfMd, difPiFormat, uuid, preferredWriteGranularity, preferredWriteAlignment,
                optimalWriteSize, preferredUnmapGranularity, preferredUnmapAlignment);
    }
}
