# Run inside the guest: the target outside is killed three times under I/O; the kernel connects again, and every write that
# it had acknowledged is there. FOLDER/disk, outside, is what the disk is kept in.
source "$HOUSE/test/guest/lib.sh"

kill_target() {
  exec 9<> "/dev/tcp/$host/$rpc_port"
  printf '{"jsonrpc":"2.0","id":1,"method":"spdk_kill_instance","params":{"sig_name":"SIGKILL"}}' >&9
  IFS= read -r -t 60 _ <&9 || : # the answer dies with it
  exec 9>&-
}

# Whether so many reads (field 1) or writes (field 5) have ended on the path to the disk (Documentation/block/stat.rst).
at_least() { # FIELD COUNT
  local stat
  read -ra stat < "$path/stat"
  ((stat[$1 - 1] >= $2))
}

reconnected() { # COUNT
  (($(dmesg | grep -c 'Successfully reconnected') == $1))
}

connect 1 --reconnect-delay=1 --ctrl-loss-tmo=300
path=$(echo /sys/block/nvme0c*n1)
step "random writes, each block once, then their verification"
# Slow enough for three kills in between, whatever the emulated processor does.
fio --name=verify --filename=/dev/nvme0n1 --ioengine=libaio --direct=1 --rw=randwrite --bs=4k --size=24m --iodepth=16 \
  --rate_iops=400 --verify=crc32c --verify_fatal=1 --randseed=7 > /tmp/fio 2>&1 &
fio=$!
kills=0
for place in "5 1000" "5 4000" "1 1000"; do
  # shellcheck disable=SC2086
  await 120 at_least $place
  kill -0 $fio || fail "fio has ended: $(cat /tmp/fio)"
  kill_target
  kills=$((kills + 1))
  step "killed"
  await 120 reconnected $kills
  step "reconnected"
done
wait $fio || fail "$(cat /tmp/fio)"
grep -q 'err= 0' /tmp/fio || fail "$(cat /tmp/fio)"
reconnected 3 || fail "the kernel has connected again $(dmesg | grep -c 'Successfully reconnected') times, not 3"

step "the disk against the file"
sync
cmp -n $((24 << 20)) /dev/nvme0n1 "$FOLDER/disk" || fail "disk and file differ"
[[ $(tr -d '\0' < "$FOLDER/disk" | head -c 4096 | wc -c) == 4096 ]] || fail "the file is empty"
lines=$(dmesg | grep -E 'I/O error|I/O Error' || :)
[[ -z $lines ]] || fail "the kernel lost I/O: $lines"
disconnect
step end
