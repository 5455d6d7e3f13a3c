package io.spindrift.bdev.nvme;

/// How long a controller that cannot be reached is waited for, in seconds.
///
/// @param loss      after which it is given up, with its bdevs; -1 for never, 0 if it cannot be reached at once
/// @param delay     between two attempts to connect
/// @param fastFail  after which I/O fails that waits for it; 0 for never
record LossTimeouts(int loss, int delay, int fastFail) {
    LossTimeouts {
        if (loss < -1) {
            throw new IllegalArgumentException("ctrlr_loss_timeout_sec=" + loss + " is less than -1");
        }
        if (loss == 0 && (delay != 0 || fastFail != 0)) {
            throw new IllegalArgumentException("reconnect_delay_sec=" + delay + " and fast_io_fail_timeout_sec="
                    + fastFail + " must be 0 if ctrlr_loss_timeout_sec is 0");
        }
        if (loss != 0 && delay == 0) {
            throw new IllegalArgumentException(
                    "reconnect_delay_sec=0 must be at least 1 if ctrlr_loss_timeout_sec is " + loss);
        }
        if (loss > 0 && delay > loss) {
            throw new IllegalArgumentException("reconnect_delay_sec=" + delay
                    + " is more than ctrlr_loss_timeout_sec=" + loss);
        }
        if (fastFail != 0 && fastFail < delay) {
            throw new IllegalArgumentException("fast_io_fail_timeout_sec=" + fastFail
                    + " is less than reconnect_delay_sec=" + delay);
        }
        if (loss > 0 && fastFail > loss) {
            throw new IllegalArgumentException("fast_io_fail_timeout_sec=" + fastFail
                    + " is more than ctrlr_loss_timeout_sec=" + loss);
        }
    }
}
