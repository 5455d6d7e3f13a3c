package io.spindrift.nvme.tcp;

import io.spindrift.framework.thread.IoChannel;
import io.spindrift.framework.thread.IoDevice;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.OwnerCounter;
import io.spindrift.nvme.DriverContext;
import io.spindrift.sock.SockGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// The poll groups of a transport with one implementation of sockets: a thread has one for all its queue pairs.
final class TcpPollGroups extends IoDevice<TcpPollGroups.Group> {
    /// What a group has counted. Written by its thread, read by any.
    static final class Counters {
        private final String thread;
        final OwnerCounter submitted = new OwnerCounter();
        final OwnerCounter completed = new OwnerCounter();

        Counters(String thread) {
            this.thread = thread;
        }

        String thread() {
            return thread;
        }

        Map<String, Object> values() {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("submitted_requests", submitted.get());
            values.put("nvme_completions", completed.get());
            return values;
        }
    }

    private final DriverContext context;
    private final String implementation;
    private final List<Counters> counters = new CopyOnWriteArrayList<>();

    TcpPollGroups(DriverContext context, String implementation) {
        super(context.reactors(), "nvme_tcp_" + implementation);
        this.context = context;
        this.implementation = implementation;
    }

    List<Counters> counters() {
        return counters;
    }

    @Override
    protected Group createChannel(IoThread thread) {
        Group group = new Group(this, thread, context.sockets().group(thread, implementation));
        counters.add(group.counters);
        return group;
    }

    /// One thread's.
    static final class Group extends IoChannel {
        private final TcpPollGroups groups;
        private final SockGroup socks;
        final Counters counters;

        Group(TcpPollGroups groups, IoThread thread, SockGroup socks) {
            super(groups, thread);
            this.groups = groups;
            this.socks = socks;
            this.counters = new Counters(thread.name());
        }

        SockGroup socks() {
            return socks;
        }

        @Override
        protected void onDestroy() {
            groups.counters.remove(counters);
            socks.close();
        }
    }
}
