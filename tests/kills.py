#!/usr/bin/env python3
"""Work that is killed at any moment and begun again ends as if nothing had happened: tests/kills.py PROGRAM [COUNT] [SEED]

Each of `run`, `sweep`, `balance` and the studio's saves is killed COUNT times (SIGKILL, at a moment by lot, twice now and
then) and gone on with, with other threads and instruction sets. What it leaves is compared byte by byte with what work leaves that was
never disturbed, but for the command and the time in it; and nothing else may lie there but halves of files that nobody reads, `.enfilade-…`, of parts of a sweep and of saves.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

FIRE = '[[contest]]\nsystem = "asl"\naction = "fire"\nfp = [1, 2, 4, 6, 8, 12, 16, 20]\ndrm = { from = -2, to = 3 }\n'
FIRE += 'target = { unit = "4-4-7", nation = "Russian" }\n'
#: Said on the way by whoever works, and of no weight.
OPTIONS = re.compile(r"(,\s*)?\"--(threads|isa)\",\s*\"\w+\"| --(threads|isa) \w+")
SAID = re.compile(r'"(started|finished|seconds|bytes|sha256|manifest_sha256)": [^,\n]+')
#: What is renamed when it is whole.
HALF = re.compile(r"\.enfilade-\w+$")


class Job:
    """What is done, in steps that may each be killed."""

    def __init__(self, name: str, program: str, steps: list[list[str]], prepare: list[list[str]] = [], free: bool = True) -> None:  # noqa: B006
        self.name, self.program, self.steps, self.prepare, self.free = name, program, steps, prepare, free

    def command(self, step: list[str], lot: random.Random | None) -> list[str]:
        """A step, by whatever threads and instructions."""
        if lot is None or not self.free:
            return [self.program, *step]
        return [self.program, *step, "--threads", str(lot.randint(1, 4)), *(["--isa", "baseline"] if lot.random() < 0.3 and step[0] != "balance" else [])]

    def do(self, step: list[str], folder: Path, lot: random.Random | None = None) -> None:
        done = subprocess.run(self.command(step, lot), cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{self.name}: {' '.join(step)} ended with {done.returncode} in {folder}: {done.stderr}")

    def begin(self, folder: Path) -> None:
        (folder / "fire.toml").write_text(FIRE)
        gun = Path(__file__).resolve().parent.parent / "experiments/my_gun.toml"
        (folder / "gun.toml").write_text(gun.read_text())
        for step in self.prepare:
            self.do(step, folder)

    def undisturbed(self, folder: Path) -> list[float]:
        """Does it all, and says how long each step takes."""
        self.begin(folder)
        took = []
        for step in self.steps:
            began = time.monotonic()
            self.do(step, folder)
            took.append(time.monotonic() - began)
        return took

    def killed(self, folder: Path, took: list[float], lot: random.Random) -> int:
        """Does it all, and is killed at moments by lot; says how often that met it at work."""
        self.begin(folder)
        met = 0
        for step, seconds in zip(self.steps, took):
            for _ in range(lot.choice([1, 1, 2])):
                work = subprocess.Popen(self.command(step, lot), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(lot.uniform(0, seconds))
                met += work.poll() is None
                work.kill()
                work.wait()
            self.do(step, folder, lot)
        return met


def left(folder: Path) -> dict[str, bytes]:
    """Every file by its path, without what may differ."""
    found = {}
    for file in sorted(folder.rglob("*")):
        # Whose it is a shard cannot know: another worker may be writing it.
        if file.parent.name == "parts" and HALF.match(file.name):
            continue
        content = file.read_bytes() if file.is_file() else b"a folder"
        if file.name in ("manifest.json", "summary.md", "report.html"):
            content = SAID.sub("", OPTIONS.sub("", content.decode())).encode()
        found[str(file.relative_to(folder))] = content
    return found


def jobs(program: str) -> list[Job]:
    run = ["run", "fire.toml", "--out", "out", "--trials", "4000000", "--quiet", "--yes"]
    plan = ["sweep", "plan", "fire.toml", "--trials", "2000000", "--cells-per-shard", "16", "--quiet"]
    shards = [["sweep", "shard", "plan.json", shard, "--parts", "parts", "--quiet"] for shard in "012"]
    merge = ["sweep", "merge", "plan.json", "--parts", "parts", "--out", "out", "--quiet"]
    return [
        Job("run", program, [run]),
        Job("sweep", program, shards, [plan]),
        Job("merge", program, [merge], [plan, *shards], free=False),
        Job("balance", program, [["balance", "gun.toml", "--out", "out", "--quiet"]]),
    ]


def saves(program: str, count: int, lot: random.Random) -> int:
    """A studio is killed while it saves: the file is one of those that were sent, whole, and none other is there."""
    texts = [FIRE + f"# {letter}\n" + f"# {letter * 90}\n" * 4000 for letter in "ab"]
    met = 0
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fire.toml"
        file.write_text(texts[0])
        for _ in range(count):
            studio = subprocess.Popen([program, "studio", folder, "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            address = next(found for line in studio.stdout if (found := re.search(r"http://127\.0\.0\.1:(\d+)/#t=(\w+)", line)))
            sent, why_not = 0, []

            def save() -> None:
                nonlocal sent
                head = {"Authorization": f"Bearer {address[2]}", "Content-Type": "application/json", "Origin": f"http://127.0.0.1:{address[1]}"}
                where = f"http://127.0.0.1:{address[1]}/api/files/fire.toml"
                try:
                    while True:
                        got = urllib.request.urlopen(urllib.request.Request(where, headers=head), timeout=5)
                        kept = json.loads(got.read())
                        body = json.dumps({"text": texts[kept["text"] == texts[0]]}).encode()
                        seal = {"If-Match": f'"{kept["hash"]}"'}
                        urllib.request.urlopen(urllib.request.Request(where, body, {**head, **seal}, method="PUT"), timeout=5)
                        sent += 1
                except urllib.error.HTTPError as why:
                    why_not.append(f"the studio says {why.code}: {why.read().decode()}")
                except (OSError, http.client.HTTPException, ValueError):
                    return

            saving = threading.Thread(target=save)
            saving.start()
            time.sleep(lot.uniform(0.05, 0.5))
            studio.send_signal(signal.SIGKILL)
            studio.wait()
            saving.join()
            if why_not:
                raise SystemExit(why_not[0])
            met += sent > 0
            if file.read_text() not in texts:
                raise SystemExit(f"saves: {file.stat().st_size} bytes are left, which nobody sent")
        others = [str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path != file and not HALF.match(path.name)]
        if others:
            raise SystemExit(f"saves: {', '.join(others)} lie there")
    return met


def main() -> None:
    program = os.path.realpath(sys.argv[1])
    count, seed = (int(given) for given in [*sys.argv[2:], *"5 1".split()[len(sys.argv) - 2 :]])
    for job in jobs(program):
        lot, met = random.Random(f"{seed} {job.name}"), 0
        with tempfile.TemporaryDirectory() as once:
            took = job.undisturbed(Path(once))
            expected = left(Path(once))
            for number in range(count):
                with tempfile.TemporaryDirectory() as again:
                    met += job.killed(Path(again), took, lot)
                    found = left(Path(again))
                differing = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
                if differing:
                    raise SystemExit(f"{job.name}, time {number + 1} with seed {seed}: {', '.join(differing)} differ")
        print(f"{job.name}: {met} kills at work, and every file as if there had been none", flush=True)
    print(f"saves: {saves(program, count, random.Random(seed))} kills between saves, and the file is whole", flush=True)


if __name__ == "__main__":
    main()
