package io.spindrift.nvmf;

import static io.spindrift.nvmf.TargetFixture.HOST;
import static io.spindrift.nvmf.TargetFixture.address;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.RpcException;
import io.spindrift.nvmf.NvmfSubsystem.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NvmfSubsystemTest {
    private TargetFixture fixture;
    private NvmfSubsystem subsystem;

    @BeforeEach
    void start() throws Exception {
        fixture = new TargetFixture();
        subsystem = fixture.subsystem();
    }

    @AfterEach
    void stop() throws Exception {
        fixture.close();
        assertEquals(List.of(), fixture.manual.reports());
    }

    private long add(String bdev) throws Exception {
        return fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of(bdev)));
    }

    private GroupNamespace namespace(int group, long nsid) {
        return fixture.manual.run(fixture.thread(group), () -> fixture.group(group).subsystem(subsystem)
                .namespace(nsid));
    }

    private boolean isPaused(int group, long nsid) {
        return fixture.manual.run(fixture.thread(group), () -> fixture.group(group).subsystem(subsystem)
                .isPaused(nsid));
    }

    private Future<Void> beginRemoval(long nsid) {
        return fixture.begin(() -> {
            subsystem.removeNamespace(nsid);
            return null;
        });
    }

    // ---- namespaces and their channels ------------------------------------------------------------------------

    @Test
    void opensAChannelOfANewNamespaceOnEveryPollGroup() throws Exception {
        FakeDisk disk = fixture.disk("D0");
        assertEquals(1, add("D0"));
        assertEquals(2, disk.channels());
        assertEquals(fixture.thread(0), namespace(0, 1).channel().thread());
        assertEquals(fixture.thread(1), namespace(1, 1).channel().thread());
        assertEquals(List.of("namespace 1"), fixture.engine.told);
        assertEquals(State.ACTIVE, subsystem.state());
    }

    @Test
    void givesTheLowestFreeNumber() throws Exception {
        for (String name : List.of("D0", "D1", "D2")) {
            fixture.disk(name);
            add(name);
        }
        fixture.end(beginRemoval(2));
        fixture.disk("D3");
        assertEquals(2, add("D3"));
        assertEquals(List.of(1L, 2L, 3L), subsystem.view().namespaces().stream().map(NvmfNamespace::nsid).toList());
    }

    @Test
    void claimsItsDeviceAndGivesItBack() throws Exception {
        FakeDisk disk = fixture.disk("D0");
        add("D0");
        assertEquals("NVMe-oF Target", fixture.registry.get("D0").claimedBy());
        Exception refused = assertThrows(Exception.class, () -> add("D0"));
        assertTrue(refused.getMessage().contains("namespace.bdev_name=D0"), refused.getMessage());
        assertTrue(refused.getMessage().contains("NVMe-oF Target has claimed it"), refused.getMessage());
        fixture.end(beginRemoval(1));
        assertEquals("", fixture.registry.get("D0").claimedBy());
        assertEquals(0, disk.channels());
        assertEquals(1, add("D0"));
    }

    @Test
    void aNamespaceHasTheIdsOfItsDeviceUnlessTheyAreGiven() throws Exception {
        fixture.disk("D0");
        add("D0");
        UUID uuid = UUID.nameUUIDFromBytes("D0".getBytes());
        NamespaceIds ids = subsystem.view().find(1).orElseThrow().ids();
        assertEquals(uuid, ids.uuid());
        assertEquals(uuid.toString().replace("-", "").toUpperCase(), ids.nguid());
        fixture.disk("D1");
        UUID other = UUID.fromString("11111111-2222-3333-4444-555555555555");
        fixture.control(() -> subsystem.addNamespace(new NamespaceRequest("D1", OptionalLong.of(7),
                Optional.of("abcdef0123456789abcdef0123456789"), Optional.of("0123456789abcdef"), Optional.of(other),
                Optional.of("/tmp/ptpl"), OptionalLong.of(3), true)));
        NvmfNamespace given = subsystem.view().find(7).orElseThrow();
        assertEquals(new NamespaceIds("ABCDEF0123456789ABCDEF0123456789", Optional.of("0123456789ABCDEF"), other),
                given.ids());
        assertEquals(3, given.anaGroup());
    }

    /// So that one setting is enough for a host to know the namespace again, on a device whose UUID is new with each start.
    @Test
    void theNguidFollowsFromAUuidThatIsGiven() throws Exception {
        fixture.disk("D0");
        UUID uuid = UUID.fromString("5f0b0b61-61c5-4a35-8b25-1b7a3f5a0c11");
        fixture.control(() -> subsystem.addNamespace(new NamespaceRequest("D0", OptionalLong.empty(), Optional.empty(),
                Optional.empty(), Optional.of(uuid), Optional.empty(), OptionalLong.empty(), true)));
        assertEquals(new NamespaceIds("5F0B0B6161C54A358B251B7A3F5A0C11", Optional.empty(), uuid),
                subsystem.view().find(1).orElseThrow().ids());
    }

    @Test
    void refusesIdsThatAnotherNamespaceHas() throws Exception {
        fixture.disk("D0");
        FakeDisk second = fixture.disk("D1");
        add("D0");
        String nguid = subsystem.view().find(1).orElseThrow().ids().nguid();
        Exception refused = assertThrows(IllegalArgumentException.class,
                () -> fixture.control(() -> subsystem.addNamespace(new NamespaceRequest("D1", OptionalLong.empty(),
                        Optional.of(nguid.toLowerCase()), Optional.empty(), Optional.empty(), Optional.empty(),
                        OptionalLong.empty(), true))));
        assertTrue(refused.getMessage().contains("nguid=" + nguid), refused.getMessage());
        assertTrue(refused.getMessage().contains("namespace 1"), refused.getMessage());
        assertEquals("", fixture.registry.get("D1").claimedBy());
        assertEquals(0, second.channels());
    }

    @Test
    void nothingHasChangedWhenAPollGroupCannotOpenTheDevice() throws Exception {
        FakeDisk disk = fixture.disk("D0");
        disk.refusing = fixture.thread(1);
        assertThrows(IllegalStateException.class, () -> add("D0"));
        fixture.manual.settle();
        assertEquals(0, disk.channels());
        assertEquals("", fixture.registry.get("D0").claimedBy());
        assertEquals(List.of(), subsystem.view().namespaces());
        assertNull(namespace(0, 1));
        assertFalse(isPaused(0, 1));
        assertEquals(State.ACTIVE, subsystem.state());
        disk.refusing = null;
        assertEquals(1, add("D0"));
    }

    // ---- pauses -----------------------------------------------------------------------------------------------

    @Test
    void aRemovalWaitsForTheCommandsOfItsNamespaceAndLeavesTheOthersRunning() throws Exception {
        FakeDisk first = fixture.disk("D0");
        fixture.disk("D1");
        add("D0");
        add("D1");
        GroupNamespace busy = namespace(1, 1);
        GroupNamespace other = namespace(1, 2);
        fixture.manual.run(fixture.thread(1), busy::begin);
        fixture.manual.run(fixture.thread(1), other::begin);

        Future<Void> removal = beginRemoval(1);
        fixture.driveUntil(() -> isPaused(1, 1));
        assertFalse(isPaused(1, 2));
        assertFalse(removal.isDone());
        assertEquals(2, first.channels());

        fixture.manual.run(fixture.thread(1), busy::end); // the other's command goes on
        fixture.end(removal);
        assertEquals(0, first.channels());
        assertNull(namespace(1, 1));
        assertEquals(other, namespace(1, 2));
        assertEquals(1, fixture.manual.run(fixture.thread(1), other::outstanding));
        fixture.manual.run(fixture.thread(1), other::end);
    }

    @Test
    void aChangeWaitsForManagementCommandsOfThePollGroup() throws Exception {
        GroupSubsystem group = fixture.on(0, subsystem);
        fixture.manual.run(fixture.thread(0), group::beginManagement);
        Future<Void> change = fixture.begin(() -> {
            subsystem.addHost(HOST);
            return null;
        });
        fixture.driveUntil(() -> fixture.manual.run(fixture.thread(0), group::managementPaused));
        assertFalse(change.isDone());
        fixture.manual.run(fixture.thread(0), group::endManagement);
        fixture.end(change);
        assertFalse(fixture.manual.run(fixture.thread(0), group::managementPaused));
    }

    /// A command that finds its namespace by number each time it begins.
    private final class Command extends ParkedCommand {
        private final String name;
        private final List<String> log;

        Command(String name, List<String> log) {
            this.name = name;
            this.log = log;
        }

        @Override
        protected void resumed() {
            log.add(name + (fixture.group(0).subsystem(subsystem).namespace(1) == null ? " finds none" : " runs"));
        }
    }

    @Test
    void parkedCommandsBeginAgainInTheirOrderWithTheNewView() throws Exception {
        fixture.disk("D0");
        add("D0");
        GroupSubsystem group = fixture.on(0, subsystem);
        GroupNamespace busy = namespace(0, 1);
        fixture.manual.run(fixture.thread(0), busy::begin);
        Future<Void> removal = beginRemoval(1);
        fixture.driveUntil(() -> isPaused(0, 1));
        List<String> log = new ArrayList<>();
        fixture.manual.run(fixture.thread(0), () -> {
            group.park(new Command("a", log));
            group.park(new Command("b", log));
        });
        assertEquals(List.of(), log);
        fixture.manual.run(fixture.thread(0), busy::end);
        fixture.end(removal);
        assertEquals(List.of("a finds none", "b finds none"), log);
    }

    @Test
    void racingChangesComeOneAfterTheOther() throws Exception {
        fixture.disk("D0");
        fixture.disk("D1");
        add("D0");
        GroupNamespace busy = namespace(0, 1);
        fixture.manual.run(fixture.thread(0), busy::begin);
        Future<Void> removal = beginRemoval(1);
        fixture.driveUntil(() -> isPaused(0, 1));
        Future<Long> addition = fixture.begin(() -> subsystem.addNamespace(NamespaceRequest.of("D1")));
        Future<Void> twice = beginRemoval(1);
        fixture.manual.settle();
        assertFalse(addition.isDone());
        fixture.manual.run(fixture.thread(0), busy::end);
        fixture.end(removal);
        // The number is free again, and the second removal finds either the new namespace or none.
        assertEquals(1, fixture.end(addition));
        try {
            fixture.end(twice);
            assertEquals(List.of(), subsystem.view().namespaces());
        } catch (RpcException e) {
            assertTrue(e.getMessage().contains("nsid=1"), e.getMessage());
            assertEquals("D1", subsystem.view().find(1).orElseThrow().bdev().name());
        }
    }

    @Test
    void usersOfTheViewAreToldOfEachChangeOnTheirThread() throws Exception {
        List<Long> versions = new ArrayList<>();
        GroupSubsystem group = fixture.on(1, subsystem);
        ViewUser user = view -> {
            assertTrue(fixture.thread(1).isCurrent());
            assertEquals(State.PAUSED, subsystem.state());
            versions.add(view.version());
        };
        fixture.manual.run(fixture.thread(1), () -> group.addUser(user));
        fixture.disk("D0");
        add("D0");
        assertEquals(List.of(subsystem.view().version()), versions);
        fixture.manual.run(fixture.thread(1), () -> group.removeUser(user));
        fixture.end(beginRemoval(1));
        assertEquals(1, versions.size());
    }

    // ---- what happens to devices ------------------------------------------------------------------------------

    @Test
    void aDeviceThatGoesAwayUnderUseTakesItsNamespaceAlong() throws Exception {
        FakeDisk disk = fixture.disk("D0");
        add("D0");
        fixture.engine.told.clear();
        GroupNamespace busy = namespace(1, 1);
        fixture.manual.run(fixture.thread(1), busy::begin);
        Future<Void> unregistering = fixture.begin(() -> {
            fixture.registry.unregister(fixture.registry.get("D0"));
            return null;
        });
        fixture.driveUntil(() -> isPaused(1, 1));
        assertFalse(unregistering.isDone());
        assertEquals(2, disk.channels());
        fixture.manual.run(fixture.thread(1), busy::end);
        fixture.end(unregistering);
        assertEquals(List.of(), subsystem.view().namespaces());
        fixture.driveUntil(() -> fixture.engine.told.contains("namespace 1"));
    }

    @Test
    void aDeviceThatGrowsIsSeenByThePollGroups() throws Exception {
        fixture.disk("D0");
        add("D0");
        fixture.engine.told.clear();
        GroupNamespace before = namespace(0, 1);
        fixture.registry.resize(fixture.registry.get("D0"), 2 * FakeDisk.BLOCKS);
        fixture.driveUntil(() -> fixture.engine.told.contains("namespace 1"));
        assertEquals(2 * FakeDisk.BLOCKS, namespace(0, 1).namespace().numBlocks());
        assertEquals(before, namespace(0, 1));
        assertEquals(2 * FakeDisk.BLOCKS, subsystem.view().find(1).orElseThrow().numBlocks());
    }

    // ---- hosts and masks --------------------------------------------------------------------------------------

    @Test
    void admitsTheHostsThatAreNamedOrAll() throws Exception {
        fixture.control(() -> {
            subsystem.allowAnyHost(false);
            return null;
        });
        assertFalse(subsystem.view().admits(HOST));
        fixture.control(() -> {
            subsystem.addHost(HOST);
            return null;
        });
        assertTrue(subsystem.view().admits(HOST));
        Exception twice = assertThrows(IllegalArgumentException.class, () -> fixture.control(() -> {
            subsystem.addHost(HOST);
            return null;
        }));
        assertTrue(twice.getMessage().contains("host=" + HOST), twice.getMessage());
        fixture.control(() -> {
            subsystem.removeHost(HOST, 0);
            return null;
        });
        assertFalse(subsystem.view().admits(HOST));
        assertEquals(List.of("disconnect host " + HOST), fixture.engine.told);
    }

    @Test
    void showsAMaskedNamespaceToTheHostsThatAreNamed() throws Exception {
        fixture.disk("D0");
        fixture.disk("D1");
        fixture.control(() -> subsystem.addNamespace(new NamespaceRequest("D0", OptionalLong.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.empty(), false)));
        add("D1");
        assertFalse(namespace(0, 1).namespace().visibleTo(HOST));
        assertTrue(namespace(0, 2).namespace().visibleTo(HOST));
        fixture.control(() -> {
            subsystem.setVisible(1, HOST, true);
            return null;
        });
        assertTrue(namespace(0, 1).namespace().visibleTo(HOST));
        assertFalse(namespace(0, 1).namespace().visibleTo(HOST + "2"));
        Exception refused = assertThrows(IllegalArgumentException.class, () -> fixture.control(() -> {
            subsystem.setVisible(2, HOST, true);
            return null;
        }));
        assertTrue(refused.getMessage().contains("no_auto_visible"), refused.getMessage());
    }

    // ---- ANA --------------------------------------------------------------------------------------------------

    @Test
    void anaStatesAreSetByListenerAndGroup() throws Exception {
        NvmfSubsystem ana = fixture.subsystem("nqn.2016-06.io.spdk:ana", TargetFixture.options(4, true));
        fixture.control(() -> {
            ana.addListener(address("127.0.0.1"), Optional.empty(), AnaState.NON_OPTIMIZED);
            ana.setAnaState(address("127.0.0.1"), AnaState.INACCESSIBLE, OptionalLong.of(3));
            return null;
        });
        AnaStates states = ana.view().listener(address("127.0.0.1")).orElseThrow().states();
        assertEquals(AnaState.NON_OPTIMIZED, states.state(1));
        assertEquals(AnaState.INACCESSIBLE, states.state(3));
        Exception refused = assertThrows(IllegalArgumentException.class, () -> fixture.control(() -> {
            ana.setAnaState(address("127.0.0.1"), AnaState.OPTIMIZED, OptionalLong.of(5));
            return null;
        }));
        assertTrue(refused.getMessage().contains("anagrpid=5 is outside 1..4"), refused.getMessage());
        fixture.control(() -> {
            ana.setAnaState(address("127.0.0.1"), AnaState.OPTIMIZED, OptionalLong.empty());
            return null;
        });
        assertEquals(AnaState.OPTIMIZED, ana.view().listener(address("127.0.0.1")).orElseThrow().states().state(3));
        assertTrue(fixture.engine.told.contains("ana 127.0.0.1"));
    }

    // ---- life -------------------------------------------------------------------------------------------------

    @Test
    void aDeletionWaitsForItsCommandsAndIsToldOnce() throws Exception {
        FakeDisk disk = fixture.disk("D0");
        add("D0");
        GroupNamespace busy = namespace(0, 1);
        fixture.manual.run(fixture.thread(0), busy::begin);
        Future<Void> deletion = fixture.begin(() -> {
            fixture.target.deleteSubsystem(TargetFixture.NQN);
            return null;
        });
        fixture.driveUntil(() -> fixture.manual.run(fixture.thread(0),
                () -> fixture.group(0).subsystem(subsystem).isPaused(1)));
        assertFalse(deletion.isDone());
        assertNotNull(fixture.on(0, subsystem));
        fixture.manual.run(fixture.thread(0), busy::end);
        fixture.end(deletion);
        assertEquals(0, disk.channels());
        assertEquals("", fixture.registry.get("D0").claimedBy());
        assertNull(fixture.on(0, subsystem));
        assertEquals(State.INACTIVE, subsystem.state());
        assertTrue(fixture.engine.told.contains("disconnect " + TargetFixture.NQN));
        assertThrows(RpcException.class,
                () -> fixture.control(() -> subsystem.addNamespace(NamespaceRequest.of("D0"))));
        subsystem = fixture.subsystem(); // the name is free again
        assertEquals(1, add("D0"));
    }
}
