package io.spindrift.nvmf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.Bdev;
import io.spindrift.bdev.BdevGeometry;
import io.spindrift.bdev.BdevOptions;
import io.spindrift.bdev.BdevRegistry;
import io.spindrift.framework.ErrnoException;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.BufferPools;
import io.spindrift.framework.memory.Memory;
import io.spindrift.framework.memory.MemoryOptions;
import io.spindrift.framework.notify.Notifications;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.thread.CpuMask;
import io.spindrift.framework.thread.ReactorEvents;
import io.spindrift.framework.thread.ReactorOptions;
import io.spindrift.framework.thread.Reactors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Changes from many control threads at once, while real reactors have commands for the namespaces that change.
class NvmfRaceTest {
    private static final int DISKS = 4;
    private static final int CHANGERS = 4;
    private static final int CHANGES = 150;

    private final List<String> reports = Collections.synchronizedList(new ArrayList<>());
    private final Queue<FakeDisk> disks = new ConcurrentLinkedQueue<>();
    private Reactors reactors;
    private BdevRegistry registry;
    private NvmfSubsystem subsystem;

    @Test
    void neitherLosesACommandNorAChannel() throws Exception {
        reactors = Reactors.start(new ReactorOptions("race", CpuMask.of(0, 1), 0, false, 0, new ReactorEvents() {
            @Override
            public void exception(String where, Throwable cause) {
                reports.add(where + ": " + cause);
            }

            @Override
            public void report(String sentence) {
                reports.add(sentence);
            }
        }));
        try {
            Memory memory = new Memory(new MemoryOptions(false, 64), reactors);
            registry = new BdevRegistry(reactors, new Notifications(), memory,
                    new BufferPools(memory, BufferPoolOptions.DEFAULT), BdevOptions.DEFAULT);
            for (int i = 1; i <= DISKS; i++) {
                register(i);
            }
            race();
        } finally {
            reactors.close();
        }
        assertEquals(List.of(), reports);
    }

    private void register(int number) {
        String name = "D" + number;
        disks.add(FakeDisk.register(registry, name, UUID.nameUUIDFromBytes(name.getBytes()), BdevGeometry.of(512)));
    }

    private void race() throws Exception {
        NvmfTargets targets = new NvmfTargets(registry, NvmfEngine.NONE);
        NvmfTarget target = targets.create("nvmf_tgt", TargetOptions.DEFAULT);
        subsystem = target.createSubsystem(TargetFixture.NQN, SubsystemOptions.DEFAULT, true);
        List<Traffic> traffic = target.pollGroups().stream().map(group -> new Traffic(group, subsystem, DISKS))
                .toList();
        traffic.forEach(Traffic::start);

        List<Future<Void>> changers = new ArrayList<>();
        for (int seed = 0; seed < CHANGERS; seed++) {
            Random random = new Random(seed);
            changers.add(reactors.control().submit(() -> {
                for (int i = 0; i < CHANGES; i++) {
                    attempt(random);
                }
                return null;
            }));
        }
        for (Future<Void> changer : changers) {
            changer.get();
        }

        traffic.forEach(Traffic::stop);
        target.deleteSubsystem(TargetFixture.NQN);
        traffic.forEach(group -> {
            assertEquals(0, group.stranded.get());
            assertTrue(group.ended.get() > 0);
            assertTrue(group.resumed.get() > 0);
        });
        disks.forEach(disk -> assertEquals(0, disk.channels()));
        registry.bdevs().forEach(bdev -> assertEquals("", bdev.claimedBy()));
        targets.close();
    }

    /// A change, which may find that another one has come before it.
    private void attempt(Random random) throws Exception {
        try {
            change(random, 1 + random.nextInt(DISKS));
        } catch (RpcException | IllegalArgumentException | ErrnoException refused) {
            assertTrue(refused.getMessage().contains("="), refused.getMessage());
        }
    }

    private void change(Random random, int number) throws Exception {
        switch (random.nextInt(6)) {
            case 0, 1 -> subsystem.addNamespace(NamespaceRequest.of("D" + number).withNsid(number));
            case 2 -> subsystem.removeNamespace(number);
            case 3 -> subsystem.allowAnyHost(random.nextBoolean());
            case 4 -> subsystem.setAnaGroup(number, 1 + random.nextInt(DISKS));
            case 5 -> removeOrGrow(random, number);
            default -> throw new AssertionError();
        }
    }

    private void removeOrGrow(Random random, int number) throws Exception {
        Bdev bdev = registry.find("D" + number).orElse(null);
        if (bdev == null || bdev.removing()) {
            return; // another changer is about to register it again
        }
        if (random.nextBoolean()) {
            registry.resize(bdev, bdev.numBlocks() + 1);
            return;
        }
        try {
            registry.unregister(bdev);
        } catch (ErrnoException another) {
            return; // is removing it
        }
        register(number);
    }
}
