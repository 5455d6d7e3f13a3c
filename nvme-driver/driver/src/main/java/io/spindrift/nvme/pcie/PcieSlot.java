package io.spindrift.nvme.pcie;

import io.spindrift.nvme.NvmeRequest;

/// What a queue pair keeps for each of its requests while it is the device's.
final class PcieSlot {
    /// Rows of pages that its data and its metadata went through; none if the count is 0.
    int dataPage;
    int dataPages;
    int metadataPage;
    int metadataPages;
    /// The device has its command.
    boolean given;
    /// Among those that wait for pages.
    NvmeRequest next;
}
