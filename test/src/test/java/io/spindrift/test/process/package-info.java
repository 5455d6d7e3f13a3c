/// `spdk_tgt` as a process: what it makes of configuration files, signals, sockets and of having nothing to do.
package io.spindrift.test.process;
