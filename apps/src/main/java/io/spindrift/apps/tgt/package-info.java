/// `spdk_tgt` and `nvmf_tgt`: everything there is, set up by a configuration file or by RPC.
package io.spindrift.apps.tgt;
