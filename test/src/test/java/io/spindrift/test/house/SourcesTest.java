package io.spindrift.test.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SourcesTest {
    private static final Path HOME = Path.of(System.getProperty("spindrift.home"));
    private static final Pattern IMPORT = Pattern.compile("^import (?:static )?[\\w.]+\\.(\\w+);$", Pattern.MULTILINE);

    @Test
    void importOnlyWhatTheyUse() throws IOException {
        List<String> unused = new ArrayList<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            String body = IMPORT.matcher(text).replaceAll("");
            IMPORT.matcher(text).results().filter(match -> !isNamed(match.group(1), body)).map(MatchResult::group)
                    .forEach(line -> unused.add(HOME.relativize(source) + ": " + line));
        }
        assertEquals(List.of(), unused);
    }

    private static boolean isNamed(String name, String body) {
        return Pattern.compile("\\b" + name + "\\b").matcher(body).find();
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(HOME)) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> HOME.relativize(file).toString().contains("src/")).toList();
            assertTrue(sources.size() > 1, "sources are looked for in " + HOME);
            return sources;
        }
    }
}
