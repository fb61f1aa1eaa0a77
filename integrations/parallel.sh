#!/bin/bash
# An enfilade sweep with GNU parallel, on this machine or over ssh (--sshlogin, with a folder that all see).
# Start it again after whatever happened: only what is missing is done.
set -euo pipefail
program=${ENFILADE:-enfilade}
plan=@PLAN@
parts=${PARTS:-parts}
out=${OUT:-out/sweep-@HASH@}
mkdir -p "$parts"
"$program" sweep status "$plan" --parts "$parts" --missing |
    parallel --retries 3 "$@" "$program" sweep shard "$plan" {} --parts "$parts" --threads 1 -q
"$program" sweep merge "$plan" --parts "$parts" --out "$out"
