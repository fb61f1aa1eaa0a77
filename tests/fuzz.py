#!/usr/bin/env python3
"""Questions that nobody would ask, made by lot and sent to one process over a pipe: tests/fuzz.py PROGRAM [SECONDS] [SEED]

Experiments by the schema, dice, rulebooks that were changed, and requests that are none. Each of them must be answered with
ten seconds of work, by an answer or by a fault with a place or a sentence; the process may not end and not grow beyond a gibibyte. What breaks a rule is
printed as it was sent.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Seconds of work for an answer, and bytes of the process, at most.
LATE, LARGE = 10.0, 1 << 30

WORDS = ["d6", "2d6", "kh", "kl", "3", "0", "-1", "1e9", "9" * 30, "(", ")", "+", "-", "x", "/", ">=", "!", "!!", "!p", "up to", "count", "vs", "if", "else",
         "reroll", "keep", "highest", "of", "and", "not", "max", "{", "}", ",", "d66", "dF", "d%", "%", "..", "again", "on", "\u202e", "é", "\0", " ", "\t", "1000d1000"]  # fmt: skip


class Fuzzer:
    """Makes questions by lot."""

    def __init__(self, seed: int, program: str) -> None:
        self.lot = random.Random(seed)
        schema = subprocess.run([program, "schema"], capture_output=True, check=True).stdout
        self.schema = json.loads(schema)
        self.files = [path.read_text() for path in sorted((ROOT / "experiments").rglob("*.toml"))]
        self.rulebooks = [path.read_text() for path in sorted((ROOT / "rulebooks").glob("*.rules"))]

    def of(self, schema: object, depth: int = 0) -> object:
        """A value that a schema allows, or nearly."""
        lot = self.lot
        if not isinstance(schema, dict) or depth > 12 or lot.random() < 0.02:
            return lot.choice([None, True, -1, 0, 1.5, 10**18, "", "x" * 200, [], {}, [[]], float("1e308")])
        if "$ref" in schema:
            target = self.schema
            for part in schema["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            return self.of(target, depth + 1)
        for key in ("oneOf", "anyOf"):
            if key in schema:
                return self.of(lot.choice(schema[key]), depth + 1)
        if "allOf" in schema:
            merged = dict(schema)
            for one in merged.pop("allOf"):
                merged.update(one.get("then", one) if isinstance(one, dict) else {})
            return self.of(merged, depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return lot.choice(schema["enum"])
        kind = schema.get("type", "object" if "properties" in schema else "string")
        kind = lot.choice(kind) if isinstance(kind, list) else kind
        if kind == "object":
            own = schema.get("properties", {})
            needed = set(schema.get("required", []))
            keys = [key for key in own if key in needed or lot.random() < min(0.5, 4 / (len(own) + 1))]
            return {key: self.of(own[key], depth + 1) for key in keys}
        if kind == "array":
            return [self.of(schema.get("items", {}), depth + 1) for _ in range(lot.choice([0, 1, 1, 2, 3]))]
        if kind in ("integer", "number"):
            low, high = schema.get("minimum", -5), schema.get("maximum", 40)
            return lot.choice([low, high, low - 1, high + 1, lot.randint(int(low), int(max(low, min(high, 60))))])
        return {"boolean": lot.random() < 0.5, "null": None}.get(kind, lot.choice(["4-4-7", "German", "d6", "x", "1-2", "a b"]))

    def changed(self, text: str) -> str:
        """A text with pieces lost, doubled, swapped and replaced."""
        lot, lines = self.lot, text.splitlines()
        for _ in range(lot.choice([1, 1, 2, 4, 12])):
            at, other = lot.randrange(len(lines)), lot.randrange(len(lines))
            way = lot.randrange(6)
            if way == 0 and len(lines) > 1:
                del lines[at]
            elif way == 1:
                lines.insert(other, lines[at])
            elif way == 2:
                lines[at], lines[other] = lines[other], lines[at]
            else:
                words = lines[at].split(" ")
                place = lot.randrange(len(words))
                words[place : place + lot.choice([0, 1, 2])] = [lot.choice([*WORDS, lot.choice(lot.choice(lines).split(" "))])]
                lines[at] = " ".join(words)
            lines = lines or [""]
        return "\n".join(lines) + "\n"

    def toml(self, value: object) -> str:
        """A value in TOML, in one line."""
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{json.dumps(key)} = {self.toml(one)}" for key, one in value.items()) + " }"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.toml, value)) + "]"
        return json.dumps(value) if value is not None else '""'

    def experiment(self) -> str:
        made = self.of(self.schema)
        if self.lot.random() < 0.5 or not isinstance(made, dict):
            return self.changed(self.lot.choice(self.files))
        return "".join(f"{key} = {self.toml(value)}\n" for key, value in made.items())

    def question(self, number: int) -> dict[str, object]:
        lot = self.lot
        name = {"name": "fuzz.toml"}
        way = lot.randrange(8)
        if way <= 1:
            text = "\n".join("".join(lot.choice(WORDS) + lot.choice(["", " "]) for _ in range(lot.randint(1, 12))) for _ in range(4))
            return {"id": number, "ask": "dice", "body": {"text": text}}
        if way <= 3:
            return {"id": number, "ask": "rules", "body": {"name": "fuzz.rules", "text": self.changed(lot.choice(self.rulebooks))}}
        if way == 4:
            return {"id": number, "ask": "odds", "body": {**name, "text": self.experiment(), "contest": lot.choice([0, 1, 9**9]), "cell": lot.choice([0, 3, 2**63])}}
        if way == 5:
            return {"id": number, "ask": "explain", "body": {**name, "text": self.experiment(), "cell": 0, "seed": lot.choice([1, 2**64 - 1, -1])}}
        if way == 6:
            sheet = lot.choice(["odds.json", "cells.csv", "chart.svg", "card.svg", "card.pdf", "cells.parquet", "experiment.toml", "../x", "report.html"])
            return {"id": number, "ask": f"sheets/{sheet}", "body": {**name, "text": self.experiment()}}
        ask = lot.choice(["forms", "texts", "files", "files/..", "files/\0", "jobs/1", "jobs/x/events", "dice", "odds", "", "x" * 300, "sheets"])
        return {"id": number, "ask": ask, "body": self.of({"type": "object", "properties": {"text": {}, "name": {}, "cell": {}}})}


class Process:
    """The program, which is asked one question after the other."""

    def __init__(self, program: str) -> None:
        options = ["--budget", "2000", "--threads", "1"]
        self.process = subprocess.Popen([program, "serve", "--stdio", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said: list[str] = []
        threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True).start()

    def asked(self, question: dict[str, object]) -> tuple[str, float]:
        """The answer, and how long the program worked for it; nothing when it ended."""
        began = self.worked()
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline(), self.worked() - began

    def worked(self) -> float:
        """Seconds of processors that it has used: others may be at work here."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        words = stat.read_text().rpartition(")")[2].split() if stat.exists() else ["0"] * 20
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def bytes(self) -> int:
        """How large it is now."""
        status = Path(f"/proc/{self.process.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return 1024 * int(next((line.split()[1] for line in lines if line.startswith("VmRSS:")), 0))


def wrong(question: dict[str, object], answer: str, took: float, process: Process) -> str | None:
    """Which rule is broken."""
    if not answer:
        return f"the program ended: {''.join(process.said[-5:])}"
    if any("panicked" in line for line in process.said):
        return "".join(process.said)
    if took > LATE:
        return f"it took {took:.1f} s"
    if process.bytes() > LARGE:
        return f"{process.bytes()} bytes"
    told = json.loads(answer)
    if told["id"] != question["id"] or told["status"] >= 500:
        return answer[:500]
    body = told.get("body")
    faults = body.get("faults", []) if isinstance(body, dict) else []
    for fault in faults:
        if not fault.get("problem") or "panick" in fault["problem"] or fault.get("line", 1) == 0:
            return f"a fault without a place: {fault}"
    return None


def main() -> None:
    program = sys.argv[1]
    seconds, seed = (int(given) for given in [*sys.argv[2:], *"60 1".split()[len(sys.argv) - 2 :]])
    fuzzer, process = Fuzzer(seed, program), Process(program)
    until, number, broken, slowest = time.monotonic() + seconds, 0, 0, 0.0
    kinds: dict[str, int] = {}
    while time.monotonic() < until:
        number += 1
        question = fuzzer.question(number)
        answer, took = process.asked(question)
        slowest = max(slowest, took)
        status = json.loads(answer)["status"] if answer else 0
        kinds[str(status)] = kinds.get(str(status), 0) + 1
        why = wrong(question, answer, took, process)
        if why is not None:
            broken += 1
            print(f"{why}\n{json.dumps(question)}", flush=True)
            process.process.kill()
            process = Process(program)
    process.process.kill()
    shares = ", ".join(f"{count} with {status}" for status, count in sorted(kinds.items()))
    print(f"{number} questions by lot (seed {seed}): {shares}; the slowest took {slowest:.1f} s; {broken} broke a rule")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
