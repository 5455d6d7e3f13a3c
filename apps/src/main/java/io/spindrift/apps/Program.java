package io.spindrift.apps;

import io.spindrift.apps.bdevperf.BdevperfApp;
import io.spindrift.apps.nvme.discover.DiscoverApp;
import io.spindrift.apps.nvme.identify.IdentifyApp;
import io.spindrift.apps.nvme.perf.PerfApp;
import io.spindrift.apps.quickstart.QuickstartApp;
import io.spindrift.apps.rpc.RpcApp;
import io.spindrift.apps.setup.SetupApp;
import io.spindrift.apps.tgt.TargetApp;
import io.spindrift.apps.trace.TraceApp;
import io.spindrift.apps.version.VersionApp;
import java.util.Arrays;
import java.util.Optional;

/// The table of programs. A constant added here has a script in `build/bin` and a line in the usage after the next build.
public enum Program {
    /// Measures and verifies block devices.
    BDEVPERF("bdevperf", "measure and verify block devices", BdevperfApp::run),
    /// Serves block devices to hosts over NVMe over Fabrics.
    NVMF_TGT("nvmf_tgt", "serve block devices to hosts over NVMe over Fabrics (TCP)", TargetApp::runNvmf),
    /// A target with one disk, and what to type next.
    QUICKSTART("quickstart", "serve a disk of memory over NVMe/TCP, and say what to type next", QuickstartApp::run),
    /// Calls the methods of a running application.
    RPC("rpc", "call a method of a running application", RpcApp::run),
    /// Gives PCI NVMe controllers to user space and back.
    SETUP("setup", "give NVMe controllers to user space, and back to the kernel", SetupApp::run),
    /// Everything there is, set up by a configuration file or by RPC.
    SPDK_TGT("spdk_tgt", "serve everything there is, as set up by a file or by RPC", TargetApp::run),
    /// Prints the log of a discovery controller.
    SPDK_NVME_DISCOVER("spdk_nvme_discover", "print which subsystems a discovery controller knows", DiscoverApp::run),
    /// Prints what NVMe controllers say of themselves.
    SPDK_NVME_IDENTIFY("spdk_nvme_identify", "print what NVMe controllers say of themselves", IdentifyApp::run),
    /// Measures NVMe controllers.
    SPDK_NVME_PERF("spdk_nvme_perf", "measure NVMe controllers, local ones and over TCP", PerfApp::run),
    /// Prints what a program recorded at tracepoints.
    SPDK_TRACE("spdk_trace", "print what a program recorded at tracepoints", TraceApp::run),
    /// Prints the version of Spindrift and of the JVM under it.
    VERSION("version", "print the version of Spindrift and of its JVM", VersionApp::run);

    private final String programName;
    private final String summary;
    private final App app;

    Program(String programName, String summary, App app) {
        this.programName = programName;
        this.summary = summary;
        this.app = app;
    }

    /// The name users type.
    public String programName() {
        return programName;
    }

    /// What it does, in a few words.
    public String summary() {
        return summary;
    }

    /// Its entry point.
    public App app() {
        return app;
    }

    /// The program of this name, if there is one.
    public static Optional<Program> find(String name) {
        return Arrays.stream(values()).filter(program -> program.programName.equals(name)).findFirst();
    }
}
