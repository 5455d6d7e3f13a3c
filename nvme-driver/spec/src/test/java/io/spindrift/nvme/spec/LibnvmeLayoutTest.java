package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.spindrift.nvme.spec.command.CopyDescriptor;
import io.spindrift.nvme.spec.command.DatasetManagement;
import io.spindrift.nvme.spec.command.RegisteredController;
import io.spindrift.nvme.spec.command.RegisteredControllerExtended;
import io.spindrift.nvme.spec.command.ReservationStatus;
import io.spindrift.nvme.spec.fabrics.ConnectData;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import io.spindrift.nvme.spec.fabrics.DiscoveryLog;
import io.spindrift.nvme.spec.feature.HostBehaviorSupport;
import io.spindrift.nvme.spec.feature.Timestamp;
import io.spindrift.nvme.spec.identify.ControllerList;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.identify.IdentifyControllerNvm;
import io.spindrift.nvme.spec.identify.IdentifyNamespace;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceIndependent;
import io.spindrift.nvme.spec.identify.IdentifyNamespaceNvm;
import io.spindrift.nvme.spec.identify.LbaFormat;
import io.spindrift.nvme.spec.identify.NamespaceDescriptor;
import io.spindrift.nvme.spec.identify.NamespaceList;
import io.spindrift.nvme.spec.identify.PowerStateDescriptor;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.CommandEffectsLog;
import io.spindrift.nvme.spec.log.ErrorLogEntry;
import io.spindrift.nvme.spec.log.FirmwareSlotLog;
import io.spindrift.nvme.spec.log.ReservationNotificationLog;
import io.spindrift.nvme.spec.log.SmartLog;
import io.spindrift.nvme.spec.log.SupportedLogPages;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// libnvme's structures, which nvme-cli and the distributions use, are the authority for every size and offset that
/// they have, with Linux's own for commands.
class LibnvmeLayoutTest {
    /// Our fields that libnvme calls by another name; `-` those that its version 1.3 has not.
    private static final Map<String, String> NAMES = names("""
            LbaFormat.LBADS ds
            ErrorLogEntry.CID cmdid
            ErrorLogEntry.STATUS status_field
            ErrorLogEntry.PARAMETER_ERROR_LOCATION parm_error_location
            ErrorLogEntry.VENDOR_SPECIFIC vs
            ErrorLogEntry.COMMAND_SPECIFIC cs
            ErrorLogEntry.TRANSPORT_SPECIFIC trtype_spec_info
            SmartLog.COMPOSITE_TEMPERATURE temperature
            SmartLog.AVAILABLE_SPARE avail_spare
            SmartLog.AVAILABLE_SPARE_THRESHOLD spare_thresh
            SmartLog.PERCENTAGE_USED percent_used
            SmartLog.ENDURANCE_GROUP_WARNINGS endu_grp_crit_warn_sumry
            SmartLog.HOST_READ_COMMANDS host_reads
            SmartLog.HOST_WRITE_COMMANDS host_writes
            SmartLog.CONTROLLER_BUSY_TIME ctrl_busy_time
            SmartLog.ERROR_LOG_ENTRIES num_err_log_entries
            SmartLog.WARNING_TEMPERATURE_TIME warning_temp_time
            SmartLog.CRITICAL_TEMPERATURE_TIME critical_comp_time
            SmartLog.TEMPERATURE_SENSORS temp_sensor
            SmartLog.THERMAL_1_TRANSITIONS thm_temp1_trans_count
            SmartLog.THERMAL_2_TRANSITIONS thm_temp2_trans_count
            SmartLog.THERMAL_1_TIME thm_temp1_total_time
            SmartLog.THERMAL_2_TIME thm_temp2_total_time
            FirmwareSlotLog.FRS1 frs[0]
            FirmwareSlotLog.FRS2 frs[1]
            FirmwareSlotLog.FRS3 frs[2]
            FirmwareSlotLog.FRS4 frs[3]
            FirmwareSlotLog.FRS5 frs[4]
            FirmwareSlotLog.FRS6 frs[5]
            FirmwareSlotLog.FRS7 frs[6]
            AnaLog.CHANGE_COUNT chgcnt
            AnaLog.GROUPS ngrps
            AnaGroupDescriptor.GROUP_ID grpid
            AnaGroupDescriptor.NSIDS nnsids
            AnaGroupDescriptor.CHANGE_COUNT chgcnt
            ReservationNotificationLog.LOG_PAGE_COUNT lpc
            ReservationNotificationLog.TYPE rnlpt
            ReservationNotificationLog.AVAILABLE_LOG_PAGES nalp
            HostBehaviorSupport.ETDAS -
            HostBehaviorSupport.LBAFEE -
            Timestamp.MILLISECONDS timestamp
            Timestamp.ATTRIBUTES attr
            SupportedLogPages.LIDS lid_support
            DiscoveryEntry.TSAS_SECTYPE tsas.tcp.sectype
            DiscoveryEntry.TSAS_RDMA_QPTYPE tsas.rdma.qptype
            DiscoveryEntry.TSAS_RDMA_PRTYPE tsas.rdma.prtype
            DiscoveryEntry.TSAS_RDMA_CMS tsas.rdma.cms
            ConnectData.SUBNQN subsysnqn
            """);

    @TempDir
    Path directory;

    @Test
    void sizesAndOffsetsAgreeWithLibnvme() throws Exception {
        CProgram.assumeLibnvme();
        Map<String, String> expected = expected();
        assertEquals(expected, CProgram.run(directory, program(expected)));
    }

    private static Map<String, String> expected() throws Exception {
        Map<String, String> e = new LinkedHashMap<>();
        table(e, IdentifyController.class, "nvme_id_ctrl");
        table(e, PowerStateDescriptor.class, "nvme_id_psd");
        table(e, IdentifyNamespace.class, "nvme_id_ns");
        table(e, LbaFormat.class, "nvme_lbaf");
        table(e, IdentifyNamespaceNvm.class, "nvme_nvm_id_ns");
        table(e, IdentifyControllerNvm.class, "nvme_id_ctrl_nvm");
        table(e, IdentifyNamespaceIndependent.class, "nvme_id_independent_id_ns");
        table(e, SupportedLogPages.class, "nvme_supported_log_pages");
        table(e, ErrorLogEntry.class, "nvme_error_log_page");
        table(e, SmartLog.class, "nvme_smart_log");
        table(e, FirmwareSlotLog.class, "nvme_firmware_slot");
        table(e, CommandEffectsLog.class, "nvme_cmd_effects_log");
        table(e, AnaLog.class, "nvme_ana_log");
        table(e, AnaGroupDescriptor.class, "nvme_ana_group_desc");
        table(e, ReservationNotificationLog.class, "nvme_resv_notification_log");
        table(e, HostBehaviorSupport.class, "nvme_feat_host_behavior");
        table(e, Timestamp.class, "nvme_timestamp");
        table(e, RegisteredController.class, "nvme_registered_ctrl");
        table(e, RegisteredControllerExtended.class, "nvme_registered_ctrl_ext");
        table(e, DiscoveryLog.class, "nvmf_discovery_log");
        table(e, DiscoveryEntry.class, "nvmf_disc_log_entry");
        table(e, ConnectData.class, "nvmf_connect_data");
        fields(e, ReservationStatus.class, "nvme_resv_status");
        others(e);
        commands(e);
        return e;
    }

    private static void others(Map<String, String> e) {
        put(e, "offsetof(struct nvme_resv_status, regctl_ds)", ReservationStatus.SIZE);
        put(e, "offsetof(struct nvme_resv_status, regctl_eds)", ReservationStatus.EXTENDED_SIZE);
        put(e, "sizeof(struct nvme_ns_list)", NamespaceList.SIZE);
        put(e, "NVME_ID_NS_LIST_MAX", NamespaceList.MAX_ENTRIES);
        put(e, "sizeof(struct nvme_ctrl_list)", ControllerList.SIZE);
        put(e, "offsetof(struct nvme_ctrl_list, num)", ControllerList.NUMID);
        put(e, "offsetof(struct nvme_ctrl_list, identifier)", ControllerList.IDENTIFIERS);
        put(e, "NVME_ID_CTRL_LIST_MAX", ControllerList.MAX_ENTRIES);
        put(e, "sizeof(struct nvme_ns_id_desc)", NamespaceDescriptor.HEADER_SIZE);
        put(e, "offsetof(struct nvme_ns_id_desc, nidt)", NamespaceDescriptor.NIDT);
        put(e, "offsetof(struct nvme_ns_id_desc, nidl)", NamespaceDescriptor.NIDL);
        put(e, "offsetof(struct nvme_ns_id_desc, nid)", NamespaceDescriptor.NID);
        put(e, "sizeof(struct nvme_dsm_range)", DatasetManagement.RANGE_SIZE);
        put(e, "offsetof(struct nvme_dsm_range, cattr)", DatasetManagement.RANGE_CATTR);
        put(e, "offsetof(struct nvme_dsm_range, nlb)", DatasetManagement.RANGE_NLB);
        put(e, "offsetof(struct nvme_dsm_range, slba)", DatasetManagement.RANGE_SLBA);
        put(e, "sizeof(struct nvme_copy_range)", CopyDescriptor.FORMAT_0_SIZE);
        put(e, "offsetof(struct nvme_copy_range, slba)", CopyDescriptor.SLBA);
        put(e, "offsetof(struct nvme_copy_range, nlb)", CopyDescriptor.NLB);
        put(e, "offsetof(struct nvme_copy_range, eilbrt)", CopyDescriptor.FORMAT_0_EILBRT);
        put(e, "sizeof(struct nvme_copy_range_f1)", CopyDescriptor.FORMAT_1_SIZE);
        put(e, "offsetof(struct nvme_copy_range_f1, elbt)", CopyDescriptor.FORMAT_1_ELBT);
        put(e, "NVMF_NQN_SIZE", Nqn.MAX_BYTES);
        put(e, "NVME_NQN_LENGTH", Nqn.FIELD_SIZE);
    }

    /// The kernel's passthrough command is a submission queue entry but for the data pointer and the command
    /// identifier.
    private static void commands(Map<String, String> e) {
        put(e, "offsetof(struct nvme_passthru_cmd, opcode)", SubmissionQueueEntry.OPC);
        put(e, "offsetof(struct nvme_passthru_cmd, flags)", SubmissionQueueEntry.FLAGS);
        put(e, "offsetof(struct nvme_passthru_cmd, rsvd1)", SubmissionQueueEntry.CID);
        put(e, "offsetof(struct nvme_passthru_cmd, nsid)", SubmissionQueueEntry.NSID);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw2)", SubmissionQueueEntry.CDW2);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw3)", SubmissionQueueEntry.CDW3);
        put(e, "offsetof(struct nvme_passthru_cmd, metadata)", SubmissionQueueEntry.MPTR);
        put(e, "offsetof(struct nvme_passthru_cmd, addr)", SubmissionQueueEntry.DPTR);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw10)", SubmissionQueueEntry.CDW10);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw11)", SubmissionQueueEntry.CDW11);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw12)", SubmissionQueueEntry.CDW12);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw13)", SubmissionQueueEntry.CDW13);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw14)", SubmissionQueueEntry.CDW14);
        put(e, "offsetof(struct nvme_passthru_cmd, cdw15)", SubmissionQueueEntry.CDW15);
    }

    private static void table(Map<String, String> e, Class<?> table, String struct) throws Exception {
        put(e, "sizeof(struct " + struct + ")", Tables.size(table));
        fields(e, table, struct);
    }

    private static void fields(Map<String, String> e, Class<?> table, String struct) throws Exception {
        for (Map.Entry<String, Field> field : Tables.fields(table).entrySet()) {
            String ours = table.getSimpleName() + "." + field.getKey();
            String name = NAMES.getOrDefault(ours, field.getKey().toLowerCase(Locale.ROOT));
            if (!name.equals("-")) {
                put(e, "offsetof(struct " + struct + ", " + name + ")", field.getValue().offset());
                put(e, "sizeof(((struct " + struct + " *) 0)->" + name + ")", field.getValue().size());
            }
        }
    }

    private static void put(Map<String, String> e, String expression, long value) {
        e.put(expression, Long.toString(value));
    }

    private static String program(Map<String, String> expressions) {
        StringBuilder program = new StringBuilder("""
                #include <libnvme.h>
                #include <linux/nvme_ioctl.h>
                #include <stddef.h>
                #include <stdio.h>
                int main(void) {
                """);
        for (String expression : expressions.keySet()) {
            program.append("printf(\"%s=%lld\\n\", \"").append(expression).append("\", (long long) ").append(expression)
                    .append(");\n");
        }
        return program.append("return 0; }\n").toString();
    }

    private static Map<String, String> names(String lines) {
        Map<String, String> names = new LinkedHashMap<>();
        lines.lines().map(line -> line.split(" ")).forEach(words -> names.put(words[0], words[1]));
        return names;
    }
}
