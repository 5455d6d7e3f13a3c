package io.spindrift.sock;

import io.spindrift.sock.posix.PosixSockImplementation;
import io.spindrift.sock.spi.SockImplementation;

class PosixSendOrderTest extends SendOrderContract {
    @Override
    SockImplementation implementation() {
        return new PosixSockImplementation();
    }
}
