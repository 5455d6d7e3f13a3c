package io.spindrift.framework.uring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The machine's own C headers are the authority for every size, offset and number.
class StructLayoutTest {
    private static final Path HEADER = Path.of("/usr/include/linux/io_uring.h");

    @TempDir
    Path directory;

    @Test
    void sizesOffsetsAndNumbersAgreeWithTheKernelHeader() throws Exception {
        assumeTrue(Files.exists(HEADER), "no " + HEADER + ": install linux-libc-dev to compare the layouts");
        assumeTrue(hasCompiler(), "no gcc to compile the comparison");
        Map<String, Long> expected = expected();
        assertEquals(expected, compileAndRun(expected));
    }

    private static Map<String, Long> expected() {
        Map<String, Long> e = new LinkedHashMap<>();
        put(e, "sizeof(struct io_uring_sqe)", Sqe.SIZE);
        put(e, "offsetof(struct io_uring_sqe, opcode)", Sqe.OPCODE);
        put(e, "offsetof(struct io_uring_sqe, flags)", Sqe.FLAGS);
        put(e, "offsetof(struct io_uring_sqe, ioprio)", Sqe.IOPRIO);
        put(e, "offsetof(struct io_uring_sqe, fd)", Sqe.FD);
        put(e, "offsetof(struct io_uring_sqe, off)", Sqe.OFF);
        put(e, "offsetof(struct io_uring_sqe, addr)", Sqe.ADDR);
        put(e, "offsetof(struct io_uring_sqe, len)", Sqe.LEN);
        put(e, "offsetof(struct io_uring_sqe, rw_flags)", Sqe.OP_FLAGS);
        put(e, "offsetof(struct io_uring_sqe, fsync_flags)", Sqe.OP_FLAGS);
        put(e, "offsetof(struct io_uring_sqe, poll32_events)", Sqe.OP_FLAGS);
        put(e, "offsetof(struct io_uring_sqe, cancel_flags)", Sqe.OP_FLAGS);
        put(e, "offsetof(struct io_uring_sqe, user_data)", Sqe.USER_DATA);
        put(e, "offsetof(struct io_uring_sqe, buf_index)", Sqe.BUF_INDEX);
        put(e, "offsetof(struct io_uring_sqe, personality)", Sqe.PERSONALITY);
        put(e, "offsetof(struct io_uring_sqe, file_index)", Sqe.FILE_INDEX);
        put(e, "offsetof(struct io_uring_sqe, addr3)", Sqe.ADDR3);
        put(e, "sizeof(struct io_uring_cqe)", Cqe.SIZE);
        put(e, "offsetof(struct io_uring_cqe, user_data)", Cqe.USER_DATA);
        put(e, "offsetof(struct io_uring_cqe, res)", Cqe.RES);
        put(e, "offsetof(struct io_uring_cqe, flags)", Cqe.FLAGS);
        put(e, "IORING_CQE_F_BUFFER", Cqe.F_BUFFER);
        put(e, "IORING_CQE_F_MORE", Cqe.F_MORE);
        put(e, "IORING_CQE_F_SOCK_NONEMPTY", Cqe.F_SOCK_NONEMPTY);
        put(e, "IORING_CQE_F_NOTIF", Cqe.F_NOTIF);
        put(e, "IORING_CQE_BUFFER_SHIFT", Cqe.BUFFER_SHIFT);
        put(e, "(int)IORING_NOTIF_USAGE_ZC_COPIED", Cqe.NOTIF_USAGE_ZC_COPIED);
        put(e, "IOSQE_BUFFER_SELECT", Sqe.FLAG_BUFFER_SELECT);
        put(e, "IORING_RECV_MULTISHOT", Sqe.RECV_MULTISHOT);
        put(e, "IORING_SEND_ZC_REPORT_USAGE", Sqe.SEND_ZC_REPORT_USAGE);
        put(e, "IORING_OP_SENDMSG_ZC", Opcode.SENDMSG_ZC);
        put(e, "IORING_REGISTER_PBUF_RING", RingParams.REGISTER_PBUF_RING);
        put(e, "sizeof(struct io_uring_buf)", BufferRing.ENTRY_SIZE);
        put(e, "offsetof(struct io_uring_buf, addr)", BufferRing.ENTRY_ADDR);
        put(e, "offsetof(struct io_uring_buf, len)", BufferRing.ENTRY_LEN);
        put(e, "offsetof(struct io_uring_buf, bid)", BufferRing.ENTRY_BID);
        put(e, "offsetof(struct io_uring_buf_ring, tail)", BufferRing.TAIL);
        put(e, "sizeof(struct io_uring_buf_reg)", BufferRing.REG_SIZE);
        put(e, "offsetof(struct io_uring_buf_reg, ring_addr)", BufferRing.REG_RING_ADDR);
        put(e, "offsetof(struct io_uring_buf_reg, ring_entries)", BufferRing.REG_RING_ENTRIES);
        put(e, "offsetof(struct io_uring_buf_reg, bgid)", BufferRing.REG_BGID);
        put(e, "sizeof(struct iovec)", IoVec.SIZE);
        put(e, "offsetof(struct iovec, iov_base)", IoVec.BASE);
        put(e, "offsetof(struct iovec, iov_len)", IoVec.LEN);
        params(e);
        registration(e);
        numbers(e);
        return e;
    }

    private static void params(Map<String, Long> e) {
        put(e, "sizeof(struct io_uring_params)", RingParams.SIZE);
        put(e, "offsetof(struct io_uring_params, sq_entries)", RingParams.SQ_ENTRIES);
        put(e, "offsetof(struct io_uring_params, cq_entries)", RingParams.CQ_ENTRIES);
        put(e, "offsetof(struct io_uring_params, flags)", RingParams.FLAGS);
        put(e, "offsetof(struct io_uring_params, features)", RingParams.FEATURES);
        put(e, "offsetof(struct io_uring_params, sq_off.head)", RingParams.SQ_OFF_HEAD);
        put(e, "offsetof(struct io_uring_params, sq_off.tail)", RingParams.SQ_OFF_TAIL);
        put(e, "offsetof(struct io_uring_params, sq_off.flags)", RingParams.SQ_OFF_FLAGS);
        put(e, "offsetof(struct io_uring_params, sq_off.array)", RingParams.SQ_OFF_ARRAY);
        put(e, "offsetof(struct io_uring_params, cq_off.head)", RingParams.CQ_OFF_HEAD);
        put(e, "offsetof(struct io_uring_params, cq_off.tail)", RingParams.CQ_OFF_TAIL);
        put(e, "offsetof(struct io_uring_params, cq_off.overflow)", RingParams.CQ_OFF_OVERFLOW);
        put(e, "offsetof(struct io_uring_params, cq_off.cqes)", RingParams.CQ_OFF_CQES);
        put(e, "offsetof(struct io_uring_params, cq_off.flags)", RingParams.CQ_OFF_FLAGS);
        put(e, "IORING_OFF_SQ_RING", RingParams.OFF_SQ_RING);
        put(e, "IORING_OFF_SQES", RingParams.OFF_SQES);
        put(e, "IORING_SETUP_CQSIZE", RingParams.SETUP_CQSIZE);
        put(e, "IORING_SETUP_CLAMP", RingParams.SETUP_CLAMP);
        put(e, "IORING_FEAT_SINGLE_MMAP", RingParams.FEAT_SINGLE_MMAP);
        put(e, "IORING_FEAT_NODROP", RingParams.FEAT_NODROP);
        put(e, "IORING_FEAT_SUBMIT_STABLE", RingParams.FEAT_SUBMIT_STABLE);
        put(e, "IORING_FEAT_RW_CUR_POS", RingParams.FEAT_RW_CUR_POS);
        put(e, "IORING_SQ_CQ_OVERFLOW", RingParams.SQ_CQ_OVERFLOW);
        put(e, "IORING_CQ_EVENTFD_DISABLED", RingParams.CQ_EVENTFD_DISABLED);
        put(e, "IORING_ENTER_GETEVENTS", RingParams.ENTER_GETEVENTS);
    }

    private static void registration(Map<String, Long> e) {
        put(e, "IORING_REGISTER_FILES", RingParams.REGISTER_FILES);
        put(e, "IORING_REGISTER_EVENTFD", RingParams.REGISTER_EVENTFD);
        put(e, "IORING_REGISTER_FILES_UPDATE", RingParams.REGISTER_FILES_UPDATE);
        put(e, "IORING_REGISTER_PROBE", RingParams.REGISTER_PROBE);
        put(e, "IORING_REGISTER_BUFFERS2", RingParams.REGISTER_BUFFERS2);
        put(e, "IORING_REGISTER_BUFFERS_UPDATE", RingParams.REGISTER_BUFFERS_UPDATE);
        put(e, "sizeof(struct io_uring_rsrc_register)", RegisteredBuffers.REGISTER_SIZE);
        put(e, "offsetof(struct io_uring_rsrc_register, nr)", RegisteredBuffers.REGISTER_NR);
        put(e, "sizeof(struct io_uring_rsrc_update2)", RegisteredBuffers.UPDATE_SIZE);
        put(e, "offsetof(struct io_uring_rsrc_update2, offset)", RegisteredBuffers.UPDATE_OFFSET);
        put(e, "offsetof(struct io_uring_rsrc_update2, data)", RegisteredBuffers.UPDATE_DATA);
        put(e, "offsetof(struct io_uring_rsrc_update2, nr)", RegisteredBuffers.UPDATE_NR);
        put(e, "sizeof(struct io_uring_files_update)", RegisteredFiles.UPDATE_SIZE);
        put(e, "offsetof(struct io_uring_files_update, offset)", RegisteredFiles.UPDATE_OFFSET);
        put(e, "offsetof(struct io_uring_files_update, fds)", RegisteredFiles.UPDATE_FDS);
        put(e, "sizeof(struct io_uring_probe)", Probe.SIZE);
        put(e, "sizeof(struct io_uring_probe_op)", Probe.OP_SIZE);
        put(e, "offsetof(struct io_uring_probe_op, flags)", Probe.OP_FLAGS);
        put(e, "IO_URING_OP_SUPPORTED", Probe.OP_SUPPORTED);
    }

    private static void numbers(Map<String, Long> e) {
        put(e, "IORING_OP_NOP", Opcode.NOP);
        put(e, "IORING_OP_READV", Opcode.READV);
        put(e, "IORING_OP_WRITEV", Opcode.WRITEV);
        put(e, "IORING_OP_FSYNC", Opcode.FSYNC);
        put(e, "IORING_OP_READ_FIXED", Opcode.READ_FIXED);
        put(e, "IORING_OP_WRITE_FIXED", Opcode.WRITE_FIXED);
        put(e, "IORING_OP_POLL_ADD", Opcode.POLL_ADD);
        put(e, "IORING_OP_SENDMSG", Opcode.SENDMSG);
        put(e, "IORING_OP_RECVMSG", Opcode.RECVMSG);
        put(e, "IORING_OP_ACCEPT", Opcode.ACCEPT);
        put(e, "IORING_OP_ASYNC_CANCEL", Opcode.ASYNC_CANCEL);
        put(e, "IORING_OP_CONNECT", Opcode.CONNECT);
        put(e, "IORING_OP_FALLOCATE", Opcode.FALLOCATE);
        put(e, "IORING_OP_READ", Opcode.READ);
        put(e, "IORING_OP_WRITE", Opcode.WRITE);
        put(e, "IORING_OP_SEND", Opcode.SEND);
        put(e, "IORING_OP_RECV", Opcode.RECV);
        put(e, "IORING_OP_SEND_ZC", Opcode.SEND_ZC);
        put(e, "IOSQE_FIXED_FILE", Sqe.FLAG_FIXED_FILE);
        put(e, "IOSQE_IO_DRAIN", Sqe.FLAG_IO_DRAIN);
        put(e, "IOSQE_IO_LINK", Sqe.FLAG_IO_LINK);
        put(e, "IOSQE_ASYNC", Sqe.FLAG_ASYNC);
        put(e, "IORING_FSYNC_DATASYNC", Sqe.FSYNC_DATASYNC);
        put(e, "RWF_NOWAIT", Sqe.RWF_NOWAIT);
        // Linux 6.1 and newer: numbers from the kernel ABI where the header is older.
        put(e, "IORING_SETUP_SUBMIT_ALL", RingParams.SETUP_SUBMIT_ALL);
        put(e, "IORING_SETUP_COOP_TASKRUN", RingParams.SETUP_COOP_TASKRUN);
        put(e, "IORING_SETUP_TASKRUN_FLAG", RingParams.SETUP_TASKRUN_FLAG);
        put(e, "IORING_SETUP_SINGLE_ISSUER", RingParams.SETUP_SINGLE_ISSUER);
        put(e, "IORING_SETUP_DEFER_TASKRUN", RingParams.SETUP_DEFER_TASKRUN);
        put(e, "IORING_SQ_TASKRUN", RingParams.SQ_TASKRUN);
        put(e, "IORING_RSRC_REGISTER_SPARSE", RegisteredBuffers.REGISTER_SPARSE);
        put(e, "IORING_ASYNC_CANCEL_ALL", Sqe.ASYNC_CANCEL_ALL);
        put(e, "IORING_ASYNC_CANCEL_FD", Sqe.ASYNC_CANCEL_FD);
        put(e, "IORING_ASYNC_CANCEL_ANY", Sqe.ASYNC_CANCEL_ANY);
        put(e, "offsetof(struct io_uring_rsrc_register, flags)", RegisteredBuffers.REGISTER_FLAGS);
    }

    private static void put(Map<String, Long> e, String expression, long value) {
        e.put(expression, value);
    }

    private static boolean hasCompiler() throws InterruptedException {
        try {
            return new ProcessBuilder("gcc", "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private Map<String, Long> compileAndRun(Map<String, Long> expressions) throws Exception {
        StringBuilder program = new StringBuilder("""
                #include <linux/fs.h>
                #include <linux/io_uring.h>
                #include <stddef.h>
                #include <stdio.h>
                #include <sys/uio.h>
                int main(void) {
                """);
        for (String expression : expressions.keySet()) {
            program.append("printf(\"%s=%lld\\n\", \"").append(expression).append("\", (long long) ").append(expression)
                    .append(");\n");
        }
        program.append("return 0; }\n");
        Path source = Files.writeString(directory.resolve("layout.c"), program);
        Path binary = directory.resolve("layout");
        run("gcc", "-o", binary.toString(), source.toString());
        Map<String, Long> actual = new HashMap<>();
        for (String line : run(binary.toString()).split("\n")) {
            int equals = line.lastIndexOf('=');
            actual.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        }
        return actual;
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(true, process.waitFor(30, TimeUnit.SECONDS), command[0]);
        assertEquals(0, process.exitValue(), output);
        return output;
    }
}
