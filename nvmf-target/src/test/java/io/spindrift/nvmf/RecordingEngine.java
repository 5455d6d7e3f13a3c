package io.spindrift.nvmf;

import io.spindrift.nvmf.reservation.Notice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// Has no controllers, and remembers what it was told.
final class RecordingEngine implements NvmfEngine {
    final List<String> told = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void namespaceChanged(NvmfSubsystem subsystem, long nsid) {
        told.add("namespace " + nsid);
    }

    @Override
    public void anaChanged(NvmfSubsystem subsystem, NvmfListener listener) {
        told.add("ana " + listener.address().traddr());
    }

    @Override
    public void discoveryChanged(NvmfTarget target, Optional<String> hostNqn) {
        told.add("discovery " + hostNqn.orElse("all"));
    }

    @Override
    public void reservationNotice(NvmfSubsystem subsystem, long nsid, Notice notice) {
        told.add("reservation " + nsid + " " + notice.hostId().getLeastSignificantBits() + " " + notice.type());
    }

    @Override
    public void disconnectAll(NvmfSubsystem subsystem) {
        told.add("disconnect " + subsystem.nqn());
    }

    @Override
    public void disconnectHost(NvmfSubsystem subsystem, String hostNqn, long timeoutMillis) {
        told.add("disconnect host " + hostNqn);
    }

    @Override
    public void disconnectListener(NvmfSubsystem subsystem, NvmfListener listener) {
        told.add("disconnect listener " + listener.address().traddr());
    }
}
