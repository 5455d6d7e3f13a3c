package io.spindrift.framework.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageQueueTest {
    private static final class Numbered extends Message {
        final int producer;
        final int number;

        Numbered(int producer, int number) {
            this.producer = producer;
            this.number = number;
        }

        @Override
        protected void run() {}
    }

    @Test
    void givesMessagesInOrderAndThenNothing() {
        MessageQueue queue = new MessageQueue();
        assertTrue(queue.isEmpty());
        List<Message> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Message message = new Numbered(0, i);
            sent.add(message);
            queue.offer(message);
            assertFalse(queue.isEmpty());
        }
        for (Message message : sent) {
            assertSame(message, queue.poll());
        }
        assertNull(queue.poll());
        assertTrue(queue.isEmpty());
    }

    @Test
    void takesAMessageAgainOnceItWasHandedOut() {
        MessageQueue queue = new MessageQueue();
        Message message = new Numbered(0, 0);
        for (int i = 0; i < 1000; i++) {
            queue.offer(message);
            assertSame(message, queue.poll());
            assertNull(queue.poll());
        }
    }

    @Test
    void losesAndReordersNothingUnderFourProducers() throws InterruptedException {
        int producers = 4;
        int each = 200_000;
        MessageQueue queue = new MessageQueue();
        List<Thread> threads = new ArrayList<>();
        for (int p = 0; p < producers; p++) {
            int producer = p;
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    queue.offer(new Numbered(producer, i));
                }
            }));
        }
        int[] next = new int[producers];
        for (int taken = 0; taken < producers * each;) {
            Numbered message = (Numbered) queue.poll();
            if (message != null) {
                assertEquals(next[message.producer]++, message.number);
                taken++;
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertNull(queue.poll());
        assertTrue(queue.isEmpty());
    }
}
