package io.spindrift.framework.trace;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which probes are where: puts together what each reactor's slots hold, and sends the changes to their owners.
///
/// Control path; its user serialises the calls.
final class ProbeBoard {
    private final List<ProbeOwner> owners;
    /// By tracepoint index: what fires there, each entry with one probe for each owner.
    private final Map<Integer, List<List<? extends Probe>>> layers = new HashMap<>();

    ProbeBoard(List<? extends ProbeOwner> owners) {
        this.owners = List.copyOf(owners);
    }

    List<ProbeOwner> owners() {
        return owners;
    }

    /// Adds probes at several tracepoints; each list has one for each owner. They fire when this returns.
    void add(Map<Integer, ? extends List<? extends Probe>> probes) {
        probes.forEach((index, each) -> layers.computeIfAbsent(index, unused -> new ArrayList<>()).add(each));
        install(probes.keySet());
    }

    /// Takes probes back that [#add] put there. They have fired for the last time when this returns.
    void remove(Map<Integer, ? extends List<? extends Probe>> probes) {
        probes.forEach((index, each) -> {
            List<List<? extends Probe>> there = layers.get(index);
            there.removeIf(layer -> layer == each);
            if (there.isEmpty()) {
                layers.remove(index);
            }
        });
        install(probes.keySet());
    }

    private void install(Collection<Integer> indices) {
        for (int i = 0; i < owners.size(); i++) {
            Map<Integer, Probe> slots = new HashMap<>();
            for (int index : indices) {
                int owner = i;
                slots.put(index, CompositeProbe.of(layers.getOrDefault(index, List.of()).stream()
                        .<Probe>map(layer -> layer.get(owner)).toList()));
            }
            ReactorProbes probes = owners.get(i).probes();
            owners.get(i).run(() -> slots.forEach(probes::set));
        }
    }
}
