/// What a transport implements: NVMe over TCP, RDMA, vfio-user.
///
/// [NvmfTransportProvider] is the service; it makes an [NvmfTransport] for a target, which listens at addresses and has a
/// part on each poll group, a [TransportGroup], where its connections live.
///
/// What a request needs of its transport is added here with the controllers that use it, in these phases, since not every
/// transport is a byte stream: the transport *obtains* a request's data buffers (from a pool, or the host's own memory),
/// *moves data in* before the command is executed (a read over RDMA, an R2T, nothing at all), the command is executed, the
/// transport *moves data out*, and *frees* the buffers when the response has left. Nothing here is about Fabrics commands:
/// a transport such as vfio-user has none, and its controllers take admin commands that create queues.
package io.spindrift.nvmf.spi;
