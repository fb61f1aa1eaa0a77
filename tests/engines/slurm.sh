#!/bin/bash
# A sweep on Slurm with a node killed in the middle: the bytes are those of one machine.
#
#     tests/engines/slurm.sh PROGRAM
#
# Controller and three nodes run in a network of their own that has a loopback and nothing else, because the
# controller listens on every address. Everything that is started here is stopped here, by its process id.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
if [ -z "${ENFILADE_NET:-}" ]; then
    ENFILADE_NET=1 exec unshare --net --uts "$0" "$program"
fi
ip link set lo up
# Names are looked up for the families of addresses there are, of which 127.0.0.1 does not count.
ip addr add 127.0.0.2/8 dev lo
hostname localhost
home=$(mktemp -d /tmp/enfilade-slurm-XXXXXX)
cd "$home"
mkdir state spool run
host=localhost
export SLURM_CONF="$home/slurm.conf"
dd if=/dev/urandom of=munge.key bs=64 count=1 status=none
chmod 600 munge.key
pids=()
stop() {
    for pid in "${pids[@]}"; do kill -9 -- "-$pid" 2>/dev/null || true; done
}
trap stop EXIT
started() {
    setsid "$@" >>"$home/engine.log" 2>&1 &
    pids+=($!)
}
chown -R root:root "$home"
chmod 755 "$home"
started munged --foreground --force --key-file="$home/munge.key" --socket="$home/run/munge.socket" \
    --pid-file="$home/run/munge.pid" --log-file="$home/munge.log" --seed-file="$home/run/munge.seed"
cat >slurm.conf <<END
ClusterName=enfilade
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$home/run/munge.socket
CredType=cred/munge
SlurmctldPort=16817
SlurmctldPidFile=$home/run/ctld.pid
SlurmdPidFile=$home/run/%n.pid
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool/%n
SlurmctldLogFile=$home/ctld.log
SlurmdLogFile=$home/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n[1-3] NodeHostname=$host NodeAddr=127.0.0.1 Port=[16821-16823] CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
python3 -c "import sys; sys.path.insert(0, '$here'); from common import FILE; print(FILE)" >x.toml
for _ in $(seq 50); do [ -S run/munge.socket ] && break; sleep 0.1; done
started slurmctld -D
for node in n1 n2 n3; do
    mkdir -p "spool/$node"
    started slurmd -D -N "$node"
    declare "$node=$!"
done
for _ in $(seq 100); do [ "$(timeout 5 sinfo -h -t idle -o %D 2>/dev/null)" = 3 ] && break; sleep 0.2; done
timeout 5 sinfo || { cat engine.log; exit 1; }
"$program" sweep plan x.toml --cells-per-shard 1 --out plan.json
"$program" sweep emit slurm plan.json --per-task 6 >sweep.sh
ENFILADE=$program OUT=$home/merged bash sweep.sh
parts() { find parts -name '*.parquet' | wc -l; }
for _ in $(seq 600); do [ "$(parts)" -ge 5 ] && break; sleep 0.05; done
steps=$(pgrep -f "slurmstepd: .*n1" || true)
kill -9 -- "-$n1" $steps 2>/dev/null || kill -9 "$n1"
echo "node n1 was killed after $(parts) parts"
# A requeued job waits for two minutes before it is started again.
for _ in $(seq 300); do [ -s merged/manifest.json ] && break; sleep 1; done
[ -s merged/manifest.json ] || { tail -n 40 ctld.log; squeue; exit 1; }
python3 - "$here" "$program" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from common import same
same(sys.argv[2])
END
stop
trap - EXIT
cd /
rm -rf "$home"
