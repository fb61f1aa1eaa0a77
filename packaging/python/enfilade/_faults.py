"""Faults of a question, a file or a rulebook."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """A fault or a remark with its place: line and column from 1, or 0 without a place."""

    line: int
    column: int
    text: str
    help: str = ""
    file: str = ""
    path: str = ""
    severity: str = "fault"

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        said = f"{place}: {self.text}" if place else self.text
        return f"{said}\n  help: {self.help}" if self.help else said


def of_json(found: Mapping[str, Any]) -> Fault:
    """A fault from the JSON of the program."""
    return Fault(
        line=found.get("line") or 0,
        column=found.get("column") or 0,
        text=found["problem"],
        help=found.get("help") or "",
        file=found.get("file") or "",
        path=found.get("path") or "",
        severity=found.get("severity") or "fault",
    )


_PLACE = re.compile(r"^\s*╭─\[(.+):(\d+):(\d+)\]\n", re.MULTILINE)
_HELP = re.compile(r"^\s*help: (.*(?:\n {8,}\S.*)*)", re.MULTILINE)


def of_message(message: str, temporary: str, name: str) -> Iterator[Fault]:
    """The faults in a message for a terminal: each begins with ×, and has a place and perhaps a help.

    The file ``temporary`` has this name in the faults.
    """
    for part in re.split(r"^\s*×\s", message, flags=re.MULTILINE)[1:]:
        place, help_ = _PLACE.search(part), _HELP.search(part)
        if place:
            text = " ".join(line.strip(" │") for line in part[: place.start()].splitlines())
            help_text = " ".join(help_[1].split()) if help_ else ""
            file = os.path.basename(place[1])
            yield Fault(int(place[2]), int(place[3]), text.strip(), help_text, name if file == temporary else file)


class Error(ValueError):
    """A refusal of the program: ``faults`` has every reason, and the other attributes are those of the first."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__("\n".join(str(fault) for fault in faults) or message)
        self.faults = list(faults)
        first = self.faults[0] if self.faults else Fault(0, 0, message)
        self.file, self.line, self.column = first.file, first.line, first.column
        self.text, self.help = first.text, first.help
