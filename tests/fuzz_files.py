#!/usr/bin/env python3
"""Changes files of the program by lot and lets it read them: tests/fuzz_files.py PROGRAM [SECONDS] [SEED]

Journals of interrupted runs, plans and parts of sweeps, and folders of results lose bits, bytes and lines. The program must notice: a
run that goes on and a merge either end with the files of undisturbed work or refuse with a message, and `verify` refuses a changed
folder. No panic, no more than ten seconds of processor, no more than a gibibyte. A broken rule is printed, and the changed folder is kept.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, NamedTuple

from kills import FIRE, left

#: Seconds of processor and kibibytes of memory for one command, at most.
LATE, LARGE = 10.0, 1 << 20
#: Results, faults of input, faults of files, refusals.
EXPECTED = {0, 1, 2, 3, 5}


class Outcome(NamedTuple):
    """The end of a command."""

    status: int
    stderr: str
    seconds: float
    kibibytes: int


def run(command: list[str], folder: Path) -> Outcome:
    """Runs a command in a folder."""
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    return Outcome(child.returncode, text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


class Case(NamedTuple):
    """A kind of file, how the program reads it, and what must come of it."""

    name: str
    template: Path
    files: str
    command: list[str]
    #: Whether a changed file is refused always, or may be repaired to the same results in this folder.
    result: str | None


def flip(content: bytearray, lot: random.Random) -> None:
    content[lot.randrange(len(content))] ^= 1 << lot.randrange(8)


def cut(content: bytearray, lot: random.Random) -> None:
    del content[lot.randrange(len(content)) :]


def lose(content: bytearray, lot: random.Random) -> None:
    at = lot.randrange(len(content))
    del content[at : at + lot.choice([1, 2, 16, 300])]


def double(content: bytearray, lot: random.Random) -> None:
    at = lot.randrange(len(content))
    content[at:at] = content[at : at + lot.choice([1, 8, 64, 2000])]


def swap_lines(content: bytearray, lot: random.Random) -> None:
    lines = content.split(b"\n")
    one, other = lot.randrange(len(lines)), lot.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    content[:] = b"\n".join(lines)


def change_number(content: bytearray, lot: random.Random) -> None:
    numbers = list(re.finditer(rb"\d+", content))
    if numbers:
        found = lot.choice(numbers)
        content[found.start() : found.end()] = lot.choice([b"0", b"-1", b"1", b"1e999", b"18446744073709551616", b"null", b'"x"', b"[[]]", b"9" * 40])


WAYS: list[Callable[[bytearray, random.Random], None]] = [flip, flip, cut, lose, double, swap_lines, change_number, change_number]


def change(path: Path, lot: random.Random) -> bool:
    """Changes a file; whether it is another now."""
    before = path.read_bytes()
    content = bytearray(before)
    for _ in range(lot.choice([1, 1, 1, 2, 5])):
        if content:
            lot.choice(WAYS)(content, lot)
    path.write_bytes(content)
    return bytes(content) != before


def prepare(program: str, base: Path) -> list[Case]:
    """Makes what is changed later, once."""

    def do(folder: Path, *words: str) -> None:
        done = run([program, *words], folder)
        if done.status != 0:
            raise SystemExit(f"{' '.join(words)} ended with {done.status}: {done.stderr}")

    whole, journal, sweep = base / "whole", base / "journal", base / "sweep"
    for folder in (whole, journal, sweep):
        folder.mkdir()
        (folder / "fire.toml").write_text(FIRE)
    job = ["run", "fire.toml", "--out", "out", "--trials", "20000", "--threads", "1", "--quiet", "--yes"]
    do(whole, *job)
    # Killed as soon as some cells are in the journal.
    slow = [*job[:5], "4000000", *job[6:]]
    child = subprocess.Popen([program, *slow], cwd=journal, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kept = journal / "out/unfinished.jsonl"
    while child.poll() is None and not (kept.exists() and kept.read_bytes().count(b"\n") > 5):
        time.sleep(0.002)
    child.kill()
    child.wait()
    undisturbed = base / "undisturbed"
    shutil.copytree(journal, undisturbed)
    do(undisturbed, *slow)
    do(sweep, "sweep", "plan", "fire.toml", "--trials", "2000", "--cells-per-shard", "16", "--quiet")
    do(sweep, "sweep", "shard", "plan.json", "0", "1", "--parts", "parts", "--quiet")
    merged = base / "merged"
    shutil.copytree(sweep, merged)
    do(merged, "sweep", "shard", "plan.json", "2", "--parts", "parts", "--quiet")
    full = base / "full"
    shutil.copytree(merged, full)
    merge = ["sweep", "merge", "plan.json", "--parts", "parts", "--out", "out", "--quiet"]
    do(merged, *merge)
    return [
        Case("journals", journal, "out/unfinished.jsonl", [program, *slow], str(undisturbed)),
        Case("plans", sweep, "plan.json", [program, "sweep", "shard", "plan.json", "2", "--parts", "parts", "--quiet"], None),
        Case("parts", full, "parts/*.parquet", [program, *merge], str(merged)),
        Case("parts looked at", full, "parts/*.parquet", [program, "sweep", "status", "plan.json", "--parts", "parts"], None),
        Case("results", whole, "out/*", [program, "verify", "out"], "refused"),
    ]


def results(folder: Path) -> dict[str, bytes]:
    """The files of results in a folder."""
    return left(folder / "out")


def broken_rule(case: Case, done: Outcome, folder: Path) -> str | None:
    """The rule that an outcome breaks."""
    if "panicked" in done.stderr or done.status not in EXPECTED:
        return f"ended with {done.status}: {done.stderr[-600:]}"
    if done.status != 0 and not done.stderr.strip():
        return f"ended with {done.status} and no message"
    if done.seconds > LATE or done.kibibytes > LARGE:
        return f"took {done.seconds:.1f} s and {done.kibibytes} KiB"
    if case.result == "refused" and done.status == 0:
        return "was not noticed"
    if case.result not in (None, "refused") and done.status == 0:
        expected, found = results(Path(case.result)), results(folder)
        differing = sorted(name for name in expected.keys() | found.keys() if expected.get(name) != found.get(name))
        if differing:
            return f"went on to other results: {', '.join(differing)}"
    return None


def attempt(case: Case, base: Path, lot: random.Random) -> tuple[str | None, Outcome | None]:
    """Changes one file and runs the command; the rule that was broken, if any."""
    folder = base / "changed"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(case.template, folder)
    path = lot.choice([path for path in sorted(folder.glob(case.files)) if path.is_file() and path.name != "lock"])
    if not change(path, lot):
        return None, None
    done = run(case.command, folder)
    why = broken_rule(case, done, folder)
    if why is not None:
        kept = Path(tempfile.mkdtemp(prefix="enfilade-fuzz-"))
        shutil.copytree(folder, kept / "folder")
        return f"{case.name}: {path.relative_to(folder)} {why}\n  {' '.join(case.command)} in {kept}/folder", done
    return None, done


def main() -> None:
    program = os.path.realpath(sys.argv[1])
    seconds, seed = (int(given) for given in [*sys.argv[2:], *"30 1".split()[len(sys.argv) - 2 :]])
    lot, count, broken, slowest = random.Random(seed), 0, 0, 0.0
    ends: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as made:
        base = Path(made)
        cases = prepare(program, base)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            case = cases[count % len(cases)]
            count += 1
            why, done = attempt(case, base, lot)
            if done is not None:
                ends.setdefault(case.name, [0, 0])[done.status != 0] += 1
                slowest = max(slowest, done.seconds)
            if why is not None:
                broken += 1
                print(why, flush=True)
    shares = ", ".join(f"{name} {refused} refused and {good} repaired or read" for name, (good, refused) in ends.items())
    print(f"{count} changed files (seed {seed}): {shares}; the slowest took {slowest:.1f} s; {broken} broke a rule")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
