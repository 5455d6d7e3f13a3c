package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.spi.BdevModule;
import io.spindrift.bdev.spi.BdevModuleContext;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BdevRegistryTest {
    private static final UUID ONE = UUID.fromString("38c40683-88fe-446b-8db0-6b815396b2e7");

    private final BdevFixture fixture = new BdevFixture();
    private final BdevRegistry registry = fixture.registry;

    @AfterEach
    void close() {
        fixture.close();
    }

    private Bdev register(String name, Optional<UUID> uuid) {
        FakeDisk disk = new FakeDisk(fixture.manual.reactors(), 512, 8, BdevFixture.READ_WRITE);
        return registry.register(disk, disk, BdevRegistration.of(name, "Fake disk", uuid, 8, BdevGeometry.of(512)));
    }

    private static void assertErrno(int errno, String text, org.junit.jupiter.api.function.Executable action) {
        ErrnoException thrown = assertThrows(ErrnoException.class, action);
        assertEquals(errno, thrown.errno(), thrown.getMessage());
        assertTrue(thrown.getMessage().contains(text), thrown.getMessage());
    }

    @Test
    void findsADeviceByNameAndUuid() {
        Bdev bdev = register("d", Optional.of(ONE));
        assertSame(bdev, registry.get("d"));
        assertSame(bdev, registry.get(ONE.toString()));
        assertEquals(List.of(ONE.toString()), bdev.aliases());
        assertErrno(Errno.ENODEV, "'none'", () -> registry.get("none"));
    }

    @Test
    void refusesANameOrUuidThatIsTakenAndLeavesNothingBehind() {
        register("d", Optional.of(ONE));
        assertErrno(Errno.EEXIST, "name 'd' is taken", () -> register("d", Optional.empty()));
        assertErrno(Errno.EEXIST, "uuid '" + ONE, () -> register("e", Optional.of(ONE)));
        assertErrno(Errno.EEXIST, "name '" + ONE, () -> register(ONE.toString(), Optional.empty()));
        assertFalse(registry.find("e").isPresent());
        assertEquals(1, registry.bdevs().size());
        register("e", Optional.empty());
    }

    @Test
    void limitsTheLengthOfAName() {
        register("n".repeat(255), Optional.empty());
        assertErrno(Errno.EINVAL, "256 bytes; 1 to 255", () -> register("n".repeat(256), Optional.empty()));
        assertErrno(Errno.EINVAL, "0 bytes; 1 to 255", () -> register("", Optional.empty()));
        assertErrno(Errno.EINVAL, "256 bytes; 1 to 255", () -> register("ä".repeat(128), Optional.empty()));
    }

    @Test
    void refusesASizeThatOverflows() {
        assertErrno(Errno.EINVAL, "num_blocks=18014398509481984",
                () -> FakeDisk.registration("d", 1L << 54, BdevGeometry.of(512)));
        assertThrows(IllegalArgumentException.class, () -> FakeDisk.registration("d", 0, BdevGeometry.of(512)));
    }

    @Test
    void aClaimRefusesWriters() {
        Bdev bdev = register("d", Optional.empty());
        BdevDescriptor reader = registry.open("d", false, fixture.a, BdevEvents.IGNORE);
        BdevDescriptor owner = registry.open("d", true, fixture.a, BdevEvents.IGNORE);
        registry.claim(owner, ClaimType.EXCLUSIVE_WRITE, bdev.module());
        assertErrno(Errno.EPERM, "the module fake has claimed it (exclusive_write)",
                () -> registry.open("d", true, fixture.a, BdevEvents.IGNORE));
        assertErrno(Errno.EPERM, "claimed by the module fake",
                () -> registry.claim(reader, ClaimType.EXCLUSIVE_WRITE, bdev.module()));
        registry.releaseClaim(bdev);
        BdevDescriptor writer = registry.open("d", true, fixture.a, BdevEvents.IGNORE);
        assertErrno(Errno.EPERM, "open for writing elsewhere",
                () -> registry.claim(owner, ClaimType.EXCLUSIVE_WRITE, bdev.module()));
        List.of(reader, owner, writer).forEach(BdevDescriptor::close);
    }

    @Test
    void removalTellsTheHoldersAndWaitsForThem() throws Exception {
        Bdev bdev = register("d", Optional.empty());
        List<String> told = new ArrayList<>();
        BdevDescriptor descriptor = registry.open("d", true, fixture.a, d -> told.add("removed"));
        BdevChannel channel = fixture.channel(descriptor, fixture.a);
        Future<?> removal = fixture.manual.reactors().control().submit(() -> {
            registry.unregister(bdev);
            return null;
        });
        fixture.manual.stepUntil(() -> !told.isEmpty());
        assertErrno(Errno.ENODEV, "is being removed", () -> registry.open("d", true, fixture.a, BdevEvents.IGNORE));
        assertErrno(Errno.EBUSY, "is being removed already", () -> registry.unregister(bdev));
        fixture.manual.run(fixture.a, channel::release);
        descriptor.close();
        fixture.manual.stepUntil(removal::isDone);
        removal.get();
        assertTrue(((FakeDisk) bdev.backend()).destroyed);
        assertFalse(registry.find("d").isPresent());
        assertFalse(registry.find(bdev.uuid().toString()).isPresent());
        register("d", Optional.empty());
    }

    @Test
    void resizeTellsTheHoldersAndRefusesToShrinkAnOpenDevice() {
        Bdev bdev = register("d", Optional.empty());
        List<Long> sizes = new ArrayList<>();
        BdevDescriptor descriptor = registry.open("d", true, fixture.a, new BdevEvents() {
            @Override
            public void removed(BdevDescriptor d) {}

            @Override
            public void resized(BdevDescriptor d) {
                sizes.add(d.bdev().numBlocks());
            }
        });
        registry.resize(bdev, 16);
        fixture.manual.settle();
        assertEquals(List.of(16L), sizes);
        assertErrno(Errno.EBUSY, "cannot shrink from 16 to 8 blocks", () -> registry.resize(bdev, 8));
        descriptor.close();
        registry.resize(bdev, 8);
        assertEquals(8, bdev.numBlocks());
    }

    @Test
    void everyoneWhoWaitsForExaminationsWaitsForAllOfThem() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        registry.add(new BdevModule() {
            @Override
            public String name() {
                return "slow";
            }

            @Override
            public void init(BdevModuleContext context) {}

            @Override
            public void examine(Bdev bdev) throws Exception {
                end.await();
            }
        });
        registry.examine(register("d", Optional.empty()));
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            waiting.add(fixture.manual.reactors().control().submit(() -> {
                registry.waitForExamine();
                return null;
            }));
        }
        for (Future<?> one : waiting) {
            assertThrows(TimeoutException.class, () -> one.get(100, TimeUnit.MILLISECONDS));
        }
        end.countDown();
        for (Future<?> one : waiting) {
            one.get();
        }
    }

    @Test
    void removingAllWaitsForARemovalUnderWay() throws Exception {
        Bdev held = register("held", Optional.empty());
        Bdev other = register("other", Optional.empty());
        BdevDescriptor descriptor = registry.open("held", true, fixture.a, BdevEvents.IGNORE);
        Future<?> removal = fixture.manual.reactors().control().submit(() -> {
            registry.unregister(held);
            return null;
        });
        while (!held.removing()) {
            Thread.onSpinWait();
        }
        Future<?> all = fixture.manual.reactors().control().submit(() -> {
            registry.unregisterAll();
            return null;
        });
        assertThrows(TimeoutException.class, () -> all.get(100, TimeUnit.MILLISECONDS));
        descriptor.close();
        all.get();
        removal.get();
        assertTrue(((FakeDisk) held.backend()).destroyed);
        assertTrue(((FakeDisk) other.backend()).destroyed);
        assertEquals(List.of(), registry.bdevs());
    }
}
