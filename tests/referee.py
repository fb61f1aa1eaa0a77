#!/usr/bin/env python3
"""A referee from outside: laws of dice against icepool, which shares no line with us: tests/referee.py PROGRAM [COUNT] [SEED]

Expressions are made by lot, as text for the program and as dice of icepool, and both laws are compared as fractions: nothing may
differ. Needs icepool from the Python registry.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction

import icepool
from icepool import Die

#: Expressions that the program is asked for at once.
BATCH = 8
#: A law with more values than this is not made: the referee would take long.
WIDE = 400

Made = tuple[str, Die]


class Lot:
    """Expressions by lot."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self, *ways: Callable[[], Made]) -> Made:
        return self.random.choice(ways)()

    def die(self) -> tuple[str, Die]:
        """One die, and how it is written."""
        kind = self.random.randrange(12)
        if kind == 0:
            faces = [self.random.randint(-3, 9) for _ in range(self.random.randint(1, 6))]
            return "d{" + ", ".join(map(str, faces)) + "}", Die(faces)
        if kind == 1:
            return "dF ", Die([-1, 0, 1])
        if kind == 2:
            return "d66", Die([10 * tens + units for tens in range(1, 7) for units in range(1, 7)])
        sides = self.random.choice([2, 3, 4, 6, 6, 6, 8, 10, 10, 12, 20])
        return f"d{sides}", icepool.d(sides)

    def usual(self) -> tuple[str, int]:
        sides = self.random.choice([4, 6, 6, 8, 10, 12])
        return f"d{sides}", sides

    def sum(self) -> Made:
        text, die = self.die()
        count = self.random.randint(1, 5)
        return f"{count}{text}", count @ die

    def kept(self) -> Made:
        text, die = self.die()
        count = self.random.randint(2, 6)
        some = self.random.randint(1, count)
        pool = die.pool(count)
        how, of = self.random.choice([
            ("kh{}", pool.highest(some)), ("kl{}", pool.lowest(some)), ("k{}", pool.highest(some)),
            (" keep highest {}", pool.highest(some)), (" keep lowest {}", pool.lowest(some)),
        ])  # fmt: skip
        if some < count and self.random.random() < 0.4:
            how, of = self.random.choice([
                ("dh{}", pool.highest(drop=some, keep=count)), ("dl{}", pool.lowest(drop=some, keep=count)),
                (" drop lowest {}", pool.lowest(drop=some, keep=count)),
            ])  # fmt: skip
        return f"{count}{text}{how.format(some)}", of.sum()

    def faces(self, low: int, high: int) -> tuple[str, Callable[[int], bool]]:
        """Which faces count, and how that is written behind a word."""
        at = self.random.randint(low, high)
        to = self.random.randint(at, high)
        return self.random.choice([
            (f"{at}+", lambda face: face >= at), (f"{at}-", lambda face: face <= at), (f"{at}", lambda face: face == at),
            (f"{at}..{to}", lambda face: at <= face <= to), (f">={at}", lambda face: face >= at),
            (f"<{to + 1}", lambda face: face <= to),
        ])  # fmt: skip

    def counted(self) -> Made:
        text, sides = self.usual()
        count = self.random.randint(1, 8)
        written, which = self.faces(1, sides)
        return f"{count}{text} count {written}", count @ icepool.d(sides).map(lambda face: int(which(face)))

    def again(self) -> Made:
        """Dice that are rolled once more: once, or until they show something else."""
        text, sides = self.usual()
        count = self.random.randint(1, 4)
        written, which = self.faces(1, sides - 1)
        again = [face for face in range(1, sides + 1) if which(face)]
        if len(again) == sides:
            return self.sum()
        how, depth = self.random.choice([(" reroll ", 1), ("ro", 1), ("r", "inf")])
        return f"{count}{text}{how}{written}", count @ icepool.d(sides).reroll(again, depth=depth)

    def more(self) -> Made:
        """Dice that bring more dice, up to so many each."""
        text, sides = self.usual()
        count, most = self.random.randint(1, 3), self.random.randint(1, 3)
        return f"{count}{text}! up to {most}", count @ icepool.d(sides).explode([sides], depth=most)

    def stepped(self) -> Made:
        ladder = [4, 6, 8, 10, 12]
        place = self.random.randrange(5)
        to = self.random.randrange(5)
        count = self.random.randint(1, 4)
        how = f" up {to - place}" if to > place else f" down {place - to}"
        return f"{count}d{ladder[place]}{how if to != place else ''}", count @ icepool.d(ladder[to])

    def dice(self) -> Made:
        return self.one(self.sum, self.sum, self.kept, self.kept, self.counted, self.again, self.more, self.stepped)

    def number(self) -> Made:
        value = self.random.randint(0, 9)
        return str(value), Die([value])

    def value(self, depth: int = 2) -> Made:
        """A number that dice make, in brackets where it is not dice alone."""
        if depth == 0 or self.random.random() < 0.4:
            return self.one(self.dice, self.dice, self.dice, self.number)
        (a, x), (b, y) = self.value(depth - 1), self.value(depth - 1)
        if len(x) * len(y) > WIDE * 20:
            return a, x
        factor = self.random.randint(2, 4)
        text, die = self.random.choice([
            (f"({a} + {b})", lambda: x + y), (f"({a} - {b})", lambda: x - y), (f"max({a}, {b})", lambda: icepool.highest(x, y)),
            (f"min({a}, {b})", lambda: icepool.lowest(x, y)), (f"({a} x {factor})", lambda: x * factor),
            (f"(({a}) / {factor})", lambda: x // factor), (f"(-({a}))", lambda: -x),
        ])  # fmt: skip
        return text, die()

    def test(self) -> Made:
        (a, x), (b, y) = self.value(1), self.value(1)
        return self.random.choice([
            (f"{a} >= {b}", lambda: x >= y), (f"{a} <= {b}", lambda: x <= y), (f"{a} > {b}", lambda: x > y),
            (f"{a} < {b}", lambda: x < y), (f"{a} = {b}", lambda: icepool.map(lambda p, q: p == q, x, y)),
            (f"{a} != {b}", lambda: icepool.map(lambda p, q: p != q, x, y)),
        ])  # fmt: skip

    def holds(self) -> tuple[str, Die]:
        text, make = self.test()
        return text, make().map(lambda held: int(held))

    def choice(self) -> Made:
        (a, x), (test, t), (b, y) = self.value(1), self.holds(), self.value(1)
        return f"{a} if {test} else {b}", t.if_else(x, y)

    def both(self) -> Made:
        (a, x), (b, y) = self.holds(), self.holds()
        if self.random.random() < 0.5:
            return f"({a}) and ({b})", icepool.map(lambda p, q: p & q, x, y)
        return f"({a}) or not ({b})", icepool.map(lambda p, q: p | 1 - q, x, y)

    def expression(self) -> Made:
        return self.one(self.value, self.value, self.value, self.value, self.holds, self.choice, self.both, self.dice)


def fractions(die: Die) -> dict[int, Fraction]:
    """A law as icepool tells it."""
    return {int(value): Fraction(ways, die.denominator()) for value, ways in die.items() if ways}


def told(law: dict) -> dict[int, Fraction]:
    """A law as the program tells it."""
    return {row["value"]: Fraction(row["fraction"]) for row in law["values"] if Fraction(row["fraction"])}


def main() -> None:
    program = sys.argv[1]
    count, seed = (int(given) for given in [*sys.argv[2:], *"2000 1".split()[len(sys.argv) - 2 :]])
    lot = Lot(seed)
    serve = subprocess.Popen([program, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    held = differing = 0
    while held + differing < count:
        made: list[Made] = []
        while len(made) < min(BATCH, count - held - differing):
            text, die = lot.expression()
            if len(die) <= WIDE and len(text) <= 480:
                made.append((text, die))
        body = {"text": "\n".join(text for text, _ in made)}
        serve.stdin.write(json.dumps({"id": held, "ask": "dice", "body": body}) + "\n")
        serve.stdin.flush()
        answer = json.loads(serve.stdout.readline())
        if "laws" not in answer["body"]:
            sys.exit(f"{json.dumps(answer, indent=1)}\n{body['text']}")
        for (text, die), law in zip(made, answer["body"]["laws"], strict=True):
            if fractions(die) == told(law):
                held += 1
            else:
                differing += 1
                print(f"{text}\n  icepool {fractions(die)}\n  here    {told(law)}")
    serve.stdin.close()
    serve.wait()
    print(f"{held} laws are those of icepool, {differing} differ (seed {seed})")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
