package io.spindrift.framework.thread;

import java.util.Arrays;

/// A binary heap of timed pollers by their next run; each poller knows its place, so that removal is O(log n).
final class TimerHeap {
    private Poller[] heap = new Poller[8];
    private int size;

    int size() {
        return size;
    }

    /// The poller that runs next; null if there is none.
    Poller first() {
        return size == 0 ? null : heap[0];
    }

    Poller get(int index) {
        return heap[index];
    }

    void add(Poller poller) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        place(size++, poller);
        siftUp(poller.heapIndex);
    }

    void remove(Poller poller) {
        int index = poller.heapIndex;
        poller.heapIndex = -1;
        Poller last = heap[--size];
        heap[size] = null;
        if (last != poller) {
            place(index, last);
            siftDown(index);
            siftUp(last.heapIndex);
        }
    }

    /// Restores the order after the first poller's next run moved later.
    void firstMoved() {
        siftDown(0);
    }

    private void place(int index, Poller poller) {
        heap[index] = poller;
        poller.heapIndex = index;
    }

    private void siftUp(int index) {
        Poller poller = heap[index];
        while (index > 0) {
            int parent = (index - 1) >>> 1;
            if (heap[parent].nextRun - poller.nextRun <= 0) {
                break;
            }
            place(index, heap[parent]);
            index = parent;
        }
        place(index, poller);
    }

    private void siftDown(int index) {
        Poller poller = heap[index];
        while (true) {
            int child = 2 * index + 1;
            if (child >= size) {
                break;
            }
            if (child + 1 < size && heap[child + 1].nextRun - heap[child].nextRun < 0) {
                child++;
            }
            if (poller.nextRun - heap[child].nextRun <= 0) {
                break;
            }
            place(index, heap[child]);
            index = child;
        }
        place(index, poller);
    }
}
