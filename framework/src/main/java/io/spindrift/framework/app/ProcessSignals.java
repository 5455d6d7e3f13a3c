package io.spindrift.framework.app;

import io.spindrift.framework.internal.ffi.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;

/// The signals of this process: received through `sun.misc.Signal`, the JDK's only way, and sent with kill(2).
///
/// `jdk.unsupported` supports that class, but the compiler warns of every mention in a way that cannot be turned off;
/// hence method handles.
final class ProcessSignals {
    private ProcessSignals() {}

    /// Has `action` run on a thread of its own whenever `received` arrives, instead of ending the JVM. Process-wide: the
    /// launcher's alone.
    ///
    /// Shells start background jobs with SIGINT ignored, and the JVM leaves an ignored signal so; hence it is set to
    /// its default first.
    static void onSignal(KillSignal received, Runnable action) {
        if (isIgnored(received)) {
            Libc.signal(received.number(), Libc.SIG_DFL);
        }
        String name = received.name().substring("SIG".length());
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle construct = lookup.findConstructor(signal, MethodType.methodType(void.class, String.class));
            MethodHandle handle = lookup.findStatic(signal, "handle", MethodType.methodType(handler, signal, handler));
            Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[]{handler},
                    (self, method, arguments) -> switch (method.getName()) {
                        case "handle" -> {
                            action.run();
                            yield null;
                        }
                        case "hashCode" -> System.identityHashCode(self);
                        case "equals" -> self == arguments[0];
                        default -> "handler of SIG" + name;
                    });
            handle.invoke(construct.invoke(name), proxy);
        } catch (Throwable t) {
            throw new IllegalStateException("SIG" + name + " cannot be handled: " + t, t);
        }
    }

    /// proc(5): `SigIgn` is a mask in hexadecimal, bit 0 for signal 1.
    private static boolean isIgnored(KillSignal signal) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("SigIgn:")) {
                    long mask = Long.parseUnsignedLong(line.substring(line.indexOf(':') + 1).trim(), 16);
                    return (mask >>> (signal.number() - 1) & 1) != 0;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends this process a signal.
    static void send(KillSignal signal) {
        Libc.kill((int) ProcessHandle.current().pid(), signal.number());
    }
}
