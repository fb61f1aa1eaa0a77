"""What is wrong with a question, a file or a rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong, or odd, with its place: line and column from 1, 0 where there is none."""

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
    """A fault as the program says it."""
    return Fault(
        line=found.get("line") or 0,
        column=found.get("column") or 0,
        text=found["problem"],
        help=found.get("help") or "",
        file=found.get("file") or "",
        path=found.get("path") or "",
        severity=found.get("severity") or "fault",
    )


class Error(ValueError):
    """The program refuses: ``faults`` has every reason, the rest is of the first one."""

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__("\n".join(str(fault) for fault in faults) or message)
        self.faults = list(faults)
        first = self.faults[0] if self.faults else Fault(0, 0, message)
        self.file, self.line, self.column = first.file, first.line, first.column
        self.text, self.help = first.text, first.help
