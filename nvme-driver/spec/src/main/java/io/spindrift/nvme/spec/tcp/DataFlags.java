package io.spindrift.nvme.spec.tcp;

/// FLAGS of PDUs with data.
final class DataFlags {
    private DataFlags() {}

    static int of(boolean headerDigest, boolean dataDigest) {
        return (headerDigest ? PduHeader.HDGSTF : 0) | (dataDigest ? PduHeader.DDGSTF : 0);
    }
}
