package io.spindrift.bdev.nvme;

import static io.spindrift.framework.rpc.RpcState.RUNTIME;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.rpc.Description;
import io.spindrift.framework.rpc.NoParams;
import io.spindrift.framework.rpc.Option;
import io.spindrift.framework.rpc.Positional;
import io.spindrift.framework.rpc.RpcBinding;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.Unsigned;
import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.spec.CommandSpecificStatus;
import io.spindrift.nvme.spec.Field;
import io.spindrift.nvme.spec.Nsid;
import io.spindrift.nvme.spec.Status;
import io.spindrift.nvme.spec.command.FirmwareCommand;
import io.spindrift.nvme.spec.log.Lid;
import io.spindrift.nvme.spec.log.SmartLog;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The methods that send commands to a controller, and that show what it says of itself.
final class CommandRpcs {
    private static final long LARGEST_FIRMWARE = 1L << 30;
    private static final int KELVIN = 273;

    /// Which queue a command goes to.
    enum CommandType {
        ADMIN, IO
    }

    /// Which way its data go.
    enum Direction {
        H2C, C2H
    }

    record SendParams(
            @Option({
                    "-n", "--nvme-name"})
            @Description("name of the controller") String name,
            @Option({"-t", "--cmd-type"}) @Description("an admin command, or one of an I/O queue") CommandType cmdType,
            @Option({"-r", "--data-direction"})
            @Description("to the controller, or to the host") Direction dataDirection,
            @Option({"-c", "--cmdbuf"}) @Description("its 64 bytes, in base64 for URLs") String cmdbuf,
            @Option({"-d", "--data"}) @Description("data for the controller, likewise") Optional<String> data,
            @Option({"-m", "--metadata"})
            @Description("refused: metadata in a buffer of their own") Optional<String> metadata,
            @Option({"-D", "--data-length"}) @Unsigned(32)
            @Description("bytes of data from the controller") OptionalLong dataLen,
            @Option({"-M", "--metadata-length"}) @Unsigned(32)
            @Description("refused: metadata in a buffer of their own") OptionalLong metadataLen,
            @Option({"-T", "--timeout-ms"}) @Unsigned(32)
            @Description("no effect: admin commands have timeout_admin_us") OptionalLong timeoutMs) {
        SendParams {
            if (metadata.isPresent() || metadataLen.orElse(0) != 0) {
                throw new IllegalArgumentException("metadata: a buffer of their own is not supported here");
            }
            PassedCommand.of(cmdbuf, data, dataDirection, dataLen.orElse(0));
        }

        PassedCommand command() {
            return PassedCommand.of(cmdbuf, data, dataDirection, dataLen.orElse(0));
        }
    }

    record FirmwareParams(
            @Positional @Description("file with the image") String filename,
            @Positional @Description("name of a bdev of the controller") String bdevName) {}

    record HealthParams(@Option({"-c", "--name"}) @Description("name of the controller") String name) {}

    static final RpcMethod<SendParams> SEND_CMD = RpcMethod.of("bdev_nvme_send_cmd", SendParams.class, RUNTIME)
            .summary("Sends a command to an NVMe controller as it is, and shows its completion and data.");
    static final RpcMethod<FirmwareParams> APPLY_FIRMWARE = RpcMethod
            .of("bdev_nvme_apply_firmware", FirmwareParams.class, RUNTIME)
            .summary("Downloads a firmware image to an NVMe controller, activates it and resets the controller.");
    static final RpcMethod<HealthParams> GET_HEALTH = RpcMethod
            .of("bdev_nvme_get_controller_health_info", HealthParams.class, RUNTIME)
            .summary("Shows the SMART log of an NVMe controller.");
    static final RpcMethod<NoParams> GET_TRANSPORT_STATISTICS = RpcMethod
            .of("bdev_nvme_get_transport_statistics", NoParams.class, RUNTIME)
            .summary("Shows what the transports of NVMe bdevs have done on each thread.");

    private CommandRpcs() {}

    static List<RpcMethod<?>> methods() {
        return List.of(SEND_CMD, APPLY_FIRMWARE, GET_HEALTH, GET_TRANSPORT_STATISTICS);
    }

    static List<RpcBinding<?>> bindings(Supplier<NvmeBdevs> bdevs) {
        return List.of(
                SEND_CMD.bind(params -> params.command().send(first(bdevs.get(), params.name()),
                        params.cmdType() == CommandType.IO)),
                APPLY_FIRMWARE.bind(params -> {
                    applyFirmware(bdevs.get(), params);
                    return true;
                }), GET_HEALTH.bind(params -> health(bdevs.get().get(params.name()).paths().getFirst())),
                GET_TRANSPORT_STATISTICS.bind(_ -> statistics(bdevs.get())));
    }

    private static NvmeController first(NvmeBdevs all, String name) {
        return all.get(name).paths().getFirst().controller();
    }

    // ---- firmware ---------------------------------------------------------------------------------------------

    private static void applyFirmware(NvmeBdevs all, FirmwareParams params) throws Exception {
        ControllerPath path = all.bdev(params.bdevName()).paths().getFirst().path();
        byte[] image = all.reactors().control().blocking(() -> read(Path.of(params.filename())));
        int status = path.controller().admin().updateFirmware(MemorySegment.ofArray(image), 0,
                FirmwareCommand.CA_REPLACE_AND_ACTIVATE);
        int code = Status.code(status);
        boolean activated = code == Status.SUCCESS
                || code == CommandSpecificStatus.FIRMWARE_NEEDS_CONTROLLER_RESET
                || code == CommandSpecificStatus.FIRMWARE_NEEDS_CONVENTIONAL_RESET
                || code == CommandSpecificStatus.FIRMWARE_NEEDS_SUBSYSTEM_RESET;
        if (!activated) {
            throw new ErrnoException(Errno.EIO,
                    path.name() + ": Firmware Commit ended with " + Status.text(status, false));
        }
        path.reset();
    }

    private static byte[] read(Path file) {
        try {
            long size = Files.size(file);
            if (size == 0 || size % 4 != 0 || size > LARGEST_FIRMWARE) {
                throw new ErrnoException(Errno.EINVAL, "filename=" + file + " has " + size
                        + " bytes; a firmware image has a multiple of 4, and " + LARGEST_FIRMWARE + " at most");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new ErrnoException(Errno.ENOENT, "filename=" + file + " cannot be read: " + e.getMessage());
        }
    }

    // ---- health -----------------------------------------------------------------------------------------------

    private static Map<String, Object> health(ControllerPath path) {
        NvmeController controller = path.controller();
        MemorySegment log = controller.admin().logPage(Lid.SMART, Nsid.BROADCAST, SmartLog.SIZE);
        ControllerData data = controller.data();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("model_number", data.modelNumber());
        shown.put("serial_number", data.serialNumber());
        shown.put("firmware_revision", data.firmwareRevision());
        shown.put("traddr", path.id().traddr());
        shown.put("critical_warning", SmartLog.CRITICAL_WARNING.get(log, 0));
        shown.put("temperature_celsius", SmartLog.COMPOSITE_TEMPERATURE.get(log, 0) - KELVIN);
        shown.put("available_spare_percentage", SmartLog.AVAILABLE_SPARE.get(log, 0));
        shown.put("available_spare_threshold_percentage", SmartLog.AVAILABLE_SPARE_THRESHOLD.get(log, 0));
        shown.put("percentage_used", SmartLog.PERCENTAGE_USED.get(log, 0));
        shown.put("data_units_read", number(SmartLog.DATA_UNITS_READ, log));
        shown.put("data_units_written", number(SmartLog.DATA_UNITS_WRITTEN, log));
        shown.put("host_read_commands", number(SmartLog.HOST_READ_COMMANDS, log));
        shown.put("host_write_commands", number(SmartLog.HOST_WRITE_COMMANDS, log));
        shown.put("controller_busy_time", number(SmartLog.CONTROLLER_BUSY_TIME, log));
        shown.put("power_cycles", number(SmartLog.POWER_CYCLES, log));
        shown.put("power_on_hours", number(SmartLog.POWER_ON_HOURS, log));
        shown.put("unsafe_shutdowns", number(SmartLog.UNSAFE_SHUTDOWNS, log));
        shown.put("media_errors", number(SmartLog.MEDIA_ERRORS, log));
        shown.put("num_err_log_entries", number(SmartLog.ERROR_LOG_ENTRIES, log));
        shown.put("warning_temperature_time_minutes", SmartLog.WARNING_TEMPERATURE_TIME.get(log, 0));
        shown.put("critical_composite_temperature_time_minutes", SmartLog.CRITICAL_TEMPERATURE_TIME.get(log, 0));
        return shown;
    }

    private static BigInteger number(Field.U128 field, MemorySegment log) {
        BigInteger high = new BigInteger(Long.toUnsignedString(field.high(log, 0)));
        return high.shiftLeft(Long.SIZE).add(new BigInteger(Long.toUnsignedString(field.low(log, 0))));
    }

    // ---- transports -------------------------------------------------------------------------------------------

    private static Map<String, Object> statistics(NvmeBdevs all) {
        Map<String, List<Map<String, Object>>> byThread = new TreeMap<>();
        all.driver().transports().forEach(transport -> transport.statistics().forEach(counted -> {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("trname", transport.name());
            counted.forEach((name, value) -> {
                if (!name.equals("thread")) {
                    shown.put(name, value);
                }
            });
            byThread.computeIfAbsent(String.valueOf(counted.get("thread")), _ -> new ArrayList<>()).add(shown);
        }));
        List<Map<String, Object>> groups = new ArrayList<>();
        byThread.forEach((thread, transports) -> {
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("thread", thread);
            group.put("transports", transports);
            groups.add(group);
        });
        return Map.of("poll_groups", groups);
    }
}
