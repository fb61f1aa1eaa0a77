"""A table of named columns, which other libraries take by the Arrow C stream without a copy of their own code here."""

from __future__ import annotations

import csv
import html
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Union

Value = Union[None, bool, int, float, str]

#: Rows that are shown of a long table.
SHOWN = 20


class Table:
    """Columns of one length: ``table["drm"]`` is a list, ``len(table)`` the rows, iteration gives each as a dict."""

    def __init__(self, columns: Mapping[str, Sequence[Value]]) -> None:
        self.columns = {name: list(values) for name, values in columns.items()}
        if len({len(values) for values in self.columns.values()}) > 1:
            raise ValueError("the columns have different lengths")

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Value]]) -> Table:
        """A table of these rows; what a row does not have is None there."""
        names = dict.fromkeys(name for row in rows for name in row)
        return cls({name: [row.get(name) for row in rows] for name in names})

    @classmethod
    def of_csv(cls, path: Path) -> Table:
        """The table that the program wrote to a file."""
        with path.open(newline="", encoding="utf-8-sig") as file:
            head, *rows = csv.reader(file)
        return cls({name: _typed([row[at] for row in rows]) for at, name in enumerate(head)})

    def __getitem__(self, name: str) -> list[Value]:
        try:
            return self.columns[name]
        except KeyError:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.columns)}") from None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def __iter__(self) -> Iterator[dict[str, Value]]:
        for values in zip(*self.columns.values()):
            yield dict(zip(self.columns, values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.columns == other.columns

    __hash__ = None  # type: ignore[assignment]

    def __arrow_c_schema__(self) -> object:
        """What the columns are, as the Arrow PyCapsule interface hands it on."""
        from . import _arrow

        return _arrow.schema(self.columns)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The columns, as the Arrow PyCapsule interface hands them on: ``polars.DataFrame(table)``."""
        from . import _arrow

        return _arrow.stream(self.columns)

    def __repr__(self) -> str:
        grid = self._grid()
        widths = [max(map(len, column)) for column in zip(*grid)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in grid]
        return "\n".join(lines + self._more())

    def _grid(self) -> list[list[str]]:
        """The head and the first rows as they are read: of columns with something in them."""
        columns = {name: values for name, values in self.columns.items() if any(one is not None for one in values)}
        return [list(columns), *([shown(one) for one in row] for row in zip(*(c[:SHOWN] for c in columns.values())))]

    def _more(self) -> list[str]:
        left = len(self) - SHOWN
        return [f"… and {left} more rows"] if left > 0 else []

    def _repr_html_(self) -> str:
        def row(kind: str, cells: Sequence[str]) -> str:
            return "<tr>" + "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in cells) + "</tr>"

        head, *rows = self._grid()
        body = [row("td", cells) for cells in rows]
        more = "".join(f"<p>{line}</p>" for line in self._more())
        return f"<table><thead>{row('th', head)}</thead><tbody>{''.join(body)}</tbody></table>{more}"


def shown(value: Value) -> str:
    """A value as it is read."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _typed(texts: list[str]) -> list[Value]:
    """Texts of a file as what they all are: numbers, truths or texts; an empty one is nothing."""
    given = [text for text in texts if text]
    if given and set(given) <= {"true", "false"}:
        return [None if not text else text == "true" for text in texts]
    for kind in (int, float):
        try:
            return [kind(text) if text else None for text in texts]
        except ValueError:
            continue
    return [text or None for text in texts]
