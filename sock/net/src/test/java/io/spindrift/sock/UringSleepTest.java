package io.spindrift.sock;

import io.spindrift.sock.spi.SockImplementation;

class UringSleepTest extends SleepContract {
    @Override
    SockImplementation implementation() {
        return UringOrSkip.implementation();
    }
}
