# Run inside the guest, HOUSE being Spindrift's folder: the NVMe driver against the kernel's own target over TCP. bdevperf
# verifies what it reads, while the port is taken away and given back, too; the kernel counts what has arrived.
set -eu
nqn=nqn.2014-08.org.example:kernel
port=4421
modprobe nvmet_tcp
modprobe null_blk nr_devices=1 gb=1 bs=512 memory_backed=1
mount -t configfs none /sys/kernel/config 2> /dev/null || :
cd /sys/kernel/config/nvmet
mkdir "subsystems/$nqn" "subsystems/$nqn/namespaces/1" ports/1
echo 1 > "subsystems/$nqn/attr_allow_any_host"
echo -n /dev/nullb0 > "subsystems/$nqn/namespaces/1/device_path"
echo 1 > "subsystems/$nqn/namespaces/1/enable"
echo ipv4 > ports/1/addr_adrfam
echo 127.0.0.1 > ports/1/addr_traddr
echo tcp > ports/1/addr_trtype
echo $port > ports/1/addr_trsvcid
give() { ln -s "/sys/kernel/config/nvmet/subsystems/$nqn" "ports/1/subsystems/$nqn"; }
take() { rm "ports/1/subsystems/$nqn"; }
give

config() { # DIGESTS
  cat > /tmp/config.json << END
{"subsystems": [{"subsystem": "bdev", "config": [
  {"method": "bdev_nvme_attach_controller", "params": {"name": "Nvme0", "trtype": "tcp", "adrfam": "ipv4",
   "traddr": "127.0.0.1", "trsvcid": "$port", "subnqn": "$nqn", "hdgst": $1, "ddgst": $1,
   "ctrlr_loss_timeout_sec": -1, "reconnect_delay_sec": 1}}]}]}
END
}

verify() { # SECONDS OPTIONS...
  local seconds=$1
  shift
  "$HOUSE/build/bin/bdevperf" --disable-cpumask-locks -c /tmp/config.json -w verify -t "$seconds" "$@" > /tmp/report 2>&1 || {
    cat /tmp/report
    exit 1
  }
  grep -E '^ *(Nvme0n1|Total) ' /tmp/report
}

echo "== the kernel's target, as it describes itself"
"$HOUSE/build/bin/spdk_nvme_perf" -q 4 -o 4096 -w randread -t 2 \
  -r "trtype:TCP adrfam:IPv4 traddr:127.0.0.1 trsvcid:$port subnqn:$nqn"
for size in 512 4096 131072; do
  echo "== verify of $size bytes"
  config false
  verify 3 -q 16 -o $size
  echo "== verify of $size bytes with digests"
  config true
  verify 3 -q 16 -o $size
done

echo "== verify while the port is taken away and given back"
config false
verify "${RECONNECT_SECONDS:-30}" -q 16 -o 4096 &
running=$!
for _ in 1 2; do
  sleep 8
  take
  sleep 3
  give
done
wait $running
dmesg | grep -iE 'nvmet.*(fatal|error|digest|fail)' && exit 1
echo "== done"
