#!/usr/bin/env bash
# What to try first on a live account: nothing here has been run against one yet.
#
#   WEIR_CLOUD_CLIENT_ID=… WEIR_CLOUD_CLIENT_SECRET=… test/live/cloud.sh          only reads
#   … test/live/cloud.sh --write                                                 makes and deletes a resource group
#
# Every request is traced into a file (no tokens, no bodies); please attach it to an issue when something fails.
set -euo pipefail

weir="$(dirname "$0")/../../bin/weir.js"
scratch="$(mktemp -d)"
trace="$scratch/trace.ndjson"
# Its own directories: the logins and profiles of the person stay as they are.
export XDG_STATE_HOME="$scratch/state" XDG_CONFIG_HOME="$scratch/config" XDG_CACHE_HOME="$scratch/cache"
trap 'rm -rf "$XDG_STATE_HOME" "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME"' EXIT # the token goes, the trace stays
failed=0

try() { # what it shows, and the words after "weir cloud"
  local what="$1"
  shift
  printf '\n# %s\n$ weir cloud %s\n' "$what" "$*"
  "$weir" cloud "$@" --trace "$scratch/last.ndjson" || { failed=1; echo "(exit $?)"; }
  cat "$scratch/last.ndjson" >>"$trace" 2>/dev/null || true
}

: "${WEIR_CLOUD_CLIENT_ID:?set the id of a service account}"
: "${WEIR_CLOUD_CLIENT_SECRET:?set its secret}"

try 'the token endpoint, and who we are (older API)' login
try 'the kept login, without secrets' auth list
try 'lists with paging' resource-group list
try 'networks' network list --format wide
try 'clusters' cluster list --format wide
try 'operations: which spelling of states?' operation list
try 'role bindings with both filters (endpoint 10)' role-binding list --role-name Admin --resource-type organization
try 'service accounts' service-account list

cluster="$("$weir" cloud cluster list --format json | sed -n 's/^\[{"id":"\([^"]*\)".*/\1/p')"
if [ -n "$cluster" ]; then
  try 'one cluster (endpoint 6): fields that weir does not know are shown too' cluster get "$cluster"
  case "$("$weir" cloud cluster get "$cluster" --format json)" in
    *TYPE_BYOC*) try 'its BYOC plugin: version, download, sha256; nothing is started' byoc install --cluster-id "$cluster" ;;
  esac
  try 'what would be sent' cluster update "$cluster" --set audit_enabled=true --dry-run
fi

printf '\n# errors: expected are exit 3 and the words of the server\n'
"$weir" cloud cluster get 00000000000000000000 || echo "(exit $?)"

if [ "${1:-}" = --write ]; then
  name="weir-live-$$"
  try 'create a resource group (endpoint 1)' resource-group create "$name"
  id="$("$weir" cloud resource-group list --format json | tr '{' '\n' | sed -n "s/.*\"id\":\"\([^\"]*\)\",\"name\":\"$name\".*/\1/p")"
  printf '\n# the same name again: expected is exit 6\n'
  "$weir" cloud resource-group create "$name" || echo "(exit $?)"
  try 'delete it (endpoint 2)' resource-group delete "$id" --yes
fi

printf '\nthe requests are in %s\n' "$trace"
exit "$failed"
