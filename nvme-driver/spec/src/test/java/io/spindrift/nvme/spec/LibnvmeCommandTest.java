package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.command.CopyCommand;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.FeatureCommand;
import io.spindrift.nvme.spec.command.FirmwareCommand;
import io.spindrift.nvme.spec.command.FormatCommand;
import io.spindrift.nvme.spec.command.GetLogPageCommand;
import io.spindrift.nvme.spec.command.IdentifyCommand;
import io.spindrift.nvme.spec.command.LbaCommand;
import io.spindrift.nvme.spec.command.NamespaceAttachment;
import io.spindrift.nvme.spec.command.ReservationCommand;
import io.spindrift.nvme.spec.fabrics.PropertyCommand;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.log.Lid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The commands that libnvme gives to the kernel, caught in an ioctl of the test's own, against ours: all bytes but
/// the data pointer, which is the kernel's to make.
class LibnvmeCommandTest {
    private static final String PROGRAM = """
            #include <libnvme.h>
            #include <linux/nvme_ioctl.h>
            #include <stdarg.h>
            #include <stdio.h>
            #include <string.h>
            static struct nvme_passthru_cmd seen;
            int ioctl(int fd, unsigned long request, ...) {
              va_list arguments;
              va_start(arguments, request);
              memcpy(&seen, va_arg(arguments, void *), sizeof seen);
              va_end(arguments);
              return 0;
            }
            static void show(const char *name) {
              seen.addr = 0;
              seen.metadata_len = seen.data_len = 0;
              printf("%s=", name);
              for (int i = 0; i < 64; i++) printf("%02x", ((unsigned char *) &seen)[i]);
              puts("");
            }
            #define SHOW(function, type, ...) \\
              do { struct type args = {.args_size = sizeof args, __VA_ARGS__}; function(&args); show(#function); } while (0)
            #define SHOW_IO(name, opcode, ...) \\
              do { struct nvme_io_args args = {.args_size = sizeof args, __VA_ARGS__}; nvme_io(&args, opcode); show(name); } while (0)
            int main(void) {
              static char data[4096];
              SHOW(nvme_identify, nvme_identify_args, .data = data, .cns = 0x12, .csi = 2, .nsid = 5, .cntid = 0x1234);
              SHOW(nvme_get_log, nvme_get_log_args, .log = data, .lid = 0x0c, .len = 0x80004, .nsid = 0xffffffff, .lsp = 1,
                   .lpo = 0x123456789aull, .rae = true);
              SHOW(nvme_set_features, nvme_set_features_args, .fid = 0x0b, .save = true, .cdw11 = 0x80000900);
              SHOW(nvme_get_features, nvme_get_features_args, .fid = 0x07, .sel = 3);
              SHOW(nvme_format_nvm, nvme_format_nvm_args, .nsid = 2, .lbaf = 5, .lbafu = 2, .mset = 1, .pi = 3, .pil = 1, .ses = 2);
              SHOW(nvme_ns_attach, nvme_ns_attach_args, .nsid = 2, .sel = NVME_NS_ATTACH_SEL_CTRL_DEATTACH, .ctrlist = (void *) data);
              SHOW(nvme_fw_download, nvme_fw_download_args, .data = data, .offset = 0x12344, .data_len = 4096);
              SHOW(nvme_fw_commit, nvme_fw_commit_args, .slot = 5, .action = 3);
              SHOW(nvme_dsm, nvme_dsm_args, .nsid = 3, .attrs = 4, .nr_ranges = 256);
              SHOW(nvme_copy, nvme_copy_args, .nsid = 3, .sdlba = 0x1122334455667788ull, .nr = 17, .format = 1);
              SHOW_IO("read", 2, .nsid = 9, .slba = 0x1122334455667788ull, .nlb = 0xffff);
              SHOW_IO("write", 1, .nsid = 9, .slba = 7, .nlb = 0, .control = NVME_IO_FUA | NVME_IO_PRINFO_PRACT
                   | NVME_IO_PRINFO_PRCHK_GUARD, .reftag_u64 = 0x01020304, .apptag = 0x1111, .appmask = 0x2222);
              SHOW_IO("write zeroes", 8, .nsid = 9, .slba = 7, .nlb = 1, .control = NVME_IO_DEAC);
              SHOW(nvme_resv_register, nvme_resv_register_args, .nsid = 1, .rrega = 2, .cptpl = 3, .iekey = true);
              SHOW(nvme_resv_acquire, nvme_resv_acquire_args, .nsid = 1, .racqa = 1, .rtype = 6);
              SHOW(nvme_resv_release, nvme_resv_release_args, .nsid = 1, .rrela = 1, .rtype = 5);
              SHOW(nvme_resv_report, nvme_resv_report_args, .nsid = 1, .report = (void *) data, .len = 4096, .eds = true);
              __u64 value;
              SHOW(nvme_get_property, nvme_get_property_args, .offset = 0, .value = &value);
              SHOW(nvme_set_property, nvme_set_property_args, .offset = 0x14, .value = 0x460001);
              return 0;
            }
            """;

    private final Map<String, String> expected = new LinkedHashMap<>();
    private final MemorySegment sqe = MemorySegment.ofArray(new byte[SubmissionQueueEntry.SIZE]);

    @TempDir
    Path directory;

    @Test
    void commandsAgreeWithLibnvme() throws Exception {
        CProgram.assumeLibnvme();
        admin();
        management();
        io();
        reservations();
        properties();
        assertEquals(CProgram.run(directory, PROGRAM), expected);
    }

    private void admin() {
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.IDENTIFY, 0, 5);
        IdentifyCommand.set(sqe, 0, Cns.ATTACHED_CONTROLLERS, 0x1234, Csi.ZONED);
        show("nvme_identify");
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_LOG_PAGE, 0, Nsid.BROADCAST);
        GetLogPageCommand.set(sqe, 0, Lid.ANA, 1, 0x12_3456_789aL, 0x80004, true);
        show("nvme_get_log");
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.SET_FEATURES, 0, 0);
        FeatureCommand.set(sqe, 0, Fid.ASYNC_EVENT_CONFIGURATION, true, 0x8000_0900);
        show("nvme_set_features");
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.GET_FEATURES, 0, 0);
        FeatureCommand.get(sqe, 0, Fid.NUMBER_OF_QUEUES, FeatureCommand.SEL_CAPABILITIES);
        show("nvme_get_features");
    }

    private void management() {
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.FORMAT_NVM, 0, 2);
        FormatCommand.set(sqe, 0, 0x25, true, 3, true, FormatCommand.SES_CRYPTOGRAPHIC);
        show("nvme_format_nvm");
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.NAMESPACE_ATTACHMENT, 0, 2);
        NamespaceAttachment.set(sqe, 0, NamespaceAttachment.SEL_DETACH);
        show("nvme_ns_attach");
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.FIRMWARE_IMAGE_DOWNLOAD, 0, 0);
        FirmwareCommand.download(sqe, 0, 0x12344, 4096);
        show("nvme_fw_download");
        SubmissionQueueEntry.begin(sqe, 0, AdminOpcode.FIRMWARE_COMMIT, 0, 0);
        FirmwareCommand.commit(sqe, 0, 5, FirmwareCommand.CA_ACTIVATE_NOW);
        show("nvme_fw_commit");
    }

    private void io() {
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.DATASET_MANAGEMENT, 0, 3);
        DatasetManagement.set(sqe, 0, 256, DatasetManagement.AD);
        show("nvme_dsm");
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.COPY, 0, 3);
        CopyCommand.set(sqe, 0, 0x1122_3344_5566_7788L, 17, 1);
        show("nvme_copy");
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.READ, 0, 9);
        LbaCommand.set(sqe, 0, 0x1122_3344_5566_7788L, 65_536, 0);
        show("read");
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.WRITE, 0, 9);
        LbaCommand.set(sqe, 0, 7, 1, LbaCommand.FUA | LbaCommand.PRACT | LbaCommand.PRCHK_GUARD);
        LbaCommand.tags(sqe, 0, 0x0102_0304, 0x1111, 0x2222);
        show("write");
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.WRITE_ZEROES, 0, 9);
        LbaCommand.set(sqe, 0, 7, 2, LbaCommand.DEAC);
        show("write zeroes");
    }

    private void reservations() {
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.RESERVATION_REGISTER, 0, 1);
        ReservationCommand.register(sqe, 0, ReservationCommand.RREGA_REPLACE, true, ReservationCommand.CPTPL_PERSIST);
        show("nvme_resv_register");
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.RESERVATION_ACQUIRE, 0, 1);
        ReservationCommand.acquireOrRelease(sqe, 0, ReservationCommand.RACQA_PREEMPT,
                ReservationCommand.RTYPE_EXCLUSIVE_ACCESS_ALL_REGISTRANTS);
        show("nvme_resv_acquire");
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.RESERVATION_RELEASE, 0, 1);
        ReservationCommand.acquireOrRelease(sqe, 0, ReservationCommand.RRELA_CLEAR,
                ReservationCommand.RTYPE_WRITE_EXCLUSIVE_ALL_REGISTRANTS);
        show("nvme_resv_release");
        SubmissionQueueEntry.begin(sqe, 0, NvmOpcode.RESERVATION_REPORT, 0, 1);
        ReservationCommand.report(sqe, 0, 4096, true);
        show("nvme_resv_report");
    }

    /// The kernel, not libnvme, sets PSDT.
    private void properties() {
        PropertyCommand.get(sqe, 0, 0, ControllerProperty.CAP, 8);
        SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_PRP);
        show("nvme_get_property");
        PropertyCommand.set(sqe, 0, 0, ControllerProperty.CC, 4, Cc.of(Cc.CSS_NVM, 0) | Cc.EN);
        SubmissionQueueEntry.psdt(sqe, 0, SubmissionQueueEntry.PSDT_PRP);
        show("nvme_set_property");
    }

    private void show(String name) {
        expected.put(name, HexFormat.of().formatHex(sqe.toArray(ValueLayout.JAVA_BYTE)));
    }
}
