package io.spindrift.nvmf.rpc;

import io.spindrift.framework.rpc.Default;
import io.spindrift.framework.rpc.Description;
import io.spindrift.nvmf.TargetOptions;
import java.util.List;

/// What is set before the application's own target is made.
///
/// @param options  the target's own
/// @param passthru which admin commands go to NVMe devices as they are
/// @param digests  which may authenticate hosts
/// @param dhgroups which may authenticate hosts
record TargetSettings(TargetOptions options, AdminCmdPassthru passthru, List<Digest> digests,
        List<DhGroup> dhgroups) {
    static final TargetSettings DEFAULT = new TargetSettings(TargetOptions.DEFAULT, AdminCmdPassthru.NONE,
            List.of(Digest.values()), List.of(DhGroup.values()));

    /// Hash functions of DH-HMAC-CHAP.
    enum Digest {
        SHA256, SHA384, SHA512
    }

    /// Groups of DH-HMAC-CHAP.
    enum DhGroup {
        NULL, FFDHE2048, FFDHE3072, FFDHE4096, FFDHE6144, FFDHE8192
    }

    /// Which admin commands go to NVMe devices as they are.
    record AdminCmdPassthru(
            @Default("false") @Description("Identify Controller") boolean identifyCtrlr,
            @Default("false") @Description("Identify UUID List") boolean identifyUuidList,
            @Default("false") @Description("Get Log Page") boolean getLogPage,
            @Default("false") @Description("Get and Set Features") boolean getSetFeatures,
            @Default("false") @Description("Sanitize") boolean sanitize,
            @Default("false") @Description("Security Send and Receive") boolean securitySendRecv,
            @Default("false") @Description("firmware update") boolean fwUpdate,
            @Default("false") @Description("NVMe-MI") boolean nvmeMi,
            @Default("false") @Description("vendor specific") boolean vendorSpecific) {
        static final AdminCmdPassthru NONE = new AdminCmdPassthru(false, false, false, false, false, false, false,
                false, false);
    }

    TargetSettings with(TargetOptions changed) {
        return new TargetSettings(changed, passthru, digests, dhgroups);
    }
}
