package io.spindrift.framework.testing;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Measures what an operation allocates where nothing hides it: in a JVM of its own whose compiler removes no
/// allocation (C1), after a warm-up. For tests of the data path, which must allocate nothing.
///
/// ```java
/// assertEquals(0, AllocationProbe.allocatedBytes(OneRead.class));
/// ```
public final class AllocationProbe {
    /// The JVM makes code for a method handle at its 128th call: at the first, so that a call that is rare, epoll_wait say,
    /// does not come to it after the warm-up.
    private static final String CUSTOMIZE_AT_ONCE = "-Djava.lang.invoke.MethodHandle.CUSTOMIZE_THRESHOLD=0";
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 20_000;
    private static final String RESULT = "allocated-bytes=";

    private AllocationProbe() {}

    /// Runs `operation` 20,000 times to warm up and 20,000 times measured, in a forked JVM, on its main thread.
    ///
    /// @param operation a class with a constructor without parameters, of any visibility; `run` is one operation
    /// @return the bytes that the measured runs allocated on their thread
    /// @throws IllegalStateException if the operation throws or the JVM does not start; with all that it printed
    public static long allocatedBytes(Class<? extends Runnable> operation) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", CUSTOMIZE_AT_ONCE, "-Xshare:auto", "--enable-native-access=ALL-UNNAMED", "-cp",
                classPath(operation),
                AllocationProbe.class.getName(), operation.getName()));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int status = process.waitFor();
            String result = output.lines().filter(l -> l.startsWith(RESULT)).findFirst().orElse(null);
            if (status != 0 || result == null) {
                throw new IllegalStateException(
                        operation.getName() + " ended with status " + status + " and printed:\n" + output);
            }
            return Long.parseLong(result.substring(RESULT.length()));
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + command.getFirst(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + operation.getName() + " ran", e);
        }
    }

    /// Everything this JVM runs from, modules too, and where the operation's class is (tests are patched in).
    private static String classPath(Class<?> operation) {
        List<String> entries = new ArrayList<>();
        Collections.addAll(entries, root(operation), root(AllocationProbe.class), System.getProperty("jdk.module.path"),
                System.getProperty("java.class.path"));
        entries.removeIf(e -> e == null || e.isEmpty());
        return String.join(File.pathSeparator, entries);
    }

    private static String root(Class<?> type) {
        String resource = type.getName().replace('.', '/') + ".class";
        URL url = type.getResource("/" + resource);
        try {
            String text = url.toURI().toString();
            String root = text.substring(0, text.length() - resource.length());
            if (root.startsWith("jar:")) {
                root = root.substring("jar:".length(), root.indexOf("!/"));
            }
            return Path.of(URI.create(root)).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("no path to " + type.getName() + ": " + url, e);
        }
    }

    /// What the forked JVM runs; the argument names the operation's class.
    public static void main(String[] args) {
        int status = 1;
        try {
            var constructor = Class.forName(args[0]).asSubclass(Runnable.class).getDeclaredConstructor();
            constructor.setAccessible(true);
            Runnable operation = constructor.newInstance();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            measure(operation, threads, WARM_UP);
            System.out.println(RESULT + measure(operation, threads, MEASURED));
            status = 0;
        } catch (Throwable t) {
            t.printStackTrace(System.out);
        }
        System.exit(status); // an operation may have started threads that keep a JVM up
    }

    private static long measure(Runnable operation, ThreadMXBean threads, int times) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < times; i++) {
            operation.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }
}
