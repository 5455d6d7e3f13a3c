package io.spindrift.nvme.spec;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTest {
    @Test
    void everyFieldLiesInItsStructure() throws Exception {
        for (Class<?> table : Tables.ALL) {
            Map<String, Field> fields = Tables.fields(table);
            assertFalse(fields.isEmpty(), table.getName());
            for (Map.Entry<String, Field> field : fields.entrySet()) {
                assertTrue(field.getValue().offset() + field.getValue().size() <= Tables.size(table),
                        table + "." + field);
            }
        }
    }

    @Test
    void noFieldsOverlapButTheVariantsOfOne() throws Exception {
        for (Class<?> table : Tables.ALL) {
            int end = 0;
            for (Map.Entry<String, Field> field : Tables.fields(table).entrySet()) {
                if (!field.getKey().startsWith("TSAS_")) {
                    assertTrue(field.getValue().offset() >= end, table + "." + field.getKey());
                    end = field.getValue().offset() + field.getValue().size();
                }
            }
        }
    }
}
