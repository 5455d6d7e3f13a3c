package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.nvme.spec.identify.NamespaceDescriptor;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// libnvme's enumerations are the authority for opcodes, identifiers, bits and the names of status codes. Which
/// constant is which is in the resource `libnvme-numbers`.
class LibnvmeNumbersTest {
    private static final List<Class<?>> STATUSES = List.of(GenericStatus.class, CommandSpecificStatus.class,
            FabricsStatus.class, MediaStatus.class, PathStatus.class);
    /// Names that libnvme 1.3 writes otherwise; the specification has ours.
    private static final Map<String, String> SPELLINGS = Map.of("I/O Command Set Not Supported",
            "The I/O command set is not supported", "I/O Command Set Not Enabled", "The I/O command set is not enabled",
            "I/O Command Set Combination Rejected", "The I/O command set combination is rejected",
            "Invalid I/O Command Set", "The I/O command set is invalid", "Connect Incompatible Format",
            "Incompatible Format", "Connect Controller Busy", "Controller Busy", "Disconnect Invalid Queue Type",
            "Invalid Queue Type");

    @TempDir
    Path directory;

    @Test
    void numbersAgreeWithLibnvme() throws Exception {
        CProgram.assumeLibnvme();
        Map<String, String> expected = new LinkedHashMap<>();
        StringBuilder program = new StringBuilder("#include <libnvme.h>\n#include <stdio.h>\nint main(void) {\n");
        for (String line : lines()) {
            String[] words = line.split(" ", 2);
            expected.put(words[0], Long.toString(constant(words[0])));
            program.append(print(words[0], words[1]));
        }
        for (String type : List.of("EUI64", "NGUID", "UUID", "CSI")) {
            int nidt = (int) constant("identify.NamespaceDescriptor.NIDT_" + type);
            expected.put(type, Integer.toString(NamespaceDescriptor.nidl(nidt)));
            program.append(print(type, "NVME_NIDT_" + type + "_LEN"));
        }
        assertEquals(expected, CProgram.run(directory, program.append("return 0; }\n").toString()));
    }

    @Test
    void namesOfStatusesAgreeWithLibnvme() throws Exception {
        CProgram.assumeLibnvme();
        Map<String, String> expected = new LinkedHashMap<>();
        StringBuilder program = new StringBuilder("#include <libnvme.h>\n#include <stdio.h>\n#include <string.h>\n"
                + "static void name(int status, bool fabrics) {\n"
                + "  const char *text = nvme_status_to_string(status, fabrics);\n"
                + "  printf(\"%03x%s=%.*s\\n\", status, fabrics ? \" fabrics\" : \"\", (int) strcspn(text, \":\"), text);\n}\nint main(void) {\n");
        for (Class<?> statuses : STATUSES) {
            boolean fabrics = statuses == FabricsStatus.class;
            for (java.lang.reflect.Field constant : statuses.getFields()) {
                int status = constant.getInt(null);
                String name = Status.text(status, fabrics);
                name = name.substring(0, name.indexOf(" (SCT"));
                expected.put(String.format("%03x", status) + (fabrics ? " fabrics" : ""),
                        SPELLINGS.getOrDefault(name, name));
                program.append("name(").append(status).append(", ").append(fabrics).append(");\n");
            }
        }
        assertEquals(expected, CProgram.run(directory, program.append("return 0; }\n").toString()));
    }

    private static String print(String name, String expression) {
        return "printf(\"" + name + "=%lld\\n\", (long long) (" + expression + "));\n";
    }

    private static long constant(String name) throws ReflectiveOperationException {
        int dot = name.lastIndexOf('.');
        Class<?> owner = Class.forName("io.spindrift.nvme.spec." + name.substring(0, dot));
        return ((Number) owner.getField(name.substring(dot + 1)).get(null)).longValue();
    }

    private static List<String> lines() throws Exception {
        try (InputStream resource = LibnvmeNumbersTest.class.getResourceAsStream("libnvme-numbers")) {
            List<String> lines = new String(resource.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.startsWith("#")).toList();
            assertTrue(lines.size() > 300, "constants to compare: " + lines.size());
            return lines;
        }
    }
}
