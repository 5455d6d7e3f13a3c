package io.spindrift.bdev;

import io.spindrift.framework.Check;
import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// What a module says of a device when it registers it.
///
/// @param name        1 to 255 bytes
/// @param productName what kind of device it is, in words
/// @param uuid        its UUID; a random one is made if it has none
/// @param aliases     further names, besides the UUID's text
/// @param numBlocks   its size, at least 1
/// @param geometry    its shape
public record BdevRegistration(String name, String productName, Optional<UUID> uuid, List<String> aliases,
        long numBlocks, BdevGeometry geometry) {
    /// Longest name in UTF-8 bytes.
    public static final int NAME_LIMIT = 255;

    public BdevRegistration {
        aliases = List.copyOf(aliases);
        checkName("name", name);
        aliases.forEach(alias -> checkName("alias", alias));
        Check.positive("num_blocks", numBlocks);
        if (numBlocks > Long.MAX_VALUE / geometry.blockSize()) {
            throw new ErrnoException(Errno.EINVAL, "num_blocks=" + numBlocks + " of " + geometry.blockSize()
                    + " bytes are more than " + Long.MAX_VALUE + " bytes");
        }
    }

    /// A device without aliases of its own.
    public static BdevRegistration of(String name, String productName, Optional<UUID> uuid, long numBlocks,
            BdevGeometry geometry) {
        return new BdevRegistration(name, productName, uuid, List.of(), numBlocks, geometry);
    }

    private static void checkName(String what, String text) {
        int bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > NAME_LIMIT) {
            throw new ErrnoException(Errno.EINVAL, what + " '" + (bytes > 40 ? text.substring(0, 40) + "..." : text)
                    + "' has " + bytes + " bytes; 1 to " + NAME_LIMIT + " are allowed");
        }
    }
}
