package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;

class UringEchoTest extends EchoProperty {
    @Override
    SockImplementation implementation() {
        return UringOrSkip.implementation();
    }
}
