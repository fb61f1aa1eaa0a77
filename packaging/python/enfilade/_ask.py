"""Questions."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, overload

from . import _process
from ._faults import Error, of_message
from ._law import Law
from ._process import answered
from ._question import Asked, Question, contest_file, question, toml, whole
from ._results import Comparison, Designs, Explanation, Odds, Prices, Run, Step

#: Seconds of a job before a bar appears.
DELAY = 1.0

#: The file of a dict while the program reads it.
TEMPORARY = "question.toml"

#: Exit code of a search that finds no design: an answer, too.
NOTHING_FITS = 6


def odds(asked: Asked, action: str | None = None, /, *, trials: int | None = None, **fields: Any) -> Odds:
    """The odds of a file, a dict, or an action of a game: ``odds("asl", "fire", fp=[4, 8], target={"morale": 7})``.

    A list where one value is expected is an axis of a grid. Odds are exact; with ``trials`` each cell is simulated, too,
    which also answers contests that are too large for exact odds.
    """
    asks = question(asked, action, fields)
    process = _process.of(asks.folder)
    if trials is None:
        return Odds(answered(*process.ask("sheets/odds.json", asks.body)), asks)
    return Odds(_job(process, {**asks.body, "trials": trials})["odds"], asks)


def explain(
    asked: Asked, action: str | None = None, /, *, dice: Sequence[int] = (), cell: int = 0, seed: int = 1, **fields: Any
) -> Explanation:
    """One contest roll by roll: its first dice show the faces given, and the others fall at random."""
    asks = question(asked, action, fields)
    looked = {**asks.body, "faces": list(dice), "cell": cell, "seed": seed}
    said = answered(*_process.of(asks.folder).ask("explain", looked))
    if said is None:
        raise Error("there is no contest to explain: add a [[contest]]")

    def step(one: dict[str, Any]) -> Step:
        shown = tuple((sides, face) for sides, face in one["dice"])
        return Step(shown, one["text"], one["rule"], tuple(one["decided"]))

    return Explanation(tuple(map(step, said["steps"])), said["outcome"] or "")


@overload
def dice(expression: str, /) -> Law: ...
@overload
def dice(expression: str, another: str, /, *more: str) -> list[Law]: ...
def dice(expression: str, /, *more: str) -> Law | list[Law]:
    """The exact law of dice as players write them, ``dice("4d6kh3")``; of several expressions a list."""
    lines = "\n".join(" ".join(one.split()) for one in (expression, *more))
    said = answered(*_process.of(os.getcwd()).ask("dice", {"text": lines}))
    laws = [_law(one) for one in said["laws"]]
    return laws if more else laws[0]


def _law(said: dict[str, Any]) -> Law:
    shares = {one["value"]: one["exact"] for one in said["values"]}
    fractions = {one["value"]: Fraction(one["fraction"]) for one in said["values"] if one["fraction"]}
    return Law(said["expression"], shares, fractions)


def balance(arsenal: Asked, *, only: str | None = None) -> Prices:
    """What the weapons of an arsenal should cost; ``only`` one of them, which is quicker."""
    asks = question(arsenal)
    return Prices(_job(_process.of(asks.folder), {**asks.body, "only": only})["document"])


def compare(a: Asked, b: Asked, *, exact_only: bool = True) -> Comparison:
    """Two variants side by side, exactly; else simulated too."""
    asks, others = question(a), question(b)
    options = ["--format", "json", "--quiet", "--yes", *(["--exact-only"] if exact_only else [])]
    with _file(a, asks) as first, _file(b, others) as second:
        return Comparison(json.loads(_program(["compare", *first, *second, *options], asks, others)))


def seek(
    asked: Asked,
    action: str | None = None,
    /,
    *,
    change: Mapping[str, Any] | None = None,
    so_that: str | Sequence[str] = (),
    subject_to: str | Sequence[str] = (),
    prefer: str | Sequence[str] = (),
    best: int | None = None,
    **fields: Any,
) -> Designs:
    """The numbers of a game that have wanted odds: of a file or a dict with ``seek``, or of an action.

    ``seek("asl", "fire", target={...}, change={"drm": range(-4, 9)}, so_that="mean p_break = 35 % ± 2 %")``. At most
    ``best`` designs are in the answer. One that is empty has the reason in ``document["missing"]``.
    """
    if action is not None:
        lists = {"so_that": so_that, "subject_to": subject_to, "prefer": prefer}
        wanted = {key: [one] if isinstance(one, str) else list(one) for key, one in lists.items()}
        section = {key: one for key, one in wanted.items() if one} | {"change": dict(change or {})}
        asked, fields = {**contest_file(os.fspath(_path(asked)), action, fields), "seek": section}, {}
    elif change or so_that or subject_to or prefer:
        raise TypeError("wants of a file or a dict are in its table `seek`")
    asks = question(asked, None, fields)
    options = ["--format", "json", "--quiet", *(["--best", str(best)] if best is not None else [])]
    with _file(asked, asks) as file:
        return Designs(json.loads(_program(["seek", *file, *options], asks, allowed=(0, NOTHING_FITS))))


def _path(asked: Asked) -> str | os.PathLike[str]:
    if isinstance(asked, Mapping):
        raise TypeError("a dict has action and fields in it: leave out the other arguments")
    return asked


def run(
    asked: Asked, out: str | os.PathLike[str] | None = None, *, trials: int | None = None, exact_only: bool = False
) -> Run:
    """Tables, charts, a summary and a page in a folder, by default ``out/NAME``."""
    asks = question(asked)
    folder = Path(out) if out is not None else Path("out") / Path(asks.name).stem.replace(" ", "_")
    options = ["--quiet", "--yes", "--out", str(folder)]
    options += ["--trials", str(trials)] if trials is not None else []
    options += ["--exact-only"] if exact_only else []
    with _file(asked, asks) as file:
        _program(["run", *file, *options], asks)
    return Run(folder)


@contextlib.contextmanager
def _file(asked: Asked, asks: Question) -> Iterator[list[str]]:
    """The arguments that name a question: a file, or for a dict a temporary one with the options for its rulebooks."""
    if isinstance(asked, (str, os.PathLike)):
        yield [os.fspath(asked)]
        return
    table = whole(asked)
    named = table.pop("rules", ())
    rules = [os.path.join(asks.folder, name) for name in ([named] if isinstance(named, str) else named)]
    with tempfile.TemporaryDirectory(prefix="enfilade-") as place:
        path = os.path.join(place, TEMPORARY)
        Path(path).write_text(toml(table), encoding="utf-8")
        yield [path, *(word for name in rules for word in ("--rules", name))]


def _program(arguments: list[str], *asks: Question, allowed: Sequence[int] = (0,)) -> str:
    """The output of the program, which may end with one of the allowed codes; Ctrl-C stops it."""
    command = [_process.checked(), *arguments]
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        creationflags=_process.quiet(),
    )
    try:
        out, why = child.communicate()
    except KeyboardInterrupt:
        # Finished work is saved, as on a terminal.
        child.send_signal(signal.SIGTERM)
        child.wait()
        raise
    if child.returncode not in allowed:
        message = why.decode(errors="replace")
        if arguments[0] == "seek":
            raise Error(_plain(message), list(of_message(message, TEMPORARY, asks[0].name)))
        # The kept process has the faults of a file with their places.
        for question_ in asks:
            answered(*_process.of(question_.folder).ask("sheets/experiment.toml", question_.body))
        raise Error(_plain(message))
    return out.decode()


def _plain(message: str) -> str:
    """A message without its frame of a terminal."""
    lines = [line.strip().removeprefix("×").removeprefix("error:").strip() for line in message.splitlines()]
    return "\n".join(line for line in lines if line)


def _job(process: _process.Process, wanted: dict[str, Any]) -> dict[str, Any]:
    """The result of a job, with a bar if tqdm is installed; Ctrl-C stops the job."""
    with process.jobs, _bar() as hear:
        number = answered(*process.ask("jobs", wanted))["id"]
        last: dict[str, Any] = {}
        stopped = False
        while not last.get("done"):
            try:
                last = _event(process, number, hear)
            except KeyboardInterrupt:
                stopped = True
                process.ask(f"jobs/{number}", method="DELETE")
        if stopped:
            raise KeyboardInterrupt
    answered(200, last)
    return last


def _event(process: _process.Process, number: int, hear: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    last: dict[str, Any] = {}

    def heard(event: dict[str, Any]) -> None:
        last.clear()
        last.update(event)
        hear(event)

    status, body = process.ask(f"jobs/{number}/events", hear=heard)
    if not last.get("done"):
        answered(status, body)
        raise Error("the program reported no progress: ask again")
    return last


@contextlib.contextmanager
def _bar() -> Iterator[Callable[[dict[str, Any]], None]]:
    """A bar of tqdm, if it is installed."""
    if importlib.util.find_spec("tqdm") is None:
        yield lambda event: None
        return
    from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]

    with tqdm(total=1.0, desc="enfilade", delay=DELAY, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}") as bar:

        def hear(event: dict[str, Any]) -> None:
            part = event.get("part") or (1.0 if event.get("done") else 0.0)
            bar.update(max(0.0, part - bar.n))

        yield hear
