/// Linux io_uring through raw system calls: rings of requests and completions shared with the kernel, no liburing.
///
/// Read [IoUring] first: it owns a ring. A request is an entry ([Sqe]) of its submission queue, prepared in place by
/// static accessors and handed over in batches, one system call a poll. A completion ([Cqe]) is a triple
/// `(userData, result, flags)` given to a [CompletionHandler]; its result is a count or a negated errno.
/// [RegisteredFiles] and [RegisteredBuffers] are tables of descriptors and memory that the kernel resolved in advance; a
/// [BufferRing] has buffers that it takes from when something arrives.
///
/// **Threads.** A ring belongs to the thread that opened it, and every method asserts that, unless
/// [IoUringOptions] says that the ring may move: then it belongs to whichever thread runs its `IoThread` at the time.
/// Nothing here locks, and nothing on the path of a request allocates.
///
/// **Memory.** The kernel reads and writes the buffers of requests in flight by raw address. Callers check ranges and
/// keep the memory alive until the completion. Structures are one final class each, with the names, sizes and offsets
/// of the kernel's `include/uapi/linux/io_uring.h`, against which a test compiles them.
package io.spindrift.framework.uring;
