package io.spindrift.framework.uring;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.internal.ffi.IoUringCalls;
import io.spindrift.framework.internal.ffi.Libc;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// A pair of rings shared with the kernel: requests go in as [Sqe], completions come out as [Cqe].
///
/// ```java
/// long at = ring.nextSqe();                       // -1: back-pressure, retry after a poll
/// Sqe.read(ring.sqes(), at, fd, address, 4096, fileOffset, userData);
/// ...
/// ring.poll(handler, 64);                         // one system call at most: submits, then completes
/// ```
///
/// **Thread.** The opening thread's, or the current owner's if [IoUringOptions#threadBound()] is false.
///
/// **Sleeping.** [#wakeFd()] becomes readable when a request completes after [#armWakeup()] returned true. It is an
/// eventfd: the ring's own descriptor stays silent in epoll while completions wait for this thread's next system call,
/// which is how a thread-bound ring works (IORING_SETUP_DEFER_TASKRUN; seen on Linux 6.18).
public final class IoUring implements AutoCloseable {
    private static final int WORK_WAITS = RingParams.SQ_TASKRUN | RingParams.SQ_CQ_OVERFLOW;

    private final Arena arena;
    private final int fd;
    private final int wakeFd;
    private final int setupFlags;
    private final Thread boundTo;
    private final MemorySegment sqes;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    private final MemorySegment wakeCount;
    private long enters;
    private boolean armed;
    private boolean closed;

    IoUring(RingSetup setup) {
        arena = setup.arena();
        fd = setup.fd();
        wakeFd = setup.wakeFd();
        setupFlags = setup.flags();
        boundTo = (setupFlags & RingParams.SETUP_SINGLE_ISSUER) != 0 ? Thread.currentThread() : null;
        sqes = setup.sqes();
        submissions = new SubmissionQueue(setup.ring(), setup.params());
        completions = new CompletionQueue(setup.ring(), setup.params());
        completions.eventsEnabled(false);
        wakeCount = arena.allocate(ValueLayout.JAVA_LONG);
    }

    /// Opens a ring that belongs to this thread. Throws [IoUringException] when the kernel refuses.
    public static IoUring open(IoUringOptions options) {
        return new IoUring(RingSetup.of(options));
    }

    /// Takes the next entry to prepare: its byte offset in [#sqes()], or -1 when the kernel accepts no more for now.
    ///
    /// Once taken, an entry must be prepared. Submits what is prepared when all entries are taken.
    public long nextSqe() {
        assert onOwnerThread();
        long at = submissions.take();
        return at >= 0 ? at : submitAndTake();
    }

    private long submitAndTake() {
        submit();
        return submissions.take();
    }

    /// The entries, [#entries()] times [Sqe#SIZE] bytes.
    public MemorySegment sqes() {
        return sqes;
    }

    /// Hands the prepared requests to the kernel: one system call, none when nothing is prepared.
    ///
    /// What the kernel does not take now (it is short of memory, or completions must be reaped first) stays prepared.
    public void submit() {
        assert onOwnerThread();
        if (submissions.pending()) {
            enter(0);
        }
    }

    /// Hands at most `limit` completions to `handler`, submitting what is prepared with at most one system call.
    ///
    /// Returns how many it handed over; the work done, for a poller. Requests that the handler prepares after that call
    /// go out with the next.
    public int poll(CompletionHandler handler, int limit) {
        assert onOwnerThread();
        if (armed) {
            disarm();
        }
        int done = completions.drain(handler, limit);
        if (submissions.pending() || (submissions.flags() & WORK_WAITS) != 0) {
            enter(0);
            if (done < limit) {
                done += completions.drain(handler, limit - done);
            }
        }
        return done;
    }

    /// As [#poll], but first waits in the kernel until `minimum` completions are ready: set-up and tests.
    public int await(CompletionHandler handler, int minimum, int limit) {
        assert onOwnerThread();
        if (completions.ready() < minimum) {
            enter(minimum);
        }
        return completions.drain(handler, limit);
    }

    private void enter(int minimum) {
        enters++;
        int flags = minimum > 0 || (submissions.flags() & WORK_WAITS) != 0 || boundTo != null
                ? RingParams.ENTER_GETEVENTS
                : 0;
        int rc = IoUringCalls.io_uring_enter(fd, submissions.publish(), minimum, flags);
        submissions.refresh();
        if (rc < 0 && rc != -Errno.EAGAIN && rc != -Errno.EBUSY && rc != -Errno.EINTR) {
            throw new ErrnoException("io_uring_enter", -rc);
        }
    }

    /// Prepares to sleep: returns true if nothing can be done before [#wakeFd()] is readable or a request is prepared.
    ///
    /// False means that there is work: poll. The next poll after true ends the arrangement.
    public boolean armWakeup() {
        assert onOwnerThread();
        if (workWaits()) {
            return false;
        }
        completions.eventsEnabled(true);
        armed = true;
        // Full fence: the kernel posts, then reads the flag; we write the flag, then look for what it posted.
        VarHandle.fullFence();
        if (workWaits()) {
            disarm();
            return false;
        }
        return true;
    }

    private boolean workWaits() {
        return submissions.pending() || completions.ready() > 0 || (submissions.flags() & WORK_WAITS) != 0;
    }

    private void disarm() {
        armed = false;
        completions.eventsEnabled(false);
    }

    /// The eventfd to sleep on, level-triggered: once readable, [#acknowledgeWake()] empties it.
    public int wakeFd() {
        return wakeFd;
    }

    /// Empties [#wakeFd()]; never blocks.
    public void acknowledgeWake() {
        assert onOwnerThread();
        long rc = Libc.read(wakeFd, wakeCount, Long.BYTES);
        if (rc < 0 && rc != -Errno.EAGAIN) {
            throw new ErrnoException("read eventfd", (int) -rc);
        }
    }

    /// Requests prepared or submitted that have not ended.
    public long inFlight() {
        return submissions.taken() - completions.ended();
    }

    /// Entries that can be prepared between two submissions.
    public int entries() {
        return submissions.entries();
    }

    /// Completions that fit in the ring before the kernel puts more aside.
    public int completionEntries() {
        return completions.entries();
    }

    /// Completions that the kernel lost because it had no memory to put them aside; normally 0 for ever.
    public int lostCompletions() {
        return completions.lost();
    }

    /// System calls made to submit and to reap, for statistics.
    public long enters() {
        return enters;
    }

    /// Whether only the opening thread can use this ring, because the kernel granted what [IoUringOptions] asked for.
    public boolean threadBound() {
        return boundTo != null;
    }

    /// Whether the current thread may use this ring. The one question that every thread may ask.
    public boolean usableHere() {
        return boundTo == null || boundTo == Thread.currentThread();
    }

    /// Whether this kernel knows `opcode`, one of [Opcode]. Control path.
    public boolean supports(int opcode) {
        return Probe.supports(fd, opcode);
    }

    /// Makes the table of registered files, at most one for a ring. Throws [IoUringException].
    public RegisteredFiles registerFiles(int capacity) {
        assert onOwnerThread();
        return new RegisteredFiles(this, capacity);
    }

    /// Makes the table of registered buffers, at most one for a ring. Throws [IoUringException].
    public RegisteredBuffers registerBuffers(int capacity) {
        assert onOwnerThread();
        return new RegisteredBuffers(this, capacity);
    }

    int register(int opcode, MemorySegment argument, int count) {
        assert onOwnerThread();
        return IoUringCalls.io_uring_register(fd, opcode, argument, count);
    }

    private boolean onOwnerThread() {
        return !closed && usableHere();
    }

    /// Releases the rings and their descriptors. Does nothing the second time.
    ///
    /// Refused with [IllegalStateException] while requests are in flight: the kernel would write into their buffers
    /// after this returned. Cancel them, then poll until [#inFlight()] is 0.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        if (inFlight() != 0) {
            throw new IllegalStateException("inFlight=" + inFlight() + " must be 0 before the ring is closed");
        }
        assert onOwnerThread();
        closed = true;
        Libc.close(fd);
        Libc.close(wakeFd);
        arena.close();
    }
}
