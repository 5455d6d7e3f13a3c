package io.spindrift.apps.bdevperf;

import io.spindrift.framework.app.FlagValues;
import io.spindrift.framework.thread.CpuMask;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// Reads a job file (`-j`), in the INI form that fio has:
/// ```
///   ; a comment, as is #
///   [global]
///   filename=null0:malloc0     bs=4k   iodepth=16   rw=randrw   rwmixread=70   cpumask=0x3   offset=0   length=0
///   [name of a job]
///   rw=read                    (one key a line)
/// ```
/// A job takes what it lacks from the `[global]` above it, that from the flags, and so does a later `[global]`; what
/// flags say overrides every `[global]`, not what a job says itself.
final class JobFile {
    private static final int DEFAULT_READ_PERCENT = 50;
    private static final String GLOBAL = "global";
    private static final Set<String> KEYS = Set.of("filename", "cpumask", "bs", "iodepth", "rwmixread", "offset",
            "length", "rw");

    /// One line's key and value.
    private record Entry(int line, String value) {}

    /// A section as it stands there.
    private record Section(String name, int line, Map<String, Entry> entries) {}

    private final String source;
    private final Load flags;
    private final Optional<String> bdevFlag;
    private final List<String> notices = new ArrayList<>();

    private JobFile(String source, Load flags, Optional<String> bdevFlag) {
        this.source = source;
        this.flags = flags;
        this.bdevFlag = bdevFlag;
    }

    /// What a file says.
    ///
    /// @param notices one sentence for each thing that was passed over
    record Contents(List<JobSection> sections, List<String> notices) {}

    /// Reads `file`; `flags` and `bdevFlag` are what the command line says.
    static Contents read(Path file, Load flags, Optional<String> bdevFlag) throws PerfException {
        try {
            return parse(file.toString(), Files.readString(file), flags, bdevFlag);
        } catch (CharacterCodingException e) {
            throw new PerfException("-j " + file + ": it is not UTF-8 text", e);
        } catch (IOException e) {
            throw new PerfException("-j " + file + ": it cannot be read: " + e.getClass().getSimpleName() + " "
                    + e.getMessage(), e);
        }
    }

    /// As [#read], of `text`, which messages call `source`.
    static Contents parse(String source, String text, Load flags, Optional<String> bdevFlag) throws PerfException {
        JobFile file = new JobFile(source, flags, bdevFlag);
        List<JobSection> jobs = new ArrayList<>();
        Map<String, Entry> global = file.withFlags(Map.of());
        for (Section section : file.sections(text)) {
            if (section.name().equals(GLOBAL)) {
                global = file.withFlags(section.entries());
            } else {
                jobs.add(file.job(section, global));
            }
        }
        if (jobs.isEmpty()) {
            throw new PerfException(source + ": it has no job; a job is a section [NAME] other than [global]");
        }
        return new Contents(List.copyOf(jobs), List.copyOf(file.notices));
    }

    // ---- lines ------------------------------------------------------------------------------------------------

    private List<Section> sections(String text) throws PerfException {
        List<Section> sections = new ArrayList<>();
        String[] lines = (text.startsWith("\uFEFF") ? text.substring(1) : text).split("\\R", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = lines[i].strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(";")) {
                continue;
            }
            if (line.startsWith("[")) {
                sections.add(new Section(sectionName(i + 1, line), i + 1, new LinkedHashMap<>()));
            } else if (sections.isEmpty()) {
                throw at(i + 1, "'" + line + "' stands before the first [section]");
            } else {
                addEntry(sections.getLast(), i + 1, line);
            }
        }
        return sections;
    }

    private String sectionName(int number, String line) throws PerfException {
        if (!line.endsWith("]")) {
            throw at(number, "'" + line + "' has no closing ]");
        }
        String name = line.substring(1, line.length() - 1).strip();
        if (name.isEmpty()) {
            throw at(number, "the section has no name");
        }
        return name;
    }

    private void addEntry(Section section, int number, String line) throws PerfException {
        int equals = line.indexOf('=');
        String key = equals < 0 ? "" : line.substring(0, equals).strip();
        if (key.isEmpty()) {
            throw at(number, "'" + line + "' is neither [SECTION] nor KEY=VALUE");
        }
        if (!KEYS.contains(key)) {
            notices.add(source + ":" + number + ": the key " + key + " is none of bdevperf's and is ignored");
            return;
        }
        Entry before = section.entries().put(key, new Entry(number, line.substring(equals + 1).strip()));
        if (before != null) {
            throw at(number, key + " was given in line " + before.line());
        }
    }

    private PerfException at(int line, String reason) {
        return new PerfException(source + ":" + line + ": " + reason);
    }

    // ---- values -----------------------------------------------------------------------------------------------

    /// The entries of a `[global]` with what the flags say in their place.
    private Map<String, Entry> withFlags(Map<String, Entry> entries) {
        Map<String, Entry> merged = new LinkedHashMap<>(entries);
        bdevFlag.ifPresent(value -> merged.put("filename", new Entry(0, value)));
        flags.ioSize().ifPresent(value -> merged.put("bs", new Entry(0, String.valueOf(value))));
        flags.depth().ifPresent(value -> merged.put("iodepth", new Entry(0, String.valueOf(value))));
        flags.readPercent().ifPresent(value -> merged.put("rwmixread", new Entry(0, String.valueOf(value))));
        flags.workload().ifPresent(value -> merged.put("rw", new Entry(0, value.text())));
        return merged;
    }

    private JobSection job(Section section, Map<String, Entry> global) throws PerfException {
        Map<String, Entry> entries = new LinkedHashMap<>(global);
        entries.putAll(section.entries());
        Optional<CpuMask> cores = entries.containsKey("cpumask")
                ? Optional.of(value(section, entries, "cpumask", CpuMask::parse))
                : Optional.empty();
        return new JobSection("job '" + section.name() + "' of " + source, section.name(),
                value(section, entries, "filename", JobFile::bdevs), cores,
                value(section, entries, "rw", Workload::parse),
                value(section, entries, "bs", text -> (int) FlagValues.bytes(text, 1, Load.MAX_IO_SIZE)),
                value(section, entries, "iodepth", text -> FlagValues.number(text, 1, Load.MAX_DEPTH)),
                number(section, entries, "rwmixread", 100).orElse(DEFAULT_READ_PERCENT),
                blocks(section, entries, "offset"), blocks(section, entries, "length"));
    }

    private static List<String> bdevs(String text) {
        List<String> names = new ArrayList<>();
        for (String name : text.split(":")) {
            if (!name.isBlank()) {
                names.add(name.strip());
            }
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("names of bdevs with ':' between them are needed");
        }
        return names;
    }

    /// Reads one key's value.
    private interface Reader<T> {
        T read(String text);
    }

    private <T> T value(Section section, Map<String, Entry> entries, String key, Reader<T> reader)
            throws PerfException {
        Entry entry = entries.get(key);
        if (entry == null) {
            throw at(section.line(), "job '" + section.name() + "' has no " + key + ", nor has the [global] above it");
        }
        try {
            return reader.read(entry.value());
        } catch (IllegalArgumentException refused) {
            throw new PerfException(source + ":" + (entry.line() == 0 ? section.line() : entry.line()) + ": " + key
                    + "=" + entry.value() + ": " + refused.getMessage(), refused);
        }
    }

    private OptionalInt number(Section section, Map<String, Entry> entries, String key, int max) throws PerfException {
        return entries.containsKey(key)
                ? OptionalInt.of(value(section, entries, key, text -> FlagValues.number(text, 0, max)))
                : OptionalInt.empty();
    }

    private long blocks(Section section, Map<String, Entry> entries, String key) throws PerfException {
        return entries.containsKey(key)
                ? value(section, entries, key, text -> FlagValues.number(text, 0L, Long.MAX_VALUE))
                : 0;
    }
}
