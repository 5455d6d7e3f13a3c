package io.spindrift.apps.setup;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// Prints what there is, a line for each device.
final class StatusTable {
    private static final List<String> HEADER = List.of("Address", "Vendor:Device", "NUMA", "Driver", "Block devices",
            "IOMMU group", "Usable");

    private final List<List<String>> rows = new ArrayList<>(List.of(HEADER));

    /// Adds a device with its `disks`; `usable` is its last column.
    void add(PciFunction function, List<String> disks, String usable) {
        rows.add(List.of(function.address().text(), function.id(),
                function.numaNode().isPresent() ? Integer.toString(function.numaNode().getAsInt()) : "-",
                function.driver().orElse("-"), disks.isEmpty() ? "-" : String.join(",", disks),
                function.iommuGroup().isPresent() ? Integer.toString(function.iommuGroup().getAsInt()) : "-", usable));
    }

    void print(PrintStream out) {
        int columns = HEADER.size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns - 1; column++) {
                String cell = row.get(column);
                line.append(cell).repeat(' ', widths[column] - cell.length() + 2);
            }
            out.println(line.append(row.getLast()));
        }
    }
}
