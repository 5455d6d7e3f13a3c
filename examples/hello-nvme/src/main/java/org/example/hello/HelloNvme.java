package org.example.hello;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.NvmeHost;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.TransportId;

/// Writes a greeting to the first block of a controller's first namespace, whose data are lost, and reads it back.
///
///     hello-nvme 'trtype:TCP traddr:127.0.0.1 trsvcid:4420 subnqn:nqn.2016-06.io.spdk:cnode1'
public final class HelloNvme {
    private static final String GREETING = "Hello, NVMe!";

    private HelloNvme() {}

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            System.err.println("Usage: hello-nvme 'trtype:... traddr:... trsvcid:... subnqn:...'");
            System.exit(2);
        }
        try (NvmeHost host = NvmeHost.start("hello-nvme", CpuMask.of(0));
                NvmeController controller = host.connect(TransportId.parse(args[0]))) {
            greet(host, controller);
        } catch (NvmeException | IllegalArgumentException e) {
            System.err.println("hello-nvme: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void greet(NvmeHost host, NvmeController controller) throws Exception {
        ControllerData data = controller.data();
        System.out.println("Model " + data.modelNumber() + ", serial number " + data.serialNumber());
        NvmeNamespace namespace = controller.namespaces().stream().findFirst().orElseThrow(
                () -> new IllegalArgumentException("the controller has no namespace"));
        System.out.println("Namespace " + namespace.nsid() + ": " + namespace.blocks() + " blocks of "
                + namespace.format().dataSize() + " bytes");

        QueuePair queue = controller.connectQueuePair(host.thread(), QueuePairListener.IGNORE);
        int size = namespace.format().transferSize();
        MemoryRegion memory = host.memory().allocate("hello-nvme", 2L * size);
        IoVector written = new IoVector(1);
        written.set(memory, 0, size);
        IoVector read = new IoVector(1);
        read.set(memory, size, size);

        // Each waits here for its end. A program in a hurry submits requests on the queue's thread, and is called back.
        memory.segment().setString(0, GREETING);
        queue.execute(request -> request.write(namespace.nsid(), 0, 1, 0, written)).orThrow("Write");
        queue.execute(request -> request.read(namespace.nsid(), 0, 1, 0, read)).orThrow("Read");
        System.out.println("Block 0 says: " + memory.segment().getString(size));
    }
}
