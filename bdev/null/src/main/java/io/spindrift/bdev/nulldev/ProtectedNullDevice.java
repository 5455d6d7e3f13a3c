package io.spindrift.bdev.nulldev;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoOptions;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.dif.Dif;
import io.spindrift.bdev.dif.DifFormat;
import io.spindrift.bdev.dif.DifResult;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;

/// Where the I/O of one null bdev with protection information goes.
final class ProtectedNullDevice extends IoDevice<ProtectedNullDevice.Channel> {
    private final DifFormat format;
    private final int checks;

    /// `checks` are those of [Dif] that each write must pass.
    ProtectedNullDevice(Reactors reactors, String name, DifFormat format, int checks) {
        super(reactors, name);
        this.format = format;
        this.checks = checks;
    }

    @Override
    protected Channel createChannel(IoThread thread) {
        return new Channel(this, thread);
    }

    /// Checks what is written, and gives what is read, which is whatever the buffer holds, protection information that
    /// fits. The reference tag of a block is its address.
    static final class Channel extends ModuleChannel {
        private final Dif dif;
        private final int checks;

        Channel(ProtectedNullDevice device, IoThread thread) {
            super(device, thread);
            dif = new Dif(device.format);
            checks = device.checks;
        }

        @Override
        public void submit(BdevIo io) {
            switch (io.type()) {
                case BdevIoType.READ -> {
                    setTags(io);
                    dif.generate(io.vector(), (int) io.numBlocks());
                    io.complete(BdevStatus.SUCCESS);
                }
                case BdevIoType.WRITE -> {
                    setTags(io);
                    io.complete(DifResult.status(dif.verify(checksOf(io), io.vector(), (int) io.numBlocks())));
                }
                default -> io.complete(BdevStatus.SUCCESS);
            }
        }

        private void setTags(BdevIo io) {
            BdevIoOptions options = io.options();
            if (options == null) {
                dif.tags(io.offsetBlocks(), 0, 0xFFFF);
            } else {
                dif.tags(io.offsetBlocks(), options.applicationTag(), options.applicationTagMask());
            }
        }

        private int checksOf(BdevIo io) {
            return io.options() == null ? checks : io.options().checks(checks);
        }
    }
}
