#!/bin/bash
# An enfilade sweep on HyperQueue: a server and workers are running (`hq server start`, `hq worker start`),
# and all of them see this folder.
set -euo pipefail
program=${ENFILADE:-enfilade}
plan=@PLAN@
parts=${PARTS:-parts}
out=${OUT:-out/sweep-@HASH@}
per_task=@PER_TASK@
last=@LAST@
mkdir -p -- "$parts"

if [ -n "${HQ_TASK_ID:-}" ]; then
    first=$((HQ_TASK_ID * per_task))
    end=$((first + per_task - 1))
    exec "$program" sweep shard "$plan" "$first-$((end < last ? end : last))" \
        --parts="$parts" --threads 1 -q
fi

export ENFILADE="$program" PARTS="$parts" OUT="$out"
hq submit --wait --name enfilade-@HASH@ --array 0-@LAST_TASK@ --cpus 1 \
    --env "ENFILADE=$program" --env "PARTS=$parts" -- bash "$(realpath "$0")"
"$program" sweep merge "$plan" --parts="$parts" --out="$out"
