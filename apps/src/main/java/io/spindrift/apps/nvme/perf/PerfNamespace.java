package io.spindrift.apps.nvme.perf;

import io.spindrift.apps.nvme.ControllerName;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.spec.command.LbaCommand;
import java.util.Optional;
import java.util.function.Consumer;

/// A namespace to be measured, and what an I/O of the wanted size is there.
///
/// @param name          as in reports
/// @param blocks        blocks of an I/O
/// @param units         how many I/Os the namespace holds side by side
/// @param bufferBytes   data of an I/O, with interleaved metadata
/// @param metadataBytes separate metadata of an I/O; 0 for none
/// @param commandBlocks blocks of the longest command: an I/O of more takes several
/// @param flags         of [LbaCommand]
record PerfNamespace(NvmeController controller, NvmeNamespace namespace, String name, int blocks, long units,
        int bufferBytes, int metadataBytes, int commandBlocks, int flags) {
    private static final int PROTECTION_TUPLE = 8;
    private static final int MAX_BLOCKS = 65_536;

    /// `namespace` under the load of `options`; nothing, and a warning, if it cannot bear that.
    static Optional<PerfNamespace> of(NvmeController controller, NvmeNamespace namespace, PerfOptions options,
            Consumer<String> warnings) {
        String name = ControllerName.of(controller, namespace);
        NvmeNamespace.Format format = namespace.format();
        int flags = format.protection() == 0 ? 0 : options.protectionFlags;
        // the controller makes and removes what is nothing but protection information
        boolean hidden = (flags & LbaCommand.PRACT) != 0 && format.metadataSize() == PROTECTION_TUPLE;
        int blockSize = hidden ? format.dataSize() : format.transferSize();
        int ioSize = options.ioSize.orElseThrow();
        if (ioSize % blockSize != 0) {
            warnings.accept(name + " is left out: -o " + ioSize + " is no multiple of its block size, " + blockSize);
            return Optional.empty();
        }
        int blocks = ioSize / blockSize;
        if (namespace.blocks() < blocks) {
            warnings.accept(name + " is left out: it has " + namespace.bytes() + " bytes, fewer than -o " + ioSize);
            return Optional.empty();
        }
        boolean separate = format.metadataSize() > 0 && !format.extended() && !hidden;
        long most = Math.min(MAX_BLOCKS, controller.maxTransferBytes() / blockSize);
        if (most == 0) {
            warnings.accept(name + " is left out: a command may have " + controller.maxTransferBytes()
                    + " bytes, fewer than a block, " + blockSize);
            return Optional.empty();
        }
        return Optional.of(new PerfNamespace(controller, namespace, name, blocks, namespace.blocks() / blocks, ioSize,
                separate ? blocks * format.metadataSize() : 0, (int) Math.min(blocks, most), flags));
    }

    /// Commands of an I/O.
    int commands() {
        return (blocks + commandBlocks - 1) / commandBlocks;
    }

    /// Bytes of a block in the data of an I/O.
    int blockBytes() {
        return bufferBytes / blocks;
    }
}
