/// The target's TCP transport (NVMe/TCP transport specification 1.0).
///
/// [TcpTransport] listens, [TcpGroup] has the connections of one poll group, [TcpQueuePair] is a connection and takes PDUs
/// apart, [TcpRequest] is a command with its buffers and what is sent for it; [BufferTurns] says who collects buffers.
package io.spindrift.nvmf.tcp;
