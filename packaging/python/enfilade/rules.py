"""Rulebooks in text files."""

from __future__ import annotations

import os
from pathlib import Path

from . import _process
from ._faults import Error, Fault, of_json

__all__ = ["check"]


def check(path: str | os.PathLike[str]) -> list[Fault]:
    """Faults and remarks (``severity`` is ``"remark"``) of a rulebook, none if it is in order."""
    place = os.path.abspath(os.fspath(path))
    body = {"name": os.path.basename(place), "text": Path(place).read_text(encoding="utf-8")}
    status, said = _process.of(os.path.dirname(place)).ask("rules", body)
    if status != 200:
        raise Error(str(said.get("error", "that went wrong")))
    return [of_json(fault) for fault in said.get("faults") or said.get("warnings") or []]
