package io.spindrift.bdev.nvme;

import io.spindrift.framework.memory.IoVector;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryRegion;
import io.spindrift.nvme.CommandResult;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeRequest;
import io.spindrift.nvme.QueuePair;
import io.spindrift.nvme.QueuePairListener;
import io.spindrift.nvme.spec.CompletionQueueEntry;
import io.spindrift.nvme.spec.SubmissionQueueEntry;
import java.lang.foreign.MemorySegment;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// A command that is passed to a controller as a caller gave it.
///
/// @param sqe          its 64 bytes
/// @param data         what the controller gets, or what it fills
/// @param toController which of both
record PassedCommand(byte[] sqe, byte[] data, boolean toController) {
    private static final int MOST_DATA = 8 << 20;

    /// Reads the parameters of `bdev_nvme_send_cmd`.
    static PassedCommand of(String command, Optional<String> data, CommandRpcs.Direction direction, long length) {
        byte[] sqe = decode("cmdbuf", command);
        if (sqe.length != SubmissionQueueEntry.SIZE) {
            throw new IllegalArgumentException("cmdbuf has " + sqe.length + " bytes; a command has "
                    + SubmissionQueueEntry.SIZE);
        }
        boolean toController = direction == CommandRpcs.Direction.H2C;
        if (!toController && length > MOST_DATA) {
            throw new IllegalArgumentException("data_len=" + length + " is more than " + MOST_DATA);
        }
        byte[] bytes = toController
                ? data.map(text -> decode("data", text)).orElse(new byte[0])
                : new byte[(int) length];
        if (toController && length != 0 && length != bytes.length) {
            throw new IllegalArgumentException("data has " + bytes.length + " bytes, not data_len=" + length);
        }
        return new PassedCommand(sqe, bytes, toController);
    }

    private static byte[] decode(String name, String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " is no base64 for URLs: " + e.getMessage(), e);
        }
    }

    /// Sends it, to an I/O queue pair of its own or as an admin command, and waits for its end.
    Map<String, Object> send(NvmeController controller, boolean io) throws Exception {
        MemorySegment buffer = MemorySegment.ofArray(data);
        CommandResult result = io
                ? sendIo(controller, buffer)
                : controller.admin().execute(this::begin, buffer, toController);
        MemorySegment cqe = MemorySegment.ofArray(new byte[CompletionQueueEntry.SIZE]);
        CompletionQueueEntry.write(cqe, 0, result.dw0(), (int) (result.result() >>> 32), 0, 0, 0, result.status() << 1);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("cpl", encode(cqe));
        if (!toController && data.length > 0) {
            answer.put("data", encode(buffer));
        }
        return answer;
    }

    private void begin(NvmeRequest request) {
        request.begin(MemorySegment.ofArray(sqe), 0);
    }

    private CommandResult sendIo(NvmeController controller, MemorySegment buffer) throws Exception {
        Memory memory = controller.driver().context().memory();
        MemoryRegion region = memory.allocate("nvme command data", Math.max(1, data.length));
        try {
            return sendIo(controller, buffer, region);
        } finally {
            memory.free(region);
        }
    }

    private CommandResult sendIo(NvmeController controller, MemorySegment buffer, MemoryRegion region)
            throws Exception {
        QueuePair queue = controller.connectQueuePair(controller.driver().context().reactors().appThread(),
                QueuePairListener.IGNORE);
        try {
            IoVector vector = new IoVector(1);
            vector.set(region, 0, data.length);
            if (toController) {
                MemorySegment.copy(buffer, 0, region.segment(), 0, data.length);
            }
            CommandResult result = queue.execute(request -> {
                begin(request);
                if (data.length > 0) {
                    attach(request, vector);
                }
            });
            if (!toController) {
                MemorySegment.copy(region.segment(), 0, buffer, 0, data.length);
            }
            return result;
        } finally {
            controller.disconnectQueuePair(queue);
        }
    }

    private void attach(NvmeRequest request, IoVector vector) {
        if (toController) {
            request.dataToController(vector);
        } else {
            request.dataToHost(vector);
        }
    }

    private static String encode(MemorySegment bytes) {
        return Base64.getUrlEncoder().encodeToString(bytes.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    }
}
