/// What an implementation of sockets provides. First type to read: [io.spindrift.sock.spi.SockImplementation].
package io.spindrift.sock.spi;
