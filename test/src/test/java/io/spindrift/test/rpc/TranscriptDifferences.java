package io.spindrift.test.rpc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// The differences from the peer's answers that are on purpose: `reference/rpc-transcript-differences.json`.
///
/// Each entry has a `reason`, the `kind` of difference, and says where it holds by what it has of `exchange` (the
/// number in the transcript), `method`, `path` (of a key or value; `*` stands for anything), `peer` (the peer's error
/// message) and `ours` (our error code).
final class TranscriptDifferences {
    /// One entry.
    private record Rule(int number, Difference.Kind kind, Optional<Integer> exchange, Optional<String> method,
            Optional<Pattern> path, Optional<String> peer, Optional<Integer> ours, String reason) {
        static Rule of(int number, JsonNode entry) {
            return new Rule(number, Difference.Kind.valueOf(entry.get("kind").stringValue().toUpperCase()),
                    Optional.ofNullable(entry.get("exchange")).map(JsonNode::intValue),
                    Optional.ofNullable(entry.get("method")).map(JsonNode::stringValue),
                    Optional.ofNullable(entry.get("path")).map(JsonNode::stringValue).map(Rule::glob),
                    Optional.ofNullable(entry.get("peer")).map(JsonNode::stringValue),
                    Optional.ofNullable(entry.get("ours")).map(JsonNode::intValue),
                    entry.path("reason").asString(""));
        }

        private static Pattern glob(String text) {
            return Pattern.compile("\\Q" + text.replace("*", "\\E.*\\Q") + "\\E");
        }

        boolean covers(Answer answer, Difference difference) {
            return kind == difference.kind() && exchange.map(n -> n == answer.exchange()).orElse(true)
                    && method.map(answer.method()::equals).orElse(true)
                    && path.map(pattern -> pattern.matcher(difference.path()).matches()).orElse(true)
                    && peer.map(answer.peerMessage()::equals).orElse(true)
                    && ours.map(code -> code == answer.ourCode()).orElse(true);
        }
    }

    /// What a difference is looked up by.
    ///
    /// @param exchange    its number in the transcript
    /// @param method      the method called
    /// @param peerMessage the message of the peer's error, or an empty string
    /// @param ourCode     the code of our error, or 0
    record Answer(int exchange, String method, String peerMessage, int ourCode) {}

    private final List<Rule> rules = new ArrayList<>();
    private final Set<Rule> used = new HashSet<>();

    TranscriptDifferences(JsonNode table) {
        for (JsonNode entry : table) {
            rules.add(Rule.of(rules.size(), entry));
        }
    }

    /// Those of `differences` that no entry covers, as sentences.
    List<String> notOnPurpose(Answer answer, List<Difference> differences) {
        List<String> rest = new ArrayList<>();
        for (Difference difference : differences) {
            List<Rule> covering = rules.stream().filter(rule -> rule.covers(answer, difference)).toList();
            used.addAll(covering);
            if (covering.isEmpty()) {
                rest.add("exchange " + answer.exchange() + ", " + answer.method() + ": " + difference.kind() + " "
                        + difference.text());
            }
        }
        return rest;
    }

    /// The entries that covered nothing so far, and those without a reason, as sentences.
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        for (Rule rule : rules) {
            if (!used.contains(rule)) {
                faults.add("entry " + rule.number() + " of the table covers nothing: " + rule.reason());
            }
            if (rule.reason().isBlank()) {
                faults.add("entry " + rule.number() + " of the table has no reason");
            }
        }
        return faults;
    }
}
