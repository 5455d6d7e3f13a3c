package io.spindrift.apps.tgt;

import io.spindrift.apps.FileProblem;
import io.spindrift.framework.app.AppComponents;
import io.spindrift.framework.app.Application;
import io.spindrift.framework.app.ApplicationOptions;
import io.spindrift.framework.app.CommandLine;
import io.spindrift.framework.app.CommonFlags;
import io.spindrift.framework.app.Flag;
import io.spindrift.framework.app.Launcher;
import io.spindrift.framework.app.Subsystem;
import io.spindrift.framework.rpc.CoreRpcs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The programs `spdk_tgt` and `nvmf_tgt`: today the same under two names.
public final class TargetApp implements AppComponents {
    private Optional<Path> pidFile = Optional.empty();
    private boolean pidWritten; // guarded by this, as is stopping
    private boolean stopping;

    /// A target without a pid file, for one that is embedded.
    public TargetApp() {}

    /// A target with a pid file.
    TargetApp(Path pidFile) {
        this.pidFile = Optional.of(pidFile);
    }

    /// Runs `spdk_tgt` as the process itself and returns the status to exit with.
    public static int run(String[] args) throws InterruptedException {
        return run("spdk_tgt", new TargetApp(), args);
    }

    /// As [#run(String[])], `nvmf_tgt`.
    public static int runNvmf(String[] args) throws InterruptedException {
        return run("nvmf_tgt", new TargetApp(), args);
    }

    private static int run(String name, TargetApp target, String[] args) throws InterruptedException {
        ApplicationOptions.Builder options = ApplicationOptions.builder(name);
        CommandLine line = new CommandLine(name, CoreRpcs.versionText(), target.flags(options),
                CommonFlags.of(options));
        OptionalInt status = line.parse(args, System.out, System.err);
        return status.isPresent() ? status.getAsInt() : Launcher.run(options.build(), target);
    }

    private List<Flag> flags(ApplicationOptions.Builder options) {
        return List.of(
                Flag.value("-f", "FILE", "write the process's number to this file while it runs",
                        text -> pidFile = Optional.of(Path.of(text))),
                Flag.value("-S", "DIR", "folder of vhost sockets (accepted; there is no vhost target yet)",
                        text -> options.notice("-S " + text + " has no effect: there is no vhost target yet")));
    }

    @Override
    public List<Subsystem> subsystems(Application application) {
        return DaggerTargetComponent.builder().targetModule(new TargetModule(application)).build().subsystems();
    }

    @Override
    public void started(Application application) {
        try {
            writePidFile();
        } catch (IOException e) {
            application.log().error("-f %s", FileProblem.of("cannot be written", e, pidFile.orElseThrow()));
            application.stop(1);
        }
    }

    private synchronized void writePidFile() throws IOException {
        if (pidFile.isPresent() && !stopping) {
            Files.writeString(pidFile.get(), ProcessHandle.current().pid() + "\n");
            pidWritten = true;
        }
    }

    /// May come before [#started] has done its work.
    @Override
    public synchronized void stopping(Application application) throws IOException {
        stopping = true;
        if (pidWritten) {
            Files.deleteIfExists(pidFile.orElseThrow());
        }
    }
}
