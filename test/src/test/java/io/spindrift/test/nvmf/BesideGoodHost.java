package io.spindrift.test.nvmf;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Tests of bad hosts beside a good one. After each test the good one still works, the bad ones are gone, and nothing of them
/// is left: no connection, controller or buffer, and no exception has reached a reactor.
abstract class BesideGoodHost {
    private final Random random = new Random(3);
    LiveTarget target;
    /// The good host's controller ID, and its connections.
    final int[] cntlid = new int[1];
    TcpHost admin;
    TcpHost io;

    @BeforeEach
    void start() throws Exception {
        target = LiveTarget.start();
        admin = target.admin(false, false, cntlid);
        io = target.io(1, cntlid[0], false, false);
    }

    @AfterEach
    void stop() throws Exception {
        assertGoodHostWorks();
        target.awaitConnections(2);
        admin.close();
        io.close();
        target.assertNothingIsLeft();
        target.stop();
    }

    void assertGoodHostWorks() throws Exception {
        LiveTarget.assertWorks(admin, io, random);
    }
}
