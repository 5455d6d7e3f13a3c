package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;

class UringZeroCopyTest extends ZeroCopyContract {
    @Override
    SockImplementation implementation() {
        return UringOrSkip.implementation();
    }
}
