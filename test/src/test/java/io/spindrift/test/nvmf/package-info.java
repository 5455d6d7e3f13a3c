/// The NVMe over Fabrics target as a part of an application, asked by RPC: [io.spindrift.test.nvmf.NvmfApplication] has
/// transports that listen nowhere.
package io.spindrift.test.nvmf;
