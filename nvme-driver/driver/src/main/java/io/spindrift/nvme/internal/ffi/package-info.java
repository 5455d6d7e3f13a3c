/// The C calls and structures of this module: Linux's VFIO (linux/vfio.h). Their names are C's.
///
/// First type to read: [VfioCalls].
package io.spindrift.nvme.internal.ffi;
