package io.spindrift.apps.nvme;

import io.spindrift.nvme.ControllerListener;
import io.spindrift.nvme.ControllerOptions;
import io.spindrift.nvme.DiscoveryPage;
import io.spindrift.nvme.DiscoveryRecord;
import io.spindrift.nvme.NvmeController;
import io.spindrift.nvme.NvmeDriver;
import io.spindrift.nvme.NvmeException;
import io.spindrift.nvme.TransportId;
import io.spindrift.nvme.spec.fabrics.DiscoveryEntry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Connects to the controllers that a user means: those named, those that a discovery controller knows, those in this
/// machine. Control path; waits.
public final class Attachments {
    private final NvmeDriver driver;
    private final ControllerOptions options;
    private final ControllerListener listener;
    private final Consumer<String> complaints;

    /// A controller, and the target that it is of.
    public record Attachment(NvmeController controller, Target target) {}

    /// `listener` is told of what happens to controllers, `complaints` of subsystems that could not be connected to though a
    /// discovery controller knows them.
    public Attachments(NvmeDriver driver, ControllerOptions options, ControllerListener listener,
            Consumer<String> complaints) {
        this.driver = driver;
        this.options = options;
        this.listener = listener;
        this.complaints = complaints;
    }

    /// The controllers of `target`, connected.
    ///
    /// @throws NvmeException if the controller that it names cannot be connected to
    /// @throws IllegalArgumentException naming the part of its transport ID that cannot be
    public List<Attachment> connect(Target target) throws Exception {
        return connect(target, List.of());
    }

    /// As the other; of all local controllers only those at the addresses `allowed`, unless that is empty.
    public List<Attachment> connect(Target target, List<String> allowed) throws Exception {
        if (target.id().isEmpty()) {
            return connectFound(driver.enumerate().stream().filter(id -> allowed.isEmpty() || allowed.stream()
                    .anyMatch(address -> id.traddr().endsWith(address))).toList(), target);
        }
        TransportId id = target.id().get();
        return id.isDiscovery()
                ? connectFound(discover(id, target), target)
                : List.of(new Attachment(open(id, target), target));
    }

    /// The controllers of `target`, connected; a discovery controller is one of its own, and not asked for others.
    public List<NvmeController> connectItself(Target target) throws Exception {
        return target.id().isPresent()
                ? List.of(open(target.id().get(), target))
                : connect(target).stream().map(Attachment::controller).toList();
    }

    private NvmeController open(TransportId id, Target target) throws Exception {
        return driver.connect(id, options.withHost(target.host(options.host())), listener);
    }

    /// The subsystems that the discovery controller at `id` knows, each place once. Referrals are left alone, as by the
    /// peer's programs.
    private Set<TransportId> discover(TransportId id, Target target) throws Exception {
        Set<TransportId> found = new LinkedHashSet<>();
        try (NvmeController discovery = driver.connect(id, options.withHost(target.host(options.host())),
                ControllerListener.IGNORE)) {
            for (DiscoveryRecord entry : DiscoveryPage.read(discovery).records()) {
                if (entry.subtype() == DiscoveryEntry.SUBTYPE_NVM) {
                    entry.transportId().ifPresentOrElse(found::add, () -> complaints.accept(discovery.name()
                            + ": its entry for " + entry.subnqn() + " has transport type " + entry.trtype()
                            + ", which has no name here"));
                }
            }
        }
        return found;
    }

    private List<Attachment> connectFound(Iterable<TransportId> ids, Target target) {
        List<Attachment> attached = new ArrayList<>();
        for (TransportId id : ids) {
            try {
                attached.add(new Attachment(open(id, target), target));
            } catch (Exception e) {
                complaints.accept(e.getMessage() == null ? e.toString() : e.getMessage());
            }
        }
        return attached;
    }
}
