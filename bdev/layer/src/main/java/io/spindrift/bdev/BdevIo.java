package io.spindrift.bdev;

import io.spindrift.framework.memory.IoVector;

/// One I/O on its way: what a module's `submit` gets and a completion sees. Pooled by its channel.
///
/// Its fields are set by [BdevChannel]; a module reads them, keeps its own state in [#moduleContext()] and ends the I/O
/// with [#complete(long)]. Everything happens on the channel's thread.
public final class BdevIo {
    static final int FREE = 0;
    static final int SUBMITTED = 1;
    static final int QUEUED = 2;
    static final int ENDED = 3;
    /// A zero-copy start that has succeeded: the caller's until it gives the memory back.
    static final int LENT = 4;
    /// Its memory's regions are held until it ends.
    static final int SPECIAL_HELD = 1;
    /// A part of another I/O, or one that the core makes: not counted.
    static final int SPECIAL_INTERNAL = 2;
    /// A reset that the module has: its end thaws the channels first.
    static final int SPECIAL_RESETTING = 4;
    /// Lends memory or takes it back: counted as the read or write that it stands for.
    static final int SPECIAL_LENDING = 8;

    private final BdevChannel channel;
    private final Object moduleContext;
    private final long id;

    int state;
    /// Its place in its pool.
    int slot;
    int type;
    long offsetBlocks;
    long numBlocks;
    long sourceBlocks;
    long submitTick;
    long status;
    long result;
    IoVector vector;
    IoVector secondVector;
    BdevIoOptions options;
    BdevCompletion completion;
    BdevIo abortTarget;
    BdevIo nextQueued;
    /// What keeps it off the fast path when it ends: the `SPECIAL_` bits.
    int special;
    /// The submit tick of the I/O whose timeout was told last.
    long toldTick = Long.MIN_VALUE;

    /// Its own vectors for callers' that are longer than the request; made when first needed and used again.
    private IoVector cut;
    private IoVector secondCut;

    BdevIo(BdevChannel channel, Object moduleContext, long id) {
        this.channel = channel;
        this.moduleContext = moduleContext;
        this.id = id;
    }

    /// Whether the module or a queue of the core has it.
    boolean onItsWay() {
        return state == SUBMITTED || state == QUEUED;
    }

    /// Replaces its vector, which is longer, by the first `bytes` of it.
    void cutVector(long bytes) {
        cut = cut(cut, vector, bytes);
        vector = cut;
    }

    /// Replaces its second vector, which is longer, by the first `bytes` of it.
    void cutSecondVector(long bytes) {
        secondCut = cut(secondCut, secondVector, bytes);
        secondVector = secondCut;
    }

    /// Allocates only if there was none before, or none with as many ranges.
    private static IoVector cut(IoVector own, IoVector given, long bytes) {
        IoVector shorter = own == null ? new IoVector(given.count()) : own;
        shorter.clear();
        shorter.addSlice(given, 0, bytes);
        return shorter;
    }

    /// One of [BdevIoType].
    public int type() {
        return type;
    }

    public Bdev bdev() {
        return channel.bdev();
    }

    public BdevChannel channel() {
        return channel;
    }

    /// What the module's channel made for it when the pool grew.
    public Object moduleContext() {
        return moduleContext;
    }

    /// Unique among the pooled I/Os of an application.
    public long id() {
        return id;
    }

    /// The first block. The core has checked that the range is on the device.
    public long offsetBlocks() {
        return offsetBlocks;
    }

    public long numBlocks() {
        return numBlocks;
    }

    /// The first source block of a copy.
    public long sourceBlocks() {
        return sourceBlocks;
    }

    /// Whether a zero-copy start wants the blocks' contents in the memory that it gets.
    public boolean populate() {
        return sourceBlocks != 0;
    }

    /// Whether a zero-copy end is to write the memory that was lent.
    public boolean commit() {
        return sourceBlocks != 0;
    }

    /// The data, exactly `numBlocks` blocks: read into, written from or compared with. Null for types without data.
    public IoVector vector() {
        return vector;
    }

    /// The data that a compare-and-write writes.
    public IoVector secondVector() {
        return secondVector;
    }

    /// The rare parts, or null.
    public BdevIoOptions options() {
        return options;
    }

    /// The I/O that an abort is to end.
    public BdevIo abortTarget() {
        return abortTarget;
    }

    /// When it was submitted, on the channel's clock (nanoseconds).
    public long submitTick() {
        return submitTick;
    }

    /// How it ended: 0 or what [BdevStatus] packs.
    public long status() {
        return status;
    }

    /// What a seek found, in blocks; `Long.MAX_VALUE` for nothing up to the end.
    public long result() {
        return result;
    }

    /// Sets what [#result()] gives; before [#complete(long)].
    public void result(long value) {
        result = value;
    }

    /// For a zero-copy start: lends the device's own memory; before [#complete(long)].
    public void lend(IoVector deviceMemory) {
        vector = deviceMemory;
    }

    /// Ends the I/O with `status`. The module calls it exactly once for each submit, on the channel's thread, also from
    /// within `submit`; [BdevStatus#NOMEM] has the core queue it and submit it again.
    public void complete(long newStatus) {
        channel.ended(this, newStatus);
    }

    @Override
    public String toString() {
        return BdevIoType.name(type) + " of " + bdev().name() + " at block " + offsetBlocks + ", " + numBlocks
                + " blocks";
    }
}
