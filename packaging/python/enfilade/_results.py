"""Answers: tables, distributions and charts."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from . import _process
from ._faults import Error
from ._law import Law
from ._question import Question
from ._table import Table, Value


def _estimates(name: str, found: Mapping[str, Any], interval: str) -> dict[str, Value]:
    """Four columns as the program's own tables name them."""
    ends = {f"{interval}low": found["low"], f"{interval}high": found["high"]}
    return {f"{name}_exact": found["exact"], f"{name}_sim": found["simulated"], **ends}


def _cell(cell: Mapping[str, Any]) -> dict[str, Value]:
    row: dict[str, Value] = {"cell": cell["cell"], "contest": cell["name"], **cell["axes"]}
    for measure in cell["measures"]:
        row |= _estimates(measure["name"], measure, f"{measure['name']}_")
    made = {key: cell[key] for key in ("trials", "unsettled", "engine", "states", "agrees")}
    return {**row, **made, "notes": "; ".join(cell["notes"]) or None, "system": cell["system"], "action": cell["action"]}


def _outcomes(cell: Mapping[str, Any]) -> Iterator[dict[str, Value]]:
    head: dict[str, Value] = {"contest": cell["name"], "cell": cell["cell"], **cell["axes"]}
    for found in cell["outcomes"]:
        counted = {"p_exact": found["exact"], "count": found["count"], "p_sim": found["simulated"]}
        yield {**head, **found["outcome"], **counted, "low": found["low"], "high": found["high"]}


@dataclass(repr=False)
class Odds:
    """The odds of every cell: ``cells`` and ``outcomes`` are tables, ``law`` is of one outcome."""

    #: The answer of ``enfilade odds --format json``.
    document: dict[str, Any]
    _question: Question = field(repr=False)

    @cached_property
    def cells(self) -> Table:
        """A row for each cell: its axes, and each measure exactly and as it was simulated."""
        return Table.of_rows([_cell(cell) for cell in self.document["contests"]])

    @cached_property
    def outcomes(self) -> Table:
        """A row for each outcome of each cell."""
        return Table.of_rows([row for cell in self.document["contests"] for row in _outcomes(cell)])

    def __len__(self) -> int:
        return len(self.document["contests"])

    def law(self, name: str, given: Mapping[str, Value] | None = None, at: Mapping[str, Value] | None = None) -> Law:
        """The distribution of an outcome ``given`` values of others, in the cell with the axes ``at``."""
        cell = self._at(at or {})
        shares: dict[Value, float] = {}
        rows = [(found["outcome"], _share(found)) for found in cell["outcomes"]]
        known = dict.fromkeys(key for outcome, _ in rows for key in outcome)
        for wanted in (name, *(given or {})):
            if wanted not in known:
                raise Error(f"there is no outcome {wanted!r}; there are {', '.join(known)}")
        kept = [(outcome[name], p) for outcome, p in rows if all(outcome[k] == v for k, v in (given or {}).items())]
        whole = sum(p for _, p in kept)
        if not whole:
            raise Error(f"it never happens that {given}")
        for value, p in kept:
            shares[value] = shares.get(value, 0.0) + p / (whole if given else 1.0)
        by_kind = sorted(shares, key=lambda value: (isinstance(value, str), value))
        return Law(name, {value: shares[value] for value in by_kind})

    def _at(self, at: Mapping[str, Value]) -> dict[str, Any]:
        cells: list[dict[str, Any]] = self.document["contests"]
        for axis in at:
            if not any(axis in _places(cell) for cell in cells):
                names = dict.fromkeys(name for cell in cells for name in _places(cell))
                raise Error(f"there is no axis {axis!r}; there are {', '.join(names)}")
        found = [cell for cell in cells if all(_places(cell).get(axis) == at[axis] for axis in at)]
        if len(found) == 1:
            return found[0]
        if not found:
            raise Error(f"there is no cell at {dict(at)}")
        left = ", ".join(dict.fromkeys(name for cell in found for name in cell["axes"])) or "contest"
        raise Error(f"{len(found)} cells fit: name one by at={{…}} with {left}")

    @cached_property
    def sentence(self) -> str:
        """The first cell in one sentence."""
        process = _process.of(self._question.folder)
        said = _process.answered(*process.ask("odds", {**self._question.body, "patient": True}))
        return str((said.get("told") or {}).get("sentence", ""))

    def sheet(self, name: str) -> bytes:
        """A sheet to print or to send, by its name: ``card.pdf``, ``chart.svg``, ``report.html``, ``odds.xlsx``."""
        process = _process.of(self._question.folder)
        said = _process.answered(*process.ask(f"sheets/{name}", self._question.body))
        if isinstance(said, str):
            return said.encode()
        return base64.b64decode(said["base64"])

    @cached_property
    def chart(self) -> str:
        """The first chart, as SVG: bars of one cell, a heat map of two axes."""
        return self.sheet("chart.svg").decode()

    def __repr__(self) -> str:
        return f"{self.sentence}\n{self._shown()!r}" if len(self) == 1 else repr(self._shown())

    def _shown(self) -> Table:
        """The axes and measures of each cell, exact ones where they are known."""
        cells = self.document["contests"]
        axes = dict.fromkeys(axis for cell in cells for axis in cell["axes"])
        ending = "_exact" if any(one["exact"] is not None for cell in cells for one in cell["measures"]) else "_sim"
        shown = {name: self.cells[name] for name in ("contest", *axes)}
        measures = dict.fromkeys(one["name"] for cell in cells for one in cell["measures"])
        return Table(shown | {name: self.cells[name + ending] for name in measures})

    def _repr_html_(self) -> str:
        try:
            sentence, chart = html.escape(self.sentence), self.chart
        except Error:
            # Too large for a chart at once.
            sentence, chart = "", ""
        return f"<p>{sentence}</p>{chart}{self._shown()._repr_html_()}"


def _places(cell: Mapping[str, Any]) -> dict[str, Value]:
    return {"cell": cell["cell"], "contest": cell["name"], **cell["axes"]}


def _share(found: Mapping[str, Any]) -> float:
    """The exact share, where it is known."""
    share = found["simulated"] if found["exact"] is None else found["exact"]
    return float(share or 0.0)


@dataclass(frozen=True)
class Run:
    """A folder of results, as ``enfilade run`` writes it."""

    folder: Path

    @property
    def report(self) -> Path:
        """The page with everything in it."""
        return self.folder / "report.html"

    @property
    def summary(self) -> str:
        """The results in words."""
        return (self.folder / "summary.md").read_text(encoding="utf-8")

    @cached_property
    def cells(self) -> Table:
        """The table of cells."""
        return Table.of_csv(self.folder / "cells.csv")

    @cached_property
    def outcomes(self) -> Table:
        """The table of outcomes."""
        return Table.of_csv(self.folder / "outcomes.csv")

    def _repr_markdown_(self) -> str:
        return self.summary


@dataclass(repr=False)
class Comparison:
    """Two variants side by side."""

    #: The answer of ``enfilade compare --format json``.
    document: dict[str, Any]

    @cached_property
    def cells(self) -> Table:
        """A row for each measure of each cell: what it is in both, and by how much they differ."""

        def row(cell: Mapping[str, Any], measure: Mapping[str, Any]) -> dict[str, Value]:
            head = {"contest": cell["contest"], **cell["axes"], "measure": measure["name"]}
            sides = (_estimates(side, measure[side] or _NONE, f"{side}_") for side in ("a", "b", "difference"))
            return {**head, **{name: value for side in sides for name, value in side.items()}}

        return Table.of_rows([row(cell, one) for cell in self.document["cells"] for one in cell["measures"]])

    def __repr__(self) -> str:
        return repr(self.cells)

    def _repr_html_(self) -> str:
        return self.cells._repr_html_()


_NONE = {"exact": None, "simulated": None, "low": None, "high": None}


@dataclass(repr=False)
class Prices:
    """Prices of weapons."""

    #: The answer of ``enfilade balance --format json``.
    document: dict[str, Any]

    @cached_property
    def weapons(self) -> Table:
        """A row for each weapon: its price now, the even one with its range, the verdict, and why."""
        columns = ("name", "price", "even", "low", "high", "verdict", "why")

        def text(value: Any) -> Value:
            return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)

        return Table({key: [text(one.get(key)) for one in self.document["weapons"]] for key in columns})

    def __getitem__(self, weapon: str) -> dict[str, Any]:
        for one in self.document["weapons"]:
            if one["name"] == weapon:
                return dict(one)
        names = ", ".join(str(one["name"]) for one in self.document["weapons"])
        raise KeyError(f"there is no weapon {weapon!r}; there are {names}")

    def __repr__(self) -> str:
        return repr(self.weapons)

    def _repr_html_(self) -> str:
        return self.weapons._repr_html_()


@dataclass(repr=False)
class Designs:
    """Designs that have the wanted odds, in the order that is preferred."""

    #: The answer of ``enfilade seek --format json``.
    document: dict[str, Any]

    @property
    def fit(self) -> int:
        """The number of designs that fit, of which ``found`` has the first."""
        return int(self.document["fit"])

    @cached_property
    def found(self) -> Table:
        """A row for each design: its numbers, the value of each want, and how much it changes."""
        wanted = self.document["wanted"]

        def row(design: Mapping[str, Any]) -> dict[str, Value]:
            reached = {want: one["value"] for want, one in zip(wanted, design["reached"])}
            return {**design["numbers"], **reached, "changes": design["changes"], "steps": design["steps"]}

        names = [*(one["name"] for one in self.document["numbers"]), *wanted, "changes", "steps"]
        rows = [row(design) for design in self.document["found"]]
        return Table({name: [one.get(name) for one in rows] for name in names})

    @property
    def sentence(self) -> str:
        """How many designs fit, of how many."""
        return f"{self.fit} of {self.document['designs']} designs fit."

    def __len__(self) -> int:
        return len(self.found)

    def __repr__(self) -> str:
        return f"{self.sentence}\n{self.found!r}" if len(self) else self.sentence

    def _repr_html_(self) -> str:
        return f"<p>{self.sentence}</p>{self.found._repr_html_() if len(self) else ''}"


@dataclass(frozen=True)
class Step:
    """One step of a contest: dice as pairs of sides and face, what happens, and its rule."""

    dice: tuple[tuple[int, int], ...]
    text: str
    rule: str = ""
    decided: tuple[str, ...] = ()

    def __str__(self) -> str:
        dice = ", ".join(f"d{sides} shows {face}" for sides, face in self.dice)
        rule = f" [{self.rule}]" if self.rule else ""
        return "\n     ".join([*self.decided, *([dice] if dice else []), self.text + rule])


@dataclass(frozen=True)
class Explanation:
    """One contest roll by roll."""

    steps: tuple[Step, ...]
    outcome: str

    def __str__(self) -> str:
        steps = [f"{number:>3}. {step}" for number, step in enumerate(self.steps, 1)]
        return "\n".join([*steps, f"outcome: {self.outcome}"])

    def _repr_markdown_(self) -> str:
        return f"```\n{self}\n```"
