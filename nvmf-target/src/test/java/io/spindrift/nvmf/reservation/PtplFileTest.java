package io.spindrift.nvmf.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PtplFileTest {
    private static final UUID BDEV = UUID.fromString("00000000-1111-2222-3333-444444444444");
    private static final UUID A = UUID.fromString("aaaaaaaa-0000-4000-8000-000000000001");
    private static final UUID B = UUID.fromString("bbbbbbbb-0000-4000-8000-000000000002");
    /// As SPDK's nvmf target writes it: names, order and types.
    private static final String OF_THE_PEER = "{\"ptpl\":true,\"rtype\":1,\"crkey\":18446744073709551615,"
            + "\"bdev_uuid\":\"" + BDEV + "\",\"holder_uuid\":\"" + A + "\",\"registrants\":["
            + "{\"rkey\":18446744073709551615,\"host_uuid\":\"" + A + "\"},{\"rkey\":2,\"host_uuid\":\"" + B + "\"}]}";
    private static final List<Registrant> REGISTRANTS = List.of(new Registrant(A, -1), new Registrant(B, 2));

    @TempDir
    Path folder;
    private Path path;
    private PtplFile file;

    @BeforeEach
    void name() {
        path = folder.resolve("ptpl.json");
        file = new PtplFile(path, BDEV);
    }

    private static Reservations reservations(ReservationType type, UUID holder, boolean persistent) {
        return new Reservations(0, type, Optional.ofNullable(holder), persistent, 0, REGISTRANTS);
    }

    private String written(Reservations reservations) throws IOException {
        file.store(reservations);
        return Files.readString(path);
    }

    @Test
    void readsAndWritesThePeersFormat() throws IOException {
        Files.writeString(path, OF_THE_PEER);
        Reservations expected = reservations(ReservationType.WRITE_EXCLUSIVE, A, true);
        assertEquals(expected, file.load());
        assertEquals(OF_THE_PEER, written(expected));
        assertEquals(List.of(path), folderEntries());
    }

    private List<Path> folderEntries() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    /// The peer leaves the holder out, and takes for `crkey` any registrant's key.
    @Test
    void keepsAReservationOfAllRegistrants() throws IOException {
        Reservations all = reservations(ReservationType.EXCLUSIVE_ACCESS_ALL_REGISTRANTS, null, true);
        assertEquals(OF_THE_PEER.replace("\"rtype\":1", "\"rtype\":6").replace("\"holder_uuid\":\"" + A,
                "\"holder_uuid\":\""), written(all));
        assertEquals(all, file.load());
    }

    @Test
    void keepsRegistrantsWithoutAReservation() throws IOException {
        Reservations registered = reservations(ReservationType.NONE, null, true);
        file.store(registered);
        assertEquals(registered, file.load());
        file.store(Reservations.NONE.persistent(true));
        assertEquals(Reservations.NONE.persistent(true), file.load());
    }

    @Test
    void keepsNothingOnceItIsNotToBeKept() throws IOException {
        file.store(reservations(ReservationType.WRITE_EXCLUSIVE, A, true));
        assertEquals("{\"ptpl\":false,\"rtype\":0,\"crkey\":0,\"bdev_uuid\":\"" + BDEV
                + "\",\"holder_uuid\":\"\",\"registrants\":[]}",
                written(reservations(ReservationType.WRITE_EXCLUSIVE, A, false)));
        assertEquals(Reservations.NONE, file.load());
    }

    @Test
    void isEmptyAtFirst() throws IOException {
        assertEquals(Reservations.NONE, file.load());
        Files.createFile(path);
        assertEquals(Reservations.NONE, file.load());
    }

    @Test
    void leavesALinkALink() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other")).resolve("real.json");
        Files.writeString(other, OF_THE_PEER);
        Files.createSymbolicLink(path, other);
        file.store(Reservations.NONE.persistent(true));
        assertTrue(Files.isSymbolicLink(path));
        assertEquals(Files.readString(other), Files.readString(path));
    }

    @Test
    void leavesTheFileWhereItCannotWrite() throws IOException {
        Files.writeString(path, OF_THE_PEER);
        Files.createFile(Files.createDirectory(folder.resolve("ptpl.json.new")).resolve("in the way"));
        assertThrows(IOException.class, () -> file.store(Reservations.NONE));
        assertEquals(OF_THE_PEER, Files.readString(path));
    }

    /// A pipe would keep who opens it until somebody reads, and a link would have another file written.
    @Test
    @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD) // opening a pipe does not hear an interrupt
    void opensNothingThatHasItsTemporaryName() throws Exception {
        Path young = folder.resolve("ptpl.json.new");
        assertEquals(0, new ProcessBuilder("mkfifo", young.toString()).start().waitFor());
        file.store(Reservations.NONE);
        Path other = Files.writeString(folder.resolve("other"), "kept");
        Files.createSymbolicLink(young, other);
        file.store(Reservations.NONE);
        assertEquals("kept", Files.readString(other));
        assertTrue(Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS));
    }

    /// Each line: what is replaced, by what, and what the message says.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "ptpl":true          | "ptpl":1              | ptpl=1 is neither true nor false
            "ptpl"               | "ptpn"                | the file has the unknown property ptpn
            "rtype":1            | "rtype":7             | rtype=7 is no type of reservation, 0..6
            "rtype":1            | "rtype":-1            | rtype=-1 is no type of reservation
            "rtype":1            | "rtype":4294967297    | rtype=4294967297 is no type of reservation
            "rtype":1            | "rtype":"1"           | rtype="1" is no type of reservation
            "crkey":1844         | "crkey":11844         | is no key, 0..18446744073709551615
            "crkey":18446744073709551615 | "crkey":2     | crkey=2 is not the key of the holder
            "rkey":2             | "rkey":-2             | registrants[1].rkey=-2 is no key
            "rkey":2             | "rkey":0              | registrants[1].rkey=0 is no key
            "rkey":2             | "rkey":2.5            | registrants[1].rkey=2.5 is no key
            "rkey":2             | "rkey":2,"rkey":3     | is no JSON
            "rkey":2             | "x":2                 | registrants[1] has the unknown property x
            "rkey":2,            | ``                    | registrants[1].rkey=nothing is no key
            bbbbbbbb-            | b-                    | registrants[1].host_uuid="b-0000-4000-8000-000000000002" is no UUID
            "holder_uuid":"aaaa  | "holder_uuid":"cccc   | the holder ccccaaaa-0000-4000-8000-000000000001 is not registered
            -444444444444        | -444444444445         | of a bdev with the UUID 00000000-1111-2222-3333-444444444445
            "registrants":[      | "registrants":[7,     | registrants[0] is no object
            "registrants"        | "holder"              | the file has the unknown property holder
            }]}                  | }]                    | is no JSON
            }]}                  | }]}{}                 | is no JSON
            """)
    void refusesWhatCannotBe(String part, String by, String message) throws IOException {
        Files.writeString(path, OF_THE_PEER.replace(part, by == null ? "" : by));
        String refusal = assertThrows(IllegalArgumentException.class, file::load).getMessage();
        assertTrue(refusal.startsWith("ptpl_file=" + path + ": "), refusal);
        assertTrue(refusal.contains(message), refusal);
    }

    @Test
    void refusesAHostThatIsThereTwiceAndTooMany() throws IOException {
        Files.writeString(path, OF_THE_PEER.replace(B.toString(), A.toString()));
        assertRefused(file, "host " + A + " is registered twice");
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 257; i++) {
            many.append("{\"rkey\":1,\"host_uuid\":\"").append(new UUID(1, i)).append("\"},");
        }
        Files.writeString(path, OF_THE_PEER.replace("\"registrants\":[", "\"registrants\":[" + many));
        assertRefused(file, "259 registrants are more than 256");
    }

    @Test
    void refusesWhatIsNoFile() throws IOException {
        assertRefused(new PtplFile(folder, BDEV), "is no file");
        assertRefused(new PtplFile(folder.resolve("none/ptpl.json"), BDEV), "there is no folder " + folder
                .resolve("none"));
        Files.write(path, new byte[(1 << 20) + 1]);
        assertRefused(file, "has 1048577 bytes, more than 1048576");
        Files.write(path, new byte[]{(byte) 0xff, 0});
        assertRefused(file, "is no JSON");
        Files.writeString(path, "[".repeat(1 << 19) + "]".repeat(1 << 19));
        assertRefused(file, "is no JSON");
        Files.writeString(path, OF_THE_PEER.replace("\"rkey\":2", "\"rkey\":" + "9".repeat(500_000)));
        assertRefused(file, "is no ");
    }

    private static void assertRefused(PtplFile wrong, String message) {
        String refusal = assertThrows(IllegalArgumentException.class, wrong::load).getMessage();
        assertTrue(refusal.contains(message), refusal);
    }
}
