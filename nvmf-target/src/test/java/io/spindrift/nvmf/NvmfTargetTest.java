package io.spindrift.nvmf;

import static io.spindrift.nvmf.TargetFixture.HOST;
import static io.spindrift.nvmf.TargetFixture.address;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevGeometry;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.nvme.spec.Nqn;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NvmfTargetTest {
    private interface Change {
        void run() throws Exception;
    }

    private static void control(TargetFixture fixture, Change change) throws Exception {
        fixture.control(() -> {
            change.run();
            return null;
        });
    }

    @Test
    void hasAPollGroupOnEachCoreOfItsMask() throws Exception {
        try (TargetFixture all = new TargetFixture();
                TargetFixture one = new TargetFixture(TargetOptions.DEFAULT.withPollGroups(CpuMask.of(1)))) {
            assertEquals(List.of("nvmf_tgt_poll_group_000", "nvmf_tgt_poll_group_001"),
                    all.target.pollGroups().stream().map(group -> group.thread().name()).toList());
            assertEquals(1, one.target.pollGroups().size());
            assertEquals(1, one.thread(0).reactor().core());
        }
    }

    @Test
    void refusesACoreThatHasNoReactor() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            Exception refused = assertThrows(IllegalArgumentException.class, () -> fixture.control(() -> fixture.targets
                    .create("other", TargetOptions.DEFAULT.withPollGroups(CpuMask.of(0, 9)))));
            assertTrue(refused.getMessage().contains("poll_groups_mask=0x201"), refused.getMessage());
            assertTrue(refused.getMessage().contains("core 9"), refused.getMessage());
        }
    }

    @Test
    void beginsWithADiscoverySubsystemThatHasNoNamespaces() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            NvmfSubsystem discovery = fixture.target.get(Nqn.DISCOVERY);
            assertTrue(discovery.view().admits(HOST));
            fixture.disk("D0");
            assertThrows(RpcException.class,
                    () -> fixture.control(() -> discovery.addNamespace(NamespaceRequest.of("D0"))));
        }
    }

    @Test
    void limitsTheNumberOfSubsystems() throws Exception {
        try (TargetFixture fixture = new TargetFixture(TargetOptions.DEFAULT.withMaxSubsystems(2))) {
            fixture.subsystem();
            Exception refused = assertThrows(IllegalArgumentException.class,
                    () -> fixture.subsystem(TargetFixture.NQN + "b", SubsystemOptions.DEFAULT));
            assertTrue(refused.getMessage().contains("2 subsystems"), refused.getMessage());
            control(fixture, () -> fixture.target.deleteSubsystem(TargetFixture.NQN));
            fixture.subsystem(TargetFixture.NQN + "b", SubsystemOptions.DEFAULT);
        }
    }

    @Test
    void twoSubsystemsShareAPortUntilTheLastLetsItGo() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            NvmfSubsystem first = fixture.subsystem();
            NvmfSubsystem second = fixture.subsystem(TargetFixture.NQN + "b", SubsystemOptions.DEFAULT);
            control(fixture, () -> {
                first.addListener(address("127.0.0.1"), Optional.empty(), AnaState.OPTIMIZED);
                second.addListener(address("127.0.0.1"), Optional.empty(), AnaState.OPTIMIZED);
            });
            assertEquals(List.of("+127.0.0.1:4420"), fixture.transport.calls);
            control(fixture, () -> first.removeListener(address("127.0.0.1")));
            assertEquals(List.of("+127.0.0.1:4420"), fixture.transport.calls);
            assertEquals(1, second.view().listeners().size());
            control(fixture, () -> fixture.target.deleteSubsystem(second.nqn()));
            assertEquals(List.of("+127.0.0.1:4420", "-127.0.0.1:4420"), fixture.transport.calls);
        }
    }

    @Test
    void refusesListenersThatAreThereOrCannotBe() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            NvmfSubsystem subsystem = fixture.subsystem();
            control(fixture, () -> subsystem.addListener(address("127.0.0.1"), Optional.empty(), AnaState.OPTIMIZED));
            Exception twice = assertThrows(IllegalArgumentException.class, () -> control(fixture,
                    () -> subsystem.addListener(address("127.0.0.1"), Optional.empty(), AnaState.OPTIMIZED)));
            assertTrue(twice.getMessage().contains("listen_address=FAKE IPv4 127.0.0.1 4420"), twice.getMessage());
            Exception unreachable = assertThrows(RpcException.class, () -> control(fixture, () -> subsystem
                    .addListener(address(FakeTransport.UNREACHABLE), Optional.empty(), AnaState.OPTIMIZED)));
            assertTrue(unreachable.getMessage().contains("Cannot assign requested address"), unreachable.getMessage());
            Exception noTransport = assertThrows(RpcException.class, () -> control(fixture,
                    () -> subsystem.addListener(new TransportAddress("RDMA", AddressFamily.IPV4, "127.0.0.1", "4420"),
                            Optional.empty(), AnaState.OPTIMIZED)));
            assertTrue(noTransport.getMessage().contains("it has FAKE"), noTransport.getMessage());
            assertEquals(1, subsystem.view().listeners().size());
        }
    }

    @Test
    void theGenerationMovesWithEachChangeOfTheDiscoveryLog() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            NvmfSubsystem subsystem = fixture.subsystem();
            fixture.disk("D0");
            fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D0")));
            control(fixture, () -> subsystem.addHost(HOST));
            assertEquals(0, fixture.target.generation()); // no entry is there that could have changed
            control(fixture, () -> subsystem.addListener(address("127.0.0.1"), Optional.empty(), AnaState.OPTIMIZED));
            assertEquals(1, fixture.target.generation());
            control(fixture, () -> subsystem.allowAnyHost(false));
            assertEquals(2, fixture.target.generation());
            control(fixture, () -> subsystem.removeHost(HOST, 0));
            assertEquals(3, fixture.target.generation());
            Referral referral = new Referral(address("127.0.0.2"), false, Nqn.DISCOVERY);
            control(fixture, () -> fixture.target.addReferral(referral));
            assertEquals(4, fixture.target.generation());
            control(fixture, () -> fixture.target.addReferral(referral)); // is there already
            assertEquals(4, fixture.target.generation());
            assertEquals(List.of(referral), fixture.target.referrals());
            control(fixture, () -> fixture.target.removeReferral(referral.address(), Nqn.DISCOVERY));
            assertEquals(5, fixture.target.generation());
            control(fixture, () -> subsystem.removeListener(address("127.0.0.1")));
            assertEquals(6, fixture.target.generation());
            assertTrue(fixture.engine.told.contains("discovery " + HOST));
            assertTrue(fixture.engine.told.contains("disconnect listener 127.0.0.1"));
        }
    }

    /// One more than there is room for is refused; with no limit any number goes.
    @Test
    void limitsNamespacesUnlessTheLimitIsZero() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            for (int i = 0; i <= 1024; i++) {
                fixture.disk("D" + i);
            }
            assertOneMoreIsRefused(fixture, 1);
            assertOneMoreIsRefused(fixture, 32);
            assertOneMoreIsRefused(fixture, 1024);
            NvmfSubsystem unlimited = fixture.subsystem(TargetFixture.NQN + ".0", TargetFixture.options(0, true));
            for (int i = 0; i < 33; i++) {
                int number = i;
                fixture.control(() -> unlimited.addNamespace(NamespaceRequest.of("D" + number)));
            }
            long highest = 0xFFFFFFFEL; // FFFFFFFFh means all
            assertEquals(highest, fixture
                    .control(() -> unlimited.addNamespace(NamespaceRequest.of("D33").withNsid(highest))));
            assertEquals("D33", unlimited.view().find(highest).orElseThrow().bdev().name());
            assertEquals("D32", unlimited.view().find(33).orElseThrow().bdev().name());
            assertTrue(unlimited.view().find(34).isEmpty());
        }
    }

    private static void assertOneMoreIsRefused(TargetFixture fixture, int limit) throws Exception {
        NvmfSubsystem subsystem = fixture.subsystem(TargetFixture.NQN + "." + limit,
                TargetFixture.options(limit, false));
        for (int i = 0; i < limit; i++) {
            int number = i;
            fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D" + number)));
        }
        RpcException full = assertThrows(RpcException.class,
                () -> fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D" + limit))));
        assertTrue(full.getMessage().contains("max_namespaces=" + limit), full.getMessage());
        RpcException outside = assertThrows(RpcException.class, () -> fixture
                .control(() -> subsystem.addNamespace(NamespaceRequest.of("D" + limit).withNsid(limit + 1))));
        assertTrue(outside.getMessage().contains("namespace.nsid=" + (limit + 1) + " is outside 1.." + limit),
                outside.getMessage());
        control(fixture, () -> fixture.target.deleteSubsystem(subsystem.nqn()));
    }

    @Test
    void saysWhyANamespaceCannotBe() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            NvmfSubsystem subsystem = fixture.subsystem();
            FakeDisk.register(fixture.registry, "M", UUID.randomUUID(), separateMetadata());
            fixture.disk("D0");
            fixture.disk("D1");
            fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D0")));
            assertRefused(fixture, subsystem, NamespaceRequest.of("none"), "there is no bdev 'none'");
            assertRefused(fixture, subsystem, NamespaceRequest.of("M"), "its metadata are separate");
            assertRefused(fixture, subsystem, NamespaceRequest.of("D1").withNsid(1), "namespace.nsid=1 is in use");
            assertRefused(fixture, subsystem, new NamespaceRequest("D1", OptionalLong.empty(), Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.of(33), true),
                    "anagrpid=33 is outside 1..32");
            assertRefused(fixture, subsystem, new NamespaceRequest("D1", OptionalLong.empty(), Optional.of("12"),
                    Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.empty(), true),
                    "nguid=12 must be 32 hexadecimal digits");
            assertEquals(2L, fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D1"))));
        }
    }

    private static BdevGeometry separateMetadata() {
        BdevGeometry plain = BdevGeometry.of(512);
        return new BdevGeometry(512, 512, 1, 0, false, 0, 0, 0, false, 8, false, 0, 0, false, 0, plain.hints());
    }

    private static void assertRefused(TargetFixture fixture, NvmfSubsystem subsystem, NamespaceRequest request,
            String reason) {
        RuntimeException refused = assertThrows(RuntimeException.class,
                () -> fixture.control(() -> subsystem.addNamespace(request)));
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    }

    @Test
    void severalTargetsAreApart() throws Exception {
        try (TargetFixture fixture = new TargetFixture()) {
            NvmfTarget other = fixture.control(() -> fixture.targets.create("other", TargetOptions.DEFAULT));
            fixture.subsystem();
            assertTrue(other.find(TargetFixture.NQN).isEmpty());
            assertEquals("other_poll_group_000", other.pollGroups().getFirst().thread().name());
            assertEquals(other, fixture.targets.get(Optional.of("other")));
            RpcException ambiguous = assertThrows(RpcException.class, () -> fixture.targets.get(Optional.empty()));
            assertEquals(RpcException.INTERNAL_ERROR, ambiguous.code());
            control(fixture, () -> fixture.targets.delete("other"));
            assertEquals(fixture.target, fixture.targets.get(Optional.empty()));
            assertThrows(RpcException.class, () -> fixture.targets.get(Optional.of("other")));
        }
    }

    @Test
    void leavesNothingBehind() throws Exception {
        TargetFixture fixture = new TargetFixture();
        FakeDisk disk = fixture.disk("D0");
        NvmfSubsystem subsystem = fixture.subsystem();
        fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D0")));
        control(fixture, () -> subsystem.addListener(address("::1"), Optional.empty(), AnaState.OPTIMIZED));
        assertEquals(2, fixture.transport.openGroups);
        control(fixture, () -> fixture.targets.delete("nvmf_tgt"));
        assertEquals(0, disk.channels());
        assertEquals(0, fixture.transport.openGroups);
        assertTrue(fixture.transport.closed);
        assertEquals(List.of("+::1:4420", "-::1:4420"), fixture.transport.calls);
        fixture.driveUntil(() -> fixture.manual.reactors().threads().size() == 1);
        assertFalse(fixture.targets.all().contains(fixture.target));
        fixture.manual.close();
    }
}
