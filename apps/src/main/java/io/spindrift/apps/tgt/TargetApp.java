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

/// The program `spdk_tgt`.
public final class TargetApp implements AppComponents {
    private static final String NAME = "spdk_tgt";

    private Optional<Path> pidFile = Optional.empty();
    private boolean pidWritten; // guarded by this, as is stopping
    private boolean stopping;

    /// A target without a pid file, for one that is embedded.
    public TargetApp() {}

    /// A target with a pid file.
    TargetApp(Path pidFile) {
        this.pidFile = Optional.of(pidFile);
    }

    /// Runs the target as the process itself and returns the status to exit with.
    public static int run(String[] args) throws InterruptedException {
        TargetApp target = new TargetApp();
        ApplicationOptions.Builder options = ApplicationOptions.builder(NAME);
        CommandLine line = new CommandLine(NAME, CoreRpcs.versionText(), target.flags(options),
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
        return List.copyOf(DaggerTargetComponent.builder().targetModule(new TargetModule(application)).build()
                .subsystems());
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
