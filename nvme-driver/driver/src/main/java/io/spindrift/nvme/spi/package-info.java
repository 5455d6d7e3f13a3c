/// What a transport of the NVMe driver implements. First type to read: [io.spindrift.nvme.spi.TransportQueuePair].
///
/// ```
///   NvmeTransportProvider --> NvmeTransport --open--> TransportController --newQueuePair--> TransportQueuePair
///                                                            |                                    |
///                                                      NvmeController                         QueuePair
/// ```
package io.spindrift.nvme.spi;
