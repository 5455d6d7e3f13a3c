package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Has a [SockBench] of an implementation for each test.
abstract class BenchedTest {
    SockBench bench;

    abstract SockImplementation implementation();

    @BeforeEach
    void open() {
        bench = new SockBench(implementation());
    }

    @AfterEach
    void close() {
        if (bench != null) { // else the test was skipped
            bench.close();
        }
    }

    void until(BooleanSupplier condition) {
        bench.reactor.stepUntil(condition);
    }
}
