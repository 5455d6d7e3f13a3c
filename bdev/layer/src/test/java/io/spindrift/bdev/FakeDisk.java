package io.spindrift.bdev;

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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A device with real contents whose completions the test gives by hand.
final class FakeDisk extends BdevBackend implements BdevModule {
    /// What a submit does.
    enum Behaviour {
        /// Completes inside submit.
        COMPLETE,
        /// Keeps the I/O until the test ends it.
        HOLD,
        /// Has no room.
        NO_ROOM,
        /// Throws.
        THROW
    }

    final MemorySegment contents;
    final List<BdevIo> held = new ArrayList<>();
    /// Every submit, as text: `write 8+4 x2` is a write of 4 blocks at 8 from 2 ranges.
    final List<String> submits = new ArrayList<>();
    Behaviour behaviour = Behaviour.COMPLETE;
    boolean destroyed;
    private final Set<Integer> types = new HashSet<>();
    private final Device device;
    private final int blockSize;

    FakeDisk(Reactors reactors, int blockSize, long numBlocks, int... types) {
        this.blockSize = blockSize;
        this.contents = Arena.ofAuto().allocate(blockSize * numBlocks, 4096);
        for (int type : types) {
            this.types.add(type);
        }
        this.device = new Device(reactors);
    }

    static BdevRegistration registration(String name, long numBlocks, BdevGeometry geometry) {
        return BdevRegistration.of(name, "Fake disk", Optional.empty(), numBlocks, geometry);
    }

    private final class Device extends IoDevice<Channel> {
        Device(Reactors reactors) {
            super(reactors, "fake");
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
            submits.add(BdevIoType.name(io.type()) + " " + io.offsetBlocks() + "+" + io.numBlocks()
                    + (io.vector() == null ? "" : " x" + io.vector().count()));
            switch (behaviour) {
                case COMPLETE -> finish(io);
                case HOLD -> held.add(io);
                case NO_ROOM -> io.complete(BdevStatus.NOMEM);
                case THROW -> throw new IllegalStateException("broken module");
            }
        }
    }

    /// Does what `io` asks for and completes it.
    void finish(BdevIo io) {
        long offset = io.offsetBlocks() * blockSize;
        long length = io.numBlocks() * blockSize;
        long status = BdevStatus.SUCCESS;
        switch (io.type()) {
            case BdevIoType.READ -> io.vector().copyFrom(contents, offset, 0, length);
            case BdevIoType.WRITE -> io.vector().copyTo(contents, offset, 0, length);
            case BdevIoType.WRITE_ZEROES, BdevIoType.UNMAP -> contents.asSlice(offset, length).fill((byte) 0);
            case BdevIoType.COMPARE -> status = io.vector().mismatch(contents, offset, 0, length) < 0
                    ? BdevStatus.SUCCESS
                    : BdevStatus.MISCOMPARE;
            case BdevIoType.ABORT -> {
                if (held.remove(io.abortTarget())) {
                    io.abortTarget().complete(BdevStatus.ABORTED);
                } else {
                    status = BdevStatus.FAILED;
                }
            }
            case BdevIoType.RESET -> {
                List<BdevIo> given = List.copyOf(held);
                held.clear();
                given.forEach(other -> other.channel().thread().send(() -> other.complete(BdevStatus.ABORTED)));
            }
            default -> {
            }
        }
        io.complete(status);
    }

    /// Completes the oldest held I/O.
    void finishOldest() {
        finish(held.removeFirst());
    }

    byte[] bytes(long offset, int length) {
        byte[] copy = new byte[length];
        MemorySegment.copy(contents, java.lang.foreign.ValueLayout.JAVA_BYTE, offset, copy, 0, length);
        return copy;
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
        destroyed = true;
        device.unregister();
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public void init(BdevModuleContext context) {}

    /// A vector over the pieces of `segment` that start at each given offset, of the given length.
    static IoVector vector(MemorySegment segment, long length, long... offsets) {
        IoVector vector = new IoVector(offsets.length);
        for (long offset : offsets) {
            vector.add(segment, offset, length);
        }
        return vector;
    }
}
