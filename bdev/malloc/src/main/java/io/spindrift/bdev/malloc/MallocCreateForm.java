package io.spindrift.bdev.malloc;

import io.spindrift.framework.rpc.CliForm;
import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import java.util.Optional;
import java.util.UUID;

/// What is typed for `bdev_malloc_create`: a size in MiB instead of a number of blocks.
record MallocCreateForm(
        @Option({
                "-b", "--name"})
        @Description("name of the bdev") Optional<String> name,
        @Option({"-u", "--uuid"}) @Description("UUID of the bdev") Optional<UUID> uuid,
        @Positional @Description("size in MiB, may have a fraction") double totalSize,
        @Positional @Description("data of a block, in bytes") int blockSize,
        @Option({"-p", "--physical-block-size"}) @Default("0")
        @Description("size of a physical block in bytes") int physicalBlockSize,
        @Option({"-o", "--optimal-io-boundary"}) @Default("0")
        @Description("boundary for splitting, in blocks") int optimalIoBoundary,
        @Option({"-m", "--md-size"}) @Default("0") @Description("metadata of a block, in bytes") int mdSize,
        @Option({"-i", "--md-interleave"}) @Default("false")
        @Description("metadata follows each block's data") boolean mdInterleave,
        @Option(value = {"-t", "--dif-type"}, choices = {"0", "1", "2", "3"}) @Default("0")
        @Description("type of protection information") int difType,
        @Option({"-d", "--dif-is-head-of-md"}) @Default("false")
        @Description("protection information is at the head of the metadata") boolean difIsHeadOfMd,
        @Option(value = {"-f", "--dif-pi-format"}, choices = {"0", "1", "2"}) @Default("0")
        @Description("format of protection information") int difPiFormat,
        @Option({"-n", "--numa-id"}) @Default("-1") @Description("memory node") int numaId)
        implements
            CliForm<MallocCreateParams> {
    private static final double MIB = 1 << 20;

    @Override
    public MallocCreateParams toParams() {
        if (blockSize < 1) {
            throw new IllegalArgumentException("block_size=" + blockSize + " must be at least 1");
        }
        return new MallocCreateParams(name, (long) Math.floor(totalSize * MIB / blockSize), blockSize,
                physicalBlockSize, uuid, optimalIoBoundary, mdSize, mdInterleave, difType, difIsHeadOfMd, difPiFormat,
                numaId);
    }
}
