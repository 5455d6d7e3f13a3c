# Run inside the guest, which has an emulated IOMMU and QEMU's NVMe controller behind a PCIe root port: gives the controller
# from the kernel's driver to vfio-pci, and runs PcieHost on it, which ends when QEMU takes the controller away.
set -eu
modprobe nvme
modprobe vfio_pci
for _ in $(seq 100); do [[ ! -e /sys/class/nvme/nvme0/device ]] || break; sleep 0.1; done
address=$(basename "$(readlink -f /sys/class/nvme/nvme0/device)")
device=/sys/bus/pci/devices/$address
echo vfio-pci > "$device/driver_override"
echo "$address" > "$device/driver/unbind"
echo "$address" > /sys/bus/pci/drivers_probe
[[ $(basename "$(readlink "$device/driver")") == vfio-pci ]] || { echo "vfio-pci does not take $address"; exit 1; }

# Whoever owns the group's node drives it, here without any of root's capabilities, and with a limit of locked memory.
ulimit -l 262144
IFS= read -r jdk < "$HOUSE/build/jdk"
setpriv --inh-caps=-all --bounding-set=-all "$jdk/bin/java" -ea -XX:+UseSerialGC -Xmx128m \
  -Djdk.virtualThreadScheduler.parallelism=16 --enable-native-access=io.spindrift.framework,io.spindrift.nvme \
  -p "$HOUSE/build/lib" --add-modules io.spindrift.nvme -cp "$HOUSE/test/target/test-classes" \
  io.spindrift.test.guest.PcieHost "$address"

for _ in $(seq 300); do [[ -e $device ]] || break; sleep 0.1; done
[[ ! -e $device ]] || { echo "$address is still there"; exit 1; }
echo "$address is gone"
