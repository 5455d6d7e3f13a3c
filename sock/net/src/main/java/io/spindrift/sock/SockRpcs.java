package io.spindrift.sock;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;
import static io.spindrift.framework.rpc.RpcState.STARTUP;

import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.RpcCatalog;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The methods about sockets; [SockSubsystem] answers them.
public final class SockRpcs implements RpcCatalog {
    record ImplName(@Option({"-i", "--impl"}) @Description("name of the implementation") String implName) {}

    /// What is not given stays as it is; the limits are those of [SockImplOptions].
    record SetOptions(
            @Option({
                    "-i", "--impl"})
            @Description("name of the implementation") String implName,
            @Option({"-r", "--recv-buf-size"}) @Unsigned(32)
            @Description("size of the receive buffer in bytes") OptionalLong recvBufSize,
            @Option({"-s", "--send-buf-size"}) @Unsigned(32)
            @Description("size of the send buffer in bytes") OptionalLong sendBufSize,
            @Option({"--recv-pipe", "--no-recv-pipe"})
            @Description("accepted; receiving always uses one buffer") Optional<Boolean> enableRecvPipe,
            @Option({"--quickack", "--no-quickack"})
            @Description("acknowledge at once") Optional<Boolean> enableQuickack,
            @Option({"-p", "--enable-placement-id"}) @Unsigned(32)
            @Description("place connections by: 0 nothing, 1 NAPI id, 2 CPU, 3 mark") OptionalLong enablePlacementId,
            @Option({"--zerocopy-send-server", "--no-zerocopy-send-server"})
            @Description("send without a copy on accepted connections") Optional<Boolean> enableZerocopySendServer,
            @Option({"--zerocopy-send-client", "--no-zerocopy-send-client"})
            @Description("send without a copy on connections made here") Optional<Boolean> enableZerocopySendClient,
            @Option("--zerocopy-threshold") @Unsigned(32)
            @Description("bytes from which a send is made without a copy; 0: 16384") OptionalLong zerocopyThreshold,
            @Option("--tls-version") @Unsigned(32) @Description("accepted; there is no TLS") OptionalLong tlsVersion,
            @Option({"--ktls", "--no-ktls"}) @Description("accepted; there is no TLS") Optional<Boolean> enableKtls,
            @Description("older; use zerocopy_threshold") Optional<Boolean> enableDynamicZerocopy) {

        static SetOptions of(String name, SockImplOptions from) {
            return new SetOptions(name, OptionalLong.of(from.recvBufSize()), OptionalLong.of(from.sendBufSize()),
                    Optional.of(from.enableRecvPipe()), Optional.of(from.enableQuickack()),
                    OptionalLong.of(from.enablePlacementId()), Optional.of(from.enableZerocopySendServer()),
                    Optional.of(from.enableZerocopySendClient()), OptionalLong.of(from.zerocopyThreshold()),
                    OptionalLong.of(from.tlsVersion()), Optional.of(from.enableKtls()), Optional.empty());
        }

        SockImplOptions over(SockImplOptions now) {
            return new SockImplOptions(recvBufSize.orElse(now.recvBufSize()), sendBufSize.orElse(now.sendBufSize()),
                    enableRecvPipe.orElse(now.enableRecvPipe()), enableQuickack.orElse(now.enableQuickack()),
                    enablePlacementId.orElse(now.enablePlacementId()),
                    enableZerocopySendServer.orElse(now.enableZerocopySendServer()),
                    enableZerocopySendClient.orElse(now.enableZerocopySendClient()),
                    zerocopyThreshold.orElse(now.zerocopyThreshold()), tlsVersion.orElse(now.tlsVersion()),
                    enableKtls.orElse(now.enableKtls()));
        }
    }

    static final RpcMethod<ImplName> GET_OPTIONS = RpcMethod
            .of("sock_impl_get_options", ImplName.class, STARTUP, RUNTIME)
            .summary("Shows the options of a socket implementation.");
    static final RpcMethod<SetOptions> SET_OPTIONS = RpcMethod
            .of("sock_impl_set_options", SetOptions.class, STARTUP)
            .summary("Sets options of a socket implementation.");
    static final RpcMethod<ImplName> SET_DEFAULT = RpcMethod.of("sock_set_default_impl", ImplName.class, STARTUP)
            .summary("Sets the socket implementation that is used where no other is asked for.");
    static final RpcMethod<NoParams> GET_DEFAULT = RpcMethod
            .of("sock_get_default_impl", NoParams.class, STARTUP, RUNTIME)
            .summary("Shows the default socket implementation.");

    /// For the service loader.
    public SockRpcs() {}

    @Override
    public List<RpcMethod<?>> methods() {
        return List.of(GET_OPTIONS, SET_OPTIONS, SET_DEFAULT, GET_DEFAULT);
    }
}
