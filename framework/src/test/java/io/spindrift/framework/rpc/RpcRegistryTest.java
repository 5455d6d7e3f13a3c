package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RpcRegistryTest {
    private final RpcRegistry registry = new RpcRegistry();

    private static RpcMethod<NoParams> method(String name, RpcState first, RpcState... others) {
        return RpcMethod.of(name, NoParams.class, first, others);
    }

    private RpcException failure(String name) {
        return assertThrows(RpcException.class, () -> registry.dispatch(name, null));
    }

    @BeforeEach
    void register() {
        registry.register(method("early", RpcState.STARTUP).alias("old_early"), none -> "early");
        registry.register(method("late", RpcState.RUNTIME), none -> "late");
        registry.register(method("always", RpcState.STARTUP, RpcState.RUNTIME), none -> true);
    }

    private RpcException thrown(Exception e) {
        registry.register(method("fails", RpcState.STARTUP), none -> {
            throw e;
        });
        return failure("fails");
    }

    @Test
    void runsAMethodByItsNameAndByItsAlias() {
        assertEquals("early", registry.dispatch("early", null).stringValue());
        assertEquals("early", registry.dispatch("old_early", null).stringValue());
    }

    @Test
    void refusesARuntimeMethodBeforeInitialisation() {
        assertEquals(-1, failure("late").code());
        assertTrue(failure("late").getMessage().contains("framework_start_init"));
    }

    @Test
    void refusesAStartupMethodAfterInitialisationInThePeersWords() {
        registry.enter(RpcState.RUNTIME);
        assertEquals("late", registry.dispatch("late", null).stringValue());
        assertEquals(-1, failure("early").code());
        assertEquals("Method may only be called before framework is initialized. Use --wait-for-rpc command line "
                + "parameter and then issue this RPC before the framework_start_init RPC.",
                failure("early").getMessage());
    }

    @Test
    void listsNamesSortedThoseThatCanBeCalledNowAndAliases() {
        assertEquals(List.of("always", "early", "late"), registry.names(false, false));
        assertEquals(List.of("always", "early"), registry.names(true, false));
        assertEquals(List.of("always", "early", "old_early"), registry.names(true, true));
    }

    @Test
    void hidesFromClientsWhatIsNotAllowed() {
        registry.allowOnly(List.of("always"));
        assertEquals(RpcException.METHOD_NOT_FOUND, failure("early").code());
        assertEquals(List.of("always"), registry.names(false, true));
        assertEquals("early", registry.call("early", null).stringValue());
    }

    @Test
    void refusesANameTwice() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> registry.register(method("old_early", RpcState.RUNTIME), none -> true));
        assertTrue(e.getMessage().contains("old_early"));
    }

    @Test
    void addsAllOfAListOfMethodsOrNone() {
        List<RpcBinding<?>> twice = List.of(method("new", RpcState.STARTUP).bind(_ -> true),
                method("newer", RpcState.STARTUP).alias("new").bind(_ -> true));
        List<RpcBinding<?>> taken = List.of(method("new", RpcState.STARTUP).bind(_ -> true),
                method("early", RpcState.STARTUP).bind(_ -> true));

        assertThrows(IllegalArgumentException.class, () -> registry.register(twice));
        assertThrows(IllegalArgumentException.class, () -> registry.register(taken));
        assertEquals(List.of("always", "early", "late"), registry.names(false, false));
        assertEquals("early", registry.dispatch("early", null).stringValue());
    }

    @Test
    void forgetsMethodsAndTheirAliasesThatAreRemoved() {
        List<RpcBinding<?>> added = List.of(method("new", RpcState.STARTUP).alias("old").bind(_ -> true),
                method("newer", RpcState.STARTUP).bind(_ -> true));
        registry.register(added);
        registry.unregister(added);

        assertEquals(List.of("always", "early", "late", "old_early"), registry.names(false, true));
        assertEquals(-32601, failure("old").code());
    }

    @Test
    void waitsOnTheSpotForTheEventOfACallThatTheApplicationMakes() {
        registry.register(method("waits", RpcState.STARTUP), _ -> new RpcWait(() -> "over"));
        registry.register(method("breaks", RpcState.STARTUP), _ -> new RpcWait(() -> {
            throw new ErrnoException("open /x", Errno.ENOENT);
        }));

        assertEquals("over", registry.dispatch("waits", null).stringValue());
        assertEquals("over", registry.call("waits", null).stringValue());
        assertEquals(-2, failure("breaks").code());
    }

    @Test
    void answersAnErrorNumberNegated() {
        assertEquals(-19, thrown(RpcException.errno(Errno.ENODEV, "no bdev none")).code());
    }

    @Test
    void answersAFailedSystemCallWithItsErrorNumber() {
        RpcException e = thrown(new ErrnoException("open /x", Errno.ENOENT));
        assertEquals(-2, e.code());
        assertEquals("open /x: No such file or directory", e.getMessage());
    }

    @Test
    void answersAnIllegalArgumentAsInvalidParameters() {
        RpcException e = thrown(new IllegalArgumentException("size=0 must be at least 1"));
        assertEquals(-32602, e.code());
        assertEquals("size=0 must be at least 1", e.getMessage());
    }

    @Test
    void looksThroughTheExceptionOfAFuture() {
        assertEquals(-2, thrown(new ExecutionException(new ErrnoException("open /x", Errno.ENOENT))).code());
    }

    @Test
    void aCallThatIsInterruptedByTheStopSaysSo() {
        registry.register(method("waits", RpcState.STARTUP), none -> {
            throw new InterruptedException();
        });
        RpcException given = assertThrows(RpcException.class, () -> registry.dispatch("waits", null));
        assertEquals("waits was given up: the application is stopping", given.getMessage());
        assertNull(given.getCause());
        assertTrue(Thread.interrupted());
    }

    @Test
    void answersAnythingElseAsAnInternalErrorThatNamesTheMethod() {
        RpcException e = thrown(new IOException("disk on fire"));
        assertEquals(-32603, e.code());
        assertEquals("fails failed: java.io.IOException: disk on fire", e.getMessage());
    }

    @Test
    void isBornWithTheModulesVersion() {
        var version = CoreRpcs.class.getModule().getDescriptor().rawVersion();
        version.ifPresent(text -> assertEquals("Spindrift v" + text, CoreRpcs.versionText()));
    }
}
