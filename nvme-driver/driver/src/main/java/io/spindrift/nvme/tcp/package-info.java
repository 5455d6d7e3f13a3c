/// NVMe/TCP, the host's side. First type to read: [io.spindrift.nvme.tcp.TcpQueuePair].
package io.spindrift.nvme.tcp;
