package io.spindrift.framework.uring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What io_uring_setup(2) is asked for and answers: struct io_uring_params with its io_sqring_offsets and
/// io_cqring_offsets, linux/io_uring.h.
final class RingParams {
    static final int SIZE = 120;

    static final int SQ_ENTRIES = 0;
    static final int CQ_ENTRIES = 4;
    static final int FLAGS = 8;
    static final int FEATURES = 20;
    static final int SQ_OFF = 40;
    static final int CQ_OFF = 80;

    // struct io_sqring_offsets
    static final int SQ_OFF_HEAD = SQ_OFF;
    static final int SQ_OFF_TAIL = SQ_OFF + 4;
    static final int SQ_OFF_FLAGS = SQ_OFF + 16;
    static final int SQ_OFF_ARRAY = SQ_OFF + 24;

    // struct io_cqring_offsets
    static final int CQ_OFF_HEAD = CQ_OFF;
    static final int CQ_OFF_TAIL = CQ_OFF + 4;
    static final int CQ_OFF_OVERFLOW = CQ_OFF + 16;
    static final int CQ_OFF_CQES = CQ_OFF + 20;
    static final int CQ_OFF_FLAGS = CQ_OFF + 24;

    // IORING_SETUP_*
    static final int SETUP_CQSIZE = 1 << 3;
    static final int SETUP_CLAMP = 1 << 4;
    static final int SETUP_SUBMIT_ALL = 1 << 7;
    static final int SETUP_COOP_TASKRUN = 1 << 8;
    static final int SETUP_TASKRUN_FLAG = 1 << 9;
    static final int SETUP_SINGLE_ISSUER = 1 << 12;
    static final int SETUP_DEFER_TASKRUN = 1 << 13;

    // IORING_FEAT_*
    static final int FEAT_SINGLE_MMAP = 1;
    static final int FEAT_NODROP = 1 << 1;
    static final int FEAT_SUBMIT_STABLE = 1 << 2;
    static final int FEAT_RW_CUR_POS = 1 << 3;

    // IORING_OFF_*
    static final long OFF_SQ_RING = 0;
    static final long OFF_SQES = 0x10000000L;

    // IORING_SQ_* (flags the kernel sets), IORING_CQ_* (flags we set)
    static final int SQ_CQ_OVERFLOW = 1 << 1;
    static final int SQ_TASKRUN = 1 << 2;
    static final int CQ_EVENTFD_DISABLED = 1;

    // IORING_ENTER_*
    static final int ENTER_GETEVENTS = 1;

    // IORING_REGISTER_*
    static final int REGISTER_FILES = 2;
    static final int REGISTER_EVENTFD = 4;
    static final int REGISTER_FILES_UPDATE = 6;
    static final int REGISTER_PROBE = 8;
    static final int REGISTER_BUFFERS2 = 15;
    static final int REGISTER_BUFFERS_UPDATE = 16;
    static final int REGISTER_PBUF_RING = 22;

    private RingParams() {}

    static int get(MemorySegment params, int field) {
        return params.get(ValueLayout.JAVA_INT, field);
    }

    static void set(MemorySegment params, int field, int value) {
        params.set(ValueLayout.JAVA_INT, field, value);
    }
}
