package io.spindrift.framework.rpc;

import io.spindrift.framework.Errno;
import io.spindrift.framework.internal.ffi.Libc;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/// A unix socket that listens, and its file, which exists with mode 0600 from the moment that one can connect to it.
///
/// `PATH.lock` is locked as long as the socket lives (flock(2), as the peer does, so that neither takes the other's),
/// and the socket is made as `PATH~` and renamed, so that no moment shows a file with other rights or without a
/// listener. Used by one thread at a time, which is a platform thread.
final class SocketFile implements AutoCloseable {
    private static final int BACKLOG = 1024;

    private final Path path;
    private final Path lockPath;
    private final int lockDescriptor;
    private final ServerSocketChannel channel;
    private final Object fileKey;

    private SocketFile(Path path, Path lockPath, int lockDescriptor, ServerSocketChannel channel, Object fileKey) {
        this.path = path;
        this.lockPath = lockPath;
        this.lockDescriptor = lockDescriptor;
        this.channel = channel;
        this.fileKey = fileKey;
    }

    /// Listens at `path`, replacing a socket file that nobody listens to. Throws `IOException` with a sentence if
    /// somebody does, or if it cannot be made; then nothing is left behind.
    static SocketFile listen(Path path) throws IOException {
        Path lockPath = Path.of(path + ".lock");
        int lock = lock(path, lockPath);
        ServerSocketChannel channel = null;
        try {
            refuseOccupied(path);
            Path young = Path.of(path + "~");
            Files.deleteIfExists(young);
            channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.bind(UnixDomainSocketAddress.of(young), BACKLOG);
            Files.setPosixFilePermissions(young, PosixFilePermissions.fromString("rw-------"));
            Object key = Files.readAttributes(young, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
            Files.move(young, path, StandardCopyOption.ATOMIC_MOVE);
            return new SocketFile(path, lockPath, lock, channel, key);
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                channel.close();
            }
            Files.deleteIfExists(lockPath);
            Libc.close(lock);
            throw e;
        }
    }

    ServerSocketChannel channel() {
        return channel;
    }

    private static int lock(Path path, Path lockPath) throws IOException {
        while (true) {
            int descriptor = Libc.open(lockPath.toString(), Libc.O_RDWR | Libc.O_CREAT | Libc.O_CLOEXEC, 0600);
            if (descriptor < 0) {
                throw new IOException("cannot create " + lockPath + ": " + Errno.text(-descriptor));
            }
            int locked = Libc.flock(descriptor, Libc.LOCK_EX | Libc.LOCK_NB);
            if (locked < 0) {
                Libc.close(descriptor);
                throw new IOException(locked == -Errno.EAGAIN
                        ? inUse(path)
                        : "cannot lock " + lockPath + ": " + Errno.text(-locked));
            }
            // Whoever held the lock may have removed the file between the two calls; then the lock is of no use.
            if (isFile(lockPath, descriptor)) {
                return descriptor;
            }
            Libc.close(descriptor);
        }
    }

    private static boolean isFile(Path path, int descriptor) throws IOException {
        try {
            return Files.isSameFile(path, Path.of("/proc/self/fd/" + descriptor));
        } catch (NoSuchFileException removed) {
            return false;
        }
    }

    private static String inUse(Path path) {
        return "the RPC socket " + path + " is in use by another process; give another one with -r";
    }

    private static void refuseOccupied(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isOther()) {
            throw new IOException("the RPC socket " + path + " cannot be made: a file that is no socket has this name");
        }
        if (isListenedTo(path)) {
            throw new IOException(inUse(path));
        }
    }

    private static boolean isListenedTo(Path path) throws IOException {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false); // not to wait in a full queue
            probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException refused) {
            return false;
        } catch (SocketException full) {
            return true; // a full queue (EAGAIN), or one that this user may not join: somebody made it
        }
    }

    /// Stops listening and removes the files, unless somebody else has replaced them.
    @Override
    public void close() throws IOException {
        channel.close();
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && fileKey
                .equals(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey())) {
            Files.delete(path);
        }
        Files.deleteIfExists(lockPath);
        Libc.close(lockDescriptor);
    }
}
