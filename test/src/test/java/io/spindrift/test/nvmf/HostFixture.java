package io.spindrift.test.nvmf;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A target for each test, and a host with an admin and an I/O queue. Nothing of the host is left after the test: no
/// connection, controller or buffer, and no exception has reached a reactor.
abstract class HostFixture {
    /// The host's controller ID, and its connections.
    final int[] cntlid = new int[1];
    LiveTarget target;
    TcpHost admin;
    TcpHost io;

    /// Blocks of the target's disk.
    long blocks() {
        return LiveTarget.BLOCKS;
    }

    @BeforeEach
    void start() throws Exception {
        target = LiveTarget.start(blocks());
        admin = target.admin(false, false, cntlid);
        io = target.io(1, cntlid[0], false, false);
    }

    @AfterEach
    void stop() throws Exception {
        admin.close();
        io.close();
        target.assertNothingIsLeft();
        target.stop();
    }
}
