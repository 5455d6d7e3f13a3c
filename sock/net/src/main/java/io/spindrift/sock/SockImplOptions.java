package io.spindrift.sock;

import io.spindrift.framework.Check;

/// What all sockets of one implementation share (`sock_impl_set_options`); it holds for groups made later.
///
/// @param recvBufSize SO_RCVBUF in bytes; 0 leaves it to the kernel, which else cuts it to net.core.rmem_max
/// @param sendBufSize SO_SNDBUF in bytes; 0 leaves it to the kernel, which else cuts it to net.core.wmem_max
/// @param enableRecvPipe kept for configuration files: receiving always goes through one large buffer
/// @param enableQuickack TCP_QUICKACK
/// @param enablePlacementId what [DetachedSock#placementId()] is: 0 nothing, 1 SO_INCOMING_NAPI_ID, 2 SO_INCOMING_CPU,
///        3 SO_MARK
/// @param enableZerocopySendServer MSG_ZEROCOPY on accepted connections
/// @param enableZerocopySendClient MSG_ZEROCOPY on connections made here
/// @param zerocopyThreshold bytes from which a flush is sent without a copy; 0 leaves it to the implementation:
///        [#DEFAULT_ZEROCOPY_THRESHOLD]
/// @param tlsVersion kept for configuration files; there is no TLS
/// @param enableKtls kept for configuration files; there is no TLS
public record SockImplOptions(long recvBufSize, long sendBufSize, boolean enableRecvPipe, boolean enableQuickack,
        long enablePlacementId, boolean enableZerocopySendServer, boolean enableZerocopySendClient,
        long zerocopyThreshold, long tlsVersion, boolean enableKtls) {
    /// Below about 10 KB, pinning pages and reading notifications costs more than a copy (the kernel's
    /// Documentation/networking/msg_zerocopy.rst).
    public static final int DEFAULT_ZEROCOPY_THRESHOLD = 16384;
    /// Buffers of 2 MiB, zero copy on accepted connections.
    public static final SockImplOptions DEFAULT = new SockImplOptions(2 << 20, 2 << 20, true, false, 0, true, false, 0,
            0, false);

    private static final long MAX_BUFFER = 1L << 30;
    private static final long U32_MAX = 0xFFFF_FFFFL;

    public SockImplOptions {
        Check.range("recv_buf_size", recvBufSize, 0, MAX_BUFFER);
        Check.range("send_buf_size", sendBufSize, 0, MAX_BUFFER);
        Check.range("enable_placement_id", enablePlacementId, 0, 3);
        Check.range("zerocopy_threshold", zerocopyThreshold, 0, U32_MAX);
        Check.range("tls_version", tlsVersion, 0, U32_MAX);
    }

    /// Bytes from which a flush is sent without a copy.
    public long effectiveZerocopyThreshold() {
        return zerocopyThreshold == 0 ? DEFAULT_ZEROCOPY_THRESHOLD : zerocopyThreshold;
    }

    public SockImplOptions withBufferSizes(long recvBytes, long sendBytes) {
        return new SockImplOptions(recvBytes, sendBytes, enableRecvPipe, enableQuickack, enablePlacementId,
                enableZerocopySendServer, enableZerocopySendClient, zerocopyThreshold, tlsVersion, enableKtls);
    }

    public SockImplOptions withZerocopy(boolean server, boolean client, long threshold) {
        return new SockImplOptions(recvBufSize, sendBufSize, enableRecvPipe, enableQuickack, enablePlacementId, server,
                client, threshold, tlsVersion, enableKtls);
    }
}
