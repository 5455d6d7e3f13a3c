# Run inside the guest: Asymmetric Namespace Access and changes of namespaces, as Linux sees them, and a discovery controller
# that lasts for DISCOVERY_SECONDS with Keep Alive while they happen.
source "$HOUSE/test/guest/lib.sh"
events=/sys/kernel/tracing/trace
ulimit -n 8192 # nvme-cli opens every namespace of the machine

# ---- a persistent discovery controller --------------------------------------------------------------------------------

step "persistent discovery"
mount -t tracefs tracefs /sys/kernel/tracing
echo 1 > /sys/kernel/tracing/events/nvme/nvme_async_event/enable
# shellcheck disable=SC2086
nvme discover $at --persistent --keep-alive-tmo=10 > /tmp/discovered
discovery=$(grep -l discovery /sys/class/nvme/nvme*/subsysnqn | cut -d/ -f5)
[[ $(grep -c ^subnqn /tmp/discovered) == 3 ]] || fail "$(cat /tmp/discovered)"
discovered=$SECONDS

# ---- changes under I/O ------------------------------------------------------------------------------------------------

# What lsblk says of a disk: its size in bytes and its block's; nothing if there is none.
is_seen() { # NAME "SIZE BLOCK"
  [[ $(lsblk -bdno SIZE,LOG-SEC "/dev/$1" 2> /dev/null | xargs) == "$2" ]]
}

# Waits until a command succeeds, and says how long that took.
soon() { # COMMAND...
  local from=${EPOCHREALTIME/./}
  await 60 "$@"
  echo "  after $(((${EPOCHREALTIME/./} - from) / 1000)) ms: ${*}"
}

add() { # NSID BDEV
  echo "nvmf_subsystem_add_ns {\"nqn\":\"$nqn\",\"namespace\":{\"nsid\":$1,\"bdev_name\":\"$2\"}}"
}

remove() { # NSID
  echo "nvmf_subsystem_remove_ns {\"nqn\":\"$nqn\",\"nsid\":$1}"
}

# Reads a disk until it is gone; its errors are its own.
read_on() { # NAME
  while [[ -b /dev/$1 ]]; do dd if="/dev/$1" of=/dev/null bs=4k count=64 iflag=direct status=none 2> /dev/null || :; done
}

connect "1 2"
name=$(controller)
fio --name=verify --filename=/dev/${name}n1 --ioengine=libaio --direct=1 --rw=randwrite --bs=4k --size=16m --iodepth=4 \
  --verify=crc32c --verify_fatal=1 --time_based --runtime=15 --rate_iops=500 > /tmp/fio 2>&1 &
fio=$!
read_on ${name}n2 &
soon is_seen ${name}n2 "33554432 512"
step "add"
add 3 Null3 | rpc_all
soon is_seen ${name}n3 "67108864 512"
read_on ${name}n3 &
step "grow"
rpc bdev_null_resize '{"name":"Null2","new_size":48}' > /dev/null
soon is_seen ${name}n2 "50331648 512"
step "the same number with other blocks, at once"
{ remove 3; add 3 Large3; } | rpc_all
soon is_seen ${name}n3 "67108864 4096"
{ remove 3; add 3 Null3; remove 3; add 3 Large3; remove 3; add 3 Null3; } | rpc_all
soon is_seen ${name}n3 "67108864 512"
read_on ${name}n3 &
step "remove"
remove 3 | rpc_all
soon is_seen ${name}n3 ""
remove 2 | rpc_all
soon is_seen ${name}n2 ""
wait $fio || fail "$(cat /tmp/fio)"
grep -q 'err= 0' /tmp/fio || fail "$(cat /tmp/fio)"

step "access states"
state() { # NSID STATE
  [[ $(cat /sys/block/${name}c*n"$1"/ana_state) == "$2" ]]
}
set_state() { # STATE
  rpc nvmf_subsystem_listener_set_ana_state "{\"nqn\":\"$nqn\",\"listen_address\":{\"trtype\":\"TCP\",\"adrfam\":\"IPv4\",
    \"traddr\":\"127.0.0.1\",\"trsvcid\":\"$port\"},\"ana_state\":\"$1\"}" > /dev/null
}
soon state 1 optimized
set_state non_optimized
soon state 1 non-optimized
set_state inaccessible
soon state 1 inaccessible
dd if=/dev/${name}n1 of=/dev/null bs=4k count=1 iflag=direct status=none & # waits for a path
reader=$!
set_state optimized
soon state 1 optimized
wait $reader || fail "a read that had waited for a path"
disconnect
# Reads of disks that went; and the kernel notes that a number is another disk's now.
no_complaint '[0-9]n[23][,:] .*(I/O Error .sct 0x0|READ)|identifiers changed for nsid 3'

# ---- many namespaces --------------------------------------------------------------------------------------------------

nqn=nqn.2016-06.io.spdk:cnode2
fill() { # FROM TO
  local i
  for ((i = $1; i <= $2; i++)); do
    echo "bdev_null_create {\"name\":\"N$i\",\"num_blocks\":$((1000 + i)),\"block_size\":512}"
    add "$i" "N$i"
  done | rpc_all
}

paths() {
  find /sys/block -name "nvme*c*n*" | wc -l
}

# Disks, paths, states and the log say the same.
all_there() { # COUNT
  local states
  step "$1 namespaces are there"
  [[ $(lsblk -dno NAME | grep -c "^${name}n") == "$1" ]] || fail "lsblk: $(lsblk -dno NAME | grep -c "^${name}n")"
  states=$(cat /sys/block/nvme*c*n*/ana_state | sort | uniq -c | xargs)
  [[ $states == "$1 optimized" ]] || fail "states: $states"
  nvme ana-log "/dev/$name" -o json > /tmp/ana
  jq -r '."ANA DESC LIST "[]? // ."ANA DESC LIST"[] | "\(.grpid) \(.nnsids) \(.state) \([.NSIDS[].nsid // .NSIDS[]] | join(","))"' \
    /tmp/ana > /tmp/groups || { head -c 1500 /tmp/ana; fail "ana-log"; }
  seq "$1" | sed 's/.*/& 1 optimized &/' | cmp - /tmp/groups || fail "$(head -n 3 /tmp/groups)"
  is_seen "${name}n$1" "$(((1000 + $1) * 512)) 512" || fail "the last disk: $(lsblk -bdno SIZE,LOG-SEC "/dev/${name}n$1")"
}

has_paths() { # COUNT
  (($(paths) == $1))
}

# The kernel sends no Keep Alive while it takes disks away, which takes it long when it is emulated.
patient="--keep-alive-tmo=300"
PATIENCE=300
step "228 namespaces"
fill 1 228
connect 228 $patient
name=$(controller)
await $PATIENCE has_paths 228
all_there 228
step "and one more"
fill 229 229
await $PATIENCE has_paths 229
all_there 229
disconnect
step "1024 namespaces"
fill 230 1024
connect 1024 $patient
name=$(controller)
await $PATIENCE has_paths 1024
all_there 1024
no_complaint

# ---- discovery, again -------------------------------------------------------------------------------------------------

step "persistent discovery, still"
lasted() {
  ((SECONDS - discovered >= ${DISCOVERY_SECONDS:-60}))
}
await $((${DISCOVERY_SECONDS:-60} + 1)) lasted
[[ $(cat "/sys/class/nvme/$discovery/state") == live ]] || fail "$discovery: $(cat "/sys/class/nvme/$discovery/state")"
echo > $events
rpc nvmf_create_subsystem '{"nqn":"nqn.2016-06.io.spdk:cnode3","allow_any_host":true}' > /dev/null
rpc nvmf_subsystem_add_listener "{\"nqn\":\"nqn.2016-06.io.spdk:cnode3\",\"listen_address\":{\"trtype\":\"TCP\",
  \"adrfam\":\"IPv4\",\"traddr\":\"127.0.0.1\",\"trsvcid\":\"$port\"}}" > /dev/null
soon grep -q "$discovery: NVME_AEN=0x70f002" $events
nvme discover --device="$discovery" > /tmp/discovered
grep -q '^subnqn:  nqn.2016-06.io.spdk:cnode3$' /tmp/discovered || fail "$(cat /tmp/discovered)"
nvme disconnect -d "$discovery"
no_complaint
step end
