package io.spindrift.apps.bdevperf;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A disk in memory that notes what is asked of it and does what the test's fault makes of it.
final class FaultyDisk extends BdevBackend implements BdevModule {
    /// What becomes of an I/O.
    interface Fault {
        /// Does the I/O on `disk`, or something else; returns its status, or [#HELD] to leave it unanswered.
        long apply(FaultyDisk disk, BdevIo io);
    }

    static final long HELD = -1;
    static final Fault NONE = FaultyDisk::perform;

    final int blockSize;
    final MemorySegment contents;
    /// First block of each I/O, by type.
    final List<List<Long>> offsets = new ArrayList<>();
    final List<BdevIo> held = new ArrayList<>();
    Fault fault = NONE;
    private final Device device;
    private final Set<Integer> types;

    FaultyDisk(Reactors reactors, int blockSize, long numBlocks, Integer... types) {
        this.blockSize = blockSize;
        this.contents = Arena.ofAuto().allocate(blockSize * numBlocks, 4096);
        this.types = Set.of(types);
        this.device = new Device(reactors);
        for (int type = 0; type < BdevIoType.COUNT; type++) {
            offsets.add(new ArrayList<>());
        }
    }

    private final class Device extends IoDevice<Channel> {
        Device(Reactors reactors) {
            super(reactors, "faulty");
        }

        @Override
        protected Channel createChannel(IoThread thread) {
            return new Channel(this, thread);
        }
    }

    private final class Channel extends ModuleChannel {
        Channel(Device device, IoThread thread) {
            super(device, thread);
        }

        @Override
        public void submit(BdevIo io) {
            offsets.get(io.type()).add(io.offsetBlocks());
            long status = fault.apply(FaultyDisk.this, io);
            if (status == HELD) {
                held.add(io);
            } else {
                io.complete(status);
            }
        }
    }

    /// Does what `io` asks for.
    long perform(BdevIo io) {
        return performAt(io, io.offsetBlocks());
    }

    /// Does it at another place.
    long performAt(BdevIo io, long block) {
        long offset = block * blockSize;
        long length = io.numBlocks() * blockSize;
        switch (io.type()) {
            case BdevIoType.READ -> io.vector().copyFrom(contents, offset, 0, length);
            case BdevIoType.WRITE -> io.vector().copyTo(contents, offset, 0, length);
            case BdevIoType.WRITE_ZEROES, BdevIoType.UNMAP -> contents.asSlice(offset, length).fill((byte) 0);
            case BdevIoType.ZCOPY_START -> {
                IoVector lent = new IoVector(1);
                lent.add(contents, offset, length);
                io.lend(lent);
            }
            case BdevIoType.ABORT -> {
                if (!held.remove(io.abortTarget())) {
                    return BdevStatus.FAILED;
                }
                io.abortTarget().complete(BdevStatus.ABORTED);
            }
            default -> {
            }
        }
        return BdevStatus.SUCCESS;
    }

    void flipBit(long block, long bit) {
        long at = block * blockSize + bit / 8;
        byte old = contents.get(ValueLayout.JAVA_BYTE, at);
        contents.set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << bit % 8));
    }

    @Override
    public ModuleChannel channel() {
        return device.channel();
    }

    @Override
    public boolean supports(int ioType) {
        return types.contains(ioType);
    }

    @Override
    public void destroy() {
        device.unregister();
    }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public void init(BdevModuleContext context) {}
}
