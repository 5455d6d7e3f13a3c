package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;

class UringSendOrderTest extends SendOrderContract {
    @Override
    SockImplementation implementation() {
        return UringOrSkip.implementation();
    }
}
