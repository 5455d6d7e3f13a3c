package io.spindrift.test.nvmf;

import java.util.Random;
import org.junit.jupiter.api.AfterEach;

/// Tests of bad hosts beside a good one, which still works after each test; the bad ones are gone then.
abstract class BesideGoodHost extends HostFixture {
    private final Random random = new Random(3);

    @AfterEach
    @Override
    void stop() throws Exception {
        assertGoodHostWorks();
        target.awaitConnections(2);
        super.stop();
    }

    void assertGoodHostWorks() throws Exception {
        LiveTarget.assertWorks(admin, io, random);
    }
}
