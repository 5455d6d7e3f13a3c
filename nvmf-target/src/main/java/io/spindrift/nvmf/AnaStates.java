package io.spindrift.nvmf;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/// The access states of all ANA groups at one listener: one that most have, and those of the others. Immutable.
public final class AnaStates {
    private final AnaState common;
    /// Ascending.
    private final long[] groups;
    private final AnaState[] states;

    private AnaStates(AnaState common, SortedMap<Long, AnaState> others) {
        this.common = common;
        this.groups = others.keySet().stream().mapToLong(Long::longValue).toArray();
        this.states = others.values().toArray(AnaState[]::new);
    }

    /// `state` for every group.
    public static AnaStates all(AnaState state) {
        return new AnaStates(state, new TreeMap<>());
    }

    /// These, but `state` for one group.
    public AnaStates with(long group, AnaState state) {
        SortedMap<Long, AnaState> others = others();
        if (state == common) {
            others.remove(group);
        } else {
            others.put(group, state);
        }
        return new AnaStates(common, others);
    }

    /// The state of a group. Any thread; allocates nothing.
    public AnaState state(long group) {
        int index = Arrays.binarySearch(groups, group);
        return index < 0 ? common : states[index];
    }

    /// The state of the groups that are not in [#others()].
    public AnaState common() {
        return common;
    }

    /// The groups with another state.
    public SortedMap<Long, AnaState> others() {
        SortedMap<Long, AnaState> others = new TreeMap<>();
        for (int i = 0; i < groups.length; i++) {
            others.put(groups[i], states[i]);
        }
        return others;
    }
}
