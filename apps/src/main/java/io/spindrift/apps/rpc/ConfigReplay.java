package io.spindrift.apps.rpc;

import io.spindrift.framework.rpc.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Makes the calls of a saved configuration in their order, each when the application lets it be made.
final class ConfigReplay {
    private static final String START = "framework_start_init";

    /// A call that was not made yet; `path` is where it stands in the configuration.
    private record Pending(String path, String method, JsonNode params) {}

    private final Calls calls;
    private final PrintStream err;
    private final boolean includeAliases;
    private final Predicate<String> declared;
    private final List<Pending> pending = new ArrayList<>();

    /// `includeAliases`: deprecated names are taken, too. `declared` knows the methods of all modules. What is left out
    /// is said on `err`.
    ConfigReplay(Calls calls, PrintStream err, boolean includeAliases, Predicate<String> declared) {
        this.calls = calls;
        this.err = err;
        this.includeAliases = includeAliases;
        this.declared = declared;
    }

    /// Takes in a whole configuration: `{"subsystems": [...]}`.
    void add(JsonNode config) throws UsageException {
        JsonNode subsystems = config.path("subsystems");
        require(subsystems.isArray(), "subsystems", "must be an array of subsystems");
        for (int i = 0; i < subsystems.size(); i++) {
            addSubsystem("subsystems[" + i + "].", subsystems.get(i));
        }
    }

    /// Takes in one subsystem's: `{"subsystem": "bdev", "config": [...]}`; null for no calls.
    void addSubsystem(String path, JsonNode subsystem) throws UsageException {
        JsonNode entries = subsystem.path("config");
        if (subsystem.has("config") && entries.isNull()) {
            return;
        }
        require(entries.isArray(), path + "config", "must be an array of calls, or null");
        for (int i = 0; i < entries.size(); i++) {
            String entryPath = path + "config[" + i + "]";
            JsonNode method = entries.get(i).path("method");
            require(method.isString(), entryPath + ".method", "must be the name of a method");
            pending.add(new Pending(entryPath, method.stringValue(), entries.get(i).get("params")));
        }
    }

    private static void require(boolean holds, String path, String sentence) throws UsageException {
        if (!holds) {
            throw new UsageException(path + " " + sentence, "");
        }
    }

    /// Makes all calls. Where the application waits for `framework_start_init`, those that may come before are made
    /// first, then that, then the rest. Calls whose time is over are said on `err`.
    void run() throws CallException, IOException, UsageException {
        boolean goesOn = true;
        while (goesOn) {
            Set<String> current = methods(true);
            refuseUnknown(current.contains(START));
            goesOn = callThoseIn(current);
            if (current.contains(START)) {
                calls.call(START, null);
                goesOn = true;
            }
            goesOn &= !pending.isEmpty();
        }
        for (Pending left : pending) {
            err.println(left.path() + ": " + left.method()
                    + " was left out: it can only be called before the framework is initialized");
        }
    }

    /// Makes the calls that can be made now; the others are said on `err`.
    void runOnce() throws CallException, IOException, UsageException {
        refuseUnknown(false);
        callThoseIn(methods(true));
        for (Pending left : pending) {
            err.println(left.path() + ": " + left.method() + " was left out: it cannot be called now");
        }
    }

    /// Until the application has started, some of its modules have not added their methods: then those that are
    /// declared are believed to come.
    private void refuseUnknown(boolean starting) throws CallException, IOException, UsageException {
        Set<String> known = methods(false);
        for (Pending call : pending) {
            require(known.contains(call.method()) || starting && declared.test(call.method()), call.path() + ".method",
                    "is " + call.method() + ", which is no method of the application");
        }
    }

    private boolean callThoseIn(Set<String> current) throws CallException, IOException {
        boolean any = false;
        for (Iterator<Pending> each = pending.iterator(); each.hasNext();) {
            Pending call = each.next();
            if (current.contains(call.method())) {
                any = true;
                each.remove();
                make(call);
            }
        }
        return any;
    }

    private void make(Pending call) throws CallException, IOException {
        try {
            calls.call(call.method(), call.params());
        } catch (CallException e) {
            err.println(call.path() + ":");
            throw e;
        }
    }

    private Set<String> methods(boolean current) throws CallException, IOException {
        var params = Json.emptyObject();
        params.put("current", current);
        params.put("include_aliases", includeAliases);
        Set<String> names = new HashSet<>();
        calls.call("rpc_get_methods", params).forEach(name -> names.add(name.asString()));
        return names;
    }
}
