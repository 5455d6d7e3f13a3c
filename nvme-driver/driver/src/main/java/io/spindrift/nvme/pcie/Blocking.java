package io.spindrift.nvme.pcie;

import java.util.concurrent.Callable;

/// Where calls that can block run: off the virtual threads, whose carriers they would pin.
interface Blocking {
    /// On the thread that asks: it is a platform thread already.
    Blocking HERE = Callable::call;

    /// Runs `task` and waits for it; what it throws is thrown here.
    <T> T call(Callable<T> task) throws Exception;
}
