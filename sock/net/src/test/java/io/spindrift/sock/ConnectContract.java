package io.spindrift.sock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.spindrift.framework.Errno;
import io.spindrift.framework.ErrnoException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How every implementation listens and connects.
abstract class ConnectContract extends BenchedTest {
    @Test
    void connectionsKnowBothAddresses() throws Exception {
        DetachedSock client = bench.connect(bench.listener.address());
        DetachedSock server = bench.accept();
        assertEquals(bench.listener.address(), client.peerAddress());
        assertEquals(client.localAddress(), server.peerAddress());
        assertEquals(client.peerAddress(), server.localAddress());
        assertTrue(server.accepted());
        assertFalse(client.accepted());
        client.close();
        server.close();
        assertThrows(IllegalStateException.class, () -> bench.add(client, new Recorder()));
    }

    @Test
    void listensOnEveryKindOfAddress() throws Exception {
        for (String[] listenAndConnect : new String[][]{{"0.0.0.0", "127.0.0.1"}, {"0.0.0.0", "127.0.0.2"},
                {"::1", "::1"}, {"::", "::1"}}) {
            SockListener listener = bench.listen(listenAndConnect[0]);
            DetachedSock client = bench.connect(SockAddress.of(listenAndConnect[1], listener.address().port()));
            DetachedSock server = bench.accept();
            assertEquals(SockAddress.of(listenAndConnect[1], listener.address().port()), server.localAddress(),
                    "the address that the peer used");
            Recorder recorder = new Recorder();
            Sock sending = bench.add(client, new Recorder());
            bench.add(server, recorder);
            bench.run(() -> sending.send(TestRequest.of(new byte[3])));
            until(() -> recorder.bytes.size() == 3);
        }
    }

    @Test
    void theWildcardsOfBothFamiliesShareAPort() {
        SockListener v4 = bench.listen("0.0.0.0");
        SockListener v6 = bench.reactor.run(bench.thread, () -> bench.group
                .listen(SockAddress.of("::", v4.address().port()), SockOptions.DEFAULT, bench.accepted::add));
        assertEquals(v4.address().port(), v6.address().port());
    }

    @Test
    void aPortInUseIsNamed() {
        ErrnoException refused = assertThrows(ErrnoException.class, () -> bench.reactor.run(bench.thread,
                () -> bench.group.listen(bench.listener.address(), SockOptions.DEFAULT, bench.accepted::add)));
        assertEquals(Errno.EADDRINUSE, refused.errno());
        assertTrue(refused.getMessage().contains(bench.listener.address() + ": Address already in use"),
                refused.getMessage());
    }

    @Test
    void anAddressOfAnotherMachineIsNamed() {
        SockAddress foreign = SockAddress.of("192.0.2.1", 4420); // RFC 5737: nobody's
        ErrnoException refused = assertThrows(ErrnoException.class, () -> bench.reactor.run(bench.thread,
                () -> bench.group.listen(foreign, SockOptions.DEFAULT, bench.accepted::add)));
        assertEquals(Errno.EADDRNOTAVAIL, refused.errno());
        assertTrue(refused.getMessage().contains("192.0.2.1:4420"), refused.getMessage());
    }

    @Test
    void aListenerThatIsClosedFreesItsPort() {
        SockAddress address = bench.listener.address();
        bench.run(bench.listener::close);
        SockListener again = bench.reactor.run(bench.thread,
                () -> bench.group.listen(address, SockOptions.DEFAULT, bench.accepted::add));
        assertEquals(address, again.address());
    }

    @Test
    void anAcceptorThatThrowsLosesThatConnectionOnly() throws Exception {
        SockListener listener = bench.reactor.run(bench.thread,
                () -> bench.group.listen(SockAddress.of("127.0.0.1", 0), SockOptions.DEFAULT, _ -> {
                    throw new IllegalStateException("scripted");
                }));
        Recorder recorder = new Recorder();
        bench.add(bench.connect(listener.address()), recorder);
        until(() -> !recorder.ends.isEmpty());
        assertEquals(List.of(0), recorder.ends);
        assertEquals(1, bench.reactor.reports().size());
        bench.reactor.reports().clear();
    }

    @Test
    void aHostNameIsLookedUp() throws Exception {
        DetachedSock client = bench.sockets.connect("localhost", bench.listener.address().port(), bench.name,
                SockOptions.DEFAULT, SockBench.TIMEOUT_NANOS);
        assertEquals("127.0.0.1", client.peerAddress().host());
        client.close();
    }

    @Test
    void aRefusedConnectionIsNamed() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        ErrnoException refused = assertThrows(ErrnoException.class,
                () -> bench.connect(SockAddress.of("127.0.0.1", port)));
        assertEquals(Errno.ECONNREFUSED, refused.errno());
        assertEquals("connect to 127.0.0.1:" + port + ": Connection refused", refused.getMessage());
    }

    @Test
    void aConnectionThatNobodyAnswersTimesOut() throws Exception {
        // A backlog that is full: the kernel drops further connection requests.
        SockListener full = bench.reactor.run(bench.thread, () -> bench.group.listen(SockAddress.of("127.0.0.1", 0),
                SockOptions.DEFAULT.withBacklog(1), DetachedSock::close));
        List<DetachedSock> waiting = new ArrayList<>();
        ErrnoException late = assertThrows(ErrnoException.class, () -> {
            for (int i = 0; i < 10; i++) {
                waiting.add(bench.sockets.connect("127.0.0.1", full.address().port(), bench.name, SockOptions.DEFAULT,
                        100_000_000));
            }
        });
        assertEquals(Errno.ETIMEDOUT, late.errno());
        assertEquals("connect to " + full.address() + ": no answer within 100 ms", late.getMessage());
        waiting.forEach(DetachedSock::close);
    }

    @Test
    void aConnectionGoesToAnotherThreadsGroup() throws Exception {
        DetachedSock client = bench.connect(bench.listener.address());
        DetachedSock server = bench.accept();
        var other = bench.reactor.thread("other", 0);
        SockGroup group = bench.reactor.run(other, () -> bench.sockets.group(other, bench.name));
        Recorder recorder = new Recorder();
        Sock moved = bench.reactor.run(other, () -> group.add(server, recorder));
        assertSame(group, moved.group());
        Sock sending = bench.add(client, new Recorder());
        bench.run(() -> sending.send(TestRequest.of(new byte[100])));
        until(() -> recorder.bytes.size() == 100);
        bench.reactor.run(other, group::close);
    }

    @Test
    void connectionsOfOneProcessorGoToTheThreadOfTheFirst() throws Exception {
        bench.close();
        SockImplOptions byCpu = new SockImplOptions(0, 0, true, false, 2, false, false, 0, 0, false);
        bench = new SockBench(implementation(), byCpu, SockOptions.DEFAULT);
        var other = bench.reactor.thread("other", 0);
        SockGroup otherGroup = bench.reactor.run(other, () -> bench.sockets.group(other, bench.name));
        DetachedSock client = bench.connect(bench.listener.address());
        DetachedSock server = bench.accept();
        int cpu = server.placementId(byCpu);
        assertTrue(cpu >= 0 && cpu < 4096, () -> "SO_INCOMING_CPU is " + cpu);
        assertSame(other, bench.sockets.optimalThread(server, bench.name, other));
        assertSame(other, bench.sockets.optimalThread(server, bench.name, bench.thread), "the first decides");
        bench.reactor.run(other, otherGroup::close);
        assertSame(bench.thread, bench.sockets.optimalThread(server, bench.name, bench.thread),
                "a thread whose group has ended is forgotten");
        client.close();
        server.close();
    }

    @Test
    void withoutPlacementTheHintIsTaken() throws Exception {
        DetachedSock client = bench.connect(bench.listener.address());
        assertEquals(-1, client.placementId(bench.group.options()));
        assertSame(bench.thread, bench.sockets.optimalThread(client, bench.name, bench.thread));
        client.close();
    }
}
