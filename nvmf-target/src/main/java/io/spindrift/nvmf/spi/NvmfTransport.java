package io.spindrift.nvmf.spi;

import io.spindrift.nvmf.PollGroup;
import io.spindrift.nvmf.TransportAddress;
import java.util.Optional;

/// A target's transport of one kind. Control path, but for [#openGroup].
public interface NvmfTransport {
    /// The provider's name.
    String trtype();

    /// What it was made with.
    TransportOptions options();

    /// Those of the extras that mean something to this kind of transport, all of them, with their values: what
    /// `nvmf_get_transports` shows and `save_config` writes.
    TransportExtras ownOptions();

    /// Begins to accept connections at `address`, once for each; `sock` names a socket implementation. What it throws says
    /// in its message why it cannot.
    void listen(TransportAddress address, Optional<String> sock) throws Exception;

    /// Ends what [#listen] began; connections that are there go on.
    void stopListening(TransportAddress address);

    /// Its part on a poll group. Runs on the poll group's thread, once for each, before anything listens.
    TransportGroup openGroup(PollGroup group) throws Exception;

    /// Ends it: all its groups are closed, and nothing listens any more.
    void close() throws Exception;
}
