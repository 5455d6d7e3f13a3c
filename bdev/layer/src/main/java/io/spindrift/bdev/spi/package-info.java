/// What a bdev module implements. First type to read: [io.spindrift.bdev.spi.BdevModule].
///
/// A module registers each device as a [io.spindrift.bdev.spi.BdevBackend] with a name and a geometry; I/O arrives at its
/// [io.spindrift.bdev.spi.ModuleChannel] on the thread that submitted it.
package io.spindrift.bdev.spi;
