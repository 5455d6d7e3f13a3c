/// Block devices: what applications use. First types to read: [io.spindrift.bdev.BdevRegistry] to find and open a device,
/// [io.spindrift.bdev.BdevChannel] to submit I/O.
///
/// - A **bdev** is a registered device: name, UUID, aliases, geometry, size, claim.
/// - A **descriptor** is an open device; it is told of resizes and removal.
/// - A **channel** is one thread's way to it. I/O is submitted and completed there and nowhere else.
/// - An **I/O** is pooled and lent to the module; its outcome is a status ([io.spindrift.bdev.BdevStatus]).
///
/// The control path (registry, open, close, RPCs) runs on control threads; the data path on the channel's thread.
package io.spindrift.bdev;
