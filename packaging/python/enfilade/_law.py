"""A distribution: values and the chance of each."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction

from ._table import Table, Value


class Law(Mapping[Value, float]):
    """The chance of each value: ``law[7]``, ``law.mean``, ``law.at_least(15)``; an impossible value has 0."""

    def __init__(self, name: str, shares: Mapping[Value, float], fractions: Mapping[Value, Fraction] | None = None) -> None:
        self.name = name
        self._shares = dict(shares)
        #: The chances as fractions, where they are known.
        self.fractions = dict(fractions or {})

    def __getitem__(self, value: Value) -> float:
        return self._shares.get(value, 0.0)

    def __contains__(self, value: object) -> bool:
        return value in self._shares

    def __iter__(self) -> Iterator[Value]:
        return iter(self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def _numbers(self) -> dict[float, float]:
        numbers = {value: share for value, share in self._shares.items() if isinstance(value, (int, float))}
        if len(numbers) < len(self._shares):
            raise TypeError(f"the values of {self.name} are not numbers")
        return numbers

    @property
    def mean(self) -> float:
        """The mean of the values."""
        return math.fsum(value * share for value, share in self._numbers().items())

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the values."""
        mean = self.mean
        return math.sqrt(math.fsum((value - mean) ** 2 * share for value, share in self._numbers().items()))

    def at_least(self, value: float) -> float:
        """The chance of this value or more."""
        return math.fsum(share for own, share in self._numbers().items() if own >= value)

    def at_most(self, value: float) -> float:
        """The chance of this value or less."""
        return math.fsum(share for own, share in self._numbers().items() if own <= value)

    @property
    def table(self) -> Table:
        """The values and their chances as two columns, for other libraries."""
        return Table({"value": list(self._shares), "share": list(self._shares.values())})

    def __repr__(self) -> str:
        wide = max(map(len, map(str, self._shares)), default=0)
        most = max(self._shares.values(), default=1.0) or 1.0
        bar = "█"
        rows = [f"{value!s:>{wide}}  {share:8.4%}  {bar * round(share / most * 30)}" for value, share in self.items()]
        return "\n".join([self.name, *rows])

    def _repr_html_(self) -> str:
        most = max(self._shares.values(), default=1.0) or 1.0

        def row(value: Value, share: float) -> str:
            bar = f'<div style="background:#3f4988;height:.8em;width:{share / most * 12:.2f}em"></div>'
            return f"<tr><td>{html.escape(str(value))}</td><td>{share:.4%}</td><td>{bar}</td></tr>"

        rows = "".join(row(value, share) for value, share in self.items())
        return f"<table><caption>{html.escape(self.name)}</caption><tbody>{rows}</tbody></table>"
