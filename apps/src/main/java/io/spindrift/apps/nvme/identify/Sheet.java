package io.spindrift.apps.nvme.identify;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/// The text that the sections write, with SPDK's columns.
final class Sheet {
    private static final int BYTES_A_LINE = 16;
    private static final int HEX_WIDTH = 3 * BYTES_A_LINE;

    private final StringBuilder text = new StringBuilder();
    private final boolean hexDumps;
    private int width;

    /// A sheet, with dumps of the raw pages if `hexDumps`.
    Sheet(boolean hexDumps) {
        this.hexDumps = hexDumps;
    }

    /// A headline, underlined with `line`; the values of the lines below begin in column `newWidth`.
    void title(String title, char line, int newWidth) {
        width = newWidth;
        row(title);
        text.repeat(line, title.length()).append('\n');
    }

    /// As the other, with `=`.
    void title(String title, int newWidth) {
        title(title, '=', newWidth);
    }

    /// A line without a value.
    void row(String line) {
        text.append(line).append('\n');
    }

    /// Whole lines.
    void text(String lines) {
        text.append(lines);
    }

    /// An empty line.
    void gap() {
        text.append('\n');
    }

    /// A label and its value, in the section's column.
    void row(String label, String value) {
        text.append(label).repeat(' ', Math.max(0, width - label.length())).append(value).append('\n');
    }

    void row(String label, long value) {
        row(label, Long.toString(value));
    }

    /// As the other; `values` go into the format `value`.
    void row(String label, String value, Object... values) {
        row(label, String.format(Locale.ROOT, value, values));
    }

    void yes(String label, boolean value) {
        row(label, value ? "Yes" : "No");
    }

    void supported(String label, boolean value) {
        row(label, value ? "Supported" : "Not Supported");
    }

    /// A line whose label is filled up with spaces and followed by a colon.
    void aligned(String label, int labelWidth, Object value) {
        row(String.format(Locale.ROOT, "%-" + labelWidth + "s: %s", label, value));
    }

    /// Kelvins, and what they are in degrees Celsius.
    static String temperature(long kelvins) {
        return kelvins + " Kelvin (" + (kelvins - 273) + " Celsius)";
    }

    /// The bytes of `page`, if dumps are wanted, and an empty line.
    void dump(MemorySegment page) {
        if (!hexDumps) {
            return;
        }
        for (long at = 0; at < page.byteSize(); at += BYTES_A_LINE) {
            dumpLine(page, at, (int) Math.min(BYTES_A_LINE, page.byteSize() - at));
        }
        gap();
    }

    private void dumpLine(MemorySegment page, long at, int bytes) {
        text.append(String.format("%08X: ", at));
        int start = text.length();
        StringBuilder characters = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            int value = Byte.toUnsignedInt(page.get(ValueLayout.JAVA_BYTE, at + i));
            text.append(String.format("%02X", value)).append(i == BYTES_A_LINE / 2 - 1 ? '-' : ' ');
            characters.append(value > ' ' && value <= '~' ? (char) value : '.');
        }
        text.repeat(' ', HEX_WIDTH - (text.length() - start)).append(' ').append(characters).append('\n');
    }

    /// All that was written.
    @Override
    public String toString() {
        return text.toString();
    }
}
