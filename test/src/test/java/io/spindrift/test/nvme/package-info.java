/// The NVMe driver against real targets, in this JVM and elsewhere.
package io.spindrift.test.nvme;
