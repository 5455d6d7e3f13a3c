package io.spindrift.sock;

import io.spindrift.sock.posix.PosixSockImplementation;
import io.spindrift.sock.spi.SockImplementation;

class PosixConnectTest extends ConnectContract {
    @Override
    SockImplementation implementation() {
        return new PosixSockImplementation();
    }
}
