# Run inside the guest: a stock Linux host with the target outside, as nvme-tcp.json sets it up.
source "$HOUSE/test/guest/lib.sh"
nqns="subnqn:  nqn.2014-08.org.nvmexpress.discovery
subnqn:  $nqn"

step discover
# shellcheck disable=SC2086
nvme discover $at > /tmp/discovered
[[ $(grep ^subnqn /tmp/discovered) == "$nqns" ]] || fail "$(cat /tmp/discovered)"
[[ $(grep -c "^trsvcid: $port\$" /tmp/discovered) == 2 ]] || fail "$(cat /tmp/discovered)"

step connect
connect "1 2 3"
device=/dev/$(controller)

# ---- what the target says of itself, against what SPDK's said -----------------------------------------------------------

step identify
nvme id-ctrl "$device" -o json > /tmp/id-ctrl
nvme id-ns "$device" -n 1 -o json > /tmp/id-ns
version=$(rpc spdk_get_version | jq -r '.fields | "\(.major).\(.minor).\(.patch)"')
declare -A got
while IFS='|' read -r field value; do
  got[$field]=${value%"${value##*[! ]}"} # without the padding
done < <(for command in id-ctrl id-ns; do
  jq -r --arg command $command 'to_entries[] | "\($command) \(.key)|\(.value | tostring)"' /tmp/$command
done)
fields=0
while IFS='|' read -r command field theirs ours why; do
  [[ -n $command && $command != '#'* ]] || continue
  field="$command $field"
  wanted=${ours:-$theirs}
  [[ $wanted != VERSION ]] || wanted=$version
  [[ -z $ours || -n $why ]] || fail "$field differs, and nobody says why"
  [[ ${got[$field]:-} == "$wanted" ]] || fail "$field is ${got[$field]:-not there}, not $wanted"
  fields=$((fields + 1))
done < "$HOUSE/test/guest/identify.txt"
echo "$fields fields"
[[ $(jq -c .lbafs /tmp/id-ns) == '[{"ms":0,"ds":9,"rp":0}]' ]] || fail "LBA formats: $(cat /tmp/id-ns)"
[[ $(nvme list-ns "$device" -o json | jq -c '[.nsid_list[].nsid]') == '[1,2,3]' ]] || fail "$(nvme list-ns "$device")"
nvme ns-descs "$device" -n 1 -o json > /tmp/descs
[[ $(jq -r '.["ns-descs"][] | .nguid // .uuid // .csi' /tmp/descs) == "70cd701e2bcf40cc9c4192e4e11efd1d
70cd701e-2bcf-40cc-9c41-92e4e11efd1d
0" ]] || fail "$(cat /tmp/descs)"

step logs
nvme smart-log "$device" -o json > /tmp/smart
# Where SPDK has a spare of 0 of 0 %, ours is whole: some tools warn of a spare that is not above its threshold.
[[ $(jq -c '[.critical_warning, .avail_spare, .spare_thresh, .percent_used]' /tmp/smart) == '[0,100,10,0]' ]] || fail "$(cat /tmp/smart)"
nvme admin-passthru "$device" --opcode=0xc9 > /tmp/refused 2>&1 && fail "admin command C9h is there"
nvme error-log "$device" -e 128 -o json > /tmp/errors
[[ $(jq '.errors | length' /tmp/errors) == 128 ]] || fail "$(cat /tmp/errors)"
# The newest is that command, and the next older one is counted one less; Invalid Command Opcode, More, Do Not Retry.
count=$(($(jq -r .num_err_log_entries /tmp/smart) + 1))
[[ $(jq -c '.errors[0] | [.error_count, .sqid]' /tmp/errors) == "[$count,0]" ]] || fail "$(cat /tmp/errors)"
[[ $(jq -c '.errors[1].error_count' /tmp/errors) == $((count - 1)) ]] || fail "$(cat /tmp/errors)"
(($(jq '.errors[0].status_field' /tmp/errors) == 0x6001)) || fail "$(cat /tmp/errors)"
# Without --csi, nvme-cli looks for the registers of a PCI device.
nvme effects-log "$device" --csi=0 > /tmp/effects
for name in 'Get Log Page' Identify Abort 'Set Features' 'Get Features' 'Asynchronous Event Request' 'Keep Alive' Flush Write Read; do
  grep -q "\[$name " /tmp/effects || fail "effects log: no $name in $(cat /tmp/effects)"
done
nvme fw-log "$device" -o json | grep -q "($version" || fail "$(nvme fw-log "$device" -o json)"
nvme ana-log "$device" > /tmp/ana 2>&1 && fail "an ANA log without ana_reporting"
grep -q 'Invalid Log Page' /tmp/ana || fail "$(cat /tmp/ana)"
nvme resv-report "${device}n1" -n 1 -e -o json > /tmp/reservations
[[ $(jq -c '[.gen, .rtype, .regctl]' /tmp/reservations) == '[0,0,0]' ]] || fail "$(cat /tmp/reservations)"

step features
feature() { # FID VALUE [OPTIONS]
  local got
  got=$(nvme get-feature "$device" -f "$1" "${@:3}" | sed -n 's/.*alue: *\(0x\)\{0,1\}0*\([0-9a-f]*\)$/\2/p')
  [[ ${got:-0} == "$2" ]] || fail "feature $1 is ${got:-0}, not $2"
}
feature 1 0         # arbitration
feature 2 0         # power management
feature 4 157       # temperature threshold: 343 K, as WCTEMP
feature 5 0 -n 1    # error recovery
feature 6 1         # volatile write cache
feature 7 10001     # number of queues: two, as asked for; SPDK grants all it has
feature 0xb 100     # asynchronous events: of namespaces, as OAES
feature 0xf 2710    # Keep Alive: 5 s, doubled by Linux
feature 0x16 0      # host behaviour
feature 6 4 -s 3    # which can be changed, and not saved
nvme set-feature "$device" -f 6 -v 0 --save > /tmp/refused 2>&1 && fail "a feature was saved"
grep -q 'SAVEABLE\|[Ss]aveable' /tmp/refused || fail "$(cat /tmp/refused)"
for fid in 3 0xc 0x10; do # LBA ranges, autonomous power states, thermal management
  nvme get-feature "$device" -f $fid > /tmp/refused 2>&1 && fail "feature $fid is there"
  grep -q 'Invalid Field' /tmp/refused || fail "$(cat /tmp/refused)"
done

# ---- Copy and Compare and Write, which nothing in a stock host uses by itself -----------------------------------------------

step copy
head -c 4096 /dev/urandom > /tmp/block
dd if=/tmp/block of=/dev/nvme0n2 bs=4096 seek=5 oflag=direct status=none
nvme copy /dev/nvme0n2 --sdlba=800 --slbs=40,44 --blocks=3,3 > /tmp/copied 2>&1 || fail "$(cat /tmp/copied)"
dd if=/dev/nvme0n2 of=/tmp/got bs=4096 skip=100 count=1 iflag=direct status=none
cmp /tmp/block /tmp/got || fail "other data than were copied"
wipefs -qa /dev/nvme0n2

# ---- file systems -------------------------------------------------------------------------------------------------------

sums() { # FOLDER
  (cd "$1" && find . -type f -exec sha256sum {} + | sort -k 2)
}

mkdir -p /mnt/disk
tree=$HOUSE/framework/src
sums "$tree" > /tmp/wanted
[[ $(wc -l < /tmp/wanted) -gt 100 ]] || fail "$tree is too small to test with"
for kind in ext4 xfs; do
  step "$kind"
  "mkfs.$kind" -q /dev/nvme0n2 > /tmp/mkfs 2>&1 || fail "$(cat /tmp/mkfs)"
  mount -t $kind /dev/nvme0n2 /mnt/disk
  cp -r "$tree/." /mnt/disk/
  sync
  umount /mnt/disk
  disconnect
  connect "1 2 3"
  mount -t $kind /dev/nvme0n2 /mnt/disk
  rm -rf /mnt/disk/lost+found
  sums /mnt/disk > /tmp/got
  cmp /tmp/wanted /tmp/got || fail "$kind: other files than were copied"
  umount /mnt/disk
  wipefs -qa /dev/nvme0n2
done
disconnect

# ---- both digests -------------------------------------------------------------------------------------------------------

connect "1 2 3" --hdr-digest --data-digest
for work in 512:1m 4k:8m 64k:32m 1m:48m; do
  step "fio ${work%:*}"
  fio --name=verify --filename=/dev/nvme0n1 --ioengine=libaio --direct=1 --rw=randwrite --bs="${work%:*}" --size="${work#*:}" \
    --iodepth=32 --verify=crc32c --verify_fatal=1 --randseed=1 > /tmp/fio 2>&1 || fail "$(cat /tmp/fio)"
  grep -q 'err= 0' /tmp/fio || fail "$(cat /tmp/fio)"
done
step "fio, null bdev"
fio --name=null --filename=/dev/nvme0n3 --ioengine=libaio --direct=1 --rw=randrw --bs=4k --size=4m --iodepth=32 > /tmp/fio 2>&1 ||
  fail "$(cat /tmp/fio)"
disconnect
no_complaint
step end
