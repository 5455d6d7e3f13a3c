package io.spindrift.bdev.nulldev;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevRegistration;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.BdevBackend;
import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;

/// Makes null bdevs: every I/O succeeds at once, reads leave the buffer as it is.
public final class NullBdevModule implements BdevModule {
    private BdevModuleContext context;
    private NullDevice device;

    /// For the service loader.
    public NullBdevModule() {
    }

    @Override
    public String name() {
        return "null";
    }

    @Override
    public void init(BdevModuleContext moduleContext) {
        context = moduleContext;
        device = new NullDevice(context);
    }

    /// Makes a null bdev.
    public Bdev create(BdevRegistration registration) {
        return context.registry().register(this, new NullBackend(device), registration);
    }

    @Override
    public void close() {
        device.unregister();
    }

    /// One device for all null bdevs: a thread has one channel for all of them.
    private static final class NullDevice extends IoDevice<NullChannel> {
        NullDevice(BdevModuleContext context) {
            super(context.reactors(), "bdev_null");
        }

        @Override
        protected NullChannel createChannel(IoThread thread) {
            return new NullChannel(this, thread);
        }
    }

    private static final class NullChannel extends ModuleChannel {
        NullChannel(NullDevice device, IoThread thread) {
            super(device, thread);
        }

        @Override
        public void submit(BdevIo io) {
            io.complete(BdevStatus.SUCCESS);
        }
    }

    private static final class NullBackend extends BdevBackend {
        private final NullDevice device;

        NullBackend(NullDevice device) {
            this.device = device;
        }

        @Override
        public ModuleChannel channel() {
            return device.channel();
        }

        @Override
        public boolean supports(int ioType) {
            return switch (ioType) {
                case BdevIoType.READ, BdevIoType.WRITE, BdevIoType.WRITE_ZEROES, BdevIoType.RESET, BdevIoType.ABORT -> true;
                default -> false;
            };
        }
    }
}
