package io.spindrift.framework.rpc;

import io.spindrift.framework.ErrnoException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The methods of one application, with what runs them.
///
/// Any thread; handlers run on the caller's, which must be one that may block.
public final class RpcRegistry {
    /// How much of a name that does not exist is repeated to its sender.
    private static final int SHOWN_NAME = 100;

    private final Map<String, RpcBinding<?>> byName = new ConcurrentSkipListMap<>();
    private final Map<String, RpcBinding<?>> byAlias = new ConcurrentSkipListMap<>();
    private volatile Optional<Set<String>> allowed = Optional.empty();
    private volatile RpcState state = RpcState.STARTUP;

    /// Without methods, before `framework_start_init`.
    public RpcRegistry() {}

    /// Adds a method, under its aliases too. Throws `IllegalArgumentException` if one of the names is taken.
    public <P extends Record> void register(RpcMethod<P> method, RpcHandler<P> handler) {
        register(List.of(method.bind(handler)));
    }

    /// Adds methods, under their aliases too. Throws `IllegalArgumentException` if a name is taken; then none is added.
    public synchronized void register(List<RpcBinding<?>> bindings) {
        Set<String> fresh = new HashSet<>();
        for (RpcBinding<?> binding : bindings) {
            for (String name : names(binding)) {
                if (!fresh.add(name)) {
                    throw taken(name);
                }
                refuseTaken(name);
            }
        }
        for (RpcBinding<?> binding : bindings) {
            byName.put(binding.method().name(), binding);
            binding.method().aliases().forEach(alias -> byAlias.put(alias, binding));
        }
    }

    /// Removes methods that were added; calls that run go on.
    public synchronized void unregister(List<RpcBinding<?>> bindings) {
        byName.values().removeAll(bindings);
        byAlias.values().removeAll(bindings);
    }

    private static List<String> names(RpcBinding<?> binding) {
        return Stream.concat(Stream.of(binding.method().name()), binding.method().aliases().stream()).toList();
    }

    private void refuseTaken(String name) {
        if (byName.containsKey(name) || byAlias.containsKey(name)) {
            throw taken(name);
        }
    }

    private static IllegalArgumentException taken(String name) {
        return new IllegalArgumentException("the RPC method " + name + " is registered already");
    }

    /// From now on clients may call only these methods (`--rpcs-allowed`). What the application calls itself with
    /// [#call] is not limited.
    public void allowOnly(Collection<String> names) {
        allowed = Optional.of(Set.copyOf(names));
    }

    /// Where the application is: methods that may not be called there are refused.
    public RpcState state() {
        return state;
    }

    /// The application has come to `next`.
    public void enter(RpcState next) {
        state = next;
    }

    /// The names of the methods that clients may call, sorted.
    ///
    /// @param current only those that may be called now
    /// @param aliases deprecated names too
    public List<String> names(boolean current, boolean aliases) {
        List<String> names = new ArrayList<>();
        for (Map<String, RpcBinding<?>> entries : aliases ? List.of(byName, byAlias) : List.of(byName)) {
            entries.forEach((name, entry) -> {
                if (isAllowed(name) && (!current || entry.method().allowedIn(state))) {
                    names.add(name);
                }
            });
        }
        names.sort(null);
        return names;
    }

    /// The declaration of the method with this name or alias.
    public Optional<RpcMethod<?>> method(String name) {
        return Optional.<RpcBinding<?>>ofNullable(byName.getOrDefault(name, byAlias.get(name))).map(RpcBinding::method);
    }

    /// Runs a method for a client and returns its result as JSON, also if that has to be waited for. `params` may be
    /// null.
    ///
    /// Throws [RpcException] for everything that goes wrong.
    public JsonNode dispatch(String name, JsonNode params) {
        return begin(name, params).result();
    }

    /// As [#dispatch], for the application itself, which may call every method: a configuration file's entries.
    public JsonNode call(String name, JsonNode params) {
        return run(name, params).result();
    }

    /// As [#dispatch], but returns as soon as the handler has: what is left may wait for an event.
    RpcCall begin(String name, JsonNode params) {
        if (!isAllowed(name)) {
            throw unknown(name);
        }
        return run(name, params);
    }

    private RpcCall run(String name, JsonNode params) {
        RpcBinding<?> entry = byName.getOrDefault(name, byAlias.get(name));
        if (entry == null) {
            throw unknown(name);
        }
        if (!entry.method().allowedIn(state)) {
            throw new RpcException(RpcException.INVALID_STATE, wrongState());
        }
        try {
            return new RpcCall(name, handle(entry, params));
        } catch (Throwable e) { // as in RpcCall.result
            throw failure(name, e);
        }
    }

    private static <P extends Record> Object handle(RpcBinding<P> binding, JsonNode params) throws Exception {
        return binding.handler().handle(binding.method().shape().decode(params));
    }

    private boolean isAllowed(String name) {
        return allowed.map(names -> names.contains(name)).orElse(true);
    }

    private static RpcException unknown(String name) {
        return new RpcException(RpcException.METHOD_NOT_FOUND,
                "Method not found: " + (name.length() > SHOWN_NAME ? name.substring(0, SHOWN_NAME) + "..." : name)
                        + "; rpc_get_methods lists those that there are");
    }

    private String wrongState() {
        return switch (state) {
            case STARTUP -> "Method may only be called after framework is initialized using framework_start_init RPC.";
            case RUNTIME ->
                "Method may only be called before framework is initialized. Use --wait-for-rpc command line "
                        + "parameter and then issue this RPC before the framework_start_init RPC.";
        };
    }

    /// How a client is told of what a call threw.
    static RpcException failure(String name, Throwable thrown) {
        return switch (thrown) {
            case RpcException e -> e;
            case ErrnoException e -> new RpcException(-e.errno(), e.getMessage(), e);
            case IllegalArgumentException e when e.getMessage() != null -> new RpcException(
                    RpcException.INVALID_PARAMS, e.getMessage(), e);
            case ExecutionException e when e.getCause() != null -> failure(name, e.getCause());
            case InterruptedException _ -> {
                Thread.currentThread().interrupt(); // the caller's to see
                yield RpcException.internal(name + " was given up: the application is stopping");
            }
            default -> new RpcException(RpcException.INTERNAL_ERROR, name + " failed: " + thrown, thrown);
        };
    }
}
