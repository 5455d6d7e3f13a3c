package io.spindrift.nvmf;

import java.util.List;

/// Brings a subsystem's changes to its target's poll groups: pauses, publishes and resumes on each of them.
///
/// Control path, under the subsystem's lock.
final class SubsystemPublisher {
    private final NvmfSubsystem subsystem;
    private final List<PollGroup> groups;

    SubsystemPublisher(NvmfSubsystem subsystem, List<PollGroup> groups) {
        this.subsystem = subsystem;
        this.groups = groups;
    }

    /// Returns when no command uses what is paused, and none begins to.
    void pause(long nsid) {
        for (PollGroup group : groups) {
            group.thread().callAsync(
                    reply -> group.subsystem(subsystem).pause(nsid, () -> reply.complete(null)));
        }
    }

    void resume() {
        for (PollGroup group : groups) {
            group.thread().run(() -> group.subsystem(subsystem).resume());
        }
    }

    /// Makes `next` hold on every poll group. If one of them cannot, `before` holds on all, and it throws.
    void publish(SubsystemView next, SubsystemView before) {
        int published = 0;
        boolean complete = false;
        try {
            for (PollGroup group : groups) {
                group.thread().run(() -> group.subsystem(subsystem).publish(next));
                published++;
            }
            complete = true;
        } finally {
            if (!complete) {
                for (PollGroup group : groups.subList(0, published)) {
                    group.thread().run(() -> group.subsystem(subsystem).publish(before));
                }
            }
        }
    }

    /// Makes the subsystem known to every poll group, with its first view.
    void start(SubsystemView first) {
        for (PollGroup group : groups) {
            group.thread().run(() -> group.onAddSubsystem(subsystem).publish(first));
        }
    }

    /// Has every poll group forget the subsystem, which is paused and has no namespaces.
    void stop() {
        for (PollGroup group : groups) {
            group.thread().run(() -> {
                group.subsystem(subsystem).resume();
                group.onRemoveSubsystem(subsystem);
            });
        }
    }
}
