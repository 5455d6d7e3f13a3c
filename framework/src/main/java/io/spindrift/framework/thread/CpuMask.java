package io.spindrift.framework.thread;

import java.util.BitSet;

/// A set of cores, as users write it: `0x3`, `0XF`, `3` (hexadecimal) or `[0,1,4-7]`.
public record CpuMask(BitSet bits) {
    /// Cores are numbered below this.
    public static final int LIMIT = 1024;

    public CpuMask {
        bits = (BitSet) bits.clone();
    }

    /// The set of `cores`.
    public static CpuMask of(int... cores) {
        BitSet bits = new BitSet();
        for (int core : cores) {
            bits.set(core);
        }
        return new CpuMask(bits);
    }

    /// Parses `text`; [IllegalArgumentException] says what is wrong with it.
    public static CpuMask parse(String text) {
        String trimmed = text.trim();
        CpuMask mask = trimmed.startsWith("[") ? parseList(text, trimmed) : parseHex(text, trimmed);
        if (mask.bits.isEmpty()) {
            throw invalid(text, "it names no core");
        }
        return mask;
    }

    private static CpuMask parseHex(String text, String trimmed) {
        String digits = trimmed.startsWith("0x") || trimmed.startsWith("0X") ? trimmed.substring(2) : trimmed;
        if (digits.isEmpty() || digits.length() > LIMIT / 4) {
            throw invalid(text, "a hexadecimal mask of 1 to " + LIMIT / 4 + " digits or a list like [0,2-5] is needed");
        }
        BitSet bits = new BitSet();
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(digits.length() - 1 - i), 16);
            if (digit < 0) {
                throw invalid(text, "'" + digits.charAt(digits.length() - 1 - i) + "' is no hexadecimal digit");
            }
            for (int bit = 0; bit < 4; bit++) {
                if ((digit & 1 << bit) != 0) {
                    bits.set(4 * i + bit);
                }
            }
        }
        return new CpuMask(bits);
    }

    private static CpuMask parseList(String text, String trimmed) {
        if (!trimmed.endsWith("]")) {
            throw invalid(text, "the list has no closing ']'");
        }
        BitSet bits = new BitSet();
        for (String part : trimmed.substring(1, trimmed.length() - 1).split(",", -1)) {
            String[] ends = part.trim().split("-", -1);
            int from = core(text, ends[0]);
            int to = ends.length == 2 ? core(text, ends[1]) : from;
            if (ends.length > 2 || to < from) {
                throw invalid(text, "'" + part.trim() + "' is no core or range of cores");
            }
            bits.set(from, to + 1);
        }
        return new CpuMask(bits);
    }

    private static int core(String text, String digits) {
        int core;
        try {
            core = Integer.parseInt(digits.trim());
        } catch (NumberFormatException e) {
            throw invalid(text, "'" + digits.trim() + "' is no core number");
        }
        if (core < 0 || core >= LIMIT) {
            throw invalid(text, "core " + core + " is outside 0.." + (LIMIT - 1));
        }
        return core;
    }

    private static IllegalArgumentException invalid(String text, String reason) {
        return new IllegalArgumentException("cpumask '" + text + "': " + reason);
    }

    public boolean contains(int core) {
        return bits.get(core);
    }

    public boolean isEmpty() {
        return bits.isEmpty();
    }

    public boolean intersects(CpuMask other) {
        return bits.intersects(other.bits);
    }

    /// The cores, ascending.
    public int[] cores() {
        return bits.stream().toArray();
    }

    @Override
    public BitSet bits() {
        return (BitSet) bits.clone();
    }

    /// Lower-case hexadecimal without a prefix, as RPC results show masks: `1`, `f`.
    public String hex() {
        StringBuilder text = new StringBuilder();
        for (int digit = Math.max(0, bits.length() - 1) / 4; digit >= 0; digit--) {
            int value = 0;
            for (int bit = 0; bit < 4; bit++) {
                value |= bits.get(4 * digit + bit) ? 1 << bit : 0;
            }
            text.append(Character.forDigit(value, 16));
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return "0x" + hex();
    }
}
