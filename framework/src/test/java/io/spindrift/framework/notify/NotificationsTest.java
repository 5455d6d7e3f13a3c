package io.spindrift.framework.notify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NotificationsTest {
    private final Notifications notifications = new Notifications();

    @BeforeEach
    void register() {
        notifications.registerType("bdev_register");
        notifications.registerType("bdev_unregister");
    }

    @Test
    void listsTypesInTheOrderOfTheirRegistrationAndOnce() {
        notifications.registerType("bdev_register");

        assertEquals(List.of("bdev_register", "bdev_unregister"), notifications.types());
    }

    @Test
    void numbersEventsFromZero() {
        notifications.send("bdev_register", "Null0");
        notifications.send("bdev_unregister", "Null0");

        assertEquals(List.of(new Notification("bdev_register", "Null0", 0),
                new Notification("bdev_unregister", "Null0", 1)), notifications.list(0, Long.MAX_VALUE));
    }

    @Test
    void listsFromAnIdAtMostSoMany() {
        for (int i = 0; i < 10; i++) {
            notifications.send("bdev_register", "Null" + i);
        }

        assertEquals(List.of(new Notification("bdev_register", "Null7", 7),
                new Notification("bdev_register", "Null8", 8)), notifications.list(7, 2));
        assertEquals(List.of(), notifications.list(10, 2));
        assertEquals(List.of(), notifications.list(0, 0));
    }

    @Test
    void forgetsAllButTheLastEvents() {
        for (int i = 0; i < Notifications.HISTORY + 5; i++) {
            notifications.send("bdev_register", "Null" + i);
        }
        List<Notification> kept = notifications.list(0, Long.MAX_VALUE);

        assertEquals(Notifications.HISTORY, kept.size());
        assertEquals(5, kept.getFirst().id());
        assertEquals("Null" + (Notifications.HISTORY + 4), kept.getLast().ctx());
    }

    @Test
    void refusesATypeThatWasNotRegistered() {
        var refused = assertThrows(IllegalArgumentException.class, () -> notifications.send("bdev_lost", "Null0"));

        assertTrue(refused.getMessage().contains("type=bdev_lost"), refused.getMessage());
    }
}
