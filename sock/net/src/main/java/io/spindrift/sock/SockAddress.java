package io.spindrift.sock;

import io.spindrift.framework.Check;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

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

    /// The address in its usual form, as NVMe-oF's traddr has it: that of IPv6 as RFC 5952 says, `2001:db8::1`.
    public String host() {
        return v6() ? compressed(ip.getHostAddress()) : ip.getHostAddress();
    }

    /// Writes `::` for the first of the longest runs of groups that are 0, if that has two or more (RFC 5952, 4.2).
    private static String compressed(String address) {
        int scope = address.indexOf('%');
        List<String> groups = List.of((scope < 0 ? address : address.substring(0, scope)).split(":"));
        int from = 0;
        int length = 1;
        for (int at = 0; at < groups.size(); at++) {
            int end = at;
            while (end < groups.size() && groups.get(end).equals("0")) {
                end++;
            }
            if (end - at > length) {
                from = at;
                length = end - at;
            }
        }
        if (length == 1) {
            return address;
        }
        return String.join(":", groups.subList(0, from)) + "::"
                + String.join(":", groups.subList(from + length, groups.size()))
                + (scope < 0 ? "" : address.substring(scope));
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
