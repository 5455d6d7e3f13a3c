package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Json;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a configuration file makes of a start.
@Timeout(30)
class ApplicationConfigurationTest extends ApplicationFixture {
    @Test
    void listensOnlyAfterTheConfigurationIsLoaded() throws Exception {
        components.add("bdev").init = _ -> assertFalse(Files.exists(folder.resolve("rpc.sock")));
        start(serving()).close();
    }

    @Test
    void loadsStartUpCallsBeforeTheSubsystemsAndTheOthersAfter() throws Exception {
        components.add("bdev").init = application -> {
            assertEquals("\"ERROR\"", Json.compact(call(application, "log_get_level")));
            assertEquals("\"1\"", Json.compact(call(application, "thread_get_stats").get("threads").get(0)
                    .get("cpumask")));
        };
        Application application = start(configured("""
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "thread_set_cpumask", "params": {"id": 1, "cpumask": "[0,1]"}},
                  {"method": "log_set_level", "params": {"level": "ERROR"}}]}]}
                """));

        assertEquals("\"3\"",
                Json.compact(call(application, "thread_get_stats").get("threads").get(0).get("cpumask")));
        application.close();
    }

    @Test
    void refusesAConfigurationWithThePathOfWhatIsWrong() throws Exception {
        components.add("bdev");
        String path = folder.resolve("c.json") + ": ";

        assertEquals(path + "subsystems: 1111 must be an array", startRefusal(configured("{\"subsystems\": 1111}")));
        assertEquals(
                path + "subsystems[0].config[0].params.level: level=\"LOUD\" must be one of ERROR, WARNING, NOTICE, "
                        + "INFO, DEBUG (log_set_level)",
                startRefusal(configured("""
                        {"subsystems": [{"subsystem": "bdev", "config": [
                          {"method": "log_set_level", "params": {"level": "LOUD"}}]}]}
                        """)));
        assertFalse(components.journal.contains("init bdev"), components.journal.toString());
    }

    @Test
    void refusesAConfigurationWithAnUnknownMethodBeforeAnythingStarts() throws Exception {
        components.add("bdev");
        String message = startRefusal(configured("""
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "log_set_level", "params": {"level": "ERROR"}}, {"method": "nope"}]}]}
                """));

        assertEquals(folder.resolve("c.json") + ": subsystems[0].config[1].method: nope is no method of this program",
                message);
        assertFalse(components.journal.contains("init bdev"), components.journal.toString());
        assertEquals("NOTICE", log.log().level().name());
    }

    @Test
    void stopsWhatHadStartedWhenALaterCallOfTheConfigurationFails() throws Exception {
        components.add("bdev");
        String message = startRefusal(configured("""
                {"subsystems": [{"subsystem": "bdev", "config": [
                  {"method": "thread_set_cpumask", "params": {"id": 99, "cpumask": "1"}}]}]}
                """));

        assertTrue(message.contains(": subsystems[0].config[0]: id=99: there is no such thread"), message);
        assertEquals("shutdown bdev", components.journal.getLast());
    }

    @ParameterizedTest
    @ValueSource(strings = {"framework_start_init", "framework_wait_init"})
    @Timeout(30)
    void refusesAConfigurationThatStartsOrAwaitsItself(String method) throws Exception {
        components.add("bdev");
        String message = startRefusal(configured("{\"subsystems\": [{\"subsystem\": \"bdev\", \"config\": "
                + "[{\"method\": \"" + method + "\"}]}]}"));
        assertTrue(message.contains(method + " has no place in a configuration"), message);
        assertFalse(log.contains("Exception"), log.toString());
    }

    @Test
    void goesOnAfterAFailedCallWhenToldTo() throws Exception {
        Application application = start(configured("""
                {"subsystems": [{"subsystem": "scheduler", "config": [{"method": "nope"}]}]}
                """).ignoreInitErrors(true));

        assertTrue(log.contains("nope is no method of this program"), log.toString());
        application.close();
    }
}
