package io.spindrift.nvmf.reservation;

import io.spindrift.framework.rpc.Json;
import io.spindrift.framework.rpc.JsonException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/// The file that keeps a namespace's reservations through power loss, in the peer's format:
///
/// ```
/// {"ptpl": true, "rtype": 1, "crkey": 17, "bdev_uuid": "...", "holder_uuid": "...",
///  "registrants": [{"rkey": 17, "host_uuid": "..."}]}
/// ```
/// `crkey` is the holder's key; where all registrants hold the reservation, `holder_uuid` is empty and `crkey` one of their
/// keys. All methods block: they run on a thread for that.
public final class PtplFile {
    /// Much more than [Reservations#MAX_REGISTRANTS] need.
    private static final long MAX_BYTES = 1 << 20;
    private static final Set<String> PROPERTIES = Set.of("ptpl", "rtype", "crkey", "bdev_uuid", "holder_uuid",
            "registrants");
    private static final Set<String> REGISTRANT_PROPERTIES = Set.of("rkey", "host_uuid");
    private static final BigInteger MAX_KEY = BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);

    private final Path path;
    private final UUID bdev;

    /// The file at `path` of a namespace on the device with the UUID `bdev`.
    public PtplFile(Path path, UUID bdev) {
        this.path = path.toAbsolutePath();
        this.bdev = bdev;
    }

    // ---- reading ------------------------------------------------------------------------------------------------

    /// What the file keeps: [Reservations#NONE] if it does not exist yet, is empty, or was to keep nothing.
    /// [IllegalArgumentException] with a sentence if it cannot be read, is none, or is of another device.
    public Reservations load() {
        try {
            if (!Files.exists(path)) {
                if (!Files.isDirectory(path.getParent())) {
                    throw refused("there is no folder " + path.getParent());
                }
                return Reservations.NONE;
            }
            if (!Files.isRegularFile(path)) {
                throw refused("is no file");
            }
            if (Files.size(path) > MAX_BYTES) {
                throw refused("has " + Files.size(path) + " bytes, more than " + MAX_BYTES);
            }
            byte[] text = Files.readAllBytes(path);
            return text.length == 0 ? Reservations.NONE : of(Json.parse(text));
        } catch (JsonException e) {
            throw refused("is no JSON: " + e.getMessage());
        } catch (IOException e) {
            throw refused("cannot be read: " + e);
        }
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("ptpl_file=" + path + ": " + why);
    }

    private Reservations of(JsonNode file) {
        checkProperties(file, "the file", PROPERTIES);
        boolean persistent = file.has("ptpl") && bool(file.get("ptpl"));
        UUID of = uuid("bdev_uuid", file.get("bdev_uuid"));
        List<Registrant> registrants = registrants(file.get("registrants"));
        ReservationType type = type(file.get("rtype"));
        if (!persistent) {
            return Reservations.NONE;
        }
        if (!of.equals(bdev)) {
            throw refused("keeps the reservations of a bdev with the UUID " + of + ", and that of this one is " + bdev);
        }
        if (registrants.isEmpty()) {
            return Reservations.NONE.persistent(true);
        }
        boolean oneHolder = type != ReservationType.NONE && !type.heldByAll();
        Optional<UUID> holder = oneHolder
                ? Optional.of(uuid("holder_uuid", file.get("holder_uuid")))
                : Optional.empty();
        try {
            Reservations kept = new Reservations(0, type, holder, true, 0, registrants);
            if (oneHolder && kept.registrant(holder.get()).orElseThrow().key() != key("crkey", file.get("crkey"))) {
                throw new IllegalArgumentException("crkey=" + file.get("crkey") + " is not the key of the holder "
                        + holder.get());
            }
            return kept;
        } catch (IllegalArgumentException e) {
            throw refused(e.getMessage());
        }
    }

    private void checkProperties(JsonNode node, String what, Set<String> known) {
        if (!node.isObject()) {
            throw refused(what + " is no object: " + Json.excerpt(node));
        }
        for (String name : node.propertyNames()) {
            if (!known.contains(name)) {
                throw refused(what + " has the unknown property " + name);
            }
        }
    }

    private boolean bool(JsonNode value) {
        if (!value.isBoolean()) {
            throw refused("ptpl=" + Json.excerpt(value) + " is neither true nor false");
        }
        return value.booleanValue();
    }

    private ReservationType type(JsonNode value) {
        if (value == null) {
            return ReservationType.NONE;
        }
        return (value.isIntegralNumber() && value.canConvertToInt()
                ? ReservationType.of(value.intValue())
                : Optional.<ReservationType>empty()).orElseThrow(
                        () -> refused("rtype=" + Json.excerpt(value) + " is no type of reservation, 0..6"));
    }

    private List<Registrant> registrants(JsonNode value) {
        if (value == null || !value.isArray()) {
            throw refused("registrants is no array");
        }
        if (value.size() > Reservations.MAX_REGISTRANTS) {
            throw refused(value.size() + " registrants are more than " + Reservations.MAX_REGISTRANTS);
        }
        List<Registrant> registrants = new ArrayList<>();
        for (JsonNode registrant : value) {
            String name = "registrants[" + registrants.size() + "]";
            checkProperties(registrant, name, REGISTRANT_PROPERTIES);
            long key = key(name + ".rkey", registrant.get("rkey"));
            if (key == 0) {
                throw refused(name + ".rkey=0 is no key");
            }
            registrants.add(new Registrant(uuid(name + ".host_uuid", registrant.get("host_uuid")), key));
        }
        return registrants;
    }

    private UUID uuid(String name, JsonNode value) {
        if (value != null && value.isString()) {
            String text = value.stringValue();
            try {
                UUID uuid = UUID.fromString(text);
                if (uuid.toString().equalsIgnoreCase(text)) {
                    return uuid;
                }
            } catch (IllegalArgumentException _) {
                // told below
            }
        }
        throw refused(name + "=" + (value == null ? "nothing" : Json.excerpt(value)) + " is no UUID");
    }

    private long key(String name, JsonNode value) {
        if (value == null || !value.isIntegralNumber() || value.bigIntegerValue().signum() < 0
                || value.bigIntegerValue().compareTo(MAX_KEY) > 0) {
            throw refused(name + "=" + (value == null ? "nothing" : Json.excerpt(value)) + " is no key, 0.." + MAX_KEY);
        }
        return value.bigIntegerValue().longValue();
    }

    // ---- writing ------------------------------------------------------------------------------------------------

    /// Keeps `reservations`, or that there are none to keep: after it returns a power loss leaves these, before that these or
    /// the ones before, whole either way.
    public void store(Reservations reservations) throws IOException {
        Path target = Files.exists(path) ? path.toRealPath() : path; // a link stays one
        Path young = target.resolveSibling(target.getFileName() + ".new");
        ByteBuffer text = ByteBuffer.wrap(Json.compact(Json.tree(properties(reservations)))
                .getBytes(StandardCharsets.UTF_8));
        Files.deleteIfExists(young); // left by an interrupted attempt; or anything else, which is not opened
        try (FileChannel channel = FileChannel.open(young, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            while (text.hasRemaining()) {
                channel.write(text);
            }
            channel.force(true);
        }
        Files.move(young, target, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(target.getParent(), StandardOpenOption.READ)) {
            folder.force(true); // the new name
        }
    }

    private Map<String, Object> properties(Reservations reservations) {
        boolean kept = reservations.persistent();
        List<Registrant> registrants = kept ? reservations.registrants() : List.of();
        ReservationType type = kept ? reservations.type() : ReservationType.NONE;
        Optional<UUID> holder = kept ? reservations.holder() : Optional.empty();
        long holderKey = type == ReservationType.NONE
                ? 0
                : holder.flatMap(reservations::registrant).orElse(registrants.getFirst()).key();
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("ptpl", kept);
        properties.put("rtype", type.code());
        properties.put("crkey", unsigned(holderKey));
        properties.put("bdev_uuid", bdev.toString());
        properties.put("holder_uuid", holder.map(UUID::toString).orElse(""));
        properties.put("registrants", registrants.stream().map(registrant -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("rkey", unsigned(registrant.key()));
            one.put("host_uuid", registrant.hostId().toString());
            return one;
        }).toList());
        return properties;
    }

    private static BigInteger unsigned(long key) {
        return new BigInteger(Long.toUnsignedString(key));
    }
}
