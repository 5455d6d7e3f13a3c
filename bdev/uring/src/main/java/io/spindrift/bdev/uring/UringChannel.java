package io.spindrift.bdev.uring;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.Errno;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.framework.thread.ForEachChannel;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.PollFunction;
import io.spindrift.framework.thread.Poller;
import io.spindrift.framework.uring.CompletionHandler;
import io.spindrift.framework.uring.Sqe;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// An IoThread's way to all uring bdevs: `submit` prepares entries of a ring, the poller hands them over and reaps.
///
/// ```
///   submit -> entry prepared        poll -> one system call -> complete: [all done?] -> io.complete
///                 ^                                                         | no (short, or many ranges)
///                 +---------------------------------------------------------+
/// ```
final class UringChannel extends ModuleChannel implements PollFunction, CompletionHandler {
    /// User data of entries whose end interests nobody.
    private static final long IGNORED = -1;

    private final ChannelRing ring;
    private final RequestTable requests = new RequestTable();
    private final BackgroundCalls background;
    private final Poller poller;
    private ChannelFile[] files = new ChannelFile[4];

    UringChannel(UringDevice device, IoThread thread) {
        super(device, thread);
        background = device.background();
        ring = new ChannelRing(thread, this, device.ringOpener());
        poller = thread.addPoller("bdev_uring", this);
    }

    @Override
    public Object newIoContext() {
        return new UringRequest();
    }

    @Override
    protected void onDestroy() {
        ((UringDevice) device()).destroyed(this);
        poller.unregister();
        ring.close();
    }

    // ---- submitting -------------------------------------------------------------------------------------------

    @Override
    public void submit(BdevIo io) {
        UringRequest request = (UringRequest) io.moduleContext();
        ChannelFile file = fileOf((UringBackend) io.bdev().backend());
        switch (io.type()) {
            case BdevIoType.READ, BdevIoType.WRITE, BdevIoType.FLUSH, BdevIoType.WRITE_ZEROES ->
                begin(request, io, file);
            case BdevIoType.UNMAP -> unmap(request, io, file);
            case BdevIoType.SEEK_DATA, BdevIoType.SEEK_HOLE -> background.seek(io, file);
            case BdevIoType.ABORT -> abort(request, io, file);
            case BdevIoType.RESET -> reset(io);
            default -> io.complete(BdevStatus.UNSUPPORTED);
        }
    }

    private ChannelFile fileOf(UringBackend backend) {
        int number = backend.number();
        ChannelFile file = number < files.length ? files[number] : null;
        return file != null ? file : newFile(backend);
    }

    private ChannelFile newFile(UringBackend backend) {
        int number = backend.number();
        if (number >= files.length) {
            files = Arrays.copyOf(files, Math.max(number + 1, files.length * 2));
        }
        files[number] = new ChannelFile(backend);
        return files[number];
    }

    private void begin(UringRequest request, BdevIo io, ChannelFile file) {
        request.io = io;
        request.file = file;
        request.length = io.numBlocks() * file.backend.file().blockSize();
        request.done = 0;
        request.range = 0;
        request.rangeDone = 0;
        request.buffered = false;
        requests.add(request);
        file.inFlight++;
        issue(request);
    }

    private void unmap(UringRequest request, BdevIo io, ChannelFile file) {
        if (file.backend.file().discards()) {
            background.discard(io, file);
        } else {
            begin(request, io, file);
        }
    }

    /// Prepares an entry for what is left of `request`, or ends it if there is no ring or no room in it.
    private void issue(UringRequest request) {
        OwnedRing owned = ring.current();
        if (owned == null) {
            end(request, ring.refusal());
        } else if (!prepare(request, owned)) {
            end(request, BdevStatus.NOMEM);
        }
    }

    private boolean prepare(UringRequest request, OwnedRing owned) {
        ChannelFile file = request.file;
        if (file.ring != owned) {
            file.ring = owned;
            file.index = owned.register(file.backend.file().fd());
        }
        long at = owned.ring().nextSqe();
        if (at < 0) {
            return false;
        }
        MemorySegment sqes = owned.ring().sqes();
        OpenFile open = file.backend.file();
        BdevIo io = request.io;
        long offset = io.offsetBlocks() * open.blockSize() + request.done;
        switch (io.type()) {
            case BdevIoType.READ, BdevIoType.WRITE -> Transfer.prepare(owned, at, request, offset);
            case BdevIoType.FLUSH -> Sqe.fsync(sqes, at, file.descriptor(), Sqe.FSYNC_DATASYNC, request.slot);
            case BdevIoType.ABORT -> Sqe.asyncCancel(sqes, at, targetSlot(io), 0, request.slot);
            default -> Sqe.fallocate(sqes, at, file.descriptor(),
                    io.type() == BdevIoType.UNMAP ? open.unmapMode() : open.zeroMode(), offset, request.length,
                    request.slot);
        }
        if (file.registered() && io.type() != BdevIoType.ABORT && !request.buffered) {
            Sqe.fixedFile(sqes, at);
        }
        return true;
    }

    // ---- completing -------------------------------------------------------------------------------------------

    @Override
    public int poll() {
        return ring.poll();
    }

    @Override
    public boolean readyToSleep() {
        return ring.readyToSleep();
    }

    @Override
    public void complete(long userData, int result, int flags) {
        if (userData == IGNORED) {
            return;
        }
        UringRequest request = requests.get((int) userData);
        int type = request.io.type();
        if (type > BdevIoType.WRITE) {
            end(request, result < 0 ? failure(-result) : BdevStatus.SUCCESS);
        } else if (result == request.length) {
            end(request, BdevStatus.SUCCESS);
        } else {
            partOfTransfer(request, result);
        }
    }

    /// A transfer that has failed, or has not moved everything yet.
    private void partOfTransfer(UringRequest request, int result) {
        if (result == -Errno.EAGAIN || result == -Errno.EINTR) {
            end(request, BdevStatus.NOMEM);
            return;
        }
        OpenFile file = request.file.backend.file();
        if (result == -Errno.EINVAL && file.direct() && !request.buffered) {
            request.buffered = true;
            issue(request);
            return;
        }
        if (result <= 0) {
            // Nothing moved: the file has become shorter than the bdev.
            end(request, failure(result == 0 ? Errno.EIO : -result));
            return;
        }
        if (request.done + result == request.length) {
            end(request, BdevStatus.SUCCESS);
            return;
        }
        long progress = result == request.issued || !file.direct() ? result : result & -file.blockSize();
        if (progress == 0) {
            end(request, BdevStatus.errno(Errno.EIO));
            return;
        }
        request.advance(progress);
        issue(request);
    }

    /// A cancelled request was given up by an abort or a reset, whatever the kernel calls that.
    private static long failure(int errno) {
        return errno == Errno.ECANCELED ? BdevStatus.ABORTED : BdevStatus.errno(errno);
    }

    private void end(UringRequest request, long status) {
        ChannelFile file = request.file;
        requests.remove(request);
        file.inFlight--;
        request.io.complete(status);
        if (file.whenIdle != null && file.inFlight == 0) {
            Runnable waiter = file.whenIdle;
            file.whenIdle = null;
            waiter.run();
        }
    }

    // ---- abort and reset --------------------------------------------------------------------------------------

    private void abort(UringRequest request, BdevIo io, ChannelFile file) {
        if (targetSlot(io) == UringRequest.NO_SLOT) {
            io.complete(BdevStatus.FAILED);
        } else {
            begin(request, io, file);
        }
    }

    private static int targetSlot(BdevIo io) {
        return ((UringRequest) io.abortTarget().moduleContext()).slot;
    }

    /// Cancels what every thread has in flight on the bdev, and succeeds when all of it has ended.
    private void reset(BdevIo io) {
        UringBackend backend = (UringBackend) io.bdev().backend();
        ((UringDevice) device()).forEachChannel(
                (UringChannel channel, ForEachChannel<UringChannel> walk) -> channel.quiesce(backend, walk),
                status -> io.complete(BdevStatus.SUCCESS));
    }

    private void quiesce(UringBackend backend, ForEachChannel<UringChannel> walk) {
        ChannelFile file = fileOf(backend);
        if (file.inFlight == 0) {
            walk.next(0);
            return;
        }
        file.whenIdle = () -> walk.next(0);
        OwnedRing owned = ring.current();
        for (int slot = 0; slot < requests.slots() && owned != null; slot++) {
            UringRequest request = requests.get(slot);
            long at = request == null || request.file != file ? -1 : owned.ring().nextSqe();
            if (at >= 0) { // else it ends by itself
                Sqe.asyncCancel(owned.ring().sqes(), at, slot, 0, IGNORED);
            }
        }
    }

    /// The region is about to be freed: lets go of its pages. The channel may be destroyed by now.
    void forget(MemoryRegion region) {
        OwnedRing owned = references() > 0 ? ring.current() : null;
        if (owned != null) {
            owned.memory().forget(region);
        }
    }

    /// The bdev is gone: lets go of its file.
    void forget(UringBackend backend) {
        int number = backend.number();
        ChannelFile file = number < files.length ? files[number] : null;
        if (file == null) {
            return;
        }
        files[number] = null;
        if (file.registered() && file.ring == ring.current()) {
            file.ring.unregister(file.index);
        }
    }
}
