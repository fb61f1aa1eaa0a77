"""The reference contests in numpy, as fast as we can write them, beside `enfilade bench`.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install numpy
    taskset -c 1 /tmp/peers/bin/python benches/peers/numpy_resolver.py [path to enfilade]

Faces are int8, made by rejection from blocks of random bytes (a block stays in the second-level cache;
`Generator.integers` with dtype int8 is measured too and the faster of the two is taken); outcomes are
looked up in tables of int8 and counted with `bincount`. Each contest's law is checked against the
closed form of one of its outcomes. Times are CPU times of the thread, medians of rounds in turn with
one run of the program at the end.
"""

import json
import subprocess
import sys
import time

import numpy as np

BLOCK = 1 << 15
ROUNDS = 15
BLOCKS = 8


class Bytes:
    """Faces 0 .. sides - 1 as int8."""

    def __init__(self, seed):
        self.rng = np.random.Generator(np.random.SFC64(seed))
        self.tables = {}

    def by_rejection(self, sides, count):
        """Bytes that show a face, divided by a table; a few more are drawn than are needed."""
        kept = 256 // sides * sides
        if sides not in self.tables:
            self.tables[sides] = (np.arange(256) // (256 // sides)).astype(np.int8)
        found = np.empty(0, np.uint8)
        missing = count
        while missing > 0:
            draw = int(missing * 256 / kept * 1.002) + 64
            bytes_ = np.frombuffer(self.rng.bytes(draw), np.uint8)
            bytes_ = bytes_[bytes_ < kept] if kept < 256 else bytes_
            found = bytes_ if found.size == 0 else np.concatenate((found, bytes_))
            missing = count - found.size
        return self.tables[sides][found[:count]]

    def by_integers(self, sides, count):
        return self.rng.integers(0, sides, count, dtype=np.int8)


def fire_table(die, n):
    """Contest A; outcomes as in crates/enfilade-bench/src/plain_loops.rs."""
    coloured, white = die(6, n), die(6, n)
    row = COLUMN[coloured.astype(np.intp) * 6 + white]  # what the chart says: 0 nothing … 5 eliminated
    out = np.zeros(n, np.int8)
    out[row == 7] = 4
    checked = np.flatnonzero((row > 0) & (row < 7))
    original = die(6, checked.size) + die(6, checked.size) + 2
    out[checked] = CHECK[row[checked].astype(np.intp) * 16 + original]
    return np.bincount(out, minlength=7)


def chart():
    """By coloured and white face: 0 nothing, 1 pin check, 2..4 check 0..2, 5 reduction with 2, 7 gone."""
    column = np.zeros(36, np.int8)
    plain = {3: 5, 4: 4, 5: 4, 6: 3, 7: 3, 8: 2, 9: 1}
    doubles = {3: 5, 4: 4, 5: 3, 6: 3, 7: 2, 8: 1}
    for c in range(1, 7):
        for w in range(1, 7):
            final = c + w - 1
            effect = 7 if final <= 2 else (doubles if c == w else plain).get(final, 0)
            column[(c - 1) * 6 + w - 1] = effect
    return column


def checks():
    """By effect and 2d6: the outcome."""
    table = np.zeros(8 * 16, np.int8)
    for effect in range(1, 6):
        for roll in range(2, 13):
            if effect == 1:
                out = 1 if roll > 7 else 0
            else:
                modifier = min(effect - 2, 2)
                out = 5 if roll == 12 else 2 if roll + modifier > 7 else 1 if roll + modifier == 7 else 0
                if effect == 5:
                    out = {0: 3, 1: 6, 2: 5, 5: 4}[out]
            table[effect * 16 + roll] = out
    return table


COLUMN = chart()
CHECK = checks()
DEALT = np.array([0, 0, 1, 1, 2, 2], np.int8)


def six_shots(die, n):
    """Contest B: damage dice only for hits, saves only for damage."""
    damage = np.zeros(n, np.int8)
    for _ in range(6):
        hit = np.flatnonzero(die(6, n) >= 2)
        dealt = DEALT[die(6, hit.size)]
        one = hit[dealt >= 1]
        damage[one] += die(6, one.size) < 4
        two = hit[dealt == 2]
        damage[two] += die(6, two.size) < 4
    return np.bincount(damage, minlength=13)


RESULT = np.array([[0 if t < 10 else 1 if t < 12 else 5 for t in range(e + 1, e + 7)] for e in range(1, 9)], np.int8)
RESULT = RESULT.ravel()


def close_combat(die, n):
    """Contest C: the total's result from a table."""
    experience = die(8, n) * np.int8(6)
    place = np.zeros(n, np.int8)
    for _ in range(4):
        place += RESULT[experience + die(6, n)]
    return np.bincount(place, minlength=25)


def fire_and_morale(die, n):
    """Contest D: later dice only where they matter."""
    spotted = np.flatnonzero(die(20, n) < 12)
    hits = spotted[die(20, spotted.size) < 11]
    fire = np.zeros(n, np.int8)
    fire[hits] = 1
    hurt = hits[die(20, hits.size) >= 2]
    for _ in range(3):
        fire[hurt] += die(20, hurt.size) >= 12
    by = die(20, n) + 1 - (12 - 2 * np.maximum(fire - 1, 0))
    answer = np.clip((by + 1) // 2, 0, 5).astype(np.int8)
    return np.bincount(fire * np.int8(6) + answer, minlength=30)


# Name, function, an outcome and its probability by hand.
CONTESTS = [
    ("A fire table", fire_table, 4, 3 / 36 + 3 / 36 / 36),
    ("B six shots", six_shots, 0, (1 - 4 / 6 * (2 / 6 * 4 / 6 + 2 / 6 * 8 / 9)) ** 6),
    ("C close combat", close_combat, 0, sum((max(min(9 - e, 6), 0) / 6) ** 4 for e in range(1, 9)) / 8),
    ("D fire and morale", fire_and_morale, 0, (1 - 0.6 * 0.55) * 0.6),
]


def cpu(work):
    start = time.thread_time()
    work()
    return time.thread_time() - start


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "target/release/enfilade"
    dice = Bytes(1)
    ns = {}
    for name, contest, place, expected in CONTESTS:
        counts = sum(contest(dice.by_rejection, BLOCK) for _ in range(64))
        share, trials = counts[place] / counts.sum(), counts.sum()
        assert abs(share - expected) < 6 * (expected / trials) ** 0.5, (name, share, expected)
        ways = []
        for die in (dice.by_rejection, dice.by_integers):
            times = [cpu(lambda: [contest(die, BLOCK) for _ in range(BLOCKS)]) for _ in range(ROUNDS)]
            ways.append(sorted(times)[ROUNDS // 2] * 1e9 / (BLOCK * BLOCKS))
        ns[name] = min(ways)
    figures = json.loads(subprocess.run([program, "bench", "--format", "json"], capture_output=True, check=True).stdout)
    print(f"{figures['cpu']}, {figures['isa']}, numpy {np.__version__}")
    print(f"{'contest':18} {'enfilade, ns':>12} {'plain, ns':>10} {'numpy, ns':>10} {'plain ÷':>8} {'numpy ÷':>8}")
    for contest in figures["contests"]:
        peer = ns[contest["name"]]
        print(
            f"{contest['name']:18} {contest['ns']:12.3f} {contest['plain_ns']:10.2f} {peer:10.2f}"
            f" {contest['ratio']:8.1f} {peer / contest['ns']:8.1f}"
        )


if __name__ == "__main__":
    main()
