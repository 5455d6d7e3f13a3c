package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;

class UringConnectTest extends ConnectContract {
    @Override
    SockImplementation implementation() {
        return UringOrSkip.implementation();
    }
}
