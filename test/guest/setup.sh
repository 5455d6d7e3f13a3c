# Run inside the guest, with two of QEMU's NVMe controllers behind an emulated IOMMU: they go to user space and come back, but
# for a disk that is in use.
source "$HOUSE/test/guest/lib.sh"

setup() {
  "$HOUSE/build/bin/setup" "$@" 8>&-
}

# Runs the program, which must refuse with a sentence.
refused() { # SENTENCE ARGUMENTS...
  local status=0
  setup "${@:2}" > /tmp/refused 2>&1 || status=$?
  [[ $status == 1 ]] || fail "status $status: $(cat /tmp/refused)"
  grep -qF -- "$1" /tmp/refused || fail "$1: $(cat /tmp/refused)"
}

# What `setup status` has in the last column.
usable() { # ADDRESS TEXT...
  setup status > /tmp/status
  cat /tmp/status
  while (($# > 0)); do
    [[ $(grep "^$1 " /tmp/status) == *" $2" ]] || fail "not: $2"
    shift 2
  done
}

driver() { # ADDRESS
  basename "$(readlink "/sys/bus/pci/devices/$1/driver")"
}

address() { # CONTROLLER
  basename "$(readlink -f "/sys/class/nvme/$1/device")"
}

modprobe nvme
await 30 is_device nvme0n1 nvme1n1
free=$(address nvme0)
kept=$(address nvme1)
dd if=/dev/urandom of=/dev/nvme0n1 bs=1M seek=1 count=8 status=none
sum=$(sum /dev/nvme0n1)

step "status"
mkfs.ext4 -q /dev/nvme1n1
mkdir -p /mnt/kept
mount /dev/nvme1n1 /mnt/kept
usable "$free" yes "$kept" "no: /dev/nvme1n1 is mounted at /mnt/kept"
grep -q '^vfio-pci is not loaded; config loads it.$' /tmp/status || fail "the driver is not loaded"

step "disks in use"
refused "/dev/nvme1n1 is mounted at /mnt/kept" "$kept"
umount /mnt/kept
addpart /dev/nvme0n1 1 2048 2048
refused "/dev/nvme0n1 has partitions: nvme0n1p1" "$free" "$kept"
grep -qF "/dev/nvme1n1 holds an ext2, ext3 or ext4 file system" /tmp/refused || fail "$(cat /tmp/refused)"
delpart /dev/nvme0n1 1
[[ $(driver "$free") == nvme && $(driver "$kept") == nvme ]] || fail "a driver has changed"

step "dry run"
setup --dry-run "$free" > /tmp/would
grep -qx "echo $free > /sys/bus/pci/drivers/nvme/unbind" /tmp/would || fail "$(cat /tmp/would)"
[[ $(driver "$free") == nvme && ! -d /sys/bus/pci/drivers/vfio-pci ]] || fail "something has changed"

step "config"
setup --user nobody
[[ $(driver "$free") == vfio-pci && $(driver "$kept") == nvme ]] || fail "drivers: $(driver "$free"), $(driver "$kept")"
group=/dev/vfio/$(basename "$(readlink "/sys/bus/pci/devices/$free/iommu_group")")
[[ -c $group && $(stat -c %U "$group") == nobody ]] || fail "$(ls -l /dev/vfio)"
[[ ! -e /dev/nvme0n1 ]] || fail "the kernel still has the disk"
exec 8<> "$group"
usable "$free" "yes, used by process $$ (bash)"
refused "process $$ (bash) uses it" reset "$free"
exec 8>&-

step "reset"
setup reset
[[ $(driver "$free") == nvme && $(cat "/sys/bus/pci/devices/$free/driver_override") == "(null)" ]] || fail "not given back"
await 30 is_device nvme0n1
[[ $(sum /dev/nvme0n1) == "$sum" ]] || fail "the disk is another"
