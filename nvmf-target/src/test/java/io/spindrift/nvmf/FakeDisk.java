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
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
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
    private final Device device;

    private FakeDisk(Reactors reactors) {
        device = new Device(reactors);
    }

    static FakeDisk register(BdevRegistry registry, String name, UUID uuid, BdevGeometry geometry) {
        FakeDisk disk = new FakeDisk(registry.reactors());
        registry.register(disk, disk, BdevRegistration.of(name, "Fake disk", Optional.of(uuid), BLOCKS, geometry));
        return disk;
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
                io.complete(BdevStatus.SUCCESS);
            }
        }
    }

    @Override
    public ModuleChannel channel() {
        return device.channel();
    }

    @Override
    public boolean supports(int ioType) {
        return ioType == BdevIoType.READ || ioType == BdevIoType.WRITE || ioType == BdevIoType.UNMAP
                || ioType == BdevIoType.ABORT;
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
