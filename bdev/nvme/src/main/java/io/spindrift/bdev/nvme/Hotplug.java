package io.spindrift.bdev.nvme;

import io.spindrift.nvme.TransportId;
import java.util.HashSet;
import java.util.Set;

/// Looks now and then for controllers that a transport can see, and attaches those that are new. On a control thread.
final class Hotplug {
    private static final String PREFIX = "HotInNvme";

    private final NvmeBdevs bdevs;
    private final PathSettings settings;
    private final Pause pause;
    /// Those that were tried: once, until they are gone.
    private final Set<TransportId> known = new HashSet<>();
    private int nextNumber;

    Hotplug(NvmeBdevs bdevs, PathSettings settings) {
        this.bdevs = bdevs;
        this.settings = settings;
        this.pause = new Pause(bdevs.reactors().appThread());
    }

    /// Begins to look, every `periodUs`.
    void start(long periodUs) {
        bdevs.reactors().control().submit(() -> {
            do {
                look();
            } while (pause.await(periodUs * 1000));
            return null;
        });
    }

    void stop() {
        pause.cancel();
    }

    private void look() {
        Set<TransportId> present = new HashSet<>(bdevs.driver().enumerate());
        known.retainAll(present);
        bdevs.subsystems().forEach(each -> each.paths().forEach(path -> known.addAll(path.ids())));
        for (TransportId id : present) {
            if (known.add(id)) {
                try {
                    bdevs.attach(PREFIX + nextNumber++, id, settings, false);
                } catch (Exception e) {
                    bdevs.log().warn("hotplug: %s is not attached: %s", id.traddr(), e.getMessage());
                }
            }
        }
    }
}
