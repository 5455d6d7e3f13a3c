package io.spindrift.framework.app;

import io.spindrift.framework.Errno;
import io.spindrift.framework.internal.ffi.Libc;
import io.spindrift.framework.thread.CpuMask;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// The locks by which programs agree that no two poll one core: a file for each core, shared with SPDK's programs.
///
/// The lock is a record lock on the whole of `spdk_cpu_lock_NNN`, which holds the owner's process id (4 bytes, the
/// machine's order). It belongs to the open file, not to the process: two applications in one JVM exclude each other
/// too, and SPDK's locks, which belong to a process, exclude ours and are excluded. Calls block a little: not on a
/// reactor nor a virtual thread.
final class CoreLocks implements AutoCloseable {
    private static final int OWNER_ONLY = 0600;
    private static final int FLOCK_BYTES = 32; // fcntl(2), struct flock on 64-bit: type at 0, whence 2, start 8, len 16

    private final Path folder;
    private final Map<Integer, Integer> descriptors = new TreeMap<>();

    CoreLocks(Path folder) {
        this.folder = folder;
    }

    /// A core belongs to somebody else, or its file cannot be used.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final int core;

        private Refused(int core, String message) {
            super(message);
            this.core = core;
        }

        int core() {
            return core;
        }
    }

    /// Locks each of `cores` that is not locked here yet; all of them or, if one is refused, no further one.
    synchronized void lock(CpuMask cores) throws Refused {
        Map<Integer, Integer> taken = new TreeMap<>();
        try {
            for (int core : cores.cores()) {
                if (!descriptors.containsKey(core)) {
                    taken.put(core, open(core));
                }
            }
        } catch (Refused refused) {
            taken.values().forEach(Libc::close);
            throw refused;
        }
        descriptors.putAll(taken);
    }

    private int open(int core) throws Refused {
        Path file = folder.resolve("spdk_cpu_lock_%03d".formatted(core));
        int fd = Libc.open(file.toString(), Libc.O_RDWR | Libc.O_CREAT | Libc.O_CLOEXEC, OWNER_ONLY);
        if (fd < 0) {
            throw new Refused(core, "core " + core + " cannot be locked: " + file + ": " + Errno.text(-fd)
                    + "; --disable-cpumask-locks does without");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment flock = arena.allocate(FLOCK_BYTES, 8);
            flock.set(ValueLayout.JAVA_SHORT, 0, Libc.F_WRLCK);
            int locked = Libc.fcntl(fd, Libc.F_OFD_SETLK, flock);
            MemorySegment pid = arena.allocate(ValueLayout.JAVA_INT);
            if (locked < 0) {
                String owner = Libc.read(fd, pid, Integer.BYTES) == Integer.BYTES
                        ? "process " + pid.get(ValueLayout.JAVA_INT, 0)
                        : "another process";
                Libc.close(fd);
                throw new Refused(core, "core " + core + " is in use by " + owner + ", which holds " + file
                        + "; choose other cores with -m, or share them with --disable-cpumask-locks");
            }
            pid.set(ValueLayout.JAVA_INT, 0, (int) ProcessHandle.current().pid());
            long written = Libc.write(fd, pid, Integer.BYTES);
            if (written != Integer.BYTES) {
                Libc.close(fd);
                throw new Refused(core, "core " + core + " cannot be locked: writing " + file + ": "
                        + Errno.text((int) -written));
            }
            return fd;
        }
    }

    /// Gives all cores back.
    synchronized void unlock() {
        assert !Thread.currentThread().isVirtual() : "a call that can block would pin a virtual thread's carrier";
        descriptors.values().forEach(Libc::close);
        descriptors.clear();
    }

    @Override
    public void close() {
        unlock();
    }
}
