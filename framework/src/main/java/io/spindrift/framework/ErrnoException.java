package io.spindrift.framework;

/// A step of set-up failed for a reason that has an error number. Never thrown on the data path, where errors are statuses.
/// Modules with more to say of a failure extend it.
public class ErrnoException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /// `call` says what was tried, with its object: `open /var/tmp/disk.img`.
    public ErrnoException(String call, int errno) {
        super(call + ": " + Errno.text(errno));
        this.errno = errno;
    }

    /// `sentence` is the whole message: it names the parameter, the value and the limit.
    public ErrnoException(int errno, String sentence) {
        super(sentence);
        this.errno = errno;
    }

    /// The positive error number, one of [Errno].
    public int errno() {
        return errno;
    }
}
