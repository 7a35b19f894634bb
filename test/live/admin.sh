#!/usr/bin/env bash
# What to try first on a real cluster: weir's commands for the Admin API were only run against its own simulator.
#
#   WEIR_ADMIN_HOSTS=b1:9644,b2:9644,b3:9644 WEIR_BROKERS=b1:9092 test/live/admin.sh       only reads
#   … test/live/admin.sh --changes                                                         also changes, and puts back
#
# With WEIR_USER and WEIR_PASS of a superuser if the cluster requires authentication. Use a cluster for tests: --changes
# makes a user, a role and a topic, drains a broker, moves a partition and starts a self-test. It never decommissions a
# broker, replaces a license or forces a recovery: these are shown with --dry-run, or left to the reader at the end.
#
# Every step says what to expect. Every request is traced into a file (no credentials, no bodies); please attach it to an
# issue when something differs.
set -euo pipefail

weir="$(dirname "$0")/../../bin/weir.js"
scratch="$(mktemp -d)"
trace="$scratch/trace.ndjson"
: >"$trace"
# Its own directories: the profiles and caches of the person stay as they are.
export XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config" XDG_CACHE_HOME="$scratch/cache"
trap 'rm -rf "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME"' EXIT # the trace stays
failed=0
changes=0
if [ "${1:-}" = --changes ]; then changes=1; fi

: "${WEIR_ADMIN_HOSTS:?set the addresses of the Admin API, for example b1:9644,b2:9644,b3:9644}"
: "${WEIR_BROKERS:?set the addresses of the brokers, for example b1:9092}"

step() { # the exit codes that are right ("0 10"), what to expect, and the words after "weir"
  local codes="$1" expected="$2" code=0
  shift 2
  printf '\n# expected: %s (exit %s)\n$ weir %s\n' "$expected" "${codes// / or }" "$*"
  rm -f "$scratch/last.ndjson"
  "$weir" "$@" --trace "$scratch/last.ndjson" || code=$?
  if [ -f "$scratch/last.ndjson" ]; then cat "$scratch/last.ndjson" >>"$trace"; fi
  case " $codes " in
    *" $code "*) ;;
    *)
      failed=1
      printf '(exit %s: DIFFERS)\n' "$code"
      ;;
  esac
}

section() {
  printf '\n## %s\n' "$1"
}

section 'health and brokers'
step '0 10' 'the controller, all brokers, and nothing down; exit 10 if the cluster is not healthy' cluster health --api admin
step 0 'one row per broker, with version, membership active and disk' cluster brokers list --format wide
step 0 'the same, and the brokers that have left' cluster brokers list -d
step 0 'one row per broker, enabled false' cluster maintenance status
first="$("$weir" cluster brokers list --format json | tr '{' '\n' | sed -n 's/^"id":\([0-9]*\),.*/\1/p' | sed -n 1p)"
step 0 'not being decommissioned' cluster brokers decommission-status "$first"
step 3 'no such broker; those that there are' cluster brokers decommission-status 99999
step 0 'the replicas that would move; nothing is sent' cluster brokers decommission "$first" --force --dry-run
step 0 'the maintenance mode would be turned on; nothing is sent' cluster maintenance enable "$first" --dry-run

section 'configuration'
step 0 'one value' cluster config get --api admin cluster_id
step '1 3' 'unknown: the words of the server' cluster config get --api admin no_such_property
step 0 'every property; secrets are hidden' cluster config list --api admin
step 0 'one row per broker: no restart needed, nothing invalid or unknown' cluster config status
step 0 'a YAML file with comments from the schema' cluster config export --file "$scratch/config.yaml"
step 0 'nothing to change: what was exported is what is there' cluster config import --file "$scratch/config.yaml" --dry-run

section 'partitions'
step 0 'the partitions of Kafka topics with their replicas' cluster partitions list --all
step 0 'reassignments under way, or none' cluster partitions move-status
step 0 'the state of the balancer' cluster partitions balancer-status

section 'license, self-test, storage'
step 0 'the license and when it expires, or none; features that need one' cluster license info
step 0 'the last results of each broker, or idle' cluster self-test status
step '0 1' 'topics in object storage; exit 1 where tiered storage is off, with the reason' cluster storage list-mountable
step '0 1' 'mounts and unmounts; exit 1 where tiered storage is off' cluster storage list-mount
step '0 1 6' 'no restore under way; another code where tiered storage is off' cluster storage restore status

section 'users and roles'
step 0 'the users of the cluster, by the Admin API' security user list --api admin
step '0 4' 'roles; exit 4 where they need a license' security role list

section 'transforms'
step '0 1' 'transforms; exit 1 where they are disabled, with the reason' transform list -d
step '0 3' 'no logs; exit 3 where there is no topic for them' transform logs weir-live --tail 5
step 2 'not part of weir' transform init
step 2 'not part of weir' transform build

section 'debug bundles, single nodes'
step 0 'one row per broker: none, success or expired' debug remote-bundle status
step 0 'the brokers that would collect one; nothing is sent' debug remote-bundle start --dry-run
step 0 'what the first node uses; secrets are hidden' redpanda admin config print --host 0
step 0 'loggers and their levels: are the levels there in this version?' redpanda admin config log-level list --host 0
step 0 'one level' redpanda admin config log-level get raft --host 0
step 0 'the same as cluster brokers list' redpanda admin brokers list
step 0 'the partitions of the first broker' redpanda admin partitions list "$first"

section 'errors: the words of the server, and no password in them'
step 3 'no such transform' transform pause weir-live-none
step 3 'no such logger' redpanda admin config log-level get weir-live-none --host 0
WEIR_USER=weir-live WEIR_PASS=wrong step '0 4' 'exit 4 if the cluster requires authentication, otherwise 0' cluster brokers list

if [ "$changes" = 1 ]; then
  name="weir-live-$$"

  section 'changes: maintenance'
  step 0 'drained' cluster maintenance enable "$first" --wait
  step 0 'enabled true, finished true' cluster maintenance status
  step '0 6' 'refused, because only one broker may be in it; exit 0 if this is the same one' cluster maintenance enable "$first"
  step 0 'turned off' cluster maintenance disable "$first"

  section 'changes: configuration'
  old="$("$weir" cluster config get --api admin log_message_timestamp_alert_before_ms 2>"$scratch/err" || true)"
  step 0 'old and new value, applied on all brokers' cluster config set --api admin log_message_timestamp_alert_before_ms 86400000
  step 2 'refused: weir knows the type from the schema' cluster config set --api admin log_message_timestamp_alert_before_ms nonsense
  step 0 'put back' cluster config set --api admin log_message_timestamp_alert_before_ms "${old:-null}"

  section 'changes: users and roles'
  step 0 'created' security user create "$name" --generate-password --api admin
  step 0 'it is there' security user list --api admin
  step 0 'another password' security user update "$name" --generate-password --mechanism scram-sha-256 --api admin
  step '0 4' 'created; exit 4 where roles need a license' security role create "$name"
  step '0 3 4' 'assigned' security role assign "$name" --principal "User:$name"
  step '0 3 4' 'its member' security role describe "$name"
  step '0 3 4' 'taken away' security role unassign "$name" --principal "User:$name"
  step '0 3 4' 'deleted' security role delete "$name" --yes
  step 0 'deleted' security user delete "$name" --api admin --yes

  section 'changes: partitions'
  step 0 'created' topic create "$name" -p 1
  step '0 1' 'where its segments are, or that it has none in object storage' topic describe-storage "$name"
  step '0 1 6' 'moved to its own broker, or the reason why not' cluster partitions transfer-leadership -p "$name/0:$first"
  step '0 1 6' 'nothing to cancel' cluster partitions move-cancel --yes
  step 0 'disabled' cluster partitions disable "$name" --all --yes
  step 0 'enabled again' cluster partitions enable "$name" --all
  step 0 'deleted' topic delete "$name" --yes

  section 'changes: self-test'
  step 0 'started: disks for a second; it loads the cluster' cluster self-test start --only-disk-test --disk-duration-ms 1000 --yes
  step 0 'running' cluster self-test status
  step 0 'stopped' cluster self-test stop

  section 'changes: debug bundle'
  step 0 'collected on every broker; takes about a minute' debug remote-bundle start --wait --cpu-profiler-wait 15s
  step 0 'one file, the size and the checksum of each bundle' debug remote-bundle download -o "$scratch/bundle.zip"
  step 6 'the file exists' debug remote-bundle download -o "$scratch/bundle.zip"
  if command -v unzip >"$scratch/which"; then unzip -t "$scratch/bundle.zip" || failed=1; fi
  step 0 'started' debug remote-bundle start
  step 0 'canceled on every broker' debug remote-bundle cancel --yes
  step '0 1' 'error on every broker: canceled' debug remote-bundle status
  rm -f "$scratch/bundle.zip" # it may hold names that should not be passed on

  section 'changes: log level'
  step 0 'info to debug, for ten seconds' redpanda admin config log-level set raft --host 0 -e 10
  step 0 'debug, and the seconds that are left' redpanda admin config log-level get raft --host 0
fi

printf '\n## left to you, on a cluster that may be lost\n'
cat <<'REST'
weir cluster brokers decommission ID --wait    interrupt it, and repeat it; then recommission another one
weir cluster brokers recommission ID
weir cluster partitions move -p TOPIC/0:1,2,3  and move-status, while it runs
weir cluster partitions balance
weir cluster partitions unsafe-recover --from-nodes ID --dry-run
weir cluster license set FILE
weir cluster storage unmount TOPIC, status-mount, cancel-mount, then mount it
weir cluster storage restore start --wait
weir transform deploy, pause, resume, logs -f, delete, with a module that rpk transform build has made
weir cluster config edit, force-reset, lint
REST

printf '\nthe requests are in %s\n' "$trace"
exit "$failed"
