package io.spindrift.nvme;

import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.NvmeTransportProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// An application's NVMe host: its transports, and the controllers that it uses. On the control path.
public final class NvmeDriver implements AutoCloseable {
    private final DriverContext context;
    private final Map<String, NvmeTransport> transports = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final List<NvmeController> controllers = new CopyOnWriteArrayList<>();
    private volatile boolean closed;
    private volatile TransportOptions transportOptions = TransportOptions.DEFAULT;

    /// A driver with these transports.
    public NvmeDriver(DriverContext context, Iterable<NvmeTransportProvider> providers) {
        this.context = context;
        for (NvmeTransportProvider provider : providers) {
            transports.put(provider.name(), provider.create(context));
        }
    }

    /// With every transport that is visible from `layer`.
    public static NvmeDriver load(DriverContext context, ModuleLayer layer) {
        return new NvmeDriver(context, ServiceLoader.load(layer, NvmeTransportProvider.class));
    }

    public DriverContext context() {
        return context;
    }

    /// The transports that there are, by name.
    public List<NvmeTransport> transports() {
        return new ArrayList<>(transports.values());
    }

    /// What all controllers of a transport share.
    public TransportOptions transportOptions() {
        return transportOptions;
    }

    /// Sets it, for controllers that are connected from now on.
    public void transportOptions(TransportOptions options) {
        transportOptions = options;
    }

    /// The transport of `id`; [IllegalArgumentException] if there is none.
    NvmeTransport transport(TransportId id) {
        NvmeTransport transport = transports.get(id.trtype());
        if (transport == null) {
            throw new IllegalArgumentException("trtype=" + id.trtype() + " is no transport; there are: "
                    + String.join(", ", transports.keySet()).toUpperCase(Locale.ROOT));
        }
        return transport;
    }

    /// Connects to a controller and brings it to where it takes I/O. Waits; the listener is told what happens to it later.
    ///
    /// @throws NvmeException saying what failed; nothing is left of it then
    /// @throws IllegalArgumentException naming the part of `id` that cannot be
    public NvmeController connect(TransportId id, ControllerOptions options, ControllerListener listener)
            throws Exception {
        NvmeController controller = new NvmeController(this, id, options, listener);
        controllers.add(controller);
        if (closed) { // pairs with close(): either it sees the controller, or this sees the end
            controller.close();
        }
        controller.connect();
        return controller;
    }

    /// The controllers that are there to be used, of transports that can see them: PCIe's.
    public List<TransportId> enumerate() {
        return transports.values().stream().flatMap(transport -> transport.enumerate().stream()).toList();
    }

    /// Those that are connected, oldest first.
    public List<NvmeController> controllers() {
        return List.copyOf(controllers);
    }

    void closed(NvmeController controller) {
        controllers.remove(controller);
    }

    /// Closes all controllers and transports.
    @Override
    public void close() {
        closed = true;
        controllers.forEach(NvmeController::close);
        transports.values().forEach(NvmeTransport::close);
    }
}
