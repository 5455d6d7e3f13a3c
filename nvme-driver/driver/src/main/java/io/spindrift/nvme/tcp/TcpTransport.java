package io.spindrift.nvme.tcp;

import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DriverContext;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spi.NvmeTransport;
import io.spindrift.nvme.spi.TransportController;
import io.spindrift.sock.SockAddress;
import io.spindrift.sock.SockOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// NVMe/TCP for one driver: where its connections go, and the poll groups that they share.
final class TcpTransport implements NvmeTransport {
    private static final int MAX_PORT = 65535;

    private final DriverContext context;
    /// By implementation of sockets.
    private final Map<String, TcpPollGroups> groups = new ConcurrentHashMap<>();

    TcpTransport(DriverContext context) {
        this.context = context;
    }

    DriverContext context() {
        return context;
    }

    @Override
    public String name() {
        return TransportId.TCP;
    }

    @Override
    public TransportController open(NvmeController controller, TransportId id, ControllerOptions options) {
        int port = port("trsvcid", id.trsvcid());
        String implementation = options.sockImplementation().orElseGet(context.sockets()::defaultImplementation);
        context.sockets().options(implementation); // unknown: its sentence now
        Optional<SockAddress> source = options.host().address().map(
                address -> SockAddress.of(address,
                        options.host().service().map(text -> port("hostsvcid", text)).orElse(0)));
        SockOptions sockOptions = SockOptions.DEFAULT.withPriority(options.fabrics().priority())
                .withTypeOfService(options.fabrics().tos()).withSource(source);
        return new TcpController(this, controller, id.traddr(), port, implementation, sockOptions);
    }

    private static int port(String name, String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= MAX_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // the sentence below says it
        }
        throw new IllegalArgumentException(name + "=" + text + " is no TCP port: 1 to " + MAX_PORT + " is needed");
    }

    /// The poll groups with sockets of this implementation.
    TcpPollGroups groups(String implementation) {
        return groups.computeIfAbsent(implementation, name -> new TcpPollGroups(context, name));
    }

    @Override
    public List<Map<String, Object>> statistics() {
        return groups.values().stream().flatMap(each -> each.counters().stream()).map(counters -> {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("thread", counters.thread());
            shown.putAll(counters.values());
            return shown;
        }).toList();
    }

    @Override
    public void close() {
        groups.values().forEach(TcpPollGroups::unregister);
        groups.clear();
    }
}
