package io.spindrift.bdev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.bdev.BdevFixture.Outcome;
import io.spindrift.framework.memory.BufferPoolOptions;
import io.spindrift.framework.memory.IoVector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pooled I/Os: who gets one when there are few.
class BdevIoPoolTest extends BdevChannelFixture {
    @Test
    void aCallerThatFindsThePoolEmptyIsToldWhenAnIoComesFree() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(4, 4, false, 0, 0), BufferPoolOptions.DEFAULT);
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        for (int i = 0; i < 4; i++) {
            fixture.begin(channel, o -> assertTrue(channel.write(data, 0, 1, o)));
        }
        List<String> told = new ArrayList<>();
        fixture.manual.run(fixture.a, () -> {
            assertFalse(channel.write(data, 0, 1, new Outcome()));
            channel.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    told.add("told");
                    assertTrue(channel.write(data, 0, 1, new Outcome()));
                }
            });
        });
        fixture.manual.settle();
        assertEquals(List.of(), told);
        fixture.manual.run(fixture.a, disk::finishOldest);
        assertEquals(List.of("told"), told);
    }

    @Test
    void channelsGiveBackWhatTheyNeedNotKeepWhenAnotherLacksIos() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(40, 8, false, 0, 0), BufferPoolOptions.DEFAULT);
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevDescriptor descriptor = fixture.open("d");
        BdevChannel rich = fixture.channel(descriptor, fixture.a);
        BdevChannel poor = fixture.channel(descriptor, fixture.b);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        for (int i = 0; i < 40; i++) {
            fixture.begin(rich, o -> assertTrue(rich.write(data, 0, 1, o)));
        }
        List<String> told = new ArrayList<>();
        fixture.manual.run(fixture.b, () -> {
            assertFalse(poor.write(data, 0, 1, new Outcome()));
            poor.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    told.add("told");
                    assertTrue(poor.write(data, 0, 1, new Outcome()));
                }
            });
        });
        fixture.manual.stepAll();
        assertEquals(List.of(), told, "none is free yet");
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.stepUntil(() -> !told.isEmpty());
        assertEquals(39, rich.inFlight());
        assertEquals(1, poor.inFlight());
    }

    private static IoWaiter waiter(String name, List<String> told) {
        return new IoWaiter() {
            @Override
            protected void ioAvailable() {
                told.add(name);
            }
        };
    }

    @Test
    void whoWaitsNoMoreIsNotToldAndTheOthersAreInTheirOrder() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(1, 1, false, 0, 0), BufferPoolOptions.DEFAULT);
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        fixture.begin(channel, o -> assertTrue(channel.write(data, 0, 1, o)));
        List<String> told = new ArrayList<>();
        List<IoWaiter> waiters = List.of(waiter("0", told), waiter("1", told), waiter("2", told), waiter("3", told));
        fixture.manual.run(fixture.a, () -> {
            assertFalse(channel.cancelWait(waiters.get(0)));
            waiters.forEach(channel::waitForIo);
            for (int cancelled : new int[]{3, 0, 2}) {
                assertTrue(channel.cancelWait(waiters.get(cancelled)));
                assertFalse(channel.cancelWait(waiters.get(cancelled)));
            }
            channel.waitForIo(waiters.get(0));
            disk.finishOldest();
        });
        fixture.manual.settle();
        assertEquals(List.of("1", "0"), told);
        fixture.begin(channel, o -> assertTrue(channel.write(data, 0, 1, o)));
        fixture.manual.run(fixture.a, () -> {
            channel.waitForIo(waiters.get(3));
            assertTrue(channel.cancelWait(waiters.get(3)));
        });
        assertFalse(fixture.registry.budget().anyStarving());
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.settle();
        assertEquals(List.of("1", "0"), told);
    }

    @Test
    void aWaiterThatThrowsKeepsNoOtherCompletionBack() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(2, 2, false, 0, 0), BufferPoolOptions.DEFAULT);
        fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel channel = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        Outcome second = new Outcome();
        fixture.manual.run(fixture.a, () -> {
            assertTrue(channel.write(data, 0, 1, new Outcome()));
            assertTrue(channel.write(data, 1, 1, second));
            assertFalse(channel.write(data, 2, 1, new Outcome()));
            channel.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    throw new IllegalStateException("broken caller");
                }
            });
        });
        fixture.manual.settle();
        assertEquals(0L, second.status);
        assertEquals(0, channel.inFlight());
        assertTrue(fixture.manual.reports().getLast().contains("broken caller"), fixture.manual.reports().toString());
    }

    @Test
    void aReleasedChannelForgetsThoseWhoWaitForAnIo() {
        fixture.close();
        fixture = new BdevFixture(new BdevOptions(1, 1, false, 0, 0), BufferPoolOptions.DEFAULT);
        FakeDisk disk = fixture.disk("d", BLOCKS, BdevGeometry.of(512), BdevFixture.READ_WRITE);
        BdevChannel rich = fixture.channel(fixture.open("d"), fixture.a);
        BdevChannel poor = fixture.channel(fixture.open("d"), fixture.a);
        IoVector data = vector(random(512), 0, 512);
        disk.behaviour = FakeDisk.Behaviour.HOLD;
        fixture.begin(rich, o -> assertTrue(rich.write(data, 0, 1, o)));
        List<String> told = new ArrayList<>();
        fixture.manual.run(fixture.a, () -> {
            assertFalse(poor.write(data, 0, 1, new Outcome()));
            poor.waitForIo(new IoWaiter() {
                @Override
                protected void ioAvailable() {
                    told.add("told");
                }
            });
            poor.release();
        });
        fixture.manual.stepAll();
        fixture.manual.run(fixture.a, disk::finishOldest);
        fixture.manual.run(fixture.a, rich::release);
        fixture.manual.settle();
        assertEquals(List.of(), told);
        assertFalse(fixture.registry.budget().anyStarving());
        assertEquals(1, fixture.registry.budget().left());
    }
}
