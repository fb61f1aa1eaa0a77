"""A sweep on Dask.distributed with a worker killed in the middle, and then everything: started again, the
bytes are those of one machine.

    python tests/engines/dask.py PROGRAM

Scheduler and three workers are processes of their own on the loopback; the worker that is killed takes its
shard with it. Everything that is started here is stopped here, by its process id.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from common import FILE, same, sweep

PORT = "18786"
ADDRESS = f"tcp://127.0.0.1:{PORT}"


def started(*arguments):
    """A process in a group of its own."""
    log = open("engine.log", "ab")
    return subprocess.Popen(arguments, stdout=log, stderr=log, start_new_session=True)


def kill(process):
    """Ends a process and what it started, without a word to it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def worker(number):
    return started(
        sys.executable, "-m", "distributed.cli.dask_worker", ADDRESS, "--nthreads", "1",
        "--no-dashboard", "--host", "127.0.0.1", "--name", f"w{number}", "--death-timeout", "60",
    )


def engines(program):
    """Scheduler, three workers and the client, in this order."""
    scheduler = started(
        sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", PORT,
        "--no-dashboard",
    )
    workers = [worker(number) for number in range(3)]
    client = started(
        sys.executable, "sweep.py", ADDRESS, "--parts", "parts", "--program", program, "--ship"
    )
    return [scheduler, *workers, client]


def parts():
    """How many have arrived."""
    return len(list(pathlib.Path("parts").glob("*.parquet")))


def wait_for(count, client):
    """Waits for so many parts."""
    until = time.monotonic() + 120
    while parts() < count:
        assert time.monotonic() < until and client.poll() is None, pathlib.Path("engine.log").read_text()
        time.sleep(0.02)


def main():
    program = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(tempfile.mkdtemp(prefix="enfilade-dask-"))
    os.chdir(folder)
    pathlib.Path("x.toml").write_text(FILE)
    sweep(program, "plan", "x.toml", "--cells-per-shard", "1")
    emitted = sweep(program, "emit", "dask", "plan.json")
    pathlib.Path("sweep.py").write_bytes(emitted)
    running = engines(program)
    try:
        wait_for(5, running[-1])
        kill(running[1])
        print(f"a worker was killed after {parts()} parts")
        wait_for(25, running[-1])
        for process in running:
            kill(process)
        print(f"scheduler, workers and client were killed after {parts()} parts")
        running = engines(program)
        assert running[-1].wait(timeout=180) == 0, pathlib.Path("engine.log").read_text()
    finally:
        for process in running:
            kill(process)
    sweep(program, "merge", "plan.json", "--parts", "parts", "--out", "merged")
    same(program)
    os.chdir("/")
    shutil.rmtree(folder)


main()
