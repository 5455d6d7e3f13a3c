package io.spindrift.bdev.nvme;

import io.spindrift.nvme.ControllerData;
import io.spindrift.nvme.NvmeNamespace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.UUID;

/// The UUID of a bdev that stands for a namespace: that of the namespace, however it is attached.
final class NamespaceUuid {
    /// Names of namespaces are names in this space (RFC 9562, 5.5); the value is SPDK's, so that both give the same UUIDs.
    private static final UUID SPACE = UUID.fromString("edaed2de-24bc-4b07-b559-f47ecbe730fd");

    private NamespaceUuid() {}

    /// Its NGUID or its UUID; else, if one is to be made, that of the controller's serial number and the NSID.
    static Optional<UUID> of(NvmeNamespace namespace, ControllerData controller, boolean generate) {
        NvmeNamespace.Ids ids = namespace.ids();
        if (!ids.nguid().isZero()) {
            return Optional.of(new UUID(ids.nguid().high(), ids.nguid().low()));
        }
        if (ids.uuid().isPresent() || !generate) {
            return ids.uuid();
        }
        return Optional.of(named(controller.serialNumber() + namespace.nsid()));
    }

    /// The UUID of version 5 with this name.
    private static UUID named(String name) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(ByteBuffer.allocate(16).putLong(SPACE.getMostSignificantBits())
                    .putLong(SPACE.getLeastSignificantBits()).flip());
            ByteBuffer hash = ByteBuffer.wrap(sha1.digest(name.getBytes(StandardCharsets.UTF_8)));
            long high = hash.getLong() & ~0xf000L | 0x5000L;
            long low = hash.getLong() & ~(3L << 62) | 1L << 63;
            return new UUID(high, low);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-1", e);
        }
    }
}
