package io.spindrift.framework.rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/// The answers to one batch, in its order, kept as text until the last of them is there: calls of the batch may wait for an
/// event that a later one brings about, so that nothing can be sent before.
///
/// Used by the thread of the connection, while calls that wait answer on their own.
final class BatchAnswers {
    /// How much is kept before no further call of the batch is made. Those that wait by then, and the last one, are beyond.
    static final int MOST_CHARACTERS = 4 << 20;

    private final List<CompletableFuture<Optional<String>>> answers = new ArrayList<>();
    private final AtomicLong characters = new AtomicLong();

    /// Adds the answer to the next call, which is empty if it wants none.
    void add(CompletableFuture<Optional<String>> answer) {
        answers.add(answer.thenApply(text -> {
            characters.addAndGet(text.map(String::length).orElse(0));
            return text;
        }));
    }

    /// Whether there is no room for more.
    boolean full() {
        return characters.get() >= MOST_CHARACTERS;
    }

    /// The array of all, once the last is there; empty if no call wants an answer.
    CompletableFuture<Optional<String>> array() {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).thenApply(_ -> joined());
    }

    private Optional<String> joined() {
        StringBuilder array = new StringBuilder();
        for (CompletableFuture<Optional<String>> answer : answers) {
            answer.join().ifPresent(text -> array.append(array.isEmpty() ? '[' : ',').append(text));
        }
        return array.isEmpty() ? Optional.empty() : Optional.of(array.append(']').toString());
    }
}
