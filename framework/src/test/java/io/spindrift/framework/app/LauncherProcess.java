package io.spindrift.framework.app;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/// A program that [LauncherProcessTest] runs in a process of its own: serves RPCs at the socket that it is given, and
/// says when it does. With a second argument its stop never ends.
final class LauncherProcess {
    private LauncherProcess() {}

    public static void main(String[] args) throws Exception {
        FakeComponents components = new FakeComponents();
        components.job = _ -> System.out.println("ready");
        components.end = _ -> {
            System.out.println("stopping");
            if (args.length > 1) {
                new CountDownLatch(1).await();
            }
        };
        int status = Launcher.run(ApplicationOptions.builder("tgt").cpuLocks(false)
                .rpcAddress(Path.of(args[0]).toString()).build(), components);
        if (status != 0) {
            System.exit(status);
        }
    }
}
