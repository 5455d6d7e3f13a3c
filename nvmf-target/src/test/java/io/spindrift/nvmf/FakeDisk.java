package io.spindrift.nvmf;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevRegistration;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// A device whose I/O does nothing, perhaps for long, and whose channels a test can count and refuse.
public final class FakeDisk extends BdevBackend implements BdevModule {
    public static final long BLOCKS = 1000;

    /// No channel is made on this thread.
    volatile IoThread refusing;
    /// Whether I/O stays on its way until the test ends or aborts it.
    public volatile boolean holding;
    /// What is on its way.
    public final List<BdevIo> held = new ArrayList<>();
    /// How I/O that is not held ends, if not well.
    public volatile long failure = BdevStatus.SUCCESS;
    /// Its memory, in as many pieces as it lends for a read; none if it lends nothing.
    public final List<MemorySegment> pieces = new ArrayList<>();
    /// Reads that copy, memory that is lent now, and how often it was lent.
    public volatile int copies;
    public volatile int lentNow;
    public volatile int lendings;
    private final Device device;

    private FakeDisk(Reactors reactors) {
        device = new Device(reactors);
    }

    static FakeDisk register(BdevRegistry registry, String name, UUID uuid, BdevGeometry geometry,
            MemorySegment... pieces) {
        FakeDisk disk = new FakeDisk(registry.reactors());
        disk.pieces.addAll(List.of(pieces));
        registry.register(disk, disk, BdevRegistration.of(name, "Fake disk", Optional.of(uuid), BLOCKS, geometry));
        return disk;
    }

    /// Lets what is on its way end. On the thread of its channel.
    public void finishHeld() {
        holding = false;
        List<BdevIo> all = List.copyOf(held);
        held.clear();
        all.forEach(this::end);
    }

    private void end(BdevIo io) {
        if (failure != BdevStatus.SUCCESS) {
            io.complete(failure);
            return;
        }
        switch (io.type()) {
            case BdevIoType.READ -> copies++;
            case BdevIoType.ZCOPY_START -> {
                IoVector lent = (IoVector) io.moduleContext();
                lent.clear();
                long bytes = io.numBlocks() * io.bdev().blockSize() / pieces.size();
                pieces.forEach(piece -> lent.add(piece, 0, bytes));
                lentNow++;
                lendings++;
                io.lend(lent);
            }
            case BdevIoType.ZCOPY_END -> lentNow--;
            default -> {
                // does nothing
            }
        }
        io.complete(BdevStatus.SUCCESS);
    }

    int channels() {
        return device.channelCount();
    }

    private final class Device extends IoDevice<Channel> {
        Device(Reactors reactors) {
            super(reactors, "fake");
        }

        @Override
        protected Channel createChannel(IoThread thread) {
            if (thread == refusing) {
                throw new IllegalStateException("no channel on " + thread.name());
            }
            return new Channel(this, thread);
        }
    }

    private final class Channel extends ModuleChannel {
        Channel(Device device, IoThread thread) {
            super(device, thread);
        }

        @Override
        public void submit(BdevIo io) {
            if (io.type() == BdevIoType.ABORT) {
                boolean found = held.remove(io.abortTarget());
                if (found) {
                    io.abortTarget().complete(BdevStatus.ABORTED);
                }
                io.complete(found ? BdevStatus.SUCCESS : BdevStatus.FAILED);
            } else if (holding) {
                held.add(io);
            } else {
                end(io);
            }
        }

        @Override
        public Object newIoContext() {
            return new IoVector(1);
        }
    }

    @Override
    public ModuleChannel channel() {
        return device.channel();
    }

    @Override
    public boolean supports(int ioType) {
        return ioType == BdevIoType.READ || ioType == BdevIoType.WRITE || ioType == BdevIoType.UNMAP
                || ioType == BdevIoType.ABORT
                || !pieces.isEmpty() && (ioType == BdevIoType.ZCOPY_START || ioType == BdevIoType.ZCOPY_END);
    }

    @Override
    public void destroy() {
        device.unregister();
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public void init(BdevModuleContext context) {}
}
