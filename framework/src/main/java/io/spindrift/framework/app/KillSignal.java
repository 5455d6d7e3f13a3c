package io.spindrift.framework.app;

import io.spindrift.framework.rpc.RpcName;

/// The signals that `spdk_kill_instance` can send, with their numbers on Linux (signal(7)).
enum KillSignal {
    @RpcName("SIGINT")
    SIGINT(2), @RpcName("SIGTERM")
    SIGTERM(15), @RpcName("SIGQUIT")
    SIGQUIT(3), @RpcName("SIGHUP")
    SIGHUP(1), @RpcName("SIGKILL")
    SIGKILL(9), @RpcName("SIGUSR1")
    SIGUSR1(10);

    private final int number;

    KillSignal(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
