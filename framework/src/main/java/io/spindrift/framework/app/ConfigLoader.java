package io.spindrift.framework.app;

import io.spindrift.framework.app.ConfigFile.Entry;
import io.spindrift.framework.app.ConfigFile.Section;
import io.spindrift.framework.log.Log;
import io.spindrift.framework.rpc.RpcException;
import io.spindrift.framework.rpc.RpcMethod;
import io.spindrift.framework.rpc.RpcRegistry;
import io.spindrift.framework.rpc.RpcState;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Makes the calls of a [ConfigFile], in its order: in the start-up state those that may be made there, in the
/// run-time state the rest. A call that may be made in both is made once.
///
/// Whether every method exists is looked at before the first call: all are declared before anything starts.
///
/// Used by one control thread.
final class ConfigLoader {
    /// Subsystems of SPDK, whose programs write an entry for each into a saved configuration. Where this program lacks
    /// one, the calls for it are passed over with a warning; a name that is not among these is a mistake.
    private static final Set<String> PEER_SUBSYSTEMS = Set.of("accel", "bdev", "fsdev", "iobuf", "iscsi", "keyring",
            "nbd", "nvmf", "scheduler", "scsi", "sock", "ublk", "vfio_user_target", "vhost_blk", "vhost_scsi", "vmd");

    /// Options that SPDK saves for each of its bdev modules, used or not; those of a module that this program lacks
    /// change nothing.
    private static final Set<String> PEER_OPTIONS = Set.of("bdev_iscsi_set_options", "bdev_nvme_set_hotplug",
            "bdev_nvme_set_options", "bdev_raid_set_options");

    /// How a refusal of parameters starts: with the parameter's path.
    private static final Pattern PARAMETER = Pattern.compile("([a-z_][\\w.\\[\\]]*)(=| is missing)");

    private final ConfigFile file;
    private final RpcRegistry rpcs;
    private final Set<String> subsystems;
    private final boolean ignoreErrors;
    private final Log log;
    /// Paths of entries that need not be called.
    private final Set<String> passedOver = new HashSet<>();

    /// Loads `file` into an application that has `subsystems`; with `ignoreErrors`, what fails is logged and the rest
    /// goes on.
    ConfigLoader(ConfigFile file, RpcRegistry rpcs, Set<String> subsystems, boolean ignoreErrors, Log log) {
        this.file = file;
        this.rpcs = rpcs;
        this.subsystems = subsystems;
        this.ignoreErrors = ignoreErrors;
        this.log = log;
    }

    /// Refuses methods that do not exist; says which subsystems will be passed over. Once, before [#run].
    void check() throws ConfigException {
        for (Section section : file.sections()) {
            List<Entry> unknown = section.entries().stream().filter(entry -> rpcs.method(entry.method()).isEmpty())
                    .toList();
            unknown.forEach(entry -> passedOver.add(entry.path()));
            if (isForeign(section)) {
                if (!unknown.isEmpty()) {
                    log.warn("%s: %s: this program has no subsystem %s; %d of its %d calls are unknown and passed over",
                            file.source(), section.path(), section.subsystem(), unknown.size(),
                            section.entries().size());
                }
                continue;
            }
            for (Entry entry : unknown) {
                if (PEER_OPTIONS.contains(entry.method())) {
                    log.warn("%s: %s: %s is passed over: this program lacks the module", file.source(), entry.path(),
                            entry.method());
                } else {
                    refuseMethod(entry);
                }
            }
        }
    }

    private void refuseMethod(Entry entry) throws ConfigException {
        fail(entry, ".method", entry.method() + " is no method of this program", null);
    }

    private boolean isForeign(Section section) {
        return !subsystems.contains(section.subsystem()) && PEER_SUBSYSTEMS.contains(section.subsystem());
    }

    /// Makes the calls for the state that the registry is in, until `stop` says that it is enough. `current` is told
    /// what is under way.
    void run(BooleanSupplier stop, Consumer<String> current) throws ConfigException {
        RpcState state = rpcs.state();
        for (Section section : file.sections()) {
            for (Entry entry : section.entries()) {
                if (stop.getAsBoolean()) {
                    return;
                }
                Optional<RpcMethod<?>> method = rpcs.method(entry.method());
                if (method.isPresent() && isDue(method.get(), state)) {
                    current.accept("the call " + entry.method() + " of the configuration (" + file.source() + ": "
                            + entry.path() + ")");
                    call(entry);
                } else if (method.isEmpty() && passedOver.add(entry.path())) {
                    refuseMethod(entry); // a plug-in had it that did not start
                }
            }
        }
    }

    private static boolean isDue(RpcMethod<?> method, RpcState state) {
        return switch (state) {
            case STARTUP -> method.allowedIn(RpcState.STARTUP);
            case RUNTIME -> !method.allowedIn(RpcState.STARTUP);
        };
    }

    private void call(Entry entry) throws ConfigException {
        try {
            rpcs.call(entry.method(), entry.params());
        } catch (RpcException refused) {
            Matcher parameter = PARAMETER.matcher(refused.getMessage());
            boolean named = refused.code() == RpcException.INVALID_PARAMS && parameter.lookingAt();
            fail(entry, named ? ".params." + parameter.group(1) : "",
                    refused.getMessage() + " (" + entry.method() + ")", refused);
        }
    }

    private void fail(Entry entry, String inside, String reason, RpcException cause) throws ConfigException {
        String sentence = file.source() + ": " + entry.path() + inside + ": " + reason;
        if (!ignoreErrors) {
            throw new ConfigException(sentence, cause);
        }
        log.error("%s; going on without it, because of --json-ignore-init-errors", sentence);
    }
}
