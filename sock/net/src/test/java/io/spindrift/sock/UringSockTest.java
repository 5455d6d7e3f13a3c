package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;

class UringSockTest extends SockContract {
    @Override
    SockImplementation implementation() {
        return UringOrSkip.implementation();
    }
}
