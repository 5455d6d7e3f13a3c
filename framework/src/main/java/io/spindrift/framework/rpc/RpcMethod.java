package io.spindrift.framework.rpc;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// The declaration of a method: its name, when it may be called and what it takes. A constant of its module; what
/// runs it is registered with an application's [RpcRegistry].
///
/// ```java
/// static final RpcMethod<NullCreateParams> CREATE = RpcMethod.of("bdev_null_create", NullCreateParams.class, RUNTIME)
///         .cli(NullCreateForm.class).summary("Creates a bdev that discards writes.");
/// ```
///
/// Immutable: [#alias], [#cli] and [#summary] return a changed copy. Any thread.
///
/// @param <P> the parameter record
public final class RpcMethod<P extends Record> {
    private final String name;
    private final Class<P> params;
    private final Set<RpcState> states;
    private final List<String> aliases;
    private final Class<? extends CliForm<P>> form;
    private final String summary;

    private RpcMethod(String name, Class<P> params, Set<RpcState> states, List<String> aliases,
            Class<? extends CliForm<P>> form, String summary) {
        this.name = name;
        this.params = params;
        this.states = states;
        this.aliases = aliases;
        this.form = form;
        this.summary = summary;
    }

    /// Declares a method that may be called in each of `states`, of which there is at least one. The record is not
    /// looked at before it is needed.
    public static <P extends Record> RpcMethod<P> of(String name, Class<P> params, RpcState first,
            RpcState... others) {
        return new RpcMethod<>(name, params, EnumSet.of(first, others), List.of(), null, "");
    }

    /// Also answers to a deprecated name.
    public RpcMethod<P> alias(String deprecatedName) {
        List<String> more = new ArrayList<>(aliases);
        more.add(deprecatedName);
        return new RpcMethod<>(name, params, states, List.copyOf(more), form, summary);
    }

    /// The command line follows from the record `form` instead of from the parameters.
    public <F extends Record & CliForm<P>> RpcMethod<P> cli(Class<F> form) {
        return new RpcMethod<>(name, params, states, aliases, form, summary);
    }

    /// What it does, in one sentence, for the help text and the manual page.
    public RpcMethod<P> summary(String sentence) {
        return new RpcMethod<>(name, params, states, aliases, form, sentence);
    }

    /// This method, run by `handler`.
    public RpcBinding<P> bind(RpcHandler<P> handler) {
        return new RpcBinding<>(this, handler);
    }

    public String name() {
        return name;
    }

    public Class<P> params() {
        return params;
    }

    public List<String> aliases() {
        return aliases;
    }

    public String summary() {
        return summary;
    }

    /// What is typed instead of the parameters; empty if they are typed as they are.
    public Optional<Class<? extends CliForm<P>>> form() {
        return Optional.ofNullable(form);
    }

    /// Whether it may be called in `state`.
    public boolean allowedIn(RpcState state) {
        return states.contains(state);
    }

    /// The parameters, read from the record.
    public RecordShape<P> shape() {
        return RecordShape.of(params);
    }

    /// What is typed: the form, or the parameters themselves.
    RecordShape<?> cliShape() {
        return form == null ? shape() : RecordShape.of(form.asSubclass(Record.class));
    }

    /// The parameters that typed arguments mean, as they are sent: `typed` has a member for each argument that was
    /// given. Throws [RpcException] with a sentence if the form refuses them; without a form the server judges.
    public JsonNode fromCli(JsonNode typed) {
        if (form == null) {
            return typed;
        }
        Record filled = cliShape().decode(typed);
        try {
            return Json.tree(form.cast(filled).toParams());
        } catch (IllegalArgumentException e) {
            throw new RpcException(RpcException.INVALID_PARAMS, e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
