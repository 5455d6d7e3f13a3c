/// spdk_nvme_discover: prints the log of a discovery controller, and again whenever it changes.
package io.spindrift.apps.nvme.discover;
