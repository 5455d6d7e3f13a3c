package io.spindrift.bdev.nvme;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// What a namespace looks like as a bdev.
final class NamespaceShape {
    private static final int MOST_BLOCKS = 1 << 16;

    private NamespaceShape() {}

    /// The geometry; `checks` are the protection checks that the device makes.
    static BdevGeometry geometry(NvmeController controller, NvmeNamespace namespace, int checks) {
        NvmeNamespace.Format format = namespace.format();
        MemorySegment page = namespace.page();
        int blockSize = format.transferSize();
        long most = Math.min(controller.maxTransferBytes() / blockSize, MOST_BLOCKS);
        BdevGeometry geometry = BdevGeometry.of(blockSize)
                .withPhysicalBlockSize(physicalBlockSize(controller.data(), page, format.dataSize()))
                .withBufferAlignment(controller.dataAlignment())
                .withLimits((int) Math.max(1, most), segments(controller), 0)
                .withWriteCache(controller.data().volatileWriteCache());
        int boundary = IdentifyNamespace.NOIOB.get(page, 0);
        if (boundary > 0) {
            geometry = geometry.withBoundary(boundary, false);
        }
        if ((IdentifyNamespace.NSFEAT.get(page, 0) & IdentifyNamespace.NSFEAT_OPTIMAL_PERFORMANCE) != 0) {
            geometry = geometry.withHints(new BdevGeometry.IoHints(IdentifyNamespace.NPWA.get(page, 0) + 1,
                    IdentifyNamespace.NPWG.get(page, 0) + 1, IdentifyNamespace.NOWS.get(page, 0) + 1,
                    IdentifyNamespace.NPDA.get(page, 0) + 1, IdentifyNamespace.NPDG.get(page, 0) + 1));
        }
        if (format.metadataSize() > 0) {
            geometry = geometry.withMetadata(format.metadataSize(), format.extended());
            if (format.protection() > 0) {
                geometry = geometry.withDif(format.protection(), format.piFormat(), format.piFirst(), checks);
            }
        }
        return geometry;
    }

    /// Why a namespace cannot take what a bdev with the geometry `known`, of the same format, sends; nothing if it can.
    static Optional<String> misfit(BdevGeometry known, NvmeController controller, NvmeNamespace namespace) {
        BdevGeometry offered = geometry(controller, namespace, known.difCheckFlags());
        if (offered.maxTransferBlocks() < known.maxTransferBlocks()) {
            return Optional.of(offered.maxTransferBlocks() + " blocks at once are fewer than "
                    + known.maxTransferBlocks());
        }
        if (unlessZero(offered.maxSegments()) < unlessZero(known.maxSegments())) {
            return Optional.of(offered.maxSegments() + " ranges of memory are fewer than " + known.maxSegments());
        }
        return offered.bufferAlignment() > known.bufferAlignment()
                ? Optional.of("memory must be aligned to " + offered.bufferAlignment() + " bytes instead of "
                        + known.bufferAlignment())
                : Optional.empty();
    }

    /// A limit where 0 stands for none.
    private static int unlessZero(int limit) {
        return limit == 0 ? Integer.MAX_VALUE : limit;
    }

    private static int segments(NvmeController controller) {
        int most = controller.maxSegments();
        return most == Integer.MAX_VALUE ? 0 : most;
    }

    /// What is written at once: no more than is written atomically.
    private static int physicalBlockSize(ControllerData data, MemorySegment page, int dataSize) {
        int features = IdentifyNamespace.NSFEAT.get(page, 0);
        long atomic = dataSize;
        if (IdentifyNamespace.NABO.get(page, 0) == 0) {
            int own = IdentifyNamespace.NAWUPF.get(page, 0);
            atomic *= 1L + ((features & IdentifyNamespace.NSFEAT_ATOMICS) != 0 && own != 0
                    ? own
                    : IdentifyController.AWUPF.get(data.page(), 0));
        }
        long physical = (features & IdentifyNamespace.NSFEAT_OPTIMAL_PERFORMANCE) != 0
                ? dataSize * (1L + IdentifyNamespace.NPWG.get(page, 0))
                : dataSize;
        return (int) Math.min(Math.min(atomic, physical), Integer.MAX_VALUE);
    }
}
