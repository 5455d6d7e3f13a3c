package io.spindrift.framework.log;

import java.util.List;

/// The topics that SPDK's log has: scripts turn them on and off by name.
///
/// All are known to an application's log, whether its modules log in detail about them or not.
public final class PeerTopics {
    /// Their names, in order.
    public static final List<String> NAMES = List.of(
            "accel", "accel_ae4dma", "accel_ioat", "aio", "app_config", "app_rpc", "bdev", "bdev_concat", "bdev_ftl",
            "bdev_malloc", "bdev_null", "bdev_nvme", "bdev_raid", "bdev_raid0", "bdev_raid1", "bdev_raid_sb", "blob",
            "blob_esnap", "blob_rw", "fsdev", "fsdev_aio", "ftl_core", "ftl_init", "fuse_dispatcher", "gpt_parse",
            "ioat", "iscsi", "json_util", "keyring", "log_rpc", "lvol", "lvol_rpc", "nbd", "notify_rpc", "nvme",
            "nvme_auth", "nvme_cuse", "nvme_vfio", "nvmf", "nvmf_auth", "nvmf_tcp", "nvmf_vfio", "opal", "rdma",
            "reactor", "rpc", "rpc_client", "scsi", "sock", "sock_posix", "spdk_aio_mgr_io", "thread", "trace",
            "uring", "vbdev_delay", "vbdev_gpt", "vbdev_lvol", "vbdev_opal", "vbdev_passthru", "vbdev_split",
            "vbdev_zone_block", "vfio_pci", "vfio_user", "vfio_user_db", "vfu", "vfu_virtio", "vfu_virtio_blk",
            "vfu_virtio_fs", "vfu_virtio_fs_data", "vfu_virtio_io", "vfu_virtio_scsi", "vfu_virtio_scsi_data", "vhost",
            "vhost_blk", "vhost_blk_data", "vhost_ring", "vhost_rpc", "vhost_scsi", "vhost_scsi_data",
            "vhost_scsi_queue", "virtio", "virtio_blk", "virtio_dev", "virtio_pci", "virtio_user", "virtio_vfio_user",
            "vmd");

    private PeerTopics() {}
}
