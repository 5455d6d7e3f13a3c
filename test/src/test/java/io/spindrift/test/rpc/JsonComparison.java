package io.spindrift.test.rpc;

import io.spindrift.framework.rpc.Json;
import io.spindrift.test.rpc.Difference.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Finds where two JSON values differ.
///
/// Arrays of objects are compared without regard to order and number: each of our elements with the peer's that it is
/// most like. Where the peer has elements and ours is empty, they are missing.
final class JsonComparison {
    private JsonComparison() {}

    static List<Difference> compare(String path, JsonNode ours, JsonNode theirs) {
        if (ours.getNodeType() != theirs.getNodeType()) {
            return List.of(new Difference(Kind.TYPE, path, path + " is a " + ours.getNodeType() + " (" + excerpt(ours)
                    + "), the peer's a " + theirs.getNodeType() + " (" + excerpt(theirs) + ")"));
        }
        if (ours.isObject()) {
            return objects(path, ours, theirs);
        }
        if (ours.isArray() && isOfObjects(theirs)) {
            return arrays(path + "[]", ours, theirs);
        }
        if (ours.isArray() && ours.isEmpty() && theirs.isEmpty() || ours.equals(theirs)) {
            return List.of();
        }
        return List.of(new Difference(Kind.VALUE, path, path + " is " + excerpt(ours) + ", the peer's "
                + excerpt(theirs)));
    }

    private static boolean isOfObjects(JsonNode array) {
        return !array.isEmpty() && array.valueStream().allMatch(JsonNode::isObject);
    }

    private static List<Difference> objects(String path, JsonNode ours, JsonNode theirs) {
        List<Difference> differences = new ArrayList<>();
        for (String name : theirs.propertyNames()) {
            String inner = path + "." + name;
            if (ours.has(name)) {
                differences.addAll(compare(inner, ours.get(name), theirs.get(name)));
            } else {
                differences.add(new Difference(Kind.MISSING, inner, inner + " is missing; the peer's is "
                        + excerpt(theirs.get(name))));
            }
        }
        for (String name : ours.propertyNames()) {
            if (!theirs.has(name)) {
                String inner = path + "." + name;
                differences.add(new Difference(Kind.EXTRA, inner, inner + " is here only: " + excerpt(ours.get(name))));
            }
        }
        return differences;
    }

    private static List<Difference> arrays(String path, JsonNode ours, JsonNode theirs) {
        if (ours.isEmpty()) {
            return List.of(new Difference(Kind.MISSING, path, path + " is empty; the peer's has " + theirs.size()));
        }
        List<Difference> differences = new ArrayList<>();
        for (JsonNode element : ours) {
            differences.addAll(theirs.valueStream().map(other -> compare(path, element, other))
                    .min(Comparator.comparingInt(JsonComparison::weight)).orElseThrow());
        }
        return differences;
    }

    /// How unlike two elements are. A name says most about which are meant to be the same.
    private static int weight(List<Difference> differences) {
        return differences.stream().mapToInt(difference -> switch (difference.kind()) {
            case VALUE -> difference.path().matches(".*\\.(name|ctx|method|subsystem|type|module)") ? 10_000 : 1;
            case TYPE, MISSING, EXTRA, CODE, OUTCOME -> 100;
        }).sum();
    }

    private static String excerpt(JsonNode value) {
        return Json.excerpt(value);
    }
}
