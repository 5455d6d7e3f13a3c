package io.spindrift.test.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.rpc.Parameter;
import io.spindrift.framework.rpc.ParameterType;
import io.spindrift.framework.rpc.RecordShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/// A request that the peer understands is understood here.
class ParametersAgreeWithPeerTest {
    private static final JsonNode PEER = PeerReference.schema();

    /// Differences on purpose, with the reason.
    private static final Map<String, String> ACCEPTED = Map.of();

    @TestFactory
    Stream<DynamicTest> everyMethodHasThePeersParameters() {
        return PeerReference.shared().map(method -> DynamicTest.dynamicTest(method.name(), () -> {
            List<String> differences = new ArrayList<>();
            compare(differences, method.name(), method.shape(),
                    PEER.get("methods").get(method.name()).get("params"));
            assertEquals(List.of(), differences);
        }));
    }

    /// Those that need keys, and announcements by mDNS.
    private static final Set<String> NOT_HERE = Set.of("nvmf_subsystem_set_keys", "nvmf_publish_mdns_prr",
            "nvmf_stop_mdns_prr");

    @Test
    void everyMethodOfThePeersTargetAndSocketsIsHere() {
        Set<String> missing = new TreeSet<>();
        PEER.get("methods").propertyNames().stream().filter(name -> name.matches("(nvmf|sock)_.*"))
                .forEach(missing::add);
        assertTrue(missing.size() > 30, missing::toString);
        PeerReference.all().forEach(method -> missing.remove(method.name()));
        assertEquals(NOT_HERE, missing);
    }

    /// Parameters that only we have are no difference, if they need not be given.
    private static void compare(List<String> differences, String path, RecordShape<?> ours, JsonNode peer) {
        for (JsonNode theirs : peer) {
            String name = theirs.get("name").stringValue();
            Optional<Parameter> same = ours.parameters().stream()
                    .filter(parameter -> parameter.name().equals(name)).findFirst();
            if (ACCEPTED.containsKey(path + "." + name)) {
                continue;
            } else if (same.isEmpty()) {
                differences.add(path + "." + name + " is missing");
            } else {
                compare(differences, path + "." + name, same.get(), theirs);
            }
        }
        List<String> theirNames = peer.valueStream().map(parameter -> parameter.get("name").stringValue()).toList();
        ours.parameters().stream().filter(parameter -> !theirNames.contains(parameter.name()) && parameter.required())
                .forEach(parameter -> differences.add(path + "." + parameter.name() + " is required, not by the peer"));
    }

    private static void compare(List<String> differences, String path, Parameter ours, JsonNode theirs) {
        boolean required = theirs.path("required").asBoolean(false);
        if (required != ours.required()) {
            differences.add(path + (required ? " is required by the peer only" : " is required here only"));
        }
        String type = theirs.get("type").stringValue();
        String className = theirs.path("class").asString("");
        switch (ours.type()) {
            case ParameterType.Any _ -> {
                // the handler takes what the peer takes
            }
            case ParameterType.Choice choice when type.equals("enum") -> {
                Set<String> names = new TreeSet<>();
                PEER.get("enums").get(className).forEach(name -> names.add(name.stringValue()));
                if (!names.equals(new TreeSet<>(choice.names()))) {
                    differences.add(path + " is one of " + choice.names() + ", the peer's of " + names);
                }
            }
            case ParameterType.Nested nested when type.equals("object") -> compare(differences, path, nested.shape(),
                    PEER.get("objects").get(className));
            case ParameterType.ListOf _ when type.equals("bitmask") -> {
                // an array of the names of the bits
            }
            case ParameterType.Text _, ParameterType.Uuid _, ParameterType.Bool _, ParameterType.Whole _,
                    ParameterType.Decimal _, ParameterType.Choice _, ParameterType.Nested _, ParameterType.ListOf _ -> {
                if (!ours.type().schemaName().equals(type)) {
                    differences.add(path + " is a " + ours.type().schemaName() + ", the peer's a " + type);
                }
            }
        }
    }
}
