#!/bin/bash
# What is emitted for GNU parallel and Snakemake, run on this machine; Snakemake is killed in the middle and
# started again. The Kubernetes job is held against the published schema.
#
#     tests/engines/local.sh PROGRAM
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
home=$(mktemp -d /tmp/enfilade-local-XXXXXX)
trap 'rm -rf "$home"' EXIT
cd "$home"
export ENFILADE=$program PYTHONPATH=$here OUT=$home/merged
python3 -c "from common import FILE; print(FILE)" >x.toml
"$program" sweep plan x.toml --cells-per-shard 20 --out plan.json
same() {
    python3 -c "import sys; from common import same; same(sys.argv[1])" "$program"
    rm -rf merged parts one
}
"$program" sweep emit parallel plan.json >sweep.sh
bash sweep.sh -j2
same
"$program" sweep emit snakemake plan.json --per-task 2 >Snakefile
snakemake --cores 2 >snakemake.log 2>&1 &
snakes=$!
for _ in $(seq 300); do ls parts/*.done >/dev/null 2>&1 && break; sleep 0.1; done
kill -TERM "$snakes"
# Caught while it solves what to run next it may wait for ever for its solver: then it is killed.
for _ in $(seq 100); do kill -0 "$snakes" 2>/dev/null || break; sleep 0.1; done
kill -KILL "$snakes" 2>/dev/null || true
wait "$snakes" || true
snakemake --unlock --cores 1 >>snakemake.log 2>&1 || true
snakemake --cores 2 --rerun-incomplete >>snakemake.log 2>&1 || { cat snakemake.log; exit 1; }
same
"$program" sweep emit kubernetes plan.json >job.yaml
python3 "$here/kubernetes.py" job.yaml
