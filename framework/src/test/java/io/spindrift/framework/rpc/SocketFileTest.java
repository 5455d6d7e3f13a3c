package io.spindrift.framework.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketFileTest {
    @TempDir
    Path directory;

    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("spdk.sock");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private void leaveStaleSocket() throws IOException {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(path));
        }
        assertTrue(Files.exists(path));
    }

    @Test
    void onlyTheOwnerMayConnect() throws IOException {
        try (SocketFile socket = SocketFile.listen(path)) {
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
            assertTrue(socket.channel().isOpen());
        }
    }

    @Test
    void removesItsFiles() throws IOException {
        SocketFile.listen(path).close();
        assertEquals(List.of(), files());
    }

    @Test
    void replacesAStaleSocket() throws IOException {
        leaveStaleSocket();
        try (SocketFile socket = SocketFile.listen(path)) {
            new RpcClientSocket(new RpcAddress.Unix(path)).close();
            assertTrue(socket.channel().isOpen());
        }
    }

    @Test
    void refusesALiveOneThatHasNoLock() throws IOException {
        try (ServerSocketChannel live = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            live.bind(UnixDomainSocketAddress.of(path));
            IOException e = assertThrows(IOException.class, () -> SocketFile.listen(path));
            assertEquals("the RPC socket " + path + " is in use by another process; give another one with -r",
                    e.getMessage());
            assertEquals(List.of("spdk.sock"), files());
        }
    }

    @Test
    void refusesALiveOneWhoseQueueOfClientsIsFull() throws IOException {
        try (ServerSocketChannel live = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            live.bind(UnixDomainSocketAddress.of(path), 1);
            new RpcClientSocket(new RpcAddress.Unix(path)).close();
            new RpcClientSocket(new RpcAddress.Unix(path)).close();
            IOException e = assertThrows(IOException.class, () -> SocketFile.listen(path));
            assertTrue(e.getMessage().contains("in use"), e.getMessage());
        }
    }

    @Test
    void refusesTheSecondOfTwo() throws IOException {
        try (SocketFile first = SocketFile.listen(path)) {
            IOException e = assertThrows(IOException.class, () -> SocketFile.listen(path));
            assertTrue(e.getMessage().contains("in use"), e.getMessage());
            assertTrue(Files.exists(path));
            assertTrue(first.channel().isOpen());
        }
    }

    @Test
    void leavesAFileThatIsNoSocketAlone() throws IOException {
        Files.writeString(path, "precious");
        IOException e = assertThrows(IOException.class, () -> SocketFile.listen(path));
        assertTrue(e.getMessage().contains("no socket"), e.getMessage());
        assertEquals("precious", Files.readString(path));
        assertEquals(List.of("spdk.sock"), files());
    }

    @Test
    void leavesAFileThatReplacedItsOwn() throws IOException {
        SocketFile socket = SocketFile.listen(path);
        Files.delete(path);
        Files.writeString(path, "somebody else's");
        socket.close();
        assertEquals("somebody else's", Files.readString(path));
    }

    @Test
    void saysThatADirectoryIsMissing() {
        IOException e = assertThrows(IOException.class, () -> SocketFile.listen(directory.resolve("none/x.sock")));
        assertTrue(e.getMessage().endsWith("x.sock.lock: No such file or directory"), e.getMessage());
    }

    @Test
    void namesTheLimitOfALongPath() {
        Path longest = Path.of("/tmp/" + "a".repeat(101));
        assertEquals(longest, new RpcAddress.Unix(longest).path());
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> new RpcAddress.Unix(Path.of(longest + "b")));
        assertTrue(e.getMessage().endsWith("has 107 bytes, more than 106"), e.getMessage());
        assertFalse(Files.exists(longest));
    }
}
