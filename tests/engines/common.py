"""What the tests of all engines share: an experiment, and whether results are those of one machine."""

import pathlib
import subprocess

# 144 cells of the fire table, each with some milliseconds of rolling.
FILE = """name = "engines"
trials = 4_000_000
[[contest]]
system = "asl"
action = "fire"
fp = [1, 2, 4, 8, 16, 30]
drm = { from = -3, to = 4 }
[contest.target]
kind = "squad"
morale = [6, 7, 8]
"""


def sweep(program, *arguments):
    """What a command prints, which must succeed."""
    return subprocess.run([program, "sweep", *arguments], check=True, stdout=subprocess.PIPE).stdout


def same(program):
    """Compares the merged tables with those of one machine."""
    subprocess.run([program, "run", "x.toml", "--out", "one", "-q"], check=True)
    names = [f"{table}.{ending}" for table in ("cells", "outcomes") for ending in ("csv", "parquet")]
    for name in names:
        one, merged = (pathlib.Path(folder, name).read_bytes() for folder in ("one", "merged"))
        assert one == merged, f"{name} differs"
    print(f"{len(names)} tables are byte for byte those of one machine")
