package io.spindrift.sock;

import io.spindrift.framework.Check;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// The address of one end of a connection, or of a listener: IPv4 or IPv6, and a port.
///
/// @param ip a literal address; `0.0.0.0` and `::` stand for all addresses of their family
/// @param port 0 to 65535; 0 lets the kernel choose
public record SockAddress(InetAddress ip, int port) {
    public SockAddress {
        Check.range("port", port, 0, 65535);
    }

    /// The address that the literal `host` (`192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`) means; no name is looked up.
    ///
    /// @throws IllegalArgumentException naming `host` or `port` if either cannot be
    public static SockAddress of(String host, int port) {
        try {
            return new SockAddress(InetAddress.ofLiteral(host), port);
        } catch (IllegalArgumentException e) {
            if (port < 0 || port > 65535) {
                throw e;
            }
            throw new IllegalArgumentException("address=" + host + " is no IPv4 or IPv6 address", e);
        }
    }

    static SockAddress of(byte[] ip, int port) {
        try {
            return new SockAddress(InetAddress.getByAddress(ip), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("ip of " + ip.length + " bytes must have 4 or 16", e);
        }
    }

    /// The address in its usual form, as NVMe-oF's traddr has it.
    public String host() {
        return ip.getHostAddress();
    }

    /// Whether it is IPv6.
    public boolean v6() {
        return ip.getAddress().length == 16;
    }

    /// `192.0.2.1:4420`, `[2001:db8::1]:4420`.
    @Override
    public String toString() {
        return v6() ? "[" + host() + "]:" + port : host() + ":" + port;
    }
}
