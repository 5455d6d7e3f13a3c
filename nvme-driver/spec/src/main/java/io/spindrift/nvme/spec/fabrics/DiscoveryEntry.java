package io.spindrift.nvme.spec.fabrics;

import io.spindrift.nvme.spec.Field.Ascii;
import io.spindrift.nvme.spec.Field.Bytes;
import io.spindrift.nvme.spec.Field.U16;
import io.spindrift.nvme.spec.Field.U8;
import io.spindrift.nvme.spec.Field.Utf8;

/// A record of the discovery log page, 1,024 bytes (base specification 2.0, 5.16.1, LID 70h, figures 264 and 265).
public final class DiscoveryEntry {
    public static final int SIZE = 1024;

    public static final int ADRFAM_NONE = 0x0;
    public static final int ADRFAM_IPV4 = 0x1;
    public static final int ADRFAM_IPV6 = 0x2;
    public static final int ADRFAM_IB = 0x3;
    public static final int ADRFAM_FC = 0x4;
    public static final int ADRFAM_INTRA_HOST = 0xfe;

    /// Another discovery service.
    public static final int SUBTYPE_REFERRAL = 0x1;
    public static final int SUBTYPE_NVM = 0x2;
    /// The discovery service that returns the log.
    public static final int SUBTYPE_CURRENT_DISCOVERY = 0x3;

    public static final int TREQ_SECURE_CHANNEL_NOT_SPECIFIED = 0;
    public static final int TREQ_SECURE_CHANNEL_REQUIRED = 1;
    public static final int TREQ_SECURE_CHANNEL_NOT_REQUIRED = 2;
    /// The controller can do without SQ flow control.
    public static final int TREQ_FLOW_CONTROL_DISABLE = 1 << 2;

    /// Other ports of the same subsystem return the same log.
    public static final int EFLAGS_DUPLICATE = 1;
    /// Explicit Persistent Connection Support for Discovery.
    public static final int EFLAGS_PERSISTENT_CONNECTIONS = 1 << 1;

    /// The subsystem has dynamic controllers.
    public static final int CNTLID_DYNAMIC = 0xffff;
    /// Any static controller.
    public static final int CNTLID_STATIC = 0xfffe;

    public static final int SECTYPE_NONE = 0;
    public static final int SECTYPE_TLS_1_2 = 1;
    public static final int SECTYPE_TLS_1_3 = 2;

    /// Transport Type, see [Trtype].
    public static final U8 TRTYPE = new U8(0);
    /// Address Family.
    public static final U8 ADRFAM = new U8(1);
    /// Subsystem Type.
    public static final U8 SUBTYPE = new U8(2);
    /// Transport Requirements.
    public static final U8 TREQ = new U8(3);
    /// Port ID.
    public static final U16 PORTID = new U16(4);
    /// Controller ID.
    public static final U16 CNTLID = new U16(6);
    /// Admin Max SQ Size, entries, at least 32.
    public static final U16 ASQSZ = new U16(8);
    /// Entry Flags.
    public static final U16 EFLAGS = new U16(10);
    /// Transport Service Identifier: the TCP port.
    public static final Ascii TRSVCID = new Ascii(32, 32);
    /// NVM Subsystem Qualified Name.
    public static final Utf8 SUBNQN = new Utf8(256, 256);
    /// Transport Address.
    public static final Ascii TRADDR = new Ascii(512, 256);
    /// Transport Specific Address Subtype.
    public static final Bytes TSAS = new Bytes(768, 256);
    /// TCP: Security Type.
    public static final U8 TSAS_SECTYPE = new U8(768);
    /// RDMA: QP Service Type.
    public static final U8 TSAS_RDMA_QPTYPE = new U8(768);
    /// RDMA: Provider Type.
    public static final U8 TSAS_RDMA_PRTYPE = new U8(769);
    /// RDMA: Connection Management Service.
    public static final U8 TSAS_RDMA_CMS = new U8(770);

    private DiscoveryEntry() {}
}
