package io.spindrift.apps.rpc;

import java.util.ArrayList;
import java.util.List;

/// Splits a line into words as a POSIX shell does: at blanks, with `'...'`, `"..."` and backslashes.
final class ShellWords {
    private ShellWords() {}

    /// The words of `line`. Throws [UsageException] if a quote is not closed.
    static List<String> split(String line) throws UsageException {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean escapes = c == '\\' && quote != '\'' && i + 1 < line.length()
                    && (quote == 0 || "\"\\".indexOf(line.charAt(i + 1)) >= 0);
            if (escapes) {
                word.append(line.charAt(++i));
                inWord = true;
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            throw new UsageException("the quote " + quote + " is not closed in: " + line, "");
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
