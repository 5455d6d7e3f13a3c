# Run inside the guest: a sender without copies behind a network card that gathers what it sends. Loopback copies always, and
# so does the guest's virtio-net card, whose counterpart in QEMU computes no checksums: the emulated Intel card can.
set -eu
modprobe e1000e
card=$(for name in /sys/class/net/*; do [[ $(readlink "$name/device/driver") != */e1000e ]] || basename "$name"; done)
[[ -n $card ]] || { echo "no e1000e card"; exit 1; }
ip addr add 10.0.3.15/24 dev "$card"
ip link set "$card" up
IFS= read -r jdk < "$HOUSE/build/jdk"
exec "$jdk/bin/java" -XX:+UseSerialGC --enable-native-access=io.spindrift.framework,io.spindrift.sock -p "$HOUSE/build/lib" \
  --add-modules io.spindrift.sock -cp "$HOUSE/test/target/test-classes" io.spindrift.test.guest.ZeroCopySender 4421
