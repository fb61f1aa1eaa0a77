#!/usr/bin/env python3
"""What the program asks of the system, by strace: tests/traced.py PROGRAM

Work on files opens no socket, and writes, renames and removes nothing outside the folder of its results. A text with a hostile name of a
contest is among the files. Prints a line, and ends with 1 where a call is against that.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FIRE = '[[contest]]\nname = "%s"\nsystem = "asl"\naction = "fire"\nfp = [1, 2, 4]\n'
FIRE += 'target = { unit = "4-4-7", nation = "Russian" }\n'
#: Calls that change a file or a folder: `open` where it may write.
CHANGING = re.compile(r"\b(open\w*\(.*O_(WRONLY|RDWR|CREAT)|(mkdir|rename|unlink|rmdir|link|symlink|truncate|chmod|chown)\w*\()")
#: A path, and the folder that it is taken from.
PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"')
SOCKET = re.compile(r"\b(socket|connect|bind|listen|sendto)\(")
#: Nobody's files.
ALLOWED = ("/dev/null", "/dev/tty", "/proc/self/")


def traced(program: str, folder: Path, arguments: list[str]) -> list[str]:
    """The calls of the program that open a socket or name a file."""
    log = folder.parent / "calls"
    command = ["strace", "-f", "-qq", "-y", "-e", "trace=%network,%file", "-o", log, program, *arguments]
    environment = os.environ | {"TMPDIR": str(folder / "temporary")}
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr[-500:]}")
    return log.read_text(errors="replace").splitlines()


def outside(call: str, folder: Path, results: str) -> bool:
    """Whether a call changes something that is neither a result nor temporary."""
    paths = PATH.findall(call) if CHANGING.search(call) else []
    whole = [Path(base or folder, path).resolve() for base, path in paths if not path.startswith(ALLOWED)]
    own = [folder / "temporary", folder / results, folder / f"{results}.parts"]
    return not all(any(path.is_relative_to(one) for one in own) for path in whole)


def main() -> None:
    program, calls, wrong = str(Path(sys.argv[1]).resolve()), 0, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve() / "work"
        folder.mkdir()
        (folder / "x.toml").write_text(FIRE % "../../escape /etc/x")
        work = [
            (["run", "x.toml", "--trials", "1000", "--out", "out"], "out"),
            (["odds", "x.toml", "--exact-only", "--quiet"], "none"),
            (["verify", "out"], "none"),
            (["sweep", "plan", "x.toml", "--trials", "1000", "--out", "plans/plan.json"], "plans"),
            (["sweep", "run", "x.toml", "--trials", "1000", "--out", "swept"], "swept"),
            (["dice", "2d6 + 1"], "none"),
        ]
        (folder / "plans").mkdir()
        (folder / "temporary").mkdir()
        for arguments, results in work:
            said = traced(program, folder, arguments)
            calls += len(said)
            wrong += [f"{' '.join(arguments)}: {call}" for call in said if SOCKET.search(call) or outside(call, folder, results)]
        wrong += [f"left behind: {file}" for file in (folder / "temporary").iterdir()]
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    print(f"{calls} calls of {len(work)} commands: {len(wrong)} open a socket or change what is not theirs")
    sys.exit(1 if wrong or not calls else 0)


if __name__ == "__main__":
    main()
