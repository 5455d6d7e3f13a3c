package io.spindrift.nvme.spec.log;

import io.spindrift.nvme.spec.Field.Array;

/// The Supported Log Pages log page: a dword for each Log Page Identifier, 1,024 bytes (base specification 2.0,
/// 5.16.1.1, figures 203 to 205).
public final class SupportedLogPages {
    public static final int SIZE = 1024;

    /// The log page is supported.
    public static final int LSUPP = 1;
    /// Get Log Page takes an index as its offset.
    public static final int IOS = 1 << 1;

    /// A dword for each Log Page Identifier.
    public static final Array LIDS = new Array(0, 4, 256);

    private SupportedLogPages() {}
}
