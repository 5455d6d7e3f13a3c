# Run inside the guest, which has addresses of both families: the target in here, too, at wildcard addresses and at ::1. At
# each address that a host may use, discovery shows that address, and Linux connects there.
source "$HOUSE/test/guest/lib.sh"

listener() { # ADRFAM TRADDR TRSVCID
  cat << END
    {"method": "nvmf_subsystem_add_listener", "params": {"nqn": "$nqn", "listen_address": {"trtype": "TCP",
      "adrfam": "$1", "traddr": "$2", "trsvcid": "$3"}}}
END
}

cat > /run/config.json << END
{"subsystems": [
  {"subsystem": "bdev", "config": [
    {"method": "bdev_malloc_create", "params": {"name": "Malloc0", "num_blocks": 32768, "block_size": 512}}]},
  {"subsystem": "nvmf", "config": [
    {"method": "nvmf_create_transport", "params": {"trtype": "TCP"}},
    {"method": "nvmf_create_subsystem", "params": {"nqn": "$nqn", "allow_any_host": true}},
    {"method": "nvmf_subsystem_add_ns", "params": {"nqn": "$nqn", "namespace": {"bdev_name": "Malloc0"}}},
$(listener IPv4 0.0.0.0 4420),
$(listener IPv6 :: 4421),
$(listener IPv6 ::1 4422)]}]}
END
ip -6 addr add fd00::5/64 dev eth0 nodad
ip -6 addr add fd00::6/128 dev lo nodad

step "the target starts"
"$HOUSE/build/bin/nvmf_tgt" --disable-cpumask-locks -r /run/rpc.sock -c /run/config.json > /tmp/target 2>&1 &
target=$!
answers() {
  kill -0 $target 2> /dev/null || fail "the target has ended: $(cat /tmp/target)"
  (: < /dev/tcp/127.0.0.1/4420) 2> /dev/null && (: < /dev/tcp/::1/4422) 2> /dev/null
}
await 240 answers

# At an address: the entries of the subsystem are those listeners that are wildcards of its family, with that address, and
# the one at ::1; the discovery subsystem's own entry has it, too.
check() { # TRADDR TRSVCID FAMILY-ENTRIES...
  local wanted
  step "$1 $2"
  nvme discover -t tcp -a "$1" -s "$2" -o json > /tmp/discovered || fail "discover: $(cat /tmp/target)"
  wanted=$(printf '%s\n' "current discovery subsystem $1 $2" "${@:3}" "nvme subsystem ::1 4422" | sort -u)
  [[ $(jq -r '.records[] | "\(.subtype) \(.traddr) \(.trsvcid)"' /tmp/discovered | sort) == "$wanted" ]] ||
    fail "wanted $wanted, not $(cat /tmp/discovered)"
  nvme connect -t tcp -a "$1" -s "$2" -n "$nqn" -i 1
  await 60 is_device "$(controller)n1"
  dd if=/dev/urandom of=/tmp/bytes bs=4k count=4 status=none
  dd if=/tmp/bytes of="/dev/$(controller)n1" bs=4k oflag=direct status=none
  dd if="/dev/$(controller)n1" bs=4k count=4 iflag=direct status=none | cmp - /tmp/bytes || fail "other bytes at $1"
  disconnect
}

for address in 127.0.0.1 10.0.2.15; do
  check $address 4420 "nvme subsystem $address 4420"
done
for address in ::1 fd00::5 fd00::6; do
  check $address 4421 "nvme subsystem $address 4421"
done
check ::1 4422 "nvme subsystem ::1 4421"
no_complaint
kill $target
wait $target || fail "the target's status: $(cat /tmp/target)"
step end
