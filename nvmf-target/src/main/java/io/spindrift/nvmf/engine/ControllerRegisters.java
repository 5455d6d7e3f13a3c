package io.spindrift.nvmf.engine;

import io.spindrift.nvme.spec.Cap;
import io.spindrift.nvme.spec.Cc;
import io.spindrift.nvme.spec.ControllerProperty;
import io.spindrift.nvme.spec.Csts;
import io.spindrift.nvme.spec.Version;
import io.spindrift.nvmf.spi.TransportOptions;

/// A controller's properties (base specification 2.0, 3.1.3): what Property Get and Set see, or another transport's
/// registers. On the controller's thread.
final class ControllerRegisters {
    /// What a host may change while the controller is enabled.
    private static final int SHN_MASK = 3 << 14;
    private static final int ENABLE_TIMEOUT = 30; // of 500 ms

    private final long cap;
    private int cc;
    private int csts;

    ControllerRegisters(TransportOptions options, boolean nssr) {
        cap = Cap.of(options.maxQueueDepth() - 1, ENABLE_TIMEOUT, 0, 0, 0) | Cap.CQR | Cap.CSS_NVM
                | (nssr ? Cap.NSSRS : 0);
    }

    long get(long offset) {
        return switch ((int) offset) {
            case ControllerProperty.CAP -> cap;
            case ControllerProperty.VS -> Version.NVME_2_0 & 0xffff_ffffL;
            case ControllerProperty.CC -> cc & 0xffff_ffffL;
            case ControllerProperty.CSTS -> csts & 0xffff_ffffL;
            default -> 0;
        };
    }

    boolean enabled() {
        return Cc.enabled(cc);
    }

    /// Whether commands are executed: it is enabled, and has not been shut down since (base specification 2.0, 3.6).
    boolean ready() {
        return Csts.ready(csts) && Csts.shst(csts) == Csts.SHST_NORMAL;
    }

    /// Controller Fatal Status.
    void fatal() {
        csts |= Csts.CFS;
    }

    /// What a write of CC has done.
    enum Change {
        NONE, ENABLED, RESET, SHUT_DOWN, INVALID
    }

    /// Writes CC.
    Change configure(int value) {
        int changed = cc ^ value;
        if (Cc.enabled(cc) && Cc.enabled(value) && (changed & ~SHN_MASK) != 0) {
            return Change.INVALID;
        }
        if (Cc.enabled(value) && !Cc.enabled(cc)) {
            if (Cc.css(value) != Cc.CSS_NVM || Cc.mps(value) != 0 || Cc.ams(value) != 0) {
                return Change.INVALID;
            }
            cc = value;
            csts = Csts.RDY;
            return Change.ENABLED;
        }
        if (!Cc.enabled(value) && Cc.enabled(cc)) {
            cc = value;
            csts = 0;
            return Change.RESET;
        }
        cc = value;
        if ((changed & SHN_MASK) != 0 && Cc.shn(value) != Cc.SHN_NONE) {
            csts = Csts.withShst(csts, Csts.SHST_COMPLETE);
            return Change.SHUT_DOWN;
        }
        return Change.NONE;
    }
}
