package io.spindrift.nvme.pcie;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.memory.Memory;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.internal.ffi.VfioCalls;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.TransportController;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// NVMe over PCIe for one driver: the devices that VFIO gives to this process, in one address space.
final class PcieTransport implements NvmeTransport {
    private final DriverContext context;
    private final PciBus bus;
    private final VfioContainer container;
    private final List<PcieController> controllers = new CopyOnWriteArrayList<>();

    PcieTransport(DriverContext context, VfioCalls calls, SystemPaths paths) {
        this.context = context;
        this.bus = new PciBus(paths, context.pci());
        this.container = new VfioContainer(calls, paths, context.memory(),
                new UninterruptedCalls(context.reactors().control()::blocking), context.pci().vfToken());
    }

    Memory memory() {
        return context.memory();
    }

    Log log() {
        return context.log();
    }

    PciBus bus() {
        return bus;
    }

    VfioContainer container() {
        return container;
    }

    @Override
    public String name() {
        return TransportId.PCIE;
    }

    @Override
    public TransportController open(NvmeController controller, TransportId id, ControllerOptions options) {
        PcieController opened = new PcieController(this, controller, PciAddress.parse(id.traddr()));
        controllers.add(opened);
        return opened;
    }

    /// A controller is closed.
    void forget(PcieController controller) {
        controllers.remove(controller);
    }

    /// Those that this process can drive.
    @Override
    public List<TransportId> enumerate() {
        try {
            return bus.nvmeControllers().stream().filter(PciDevice::isUsable)
                    .map(device -> TransportId.pcie(device.address().toString())).toList();
        } catch (IOException e) {
            log().warn("PCI devices cannot be listed: %s", e.toString());
            return List.of();
        }
    }

    @Override
    public List<Map<String, Object>> statistics() {
        Map<String, Map<String, Object>> byThread = new TreeMap<>();
        controllers.forEach(controller -> controller.addCounters(byThread));
        return List.copyOf(byThread.values());
    }

    @Override
    public void close() {
        // the last device that was closed has freed the container
    }
}
