package io.spindrift.sock;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.thread.IoThread;
import io.spindrift.framework.thread.Reactors;
import io.spindrift.sock.spi.SockGroupContext;
import io.spindrift.sock.spi.SockImplementation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/// An application's sockets: the implementations there are, their options, and where groups and connections come from.
///
/// Any thread, unless a method says otherwise.
public final class Sockets {
    /// The implementation until another is made the default.
    public static final String POSIX = "posix";

    private final Reactors reactors;
    private final Log log;
    private final Map<String, SockImplementation> implementations = new LinkedHashMap<>();
    private final Map<String, SockImplOptions> options = new LinkedHashMap<>();
    private final Map<String, SockStats> ended = new LinkedHashMap<>();
    private final List<SockGroup> groups = new ArrayList<>();
    private final Map<Integer, IoThread> placements = new ConcurrentHashMap<>();
    private String defaultImplementation = POSIX;

    /// Sockets of the given implementations; `posix` is one of them.
    public Sockets(Reactors reactors, Log log, Iterable<SockImplementation> available) {
        this.reactors = reactors;
        this.log = log;
        for (SockImplementation implementation : available) {
            implementations.put(implementation.name(), implementation);
        }
        SockOptionDefaults.fill(options, implementations.values());
        implementations.keySet().forEach(name -> ended.put(name, new SockStats()));
    }

    /// With every implementation that is visible from `layer`.
    public static Sockets load(Reactors reactors, Log log, ModuleLayer layer) {
        return new Sockets(reactors, log, ServiceLoader.load(layer, SockImplementation.class));
    }

    // ---- implementations and their options --------------------------------------------------------------------

    /// Their names.
    public List<String> implementations() {
        return List.copyOf(implementations.keySet());
    }

    public synchronized String defaultImplementation() {
        return defaultImplementation;
    }

    /// Makes `name` what is used where nobody asks for another. [IllegalArgumentException] if there is none of the name.
    public synchronized void defaultImplementation(String name) {
        defaultImplementation = implementation(name).name();
    }

    /// The options of `name`, which may be one that can be configured but is not there to be used. [IllegalArgumentException]
    /// if it is unknown.
    public synchronized SockImplOptions options(String name) {
        SockImplOptions found = options.get(name);
        if (found == null) {
            throw new IllegalArgumentException("impl_name=" + name + " is not a sock implementation; there are: "
                    + String.join(", ", options.keySet()));
        }
        return found;
    }

    /// Sets the options of `name`, for groups and connections made from now on.
    public synchronized void options(String name, SockImplOptions changed) {
        options(name);
        options.put(name, changed);
    }

    /// All that can be configured and how it is, in the order in which a configuration is saved.
    public synchronized Map<String, SockImplOptions> allOptions() {
        return new LinkedHashMap<>(options);
    }

    private SockImplementation implementation(String name) {
        SockImplementation found = implementations.get(name);
        if (found == null) {
            throw new IllegalArgumentException("impl_name=" + name + " is not a sock implementation that can be used; "
                    + "there are: " + String.join(", ", implementations.keySet()));
        }
        return found;
    }

    // ---- groups -----------------------------------------------------------------------------------------------

    /// A new group of the default implementation. On `thread`; whoever made it closes it.
    public SockGroup group(IoThread thread) {
        return group(thread, defaultImplementation());
    }

    /// A new group. On `thread`; whoever made it closes it.
    ///
    /// @throws IllegalArgumentException if there is no such implementation
    /// @throws RuntimeException if the kernel refuses what it needs; the message says what and why
    public SockGroup group(IoThread thread, String name) {
        assert thread.isCurrent();
        SockImplementation implementation = implementation(name);
        SockGroup[] made = new SockGroup[1];
        made[0] = implementation.createGroup(new SockGroupContext(thread, name, options(name), new SockStats(), log,
                () -> forget(made[0])));
        synchronized (this) {
            groups.add(made[0]);
        }
        made[0].start();
        return made[0];
    }

    private synchronized void forget(SockGroup group) {
        groups.remove(group);
        ended.get(group.implementation()).addAll(group.stats());
        placements.values().removeIf(placed -> placed == group.thread());
    }

    /// What all groups of `name` have counted, those that have ended included.
    public synchronized SockStats stats(String name) {
        implementation(name);
        SockStats sum = new SockStats();
        sum.addAll(ended.get(name));
        groups.stream().filter(group -> group.implementation().equals(name)).map(SockGroup::stats).forEach(sum::addAll);
        return sum;
    }

    /// The thread that is best for `connection`, of the implementation `name`: that of others from the same queue of the
    /// network card, so that one core serves both. If it is the first from there, or nothing is known (see
    /// [SockImplOptions#enablePlacementId()]): `hint`, and from then on for those that follow it, as long as the thread has
    /// a group.
    public IoThread optimalThread(DetachedSock connection, String name, IoThread hint) {
        int id = connection.placementId(options(name));
        return id < 0 ? hint : placements.computeIfAbsent(id, _ -> hint);
    }

    // ---- connections ------------------------------------------------------------------------------------------

    /// Connects to a name or literal address, with the options of the implementation `name`. Waits: control path only.
    ///
    /// @throws io.spindrift.framework.ErrnoException naming the address and the reason; ETIMEDOUT if nobody has answered
    ///         within `timeoutNanos`
    public DetachedSock connect(String host, int port, String name, SockOptions sockOptions, long timeoutNanos)
            throws Exception {
        return new Connecting(reactors.control(), sockOptions, options(name), timeoutNanos).to(host, port);
    }
}
