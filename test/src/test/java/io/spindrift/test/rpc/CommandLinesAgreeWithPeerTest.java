package io.spindrift.test.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.CliArgument;
import io.spindrift.framework.rpc.CliArgument.Kind;
import io.spindrift.framework.rpc.ParameterType;
import io.spindrift.framework.rpc.RpcMethod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/// What users type to the peer's `rpc.py` works with `rpc`.
class CommandLinesAgreeWithPeerTest {
    private static final JsonNode PEER = PeerReference.commandLines();

    @TestFactory
    Stream<DynamicTest> everyMethodIsTypedAsThePeersUsersTypeIt() {
        return PeerReference.shared().filter(method -> PEER.has(method.name())).map(method -> DynamicTest
                .dynamicTest(method.name(),
                        () -> assertEquals(List.of(), differences(method, PEER.get(method.name())))));
    }

    @Test
    void thereAreMethodsToCompare() {
        assertTrue(PeerReference.shared().count() >= 10);
    }

    @Test
    void noNameIsDeclaredTwice() {
        Set<String> names = new HashSet<>();
        List<String> twice = PeerReference.all().stream().map(RpcMethod::name).filter(name -> !names.add(name))
                .toList();
        assertEquals(List.of(), twice);
    }

    /// A sentence for each difference; arguments that only we have are none, if they need not be typed.
    static List<String> differences(RpcMethod<?> method, JsonNode peer) {
        List<CliArgument> ours = CliArgument.of(method);
        List<String> differences = new ArrayList<>();
        for (JsonNode theirs : peer) {
            String name = theirs.get("dest").stringValue();
            Optional<CliArgument> same = ours.stream().filter(argument -> argument.name().equals(name)).findFirst();
            same.ifPresentOrElse(argument -> compare(differences, argument, theirs),
                    () -> differences.add(name + " is missing"));
        }
        List<String> theirNames = peer.valueStream().map(argument -> argument.get("dest").stringValue()).toList();
        ours.stream().filter(argument -> !theirNames.contains(argument.name()) && argument.required())
                .forEach(argument -> differences.add(argument.name() + " must be typed, but not to the peer"));
        List<String> theirPositions = peer.valueStream().filter(argument -> argument.has("positional"))
                .map(argument -> argument.get("dest").stringValue()).toList();
        List<String> ourPositions = ours.stream().filter(argument -> argument.kind() == Kind.POSITIONAL)
                .map(CliArgument::name).toList();
        if (!ourPositions.equals(theirPositions)) {
            differences.add("positional are " + ourPositions + ", the peer's " + theirPositions);
        }
        return differences;
    }

    private static void compare(List<String> differences, CliArgument ours, JsonNode theirs) {
        String name = ours.name();
        boolean positional = theirs.has("positional");
        if (positional != (ours.kind() == Kind.POSITIONAL)) {
            differences.add(name + " is positional for one only");
            return;
        }
        Set<String> flags = new TreeSet<>();
        theirs.path("options").forEach(flag -> flags.add(flag.stringValue()));
        if (!flags.equals(new TreeSet<>(ours.flags()))) {
            differences.add(name + " has the flags " + ours.flags() + ", the peer's " + flags);
        }
        boolean required = positional ? !theirs.path("nargs").asString("").equals("?") : theirs.has("required");
        if (required != ours.required()) {
            differences.add(name + (ours.required() ? " must" : " need not") + " be typed, but the peer's differs");
        }
        if (!kinds(theirs, ours).contains(ours.kind())) {
            differences.add(name + " is typed as " + ours.kind() + ", the peer's is " + theirs);
        }
        if (theirs.has("choices")) {
            Set<String> choices = new TreeSet<>();
            theirs.get("choices").forEach(choice -> choices.add(choice.asString()));
            if (!choices.equals(new TreeSet<>(ours.choices()))) {
                differences.add(name + " is one of " + ours.choices() + ", the peer's of " + choices);
            }
        }
        boolean number = List.of("int", "float").contains(theirs.path("type").asString(""));
        boolean takesNumber = ours.type() instanceof ParameterType.Whole || ours.type() instanceof ParameterType.Decimal
                || ours.type() instanceof ParameterType.Any;
        if (number && !takesNumber) {
            differences.add(name + " is a " + ours.type().schemaName() + ", the peer's a number");
        }
    }

    private static List<Kind> kinds(JsonNode theirs, CliArgument ours) {
        return switch (theirs.path("action").asString("store")) {
            case "store_true" -> List.of(Kind.TRUE);
            case "store_false" -> List.of(Kind.FALSE);
            case "boolean" -> List.of(Kind.EITHER);
            case "append" -> List.of(Kind.VALUES);
            // One word that holds a list ("a b c") is taken by a flag that may also be repeated.
            default -> theirs.has("positional")
                    ? List.of(Kind.POSITIONAL)
                    : ours.type() instanceof ParameterType.ListOf ? List.of(Kind.VALUES) : List.of(Kind.VALUE);
        };
    }
}
