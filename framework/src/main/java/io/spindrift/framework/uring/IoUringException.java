package io.spindrift.framework.uring;

import io.spindrift.framework.Errno;

/// A ring could not be set up; the message says what the kernel refused and what to do about it.
///
/// Whatever had been acquired is released. Never thrown on the data path.
public final class IoUringException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    IoUringException(String call, int errno, String advice) {
        super(call + ": " + Errno.text(errno) + ": " + advice);
        this.errno = errno;
    }

    /// The positive error number, one of [Errno].
    public int errno() {
        return errno;
    }

    /// Why io_uring_setup(2) failed, in the words of its manual page.
    static IoUringException setup(int errno, int entries) {
        return new IoUringException("io_uring_setup of " + entries + " entries", errno, switch (errno) {
            case Errno.ENOSYS -> "this kernel has no io_uring; Linux 5.6 or newer is needed";
            case Errno.EPERM -> "io_uring is switched off; set sysctl kernel.io_uring_disabled=0, join the group of"
                    + " sysctl kernel.io_uring_group, or lift the container's seccomp filter";
            case Errno.ENOMEM -> "no memory for the rings; raise the locked memory limit (ulimit -l) or open fewer";
            case Errno.EMFILE -> "too many open files; raise the limit (ulimit -n)";
            default -> "the kernel refuses the ring's parameters";
        });
    }
}
