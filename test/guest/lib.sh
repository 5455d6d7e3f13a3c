# Sourced by the scripts that run inside the guest. Outside, at 10.0.2.2, nvmf_tgt listens for hosts at PORT and for RPCs at
# RPC_PORT; it is started again with its configuration file when it was killed.
set -eu
host=10.0.2.2
port=${PORT:-4420}
rpc_port=${RPC_PORT:-5260}
nqn=nqn.2016-06.io.spdk:cnode1
at="-t tcp -a $host -s $port"

fail() { # SENTENCE
  echo "FAILED: $*"
  dmesg | grep 'nvme[0-9]' | tail -n 20
  exit 1
}

step() { # SENTENCE
  echo "== $* ($(cut -d. -f1 /proc/uptime) s)"
}

# Waits until a command succeeds.
await() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  until "${@:2}"; do
    ((SECONDS < end)) || fail "after $1 s still not: ${*:2}"
    sleep 0.1
  done
}

# Calls a method of the target outside, over a connection of its own; prints the result.
rpc() { # METHOD [PARAMS]
  local answer
  exec 9<> "/dev/tcp/$host/$rpc_port"
  printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' "$1" "${2:-{\}}" >&9
  IFS= read -r -t 60 answer <&9 || fail "$1: no answer"
  exec 9>&-
  [[ $answer != *'"error":'* ]] || fail "$1 ${2:-}: $answer"
  jq -c .result <<< "$answer"
}

# Calls methods one after the other over one connection, each as soon as the one before has ended; "METHOD PARAMS" a line.
rpc_all() {
  local method params answer
  exec 9<> "/dev/tcp/$host/$rpc_port"
  while read -r method params; do
    echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$method\",\"params\":$params}" >&9
    IFS= read -r -t 60 answer <&9 || fail "$method: no answer"
    [[ $answer != *'"error":'* ]] || fail "$method $params: $answer"
  done
  exec 9>&-
}

# The controller of the only connected subsystem that is no discovery subsystem: nvme0, or what comes after it.
controller() {
  grep -l "^$nqn\$" /sys/class/nvme/nvme*/subsysnqn | cut -d/ -f5
}

is_device() { # NAME...
  local name
  for name; do [[ -b /dev/$name ]] || return 1; done
}

# Connects with two I/O queues; then, after at most PATIENCE seconds, the namespaces named by number are there.
connect() { # "NSID..." [OPTIONS]
  local ids=$1 id name
  shift
  # shellcheck disable=SC2086
  nvme connect $at -n "$nqn" -i 2 "$@"
  name=$(controller)
  [[ $(cat "/sys/class/nvme/$name/queue_count") == 3 ]] || fail "not one admin and two I/O queues"
  for id in $ids; do await "${PATIENCE:-60}" is_device "${name}n$id"; done
}

disconnect() {
  nvme disconnect -n "$nqn"
}

# The kernel complains neither of a controller nor of what uses its disks, since the last time; but for what is expected.
no_complaint() { # [EXPECTED-REGEX]
  local lines
  lines=$({
    dmesg -l emerg,alert,crit,err,warn | grep 'nvme[0-9]'
    dmesg | grep 'nvme[0-9]' | grep -iE 'error|fail|timeout|reset|reconnect'
    dmesg | grep -E 'WARNING:|BUG:'
  } | grep -vE "${1:-^\$}" || :)
  dmesg -C
  [[ -z $lines ]] || fail "the kernel complains: $lines"
}

modprobe nvme_tcp
