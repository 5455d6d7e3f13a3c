/// Native memory: regions that devices can reach, buffer pools, and the vectors that describe an I/O's memory.
///
/// Read [Memory] first, then [IoVector], which every I/O carries, then [BufferPools].
///
/// - **Region**: a page-aligned range, allocated here or foreign (a guest's memory) and registered here.
/// - **Consumer**: one who maps every region for a device and keeps a value with it ([spi.MemoryConsumer]).
/// - **Hold**: an I/O's claim on a foreign region, counted in a slot of its thread.
/// - **Buffer**: a small or large piece of the application's own memory, pooled; running out queues a waiter.
///
/// Allocation, registration and consumers belong to the control path: any thread but a reactor's. Holding, vectors and
/// buffers belong to the data path: they allocate nothing, never block and never throw for want of memory.
package io.spindrift.framework.memory;
