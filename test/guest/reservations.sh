# Run inside the guest: two hosts, each with a name, an identifier and a controller of its own, share a disk of the target
# outside, as reservations.json sets it up. nvme-cli reserves, the kernel's reads and writes meet conflicts, and a target that
# is killed remembers.
modprobe nvme_core multipath=N # else the kernel takes the two hosts for two paths of one
source "$HOUSE/test/guest/lib.sh"
a=/dev/nvme0n1
b=/dev/nvme1n1

# Without nvme-cli, which takes the second host for one that is connected already.
host() { # NUMBER CONTROLLER
  local id=$1$1$1$1$1$1$1$1-0000-4000-8000-000000000001
  echo "transport=tcp,traddr=$host,trsvcid=$port,nqn=$nqn,hostnqn=nqn.2014-08.org.nvmexpress:uuid:$id,hostid=$id,\
nr_io_queues=2,reconnect_delay=1,ctrl_loss_tmo=300" > /dev/nvme-fabrics || fail "host $1 cannot connect"
  await 30 is_device "$2n1"
}

# A command that succeeds.
does() { # COMMAND...
  "$@" > /tmp/does 2>&1 || fail "$*: $(cat /tmp/does)"
}

# An NVMe command that ends with a status of this name.
refuses() { # STATUS COMMAND...
  if "${@:2}" > /tmp/refuses 2>&1; then fail "was not refused: ${*:2}"; fi
  grep -qi "$1" /tmp/refuses || fail "${*:2}: $(cat /tmp/refuses)"
}

reads() { # DISK
  dd if="$1" of=/dev/null bs=4k count=1 iflag=direct status=none 2> /tmp/io
}

writes() { # DISK
  dd if=/dev/zero of="$1" bs=4k count=1 oflag=direct conv=notrunc status=none 2> /tmp/io
}

# The kernel gives a conflict the error EBADE, "Invalid exchange".
conflicts() { # COMMAND DISK
  if "$@"; then fail "no conflict: $*"; fi
  grep -q 'Invalid exchange' /tmp/io || fail "$*: $(cat /tmp/io)"
}

# What Reservation Report says: type, persistence, then each host's key in hexadecimal, and * for a holder.
reported() { # DISK TEXT
  nvme resv-report "$1" -n 1 --eds -o json > /tmp/report || fail "resv-report $1: $(cat /tmp/report)"
  local got
  got=$(jq -r '"\(.rtype) \(.ptpls)", (.regctlext[]? | "\(.rkey) \(.rcsts)")' /tmp/report |
    while read -r key holder; do
      if [[ -z $first ]]; then first=no && printf '%s %s' "$key" "$holder"; else
        printf ' %x%s' "$key" "$([[ $holder == 1 ]] && echo '*')"
      fi
    done)
  [[ $got == "$2" ]] || fail "resv-report says '$got', not '$2': $(cat /tmp/report)"
}
first=

step connect
host 1 nvme0
host 2 nvme1
[[ $(nvme id-ns $a -n 1 -o json | jq .rescap) == 255 ]] || fail "rescap: $(nvme id-ns $a -n 1)"

step register
reported $b '0 0'
does nvme resv-register $a -n 1 --nrkey=0xa1 --rrega=0 --cptpl=3
does nvme resv-register $b -n 1 --nrkey=0xb2 --rrega=0 --cptpl=0
refuses 'Reservation Conflict' nvme resv-register $b -n 1 --nrkey=0xb3 --rrega=0 --cptpl=0
reported $b '0 1 a1 b2'

step acquire
does nvme resv-acquire $a -n 1 --crkey=0xa1 --rtype=1 --racqa=0
reported $b '1 1 a1* b2'
writes $a || fail "the holder cannot write: $(cat /tmp/io)"
reads $b || fail "another host cannot read: $(cat /tmp/io)"
conflicts writes $b
refuses 'Reservation Conflict' nvme resv-acquire $b -n 1 --crkey=0xb2 --rtype=1 --racqa=0
refuses 'Reservation Conflict' nvme resv-release $a -n 1 --crkey=0xb2 --rtype=1 --rrela=0

step preempt
does nvme resv-acquire $b -n 1 --crkey=0xb2 --prkey=0xa1 --rtype=2 --racqa=2
reported $a '2 1 b2*'
conflicts reads $a
conflicts writes $a
writes $b || fail "the new holder cannot write: $(cat /tmp/io)"
nvme resv-notif-log /dev/nvme0 > /tmp/notice # its names of types are one off; 1 is Registration Preempted
grep -q 'Log Page Count.*: 1$' /tmp/notice && grep -q 'Type.*: 1 ' /tmp/notice || fail "$(cat /tmp/notice)"
nvme resv-notif-log /dev/nvme1 > /tmp/notice
grep -q 'Log Page Count.*: 0$' /tmp/notice || fail "the host that preempted is told: $(cat /tmp/notice)"

step "kill the target"
exec 9<> "/dev/tcp/$host/$rpc_port"
printf '{"jsonrpc":"2.0","id":1,"method":"spdk_kill_instance","params":{"sig_name":"SIGKILL"}}' >&9
IFS= read -r -t 60 _ <&9 || : # the answer dies with it
exec 9>&-
reconnected() {
  (($(dmesg | grep -c 'Successfully reconnected') == 2))
}
await 120 reconnected
reported $a '2 1 b2*'
conflicts reads $a
writes $b || fail "the holder cannot write after a restart: $(cat /tmp/io)"

step "share, release and clear"
does nvme resv-register $a -n 1 --nrkey=0xa1 --rrega=0 --cptpl=0
does nvme resv-acquire $b -n 1 --crkey=0xb2 --prkey=0xb2 --rtype=6 --racqa=1
reported $a '6 1 b2* a1*'
writes $a || fail "a registrant cannot write: $(cat /tmp/io)"
does nvme resv-release $a -n 1 --crkey=0xa1 --rtype=6 --rrela=0
reported $a '0 1 b2 a1'
does nvme resv-release $a -n 1 --crkey=0xa1 --rtype=0 --rrela=1
reported $b '0 1'
step end
