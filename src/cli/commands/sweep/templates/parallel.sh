#!/bin/bash
# An enfilade sweep with GNU parallel, on this machine or over ssh (--sshlogin, with a folder that all see).
# Start it again after whatever happened: only what is missing is done.
set -euo pipefail
export ENFILADE=${ENFILADE:-enfilade}
export PLAN=@PLAN@
export PARTS=${PARTS:-parts}
OUT=${OUT:-out/sweep-@HASH@}
# Parallel gives a shell what it runs, and replaces {} and its like wherever they stand in it: so names are
# given as variables, and no name is part of the command.
export PARALLEL_SHELL=/bin/sh
mkdir -p -- "$PARTS"
"$ENFILADE" sweep status "$PLAN" --parts="$PARTS" --missing |
    parallel --retries 3 --env ENFILADE --env PLAN --env PARTS "$@" \
        '"$ENFILADE" sweep shard "$PLAN" {} --parts="$PARTS" --threads 1 -q'
"$ENFILADE" sweep merge "$PLAN" --parts="$PARTS" --out="$OUT"
