package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogFlag;
import io.spindrift.framework.rpc.RpcLog;

/// Writes the RPC server's traffic to the application's log, under the flag `rpc`, and its failures always.
final class LoggedRpcs implements RpcLog {
    private final Log log;
    private final LogFlag flag;

    LoggedRpcs(Log log) {
        this.log = log;
        this.flag = log.flag("rpc");
    }

    @Override
    public void request(String json) {
        log.debug(flag, "request: %s", json);
    }

    @Override
    public void reply(String json) {
        log.debug(flag, "reply: %s", json);
    }

    @Override
    public void failed(String sentence, Throwable cause) {
        log.error(cause, "%s", sentence);
    }
}
