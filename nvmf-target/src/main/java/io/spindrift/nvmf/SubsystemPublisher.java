package io.spindrift.nvmf;

import io.spindrift.nvme.spec.Nsid;
import java.util.List;

/// A subsystem as its target's poll groups know it: the view that was published last, and how the next one gets there.
///
/// Control path, under the subsystem's lock; [#view()] and [#state()] may be read by any thread.
final class SubsystemPublisher {
    private final NvmfSubsystem subsystem;
    private final List<PollGroup> groups;
    private volatile NvmfSubsystem.State state = NvmfSubsystem.State.INACTIVE;
    private volatile SubsystemView view;

    /// Nothing is published yet; `first` is what [#start()] begins with.
    SubsystemPublisher(NvmfSubsystem subsystem, List<PollGroup> groups, SubsystemView first) {
        this.subsystem = subsystem;
        this.groups = groups;
        this.view = first;
    }

    SubsystemView view() {
        return view;
    }

    NvmfSubsystem.State state() {
        return state;
    }

    /// Makes the subsystem known to every poll group, with its first view.
    void start() {
        for (PollGroup group : groups) {
            group.thread().run(() -> group.onAddSubsystem(subsystem).publish(view));
        }
        state = NvmfSubsystem.State.ACTIVE;
    }

    /// Makes `next` hold on every poll group while no command uses the namespace `nsid` (see [GroupSubsystem#pause]). If
    /// one of them cannot, the view before holds on all, and it throws.
    void publish(long nsid, SubsystemView next) {
        pause(nsid);
        state = NvmfSubsystem.State.PAUSED;
        try {
            publishOnAll(next);
        } finally {
            resume(groups);
            state = NvmfSubsystem.State.ACTIVE;
        }
        view = next;
    }

    /// As [#publish], for a change that commands need not wait for.
    void publishRunning(SubsystemView next) {
        publishOnAll(next);
        view = next;
    }

    /// Has every poll group forget the subsystem; `empty`, which has no namespaces, is the last view.
    void stop(SubsystemView empty) {
        pause(Nsid.BROADCAST);
        publishRunning(empty);
        for (PollGroup group : groups) {
            group.thread().run(() -> {
                group.subsystem(subsystem).resume();
                group.onRemoveSubsystem(subsystem);
            });
        }
        state = NvmfSubsystem.State.INACTIVE;
    }

    /// Returns when no command uses what is paused, and none begins to.
    private void pause(long nsid) {
        int paused = 0;
        try {
            for (PollGroup group : groups) {
                group.thread().callAsync(
                        reply -> group.subsystem(subsystem).pause(nsid, () -> reply.complete(null)));
                paused++;
            }
        } finally {
            if (paused < groups.size()) {
                resume(groups.subList(0, paused));
            }
        }
    }

    private void resume(List<PollGroup> paused) {
        for (PollGroup group : paused) {
            group.thread().run(() -> group.subsystem(subsystem).resume());
        }
    }

    private void publishOnAll(SubsystemView next) {
        SubsystemView before = view;
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
}
