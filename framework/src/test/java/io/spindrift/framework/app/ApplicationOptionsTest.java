package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.thread.CpuMask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What flags make of an application.
@Timeout(30)
class ApplicationOptionsTest extends ApplicationFixture {
    @Test
    void refusesACoreThatTheMachineLacks() {
        assertEquals("core 1023 of the cpumask " + CpuMask.of(0, 1023) + " does not exist on this machine",
                startRefusal(options().cpuMask(CpuMask.of(0, 1023))));
        assertEquals("main core 2 (-p/--main-core) is not in the cpumask 0x3",
                startRefusal(options().cpuMask(CpuMask.of(0, 1)).mainCore(2)));
    }

    @Test
    void answersOnlyTheRpcsThatAreAllowed() throws Exception {
        Application application = start(options().allowRpcs(List.of("log_get_level")));

        assertEquals("\"NOTICE\"", Json.compact(call(application, "log_get_level")));
        assertEquals(-32601, assertThrows(RpcException.class, () -> call(application, "log_get_flags")).code());
        application.close();
    }

    @Test
    void turnsLogFlagsOnAndWarnsOfUnknownOnes() throws Exception {
        components.add("bdev").init = application -> application.log().flag("bdev");
        Application application = start(options().logFlags(List.of("bdev")));

        assertTrue(log.log().flagStates().get("bdev"));
        assertEquals("DEBUG", log.log().printLevel().name());
        application.close();
        start(options().logFlags(List.of("none"))).close();
        assertTrue(log.contains("*WARNING*: -L/--logflag none changes nothing"), log.toString());
    }

    @Test
    void tracesWhatItIsToldToFromTheStart() throws Exception {
        Application application = start(options().tracepoints("thread"));

        assertTrue(call(application, "trace_get_tpoint_group_mask").get("thread").get("enabled").booleanValue());
        Path file = application.trace().path();
        assertTrue(Files.exists(file));
        application.close();
        Files.deleteIfExists(file);
        assertTrue(startRefusal(options().tracepoints("none")).startsWith("-e none: "));
    }

    @Test
    void tellsItsProcessAndTheFlagsThatMeanNothing() throws Exception {
        start(options().notice("-n/--mem-channels has no meaning")).close();

        assertTrue(log.contains("process " + ProcessHandle.current().pid()), log.toString());
        assertTrue(log.contains("*NOTICE*: -n/--mem-channels has no meaning"), log.toString());
    }

    @Test
    void refusesToStartWithLessMemoryThanItsBuffersNeed() {
        String message = startRefusal(options().memory(MemoryFlags.DEFAULT.withoutHugePages().withMebibytes(1)));

        assertTrue(message.startsWith("subsystem iobuf does not start: ")
                && message.contains("the limit (-s/--mem-size) is 1048576 bytes"), message);
    }

    @Test
    void printsNoNoticesWhenSilenced() throws Exception {
        start(options().silenceNotices(true).notice("-n/--mem-channels has no meaning")).close();

        assertEquals("", log.toString());
    }
}
