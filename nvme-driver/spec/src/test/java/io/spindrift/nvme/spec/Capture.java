package io.spindrift.nvme.spec;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// A capture file of TCP connections to port 4420 of 127.0.0.1, one PDU in each packet (libpcap format, raw IPv4).
final class Capture {
    private static final int LINKTYPE_RAW = 101;
    private static final int HEADERS = 40;

    private final List<byte[]> packets = new ArrayList<>();
    private final int[] sequence = new int[2 * 0x10000];

    /// Adds what `pdu` holds to the connection from a host's port.
    void add(int hostPort, boolean fromHost, byte[] pdu) {
        int from = fromHost ? hostPort : 0x10000 + hostPort;
        int to = fromHost ? 0x10000 + hostPort : hostPort;
        ByteBuffer packet = ByteBuffer.allocate(HEADERS + pdu.length);
        packet.putShort((short) 0x4500).putShort((short) (HEADERS + pdu.length)).putInt(0x4000);
        packet.putInt(0x4006_0000).putInt(0x7f00_0001).putInt(0x7f00_0001);
        packet.putShort((short) (fromHost ? hostPort : 4420)).putShort((short) (fromHost ? 4420 : hostPort));
        packet.putInt(1 + sequence[from]).putInt(1 + sequence[to]).putInt(0x5018_ffff).putInt(0);
        packet.put(pdu);
        sequence[from] += pdu.length;
        packets.add(packet.array());
    }

    Path write(Path file) throws IOException {
        ByteBuffer capture = ByteBuffer.allocate(24 + packets.stream().mapToInt(packet -> 16 + packet.length).sum())
                .order(ByteOrder.LITTLE_ENDIAN);
        capture.putInt(0xa1b2_c3d4).putShort((short) 2).putShort((short) 4).putLong(0).putInt(65_535)
                .putInt(LINKTYPE_RAW);
        int second = 0;
        for (byte[] packet : packets) {
            capture.putInt(++second).putInt(0).putInt(packet.length).putInt(packet.length).put(packet);
        }
        return Files.write(file, capture.array());
    }

    /// The bytes of a PDU: header, header digest, padding up to PDO, data and data digest (RFC 3385's CRC32C, least
    /// significant byte first).
    static byte[] pdu(MemorySegment header, int hlen, boolean headerDigest, int pdo, byte[] data, boolean dataDigest) {
        byte[] bytes = header.asSlice(0, hlen).toArray(ValueLayout.JAVA_BYTE);
        int start = data.length == 0 ? hlen + (headerDigest ? 4 : 0) : pdo;
        ByteBuffer pdu = ByteBuffer.allocate(start + data.length + (dataDigest && data.length > 0 ? 4 : 0))
                .order(ByteOrder.LITTLE_ENDIAN);
        pdu.put(bytes);
        if (headerDigest) {
            pdu.putInt(crc(bytes));
        }
        if (data.length > 0) {
            pdu.position(start).put(data);
            if (dataDigest) {
                pdu.putInt(crc(data));
            }
        }
        return pdu.array();
    }

    private static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
