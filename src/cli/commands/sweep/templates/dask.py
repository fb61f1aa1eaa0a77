#!/usr/bin/env python3
"""The shards of an enfilade sweep on Dask.distributed.

    dask scheduler --host HOST                                      # once
    dask worker tcp://HOST:8786 --nthreads 1 --nworkers auto        # on every machine
    python sweep.py tcp://HOST:8786 --parts parts                   # anywhere

No disk is shared: the plan goes with every task, the program with --ship, and parts come back through
the scheduler. Whatever is killed, start it again: parts that are there are not made a second time.
On machines that may be taken away at any moment start the scheduler with
DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=20.
"""

import argparse
import hashlib
import os
import pathlib
import stat
import subprocess
import sys
import tempfile

PLAN = @PLAN@
HASH = "@HASH@"

# Tasks on their way for every thread of the workers: a lost worker takes few of them with it.
WINDOW = 4

# How often a shard is tried whose worker dies.
TRIES = 10


def shard(number, plan, program, shipped=None):
    """Does one shard on a worker; the bytes of its part."""
    with tempfile.TemporaryDirectory(prefix="enfilade-") as folder:
        path = os.path.join(folder, "plan.json")
        pathlib.Path(path).write_bytes(plan)
        if shipped is not None:
            program = installed(shipped, folder)
        command = [program, "sweep", "shard", path, str(number), "--parts", "-", "--threads", "1", "-q"]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"shard {number}: {done.stderr.decode(errors='replace')}")
        return done.stdout


def installed(shipped, otherwise):
    """Where the shipped program lies on this worker: byte for byte what was sent, in a folder that nobody else
    can write to."""
    digest = hashlib.sha256(shipped).hexdigest()
    folder = private(otherwise)
    path = os.path.join(folder, f"program-{digest[:16]}")
    if not holds(path, digest):
        handle, made = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(shipped)
        os.chmod(made, 0o700)
        os.replace(made, path)
    return path


def private(otherwise):
    """The folder of this user for programs, so that they are written once; the folder `otherwise`, of this
    shard alone, where somebody else has the name or could write there."""
    if not hasattr(os, "getuid"):
        return otherwise
    path = os.path.join(tempfile.gettempdir(), f"enfilade-{os.getuid()}")
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        pass
    # Of the name itself: a link could lead anywhere.
    found = os.lstat(path)
    own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return path if own and not found.st_mode & 0o077 else otherwise


def holds(path, digest):
    """Whether the file at `path` is our own and has this hash."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        return False
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest() == digest


def keep(parts, number, part):
    """Puts a part into its folder, whole or not at all, under the name that merge looks for."""
    name = f"{HASH}-{number:06}-{hashlib.sha256(part).hexdigest()[:16]}.parquet"
    made = parts / f".enfilade-{name}"
    with open(made, "wb") as file:
        file.write(part)
        file.flush()
        os.fsync(file.fileno())
    os.replace(made, parts / name)


def missing(program, parts):
    """The shards to be done."""
    command = [program, "sweep", "status", PLAN, "--parts", str(parts), "--missing"]
    told = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    return [int(line) for line in told.split()]


def main():
    """Hands out shards until all parts are there."""
    from distributed import Client, KilledWorker, as_completed

    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("scheduler")
    arguments.add_argument("--parts", type=pathlib.Path, default=pathlib.Path("parts"))
    arguments.add_argument("--program", default=os.environ.get("ENFILADE", "enfilade"))
    arguments.add_argument("--ship", action="store_true", help="send the program to the workers")
    asked = arguments.parse_args()
    asked.parts.mkdir(parents=True, exist_ok=True)
    plan = pathlib.Path(PLAN).read_bytes()
    to_do = missing(asked.program, asked.parts)[::-1]
    everything, tries = len(to_do), {}
    with Client(asked.scheduler) as client:
        client.wait_for_workers(1)
        extra = ()
        if asked.ship:
            binary = pathlib.Path(asked.program).read_bytes()
            extra = (client.scatter(binary, broadcast=True, hash=False),)
        plan = client.scatter(plan, broadcast=True, hash=False)
        running = as_completed()
        numbers = {}

        def submit(number):
            future = client.submit(shard, number, plan, asked.program, *extra, pure=False)
            numbers[future.key] = number
            running.add(future)

        def refill():
            threads = sum(client.nthreads().values())
            while to_do and len(numbers) < WINDOW * max(threads, 1):
                submit(to_do.pop())

        refill()
        for future in running:
            number = numbers.pop(future.key)
            try:
                keep(asked.parts, number, future.result())
            except KilledWorker:
                tries[number] = tries.get(number, 0) + 1
                if tries[number] >= TRIES:
                    sys.exit(f"shard {number} has killed {TRIES} workers: try it alone with "
                             f"{asked.program} sweep shard {PLAN} {number} --parts {asked.parts}")
                to_do.append(number)
            refill()
    print(f"{everything} shards done")


if __name__ == "__main__":
    main()
