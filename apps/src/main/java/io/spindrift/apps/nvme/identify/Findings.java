package io.spindrift.apps.nvme.identify;

import io.spindrift.nvme.AdminCommands;
import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.DiscoveryPage;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.NvmeNamespace;
import io.spindrift.nvme.spec.Field;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.feature.Fid;
import io.spindrift.nvme.spec.identify.Cns;
import io.spindrift.nvme.spec.identify.ControllerBits;
import io.spindrift.nvme.spec.identify.IdentifyController;
import io.spindrift.nvme.spec.log.AnaGroupDescriptor;
import io.spindrift.nvme.spec.log.AnaLog;
import io.spindrift.nvme.spec.log.CommandEffectsLog;
import io.spindrift.nvme.spec.log.ErrorLogEntry;
import io.spindrift.nvme.spec.log.FirmwareSlotLog;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvme.spec.log.SmartLog;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/// What a controller answers when it is asked everything. Control path; a command that it refuses leaves its part empty.
final class Findings {
    /// A log that a controller says is longer is not read whole.
    private static final long LONGEST_ANA_LOG = 16L << 20;

    private final NvmeController controller;
    private final AdminCommands admin;
    private final Map<Integer, OptionalLong> features = new HashMap<>();
    private final Map<Integer, Optional<MemorySegment>> logs = new HashMap<>();
    private final Optional<DiscoveryPage> discovery;

    private Findings(NvmeController controller) {
        this.controller = controller;
        this.admin = controller.admin();
        this.discovery = controller.discovery() ? Optional.of(DiscoveryPage.read(controller)) : Optional.empty();
    }

    /// Asks `controller`.
    ///
    /// @throws NvmeException if the connection breaks, or the log of a discovery controller cannot be read
    static Findings of(NvmeController controller) {
        Findings findings = new Findings(controller);
        if (!controller.discovery()) {
            for (int fid : new int[]{Fid.ARBITRATION, Fid.POWER_MANAGEMENT, Fid.TEMPERATURE_THRESHOLD,
                    Fid.NUMBER_OF_QUEUES}) {
                findings.features.put(fid, findings.ask(fid, Nsid.NONE));
            }
            findings.read(Lid.ERROR_INFORMATION,
                    (findings.field(IdentifyController.ELPE) + 1L) * ErrorLogEntry.SIZE);
            findings.read(Lid.SMART, SmartLog.SIZE);
            findings.read(Lid.FIRMWARE_SLOT, FirmwareSlotLog.SIZE);
        }
        if (controller.data().reportsAna() && !controller.discovery()) {
            long groups = IdentifyController.NANAGRPID.get(findings.page(), 0);
            long bytes = AnaLog.SIZE + groups * AnaGroupDescriptor.SIZE
                    + 4L * controller.namespaces().size();
            findings.read(Lid.ANA, Math.min(bytes, LONGEST_ANA_LOG));
        }
        if ((findings.field(IdentifyController.LPA) & ControllerBits.LPA_COMMANDS_SUPPORTED_AND_EFFECTS) != 0) {
            findings.read(Lid.COMMANDS_SUPPORTED_AND_EFFECTS, CommandEffectsLog.SIZE);
        }
        return findings;
    }

    private int field(Field.U8 field) {
        return field.get(page(), 0);
    }

    private OptionalLong ask(int fid, long nsid) {
        return answered(() -> Integer.toUnsignedLong(admin.feature(fid, 0, nsid, 0))).map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    private void read(int lid, long bytes) {
        logs.put(lid, answered(() -> admin.logPage(lid, Nsid.BROADCAST, bytes)));
    }

    /// Nothing if the controller refuses the command.
    private static <T> Optional<T> answered(Supplier<T> command) {
        try {
            return Optional.of(command.get());
        } catch (NvmeException e) {
            if (e.status() == Status.SUCCESS) {
                throw e; // the connection has broken
            }
            return Optional.empty();
        }
    }

    NvmeController controller() {
        return controller;
    }

    ControllerData data() {
        return controller.data();
    }

    /// Identify Controller.
    MemorySegment page() {
        return controller.data().page();
    }

    /// The value of a feature of [Fid]; nothing if it was not asked for or refused.
    OptionalLong feature(int fid) {
        return features.getOrDefault(fid, OptionalLong.empty());
    }

    /// The Error Recovery feature of a namespace, asked for now.
    OptionalLong errorRecovery(NvmeNamespace namespace) {
        return ask(Fid.ERROR_RECOVERY, namespace.nsid());
    }

    /// The identify data that only the NVM command set has; nothing if the controller has none.
    Optional<MemorySegment> nvmNamespace(NvmeNamespace namespace) {
        boolean extended = (IdentifyController.CTRATT.get(page(), 0)
                & ControllerBits.CTRATT_EXTENDED_LBA_FORMATS) != 0;
        return extended
                ? answered(() -> admin.identify(Cns.COMMAND_SET_NAMESPACE,
                        namespace.nsid(), 0, namespace.csi()))
                : Optional.empty();
    }

    /// A log page of [Lid]; nothing if it was not asked for or refused.
    Optional<MemorySegment> log(int lid) {
        return logs.getOrDefault(lid, Optional.empty());
    }

    Optional<DiscoveryPage> discovery() {
        return discovery;
    }
}
