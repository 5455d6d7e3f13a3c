package io.spindrift.framework.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.thread.CpuMask;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommonFlagsTest {
    private static ApplicationOptions options(String... args) {
        ApplicationOptions.Builder builder = ApplicationOptions.builder("prog");
        try {
            assertEquals("", new CommandLine("prog", "1", CommonFlags.of(builder)).apply(args));
        } catch (UsageException refused) {
            throw new IllegalArgumentException(refused.getMessage(), refused);
        }
        return builder.build();
    }

    private static String refusal(String... args) {
        return assertThrows(IllegalArgumentException.class, () -> options(args)).getMessage();
    }

    @Test
    void hasThePeersDefaults() {
        ApplicationOptions options = options();

        assertEquals(Optional.of("/var/tmp/spdk.sock"), options.rpcAddress());
        assertEquals(CpuMask.of(0), options.cpuMask());
        assertEquals(0, options.mainCore());
        assertEquals(Optional.empty(), options.configFile());
        assertTrue(options.cpuLocks());
        assertEquals(OptionalInt.empty(), options.sharedMemoryId());
        assertEquals(32 * 1024, options.traceEntries());
        assertFalse(options.waitForRpc());
        assertFalse(options.poll());
        assertEquals(200, options.idleSpinMicros());
        assertEquals(List.of(), options.notices());
    }

    @Test
    void takesTheConfigurationByAnyOfItsThreeNames() {
        for (String flag : List.of("-c", "--config", "--json")) {
            assertEquals(Optional.of(Path.of("null.json")), options(flag, "null.json").configFile());
        }
    }

    @Test
    void takesEveryFormOfTheCpuMask() {
        assertEquals(CpuMask.of(0, 1), options("-m", "0x3").cpuMask());
        assertEquals(CpuMask.of(0, 1, 2, 3), options("-m", "0XF").cpuMask());
        assertEquals(CpuMask.of(0, 1), options("-m", "3").cpuMask());
        assertEquals(CpuMask.of(0, 1, 4, 5, 6, 7), options("--cpumask", "[0,1,4-7]").cpuMask());
        assertEquals(CpuMask.of(0, 1, 2, 3), options("--lcores", "0-3").cpuMask());
        assertEquals(CpuMask.of(2, 3, 4, 5, 7), options("--lcores", "0@2,(1,2)@(3-5),7").cpuMask());
    }

    @Test
    void refusesABadCpuMaskWithItsFlag() {
        assertTrue(refusal("-m", "zz").startsWith("-m zz: "), refusal("-m", "zz"));
        assertTrue(refusal("-m", "0x0").startsWith("-m 0x0: "), refusal("-m", "0x0"));
        assertTrue(refusal("-m", "1", "--lcores", "1").startsWith("--lcores 1: "));
    }

    @Test
    void takesTheFirstCoreAsTheMainOneUnlessTold() {
        assertEquals(1, options("-m", "0x3", "-p", "1").mainCore());
        assertEquals(2, options("-m", "0xc").mainCore());
    }

    @Test
    void takesWhatConcernsRpcs() {
        assertEquals(Optional.of("127.0.0.1:5260"), options("-r", "127.0.0.1:5260").rpcAddress());
        assertEquals(Optional.empty(), options("--no-rpc-server").rpcAddress());
        assertTrue(options("--wait-for-rpc").waitForRpc());
        assertEquals(List.of("spdk_get_version", "bdev_get_bdevs", "rpc_get_methods"),
                options("--rpcs-allowed", "spdk_get_version,bdev_get_bdevs", "--rpcs-allowed", "rpc_get_methods")
                        .rpcsAllowed());
        assertTrue(options("--json-ignore-init-errors").ignoreInitErrors());
    }

    @Test
    void takesWhatConcernsMemory() {
        assertEquals(new MemoryFlags(OptionalLong.of(512), false, Optional.of(Path.of("/mnt/huge")), true, true),
                options("-s", "512", "--no-huge", "--huge-dir", "/mnt/huge", "-R", "-g").memory());
        assertEquals(OptionalInt.of(5), options("-i", "5").sharedMemoryId());
        assertEquals(OptionalInt.empty(), options("-i", "-1").sharedMemoryId());
    }

    @Test
    void takesWhatConcernsDevices() {
        String uuid = "00112233-4455-6677-8899-aabbccddeeff";
        assertEquals(new PciFlags(true, List.of("0000:01:00.0", "0000:02:00.0"), List.of(),
                Optional.of(UUID.fromString(uuid))),
                options("-u", "-A", "0000:01:00.0", "-A", "0000:02:00.0", "--vfio-vf-token", uuid).pci());
        assertEquals("-B 0000:02:00.0: devices can be allowed (-A) or blocked (-B), not both",
                refusal("-A", "0000:01:00.0", "-B", "0000:02:00.0"));
    }

    @Test
    void takesWhatConcernsObservation() {
        assertEquals(List.of("bdev", "thread"), options("-L", "bdev", "--logflag", "thread").logFlags());
        assertTrue(options("--silence-noticelog").silenceNotices());
        assertEquals(List.of("0xFFFF", "bdev:0x1,thread"),
                options("-e", "0xFFFF", "-e", "bdev:0x1,thread").tracepoints());
        assertEquals(1024, options("--num-trace-entries", "1024").traceEntries());
    }

    @Test
    void takesWhatConcernsIdling() {
        assertTrue(options("--poll").poll());
        assertEquals(0, options("--idle-spin-us", "0").idleSpinMicros());
        assertEquals("--idle-spin-us 1000001: outside 0..1000000", refusal("--idle-spin-us", "1000001"));
        assertFalse(options("--disable-cpumask-locks").cpuLocks());
    }

    @Test
    void leavesOneNoticeForEachFlagWithoutMeaning() {
        List<String> notices = options("-n", "4", "--iova-mode", "pa", "--base-virtaddr", "0x200000000000", "-d",
                "--interrupt-mode", "--env-context", "x", "--msg-mempool-size", "262143", "--enforce-numa").notices();

        assertEquals(8, notices.size());
        assertTrue(notices.getFirst().startsWith("-n/--mem-channels "), notices.getFirst());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-s 512", "-g", "-R", "--huge-dir /mnt/huge"})
    void leavesOneNoticeThatNamesAFlagWithoutEffect(String given) {
        List<String> notices = options(given.split(" ")).notices();

        assertEquals(1, notices.size(), notices.toString());
        assertTrue(notices.getFirst().contains(given.split(" ")[0]), notices.getFirst());
    }

    @Test
    void limitsMemoryWithoutHugepages() {
        ApplicationOptions limited = options("-s", "512", "--no-huge");

        assertEquals(List.of(), limited.notices());
        assertEquals(512L << 20, limited.memory().options().limitBytes());
        assertEquals(Long.MAX_VALUE, options("-s", "512").memory().options().limitBytes());
        assertEquals(Long.MAX_VALUE, options("-s", "0", "--no-huge").memory().options().limitBytes());
    }

    @Test
    void doesNotShareStateWithOptionsBuiltBefore() {
        ApplicationOptions.Builder builder = ApplicationOptions.builder("prog");
        ApplicationOptions before = builder.build();
        builder.poll(true).logFlags(List.of("bdev"));

        assertFalse(before.poll());
        assertEquals(List.of(), before.logFlags());
    }
}
