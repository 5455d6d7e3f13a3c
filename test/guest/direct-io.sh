# Run inside the guest, HOUSE being Spindrift's folder: file bdevs where the kernel refuses direct I/O (the tmpfs of Linux
# 6.1), and on the kernel's block devices. bdevperf verifies what it reads.
set -eu
mkdir -p /mnt/tmpfs
mount -t tmpfs tmpfs /mnt/tmpfs
truncate -s 16M /mnt/tmpfs/disk /mnt/tmpfs/loop
if dd if=/dev/zero of=/mnt/tmpfs/disk bs=4096 count=1 conv=notrunc oflag=direct 2> /dev/null; then
  echo "this kernel's tmpfs takes O_DIRECT: nothing is tested here"
  exit 1
fi
modprobe null_blk nr_devices=1 gb=1 memory_backed=1
modprobe loop
losetup /dev/loop0 /mnt/tmpfs/loop

verify() { # METHOD FILENAME
  cat > /tmp/config.json << END
{"subsystems": [{"subsystem": "bdev", "config": [
  {"method": "$1", "params": {"name": "Disk0", "filename": "$2"}}, {"method": "bdev_wait_for_examine"}]}]}
END
  echo "== $1 on $2"
  "$HOUSE/build/bin/bdevperf" --disable-cpumask-locks -c /tmp/config.json -q 16 -o 4096 -w verify -t 2 > /tmp/report 2>&1 || {
    cat /tmp/report
    exit 1
  }
  grep -E '^ *(Disk0|Total) ' /tmp/report
}

verify bdev_uring_create /mnt/tmpfs/disk
verify bdev_aio_create /mnt/tmpfs/disk
verify bdev_uring_create /dev/nullb0
verify bdev_uring_create /dev/loop0
