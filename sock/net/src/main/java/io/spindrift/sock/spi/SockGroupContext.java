package io.spindrift.sock.spi;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.sock.SockImplOptions;
import io.spindrift.sock.SockStats;

/// What a group is made with.
///
/// @param thread whose group it is
/// @param implementation the name of the implementation
/// @param options of the implementation, as they are now
/// @param stats where the group counts
/// @param log for what an operator should know
/// @param closed run when the group has ended
public record SockGroupContext(IoThread thread, String implementation, SockImplOptions options, SockStats stats,
        Log log, Runnable closed) {}
