#!/bin/bash
# An enfilade sweep on Slurm: an array of jobs for the shards, and a merge when all of them are done.
#
#     bash sweep.sh            # on a machine that may submit, in a folder that all nodes see
#
# A job whose node dies is put into the queue again; a shard whose part is there is not done twice. Should
# the array fail for good, the merge never starts: run this file again.
set -euo pipefail
program=${ENFILADE:-enfilade}
plan=@PLAN@
parts=${PARTS:-parts}
out=${OUT:-out/sweep-@HASH@}
per_task=@PER_TASK@
last=@LAST@
mkdir -p -- "$parts"

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    first=$((SLURM_ARRAY_TASK_ID * per_task))
    end=$((first + per_task - 1))
    exec "$program" sweep shard "$plan" "$first-$((end < last ? end : last))" \
        --parts="$parts" --threads "${SLURM_CPUS_PER_TASK:-1}" -q
fi

# Jobs get the names as variables: no name is part of a command.
export ENFILADE="$program" PLAN="$plan" PARTS="$parts" OUT="$out"
job=$(sbatch --parsable --job-name=enfilade-@HASH@ --array=0-@LAST_TASK@ --requeue \
    --cpus-per-task=1 --output="$parts/%A_%a.log" "$0")
sbatch --job-name=enfilade-merge --dependency="afterok:$job" --output="$parts/merge.log" \
    --wrap='exec "$ENFILADE" sweep merge "$PLAN" --parts="$PARTS" --out="$OUT"'
