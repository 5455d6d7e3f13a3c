package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.log.ReservationNotificationLog;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/// A controller's Reservation Notification log pages (base specification 2.0, 5.16.1), oldest first. On the controller's
/// thread.
final class ReservationLog {
    /// A page tells how many follow it, at most 255.
    private static final int MAX_PAGES = 256;

    private record Page(long count, int type, long nsid) {}

    private final Deque<Page> pages = new ArrayDeque<>();
    private long count;

    /// Adds a page; one too many is lost, which a host sees by the gap in the counts.
    void add(long nsid, int type) {
        count = count == -1 ? 1 : count + 1; // 0 stands for no page
        if (pages.size() < MAX_PAGES) {
            pages.add(new Page(count, type, nsid));
        }
    }

    /// Writes the oldest page, all zeroes if there is none, and takes it away unless it is retained.
    void read(MemorySegment into, boolean retain) {
        Page page = retain ? pages.peek() : pages.poll();
        if (page != null) {
            ReservationNotificationLog.LOG_PAGE_COUNT.set(into, 0, page.count());
            ReservationNotificationLog.TYPE.set(into, 0, page.type());
            ReservationNotificationLog.AVAILABLE_LOG_PAGES.set(into, 0, retain ? pages.size() - 1 : pages.size());
            ReservationNotificationLog.NSID.set(into, 0, page.nsid());
        }
    }

    /// The controller is reset.
    void clear() {
        pages.clear();
        count = 0;
    }
}
