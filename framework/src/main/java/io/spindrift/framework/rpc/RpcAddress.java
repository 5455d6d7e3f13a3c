package io.spindrift.framework.rpc;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a server listens: the path of a unix socket, or `IP:PORT`, an IPv6 address in brackets: `[::1]:5260`.
public sealed interface RpcAddress {
    /// A unix socket.
    record Unix(Path path) implements RpcAddress {
        /// A socket's name has 108 bytes with the NUL at its end (unix(7)); one more is needed to make it.
        static final int MAX_BYTES = 106;

        /// Throws `IllegalArgumentException` if the path is too long.
        public Unix {
            int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
            if (length > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "the socket path " + path + " has " + length + " bytes, more than " + MAX_BYTES);
            }
        }

        @Override
        public SocketAddress socketAddress() {
            return UnixDomainSocketAddress.of(path);
        }

        @Override
        public StandardProtocolFamily family() {
            return StandardProtocolFamily.UNIX;
        }

        @Override
        public String toString() {
            return path.toString();
        }
    }

    /// A TCP port; 0 for any that is free.
    record Tcp(InetAddress host, int port) implements RpcAddress {
        @Override
        public SocketAddress socketAddress() {
            return new InetSocketAddress(host, port);
        }

        @Override
        public StandardProtocolFamily family() {
            return host.getAddress().length == 4 ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        }

        @Override
        public String toString() {
            String text = host.getHostAddress();
            return (text.indexOf(':') >= 0 ? "[" + text + "]" : text) + ":" + port;
        }
    }

    /// The address for `java.nio`.
    SocketAddress socketAddress();

    /// The family of its sockets.
    StandardProtocolFamily family();

    /// Reads an address. Text with a slash is a path, and so is text that does not end in a port. Throws
    /// `IllegalArgumentException` with a sentence if it can be neither.
    static RpcAddress parse(String text) {
        Matcher tcp = Pattern.compile("(?:\\[([^\\]]+)\\]|([^:/]+)):(\\d+)").matcher(text);
        try {
            if (tcp.matches()) {
                String host = tcp.group(1) != null ? tcp.group(1) : tcp.group(2);
                return tcp(host, tcp.group(3));
            }
            if (text.isEmpty()) {
                throw new IllegalArgumentException("the RPC address is empty");
            }
            return new Unix(Path.of(text));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("the RPC address " + text + " is no path: " + e.getReason(), e);
        }
    }

    /// The TCP address of `host`, an IP address or a name, and `port` in decimal.
    static Tcp tcp(String host, String port) {
        if (port.length() > 5 || Integer.parseInt(port) > 65535) {
            throw new IllegalArgumentException("port " + port + " is outside 0..65535");
        }
        try {
            return new Tcp(InetAddress.getByName(host), Integer.parseInt(port));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("the host " + host + " is not known", e);
        }
    }
}
