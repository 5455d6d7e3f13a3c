/// `spdk_tgt` and `quickstart` as processes: what they make of configuration files, signals, sockets and of having nothing
/// to do.
package io.spindrift.test.process;
