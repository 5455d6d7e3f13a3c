package io.spindrift.framework.rpc;

import java.util.List;

/// The methods that every application has: its version and the list of its methods.
public final class CoreRpcs implements RpcCatalog {
    private record GetMethods(
            @Option({"-c", "--current"}) @Default("false")
            @Description("only those that can be called now") boolean current,
            @Option({"-i", "--include-aliases"}) @Default("false")
            @Description("deprecated names too") boolean includeAliases) {}

    /// The version as its parts, as the peer reports it.
    private record VersionFields(int major, int minor, int patch, String suffix) {
        @Override
        public String toString() {
            return "v" + major + "." + minor + "." + patch + suffix;
        }
    }

    private record Version(String version, VersionFields fields) {}

    private static final VersionFields VERSION = new VersionFields(0, 1, 0, "");

    private static final RpcMethod<NoParams> GET_VERSION = RpcMethod
            .of("spdk_get_version", NoParams.class, RpcState.STARTUP, RpcState.RUNTIME)
            .summary("Returns the version of the application.");
    private static final RpcMethod<GetMethods> GET_METHODS = RpcMethod
            .of("rpc_get_methods", GetMethods.class, RpcState.STARTUP, RpcState.RUNTIME)
            .summary("Lists the methods that can be called.");

    /// For the service loader.
    public CoreRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(GET_VERSION, GET_METHODS);
    }

    /// Adds the methods to `registry`, which they describe.
    public static void register(RpcRegistry registry) {
        registry.register(GET_VERSION, params -> new Version(versionText(), VERSION));
        registry.register(GET_METHODS, params -> registry.names(params.current(), params.includeAliases()));
    }

    /// The name and version that programs print: `Spindrift v0.1.0`.
    /// The version's numbers: `0.1.0`.
    public static String version() {
        return VERSION.major + "." + VERSION.minor + "." + VERSION.patch + VERSION.suffix;
    }

    public static String versionText() {
        return "Spindrift " + VERSION;
    }
}
