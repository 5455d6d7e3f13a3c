package io.spindrift.framework.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An application's subsystems in an order in which each comes after those it depends on.
///
/// Immutable. Subsystems that do not depend on each other keep the order they were given in.
final class SubsystemGraph {
    private final Map<String, Subsystem> byName = new LinkedHashMap<>();
    private final List<Subsystem> order = new ArrayList<>();

    /// Orders `subsystems`. [IllegalArgumentException] names a subsystem that is there twice, one that is missing, or
    /// those that depend on each other in a circle.
    SubsystemGraph(List<Subsystem> subsystems) {
        for (Subsystem subsystem : subsystems) {
            if (byName.put(subsystem.name(), subsystem) != null) {
                throw new IllegalArgumentException("subsystem " + subsystem.name() + " is there twice");
            }
        }
        List<String> path = new ArrayList<>();
        byName.values().forEach(subsystem -> place(subsystem, path));
    }

    /// Puts `subsystem` after its dependencies. `path` holds the dependants that led here.
    private void place(Subsystem subsystem, List<String> path) {
        if (order.contains(subsystem)) {
            return;
        }
        int circle = path.indexOf(subsystem.name());
        path.add(subsystem.name());
        if (circle >= 0) {
            throw new IllegalArgumentException("subsystems depend on each other in a circle: "
                    + String.join(" -> ", path.subList(circle, path.size())));
        }
        for (String needed : subsystem.dependsOn()) {
            Subsystem dependency = byName.get(needed);
            if (dependency == null) {
                throw new IllegalArgumentException("subsystem " + subsystem.name() + " depends on " + needed
                        + ", which this program does not have");
            }
            place(dependency, path);
        }
        path.removeLast();
        order.add(subsystem);
    }

    /// The subsystems in starting order.
    List<Subsystem> order() {
        return List.copyOf(order);
    }

    /// The subsystem called `name`.
    Optional<Subsystem> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
