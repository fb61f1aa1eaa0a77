"""Exact odds for tabletop wargames, from the program of that name.

    import enfilade as en

    r = en.odds("asl", "fire", fp=[4, 8], target={"unit": "4-4-7", "nation": "Russian"})
    r.cells          # a row for each cell, and r.outcomes for each outcome: polars, pyarrow, pandas and duckdb take both
    r.law("broken", at={"fp": 8})
    en.dice("4d6kh3").at_least(15)

The package computes nothing: it keeps a process of the program and exchanges lines of JSON with it. A refusal is an
:class:`Error` with file, line, column and remedy.
"""

from . import rules
from ._ask import balance, compare, dice, explain, odds, run, seek
from ._find import ProgramMissing, program
from ._faults import Error, Fault
from ._law import Law
from ._results import Comparison, Designs, Explanation, Odds, Prices, Run, Step
from ._table import Table
from ._version import __version__

__all__ = [
    "Comparison",
    "Designs",
    "Error",
    "Explanation",
    "Fault",
    "Law",
    "Odds",
    "Prices",
    "ProgramMissing",
    "Run",
    "Step",
    "Table",
    "__version__",
    "balance",
    "compare",
    "dice",
    "explain",
    "odds",
    "program",
    "rules",
    "run",
    "seek",
]
