package io.spindrift.apps.quickstart;

import io.spindrift.apps.tgt.TargetApp;
import io.spindrift.framework.app.AppComponents;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.framework.app.CommonFlags;
import io.spindrift.framework.app.Flag;
import io.spindrift.framework.app.Launcher;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.rpc.CoreRpcs;
import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// The program `quickstart`: the target with one disk, set up by an embedded configuration, and what to type next.
public final class QuickstartApp implements AppComponents {
    private static final String NAME = "quickstart";
    private static final int DEFAULT_PORT = 4420; // IANA's for NVMe over Fabrics
    private static final int MAX_PORT = 65535;
    private static final String LISTEN = "nvmf_subsystem_add_listener";

    /// `examples/nvmf.json`, which listens at [#DEFAULT_PORT].
    private static final String CONFIGURATION = "nvmf.json";

    private static final String CONNECT = """
            Malloc0, a disk of 512 MiB of memory, is served over NVMe/TCP at 127.0.0.1:PORT. In another shell, as root:

                modprobe nvme-tcp
                nvme connect -t tcp -a 127.0.0.1 -s PORT -n nqn.2016-06.io.spdk:cnode1
                nvme list

            It is a disk like any other then: mkfs.ext4, mount, fio. "nvme disconnect -n nqn.2016-06.io.spdk:cnode1" gives
            it back.
            """;

    private static final String CALL = """
            Without root, what is served can be seen and changed, and saved as a file for nvmf_tgt:

                ./spindrift RPC nvmf_get_subsystems
                ./spindrift RPC save_config > my.json

            which nvmf_tgt serves once this program has ended:

                ./spindrift nvmf_tgt -c my.json
            """;

    private final TargetApp target = new TargetApp();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final PrintStream out;
    private int port = DEFAULT_PORT;
    private OptionalInt seconds = OptionalInt.empty();

    private QuickstartApp(PrintStream out) {
        this.out = out;
    }

    /// Runs it as the process itself and returns the status to exit with.
    public static int run(String[] args) throws InterruptedException {
        ApplicationOptions.Builder options = ApplicationOptions.builder(NAME).silenceNotices(true);
        QuickstartApp quickstart = new QuickstartApp(System.out);
        CommandLine line = new CommandLine(NAME, CoreRpcs.versionText(), quickstart.flags(), CommonFlags.of(options));
        OptionalInt status = line.parse(args, System.out, System.err);
        if (status.isPresent()) {
            return status.getAsInt();
        }
        if (options.build().configFile().isPresent() || options.build().waitForRpc()) {
            System.err.println(NAME + ": -c and --wait-for-rpc are nvmf_tgt's; here the configuration is embedded");
            return 2;
        }
        return Launcher.run(options.build(), quickstart);
    }

    private List<Flag> flags() {
        return List.of(
                Flag.value("--seconds", "N", "serve for N seconds (without it: until Ctrl-C)",
                        text -> seconds = OptionalInt.of(number(text, Integer.MAX_VALUE))),
                Flag.value("--port", "N", "port to listen at (default " + DEFAULT_PORT + ")",
                        text -> port = number(text, MAX_PORT)));
    }

    private static int number(String text, int most) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 1 && value <= most) {
                return value;
            }
        } catch (NumberFormatException _) {
            // said below
        }
        throw new IllegalArgumentException("it must be a number from 1 to " + most);
    }

    @Override
    public List<Subsystem> subsystems(Application application) {
        return target.subsystems(application);
    }

    @Override
    public void started(Application application) throws IOException, InterruptedException {
        if (!setUp(application)) {
            application.stop(1);
            return;
        }
        out.println(CONNECT.replace("PORT", Integer.toString(port)));
        application.options().rpcAddress().ifPresent(address -> out.println(CALL.replace("RPC", rpc(address))));
        out.println(seconds.isPresent()
                ? "It is served for " + seconds.getAsInt() + " s; Ctrl-C ends it earlier."
                : "Ctrl-C ends it.");
        out.flush();
        if (seconds.isPresent() && !stopping.await(seconds.getAsInt(), TimeUnit.SECONDS)) {
            application.stop(0);
        }
    }

    /// The client, and where it is to call if that is not what it takes for granted.
    private static String rpc(String address) {
        return address.equals(ApplicationOptions.DEFAULT_RPC_ADDRESS) ? "rpc" : "rpc -s " + address;
    }

    /// Makes the calls of the configuration; false, with the reason in the log, once one is refused.
    private boolean setUp(Application application) throws IOException {
        for (JsonNode section : configuration().get("subsystems")) {
            for (JsonNode call : section.get("config")) {
                String method = call.get("method").stringValue();
                try {
                    application.rpcs().dispatch(method, call.get("params"));
                } catch (RpcException e) {
                    application.log().error("%s: %s%s", method, e.getMessage(),
                            method.equals(LISTEN) ? "; --port N takes another port" : "");
                    return false;
                }
            }
        }
        return true;
    }

    private JsonNode configuration() throws IOException {
        try (InputStream file = QuickstartApp.class.getResourceAsStream(CONFIGURATION)) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            return Json.parse(text.replace("\"" + DEFAULT_PORT + "\"", "\"" + port + "\""));
        }
    }

    @Override
    public void stopping(Application application) {
        stopping.countDown();
    }
}
