package io.spindrift.framework;

/// A system call failed during set-up. Never thrown on the data path, where errors are statuses.
public final class ErrnoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /// `call` says what was tried, with its object: `open /var/tmp/disk.img`.
    public ErrnoException(String call, int errno) {
        super(call + ": " + Errno.text(errno));
        this.errno = errno;
    }

    /// The positive error number, one of [Errno].
    public int errno() {
        return errno;
    }
}
