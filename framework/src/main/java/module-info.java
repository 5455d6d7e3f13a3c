/// The framework: reactors and threads, memory, JSON-RPC, logging, tracing, application lifecycle.
///
/// It knows no storage: block devices, transports and programs are built on it.
module io.spindrift.framework {
    requires jdk.unsupported; // sun.misc.Signal, the JDK's only way to receive SIGINT and SIGTERM
    requires transitive tools.jackson.databind; // JSON trees in the signatures of framework.rpc
    requires static jdk.management; // testing.AllocationProbe, in a JVM that it starts on the class path

    exports io.spindrift.framework;
    exports io.spindrift.framework.app;
    exports io.spindrift.framework.log;
    exports io.spindrift.framework.memory;
    exports io.spindrift.framework.memory.spi;
    exports io.spindrift.framework.notify;
    exports io.spindrift.framework.rpc;
    exports io.spindrift.framework.testing;
    exports io.spindrift.framework.thread;
    exports io.spindrift.framework.trace;
    exports io.spindrift.framework.uring;

    uses io.spindrift.framework.rpc.RpcCatalog;
    uses io.spindrift.framework.trace.TraceCatalog;

    provides io.spindrift.framework.rpc.RpcCatalog with
            io.spindrift.framework.app.FrameworkRpcs,
            io.spindrift.framework.memory.MemoryRpcs,
            io.spindrift.framework.rpc.CoreRpcs,
            io.spindrift.framework.trace.TraceRpcs;
    provides io.spindrift.framework.trace.TraceCatalog with io.spindrift.framework.trace.ThreadTracepoints;
}
