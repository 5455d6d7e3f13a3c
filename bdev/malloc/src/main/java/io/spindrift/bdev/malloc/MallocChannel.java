package io.spindrift.bdev.malloc;

import io.spindrift.bdev.BdevIo;
import io.spindrift.bdev.BdevIoType;
import io.spindrift.bdev.BdevStatus;
import io.spindrift.bdev.spi.ModuleChannel;
import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;

/// One thread's way to a malloc bdev: I/O is a copy, done within [#submit(BdevIo)] unless it is long.
///
/// Long I/O, and zeroing, since one unmap may cover the whole device, takes turns in a [PieceQueue].
final class MallocChannel extends ModuleChannel {
    private final LazyMemory data;
    private final PieceWork work;
    private final PieceQueue pieces;

    MallocChannel(IoDevice<?> device, IoThread thread, MallocStorage storage) {
        super(device, thread);
        this.data = storage.data();
        this.work = storage.layout().dif().<PieceWork>map(format -> new ProtectedWork(storage, format))
                .orElseGet(() -> new PlainWork(storage));
        this.pieces = new PieceQueue(work, thread);
    }

    @Override
    protected void onDestroy() {
        pieces.close();
    }

    @Override
    public Object newIoContext() {
        return new MallocIoContext();
    }

    @Override
    public void submit(BdevIo io) {
        switch (io.type()) {
            case BdevIoType.READ, BdevIoType.WRITE, BdevIoType.COMPARE, BdevIoType.COPY -> {
                if (work.isShort(io)) {
                    io.complete(work.runWhole(io));
                } else {
                    pieces.add(io);
                }
            }
            case BdevIoType.UNMAP, BdevIoType.WRITE_ZEROES -> pieces.add(io);
            default -> submitRare(io);
        }
    }

    private void submitRare(BdevIo io) {
        switch (io.type()) {
            case BdevIoType.ZCOPY_START -> {
                IoVector lent = ((MallocIoContext) io.moduleContext()).lent;
                lent.clear();
                data.lend(io.offsetBlocks(), io.numBlocks(), lent);
                io.lend(lent);
                io.complete(BdevStatus.SUCCESS);
            }
            case BdevIoType.ZCOPY_END, BdevIoType.FLUSH -> io.complete(BdevStatus.SUCCESS);
            case BdevIoType.RESET -> {
                pieces.abortAll();
                io.complete(BdevStatus.SUCCESS);
            }
            case BdevIoType.ABORT ->
                io.complete(pieces.abort(io.abortTarget()) ? BdevStatus.SUCCESS : BdevStatus.FAILED);
            default -> io.complete(BdevStatus.UNSUPPORTED);
        }
    }
}
