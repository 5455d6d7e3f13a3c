package io.spindrift.framework.app;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;

/// Turns the text of a flag's value into what it means.
///
/// Each refuses by an [IllegalArgumentException] that states what is needed; [CommandLine] adds flag and value.
public final class FlagValues {
    /// sizeof(sun_path) is 108 (unix(7)), with a zero byte at its end.
    private static final int SOCKET_PATH_LIMIT = 107;

    private FlagValues() {}

    /// A whole number in `min..max`, decimal or, after `0x`, hexadecimal.
    public static long number(String text, long min, long max) {
        long value;
        try {
            value = Long.decode(text.matches("0\\d+") ? text.replaceFirst("^0+(?=\\d)", "") : text);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("a whole number from " + min + " to " + max + " is needed");
        }
        if (value < min || value > max) {
            throw new IllegalArgumentException("outside " + min + ".." + max);
        }
        return value;
    }

    /// As [#number(String, long, long)], for values that fit an `int`.
    public static int number(String text, int min, int max) {
        return (int) number(text, (long) min, (long) max);
    }

    /// A number in `min..max` that may have a fraction.
    public static double real(String text, double min, double max) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("a number from " + min + " to " + max + " is needed");
        }
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException("outside " + min + ".." + max);
        }
        return value;
    }

    /// Bytes in `min..max`: `4096`, `4k`, `1M`, `2GiB`; the units are powers of 1024.
    public static long bytes(String text, long min, long max) {
        return scaled(text, 1, min, max);
    }

    /// Mebibytes in `min..max`: a bare number counts them, one with a unit counts bytes (`512`, `512M`, `2G`).
    public static long mebibytes(String text, long min, long max) {
        return scaled(text, 1 << 20, min << 20, max << 20) >> 20;
    }

    private static long scaled(String text, long bareUnit, long min, long max) {
        int digits = 0;
        while (digits < text.length() && Character.digit(text.charAt(digits), 10) >= 0) {
            digits++;
        }
        long unit = switch (text.substring(digits).toLowerCase(Locale.ROOT)) {
            case "" -> bareUnit;
            case "b" -> 1;
            case "k", "kb", "kib" -> 1L << 10;
            case "m", "mb", "mib" -> 1L << 20;
            case "g", "gb", "gib" -> 1L << 30;
            case "t", "tb", "tib" -> 1L << 40;
            default -> 0;
        };
        if (digits == 0 || unit == 0) {
            throw new IllegalArgumentException("a size is needed: a number, then nothing or k, M, G or T");
        }
        long value;
        try {
            value = Math.multiplyExact(Long.parseLong(text.substring(0, digits)), unit);
        } catch (NumberFormatException | ArithmeticException _) {
            value = Long.MAX_VALUE;
        }
        if (value < min || value > max) {
            throw new IllegalArgumentException("outside " + min + ".." + max + " bytes");
        }
        return value;
    }

    /// One of `words`.
    public static String word(String text, String... words) {
        if (!List.of(words).contains(text)) {
            throw new IllegalArgumentException("one of " + String.join(", ", words) + " is needed");
        }
        return text;
    }

    /// Words with commas between them, at least one.
    public static List<String> words(String text) {
        List<String> words = Stream.of(text.split(",")).map(String::trim).filter(word -> !word.isEmpty()).toList();
        if (words.isEmpty()) {
            throw new IllegalArgumentException("a list of names with commas between them is needed");
        }
        return words;
    }

    /// A UUID in its usual form of 36 characters.
    public static UUID uuid(String text) {
        if (!text.matches("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}")) {
            throw new IllegalArgumentException("a UUID like 00112233-4455-6677-8899-aabbccddeeff is needed");
        }
        return UUID.fromString(text);
    }

    /// A PCI address: `0000:5e:00.0`, the domain may be left out.
    public static String pciAddress(String text) {
        if (!text.matches("(\\p{XDigit}{4,8}[:.])?\\p{XDigit}{1,2}[:.][01]?\\p{XDigit}[.:][0-7]")) {
            throw new IllegalArgumentException("a PCI address like 0000:5e:00.0 is needed");
        }
        return text;
    }

    /// A socket's path of at most 107 bytes, or `IP:PORT` (`[::1]:5260` for IPv6).
    public static String rpcAddress(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a socket's path or IP:PORT is needed");
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SOCKET_PATH_LIMIT) {
            throw new IllegalArgumentException(bytes + " bytes are too long for a socket's path: the limit is "
                    + SOCKET_PATH_LIMIT);
        }
        return text;
    }
}
