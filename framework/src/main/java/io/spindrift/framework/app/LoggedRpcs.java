package io.spindrift.framework.app;

import io.spindrift.framework.log.Log;
import io.spindrift.framework.log.LogFlag;
import io.spindrift.framework.rpc.RpcLog;
import java.util.Optional;

/// Writes the RPC server's traffic to the application's log, under the flag `rpc`, and its failures always.
final class LoggedRpcs implements RpcLog {
    private final Log log;
    private final LogFlag flag;
    private final Optional<RpcLog> also;

    /// `also` is told of the traffic too.
    LoggedRpcs(Log log, Optional<RpcLog> also) {
        this.log = log;
        this.also = also;
        this.flag = log.flag("rpc");
    }

    @Override
    public void request(String json) {
        log.debug(flag, "request: %s", json);
        also.ifPresent(other -> other.request(json));
    }

    @Override
    public void reply(String json) {
        log.debug(flag, "reply: %s", json);
        also.ifPresent(other -> other.reply(json));
    }

    @Override
    public void failed(String sentence, Throwable cause) {
        log.error(cause, "%s", sentence);
    }
}
