package io.spindrift.framework;

/// Linux error numbers (asm-generic/errno.h), as JSON-RPC error codes and I/O statuses carry them.
///
/// Constants rather than an enum: the data path keeps them in an `int`.
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int ENXIO = 6;
    public static final int EBADF = 9;
    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;
    public static final int ENOTDIR = 20;
    public static final int EISDIR = 21;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int EPIPE = 32;
    public static final int ERANGE = 34;
    public static final int ENAMETOOLONG = 36;
    public static final int ENOSYS = 38;
    public static final int ENODATA = 61;
    public static final int ETIME = 62;
    public static final int EPROTO = 71;
    public static final int EOVERFLOW = 75;
    public static final int EILSEQ = 84;
    public static final int EOPNOTSUPP = 95;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETUNREACH = 101;
    public static final int ECONNABORTED = 103;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ENOTCONN = 107;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;
    public static final int EALREADY = 114;
    public static final int EINPROGRESS = 115;
    public static final int ECANCELED = 125;

    private Errno() {}

    /// The C library's text for `errno` (positive), for messages that users read.
    public static String text(int errno) {
        return switch (errno) {
            case EPERM -> "Operation not permitted";
            case ENOENT -> "No such file or directory";
            case EINTR -> "Interrupted system call";
            case EIO -> "Input/output error";
            case ENXIO -> "No such device or address";
            case EBADF -> "Bad file descriptor";
            case EAGAIN -> "Resource temporarily unavailable";
            case ENOMEM -> "Cannot allocate memory";
            case EACCES -> "Permission denied";
            case EFAULT -> "Bad address";
            case EBUSY -> "Device or resource busy";
            case EEXIST -> "File exists";
            case ENODEV -> "No such device";
            case ENOTDIR -> "Not a directory";
            case EISDIR -> "Is a directory";
            case EINVAL -> "Invalid argument";
            case ENFILE -> "Too many open files in system";
            case EMFILE -> "Too many open files";
            case EFBIG -> "File too large";
            case ENOSPC -> "No space left on device";
            case EROFS -> "Read-only file system";
            case EPIPE -> "Broken pipe";
            case ERANGE -> "Numerical result out of range";
            case ENAMETOOLONG -> "File name too long";
            case ENOSYS -> "Function not implemented";
            case ENODATA -> "No data available";
            case ETIME -> "Timer expired";
            case EPROTO -> "Protocol error";
            case EOVERFLOW -> "Value too large for defined data type";
            case EILSEQ -> "Invalid or incomplete multibyte or wide character";
            case EOPNOTSUPP -> "Operation not supported";
            case EADDRINUSE -> "Address already in use";
            case EADDRNOTAVAIL -> "Cannot assign requested address";
            case ENETUNREACH -> "Network is unreachable";
            case ECONNABORTED -> "Software caused connection abort";
            case ECONNRESET -> "Connection reset by peer";
            case ENOBUFS -> "No buffer space available";
            case ENOTCONN -> "Transport endpoint is not connected";
            case ETIMEDOUT -> "Connection timed out";
            case ECONNREFUSED -> "Connection refused";
            case EHOSTUNREACH -> "No route to host";
            case EALREADY -> "Operation already in progress";
            case EINPROGRESS -> "Operation now in progress";
            case ECANCELED -> "Operation canceled";
            default -> "Error " + errno;
        };
    }

    /// Returns `result` if it is not negative, else throws [ErrnoException] naming `call`.
    public static long check(String call, long result) {
        if (result < 0) {
            throw new ErrnoException(call, (int) -result);
        }
        return result;
    }

    /// As [#check(String, long)], for calls that return an `int`.
    public static int check(String call, int result) {
        return (int) check(call, (long) result);
    }
}
