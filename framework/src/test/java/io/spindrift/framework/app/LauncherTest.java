package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LauncherTest {
    private static final long LIMIT = Duration.ofSeconds(5).toNanos();

    @TempDir
    Path folder;

    private final RecordedLog log = new RecordedLog();
    private final FakeComponents components = new FakeComponents();
    private final List<Integer> halts = new ArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private final Launcher launcher = new Launcher(log.log(), halts::add);

    @AfterEach
    void close() {
        never.countDown();
        log.close();
    }

    private static ApplicationOptions.Builder options() {
        return ApplicationOptions.builder("tgt").cpuLocks(false).noRpcServer();
    }

    private int run(ApplicationOptions.Builder options) throws InterruptedException {
        return launcher.runToTheEnd(options.build(), components, LIMIT);
    }

    @Test
    void returnsTheStatusThatTheProgramEndsWith() throws Exception {
        components.job = application -> application.stop(2);

        assertEquals(2, run(options()));
    }

    @Test
    void stopsInOrderOnTheFirstSignal() throws Exception {
        components.add("bdev");
        components.job = _ -> launcher.receive(KillSignal.SIGINT);

        assertEquals(0, run(options()));
        assertEquals(List.of("rpcs bdev", "init bdev", "job", "end", "shutdown bdev"), components.journal);
        assertEquals(List.of(), halts);
        assertTrue(log.contains("SIGINT: stopping"), log.toString());
    }

    @Test
    void endsTheProcessAtOnceOnTheSecondSignal() throws Exception {
        components.job = _ -> {
            launcher.receive(KillSignal.SIGINT);
            launcher.receive(KillSignal.SIGTERM);
        };
        run(options());

        assertEquals(List.of(128 + 15), halts); // as a shell reports a process that SIGTERM ended
    }

    @Test
    void stopsAnApplicationWhoseSignalCameBeforeIt() throws Exception {
        components.add("bdev");
        launcher.receive(KillSignal.SIGTERM);

        assertEquals(0, run(options()));
        assertEquals(List.of("rpcs bdev"), components.journal);
    }

    @Test
    void namesTheStartThatHoldsAStopAndReturnsOne() throws Exception {
        components.add("stuck").init = _ -> {
            launcher.receive(KillSignal.SIGTERM);
            never.await();
        };

        assertEquals(1, launcher.runToTheEnd(options().build(), components, Duration.ofMillis(100).toNanos()));
        assertTrue(log.contains("did not stop within 100 ms: it still waits for the start of subsystem stuck"),
                log.toString());
    }

    @Test
    void namesTheCallOfTheConfigurationThatHoldsAStopAndReturnsOne() throws Exception {
        components.add("bdev").rpcs = rpcs -> rpcs.register(RpcMethod.of("hang", NoParams.class, RpcState.RUNTIME),
                _ -> {
                    launcher.receive(KillSignal.SIGTERM);
                    never.await();
                    return true;
                });
        Path config = Files.writeString(folder.resolve("c.json"), "{\"subsystems\": [{\"subsystem\": \"bdev\", "
                + "\"config\": [{\"method\": \"hang\"}]}]}");

        assertEquals(1, launcher.runToTheEnd(options().configFile(config).build(), components,
                Duration.ofMillis(100).toNanos()));
        assertTrue(log.contains("it still waits for the call hang of the configuration (" + config
                + ": subsystems[0].config[0])"), log.toString());
    }

    @Test
    void refusesToWaitForAnRpcThatNobodyCanCall() throws Exception {
        assertEquals(1, run(options().waitForRpc(true)));
        assertTrue(log.contains("--wait-for-rpc needs an RPC server, and there is none"), log.toString());
    }

    @Test
    void tellsWhyItCannotStartAndReturnsOne() throws Exception {
        assertEquals(1, run(options().configFile(Path.of("/none.json"))));
        assertTrue(log.contains("*ERROR*: /none.json: there is no such file"), log.toString());
    }
}
