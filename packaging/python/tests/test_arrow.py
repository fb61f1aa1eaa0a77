"""Tables are taken by those who know Arrow, and nobody holds what was let go."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import enfilade as en
import pytest
from conftest import python
from enfilade import Table, _arrow

COLUMNS: dict[str, list[Any]] = {
    "whole": [1, None, -(2**63), 2**63 - 1, 5, 6, 7, 8, 9],
    "number": [0.5, 1, None, -0.0, 1e300, 2.0, 3.0, 4.0, 5.0],
    "truth": [True, False, None, True, True, False, True, False, True],
    "text": ["", "ä😀", None, "a\nb", "x" * 1000, "f", "g", "h", "i"],
    "nothing": [None] * 9,
    "full": list(range(9)),
}
# A table of mixed values has them as texts, a number beyond 64 bits is one with a point.
MIXED: dict[str, list[Any]] = {"mixed": [1, "a", True, 2.5], "large": [2**70, 1, 2, 3]}
AS_TAKEN: dict[str, list[Any]] = {"mixed": ["1", "a", "true", "2.5"], "large": [2.0**70, 1.0, 2.0, 3.0]}


def taken_by(library: str, table: Any) -> dict[str, list[Any]]:
    """The columns as a library has them."""
    if library == "polars":
        import polars

        return dict(polars.DataFrame(table).to_dict(as_series=False))
    if library == "pyarrow":
        import pyarrow

        return dict(pyarrow.table(table).to_pydict())
    if library == "pandas":
        import pandas

        frame = pandas.DataFrame.from_arrow(table)
        return {name: [None if pandas.isna(one) else one for one in frame[name].tolist()] for name in frame}
    import duckdb

    columns = table
    relation = duckdb.sql("from columns")
    return dict(zip(relation.columns, map(list, zip(*relation.fetchall())))) or {}


@pytest.mark.parametrize("library", ["polars", "pyarrow", "pandas", "duckdb"])
def test_columns_are_taken_as_they_are(library: str) -> None:
    pytest.importorskip(library)
    expected = dict(COLUMNS)
    if library == "pandas":
        # Whole numbers with a gap are numbers there: those that stay exact.
        expected["whole"] = [1, None, -5, 2**52, 5, 6, 7, 8, 9]
    found = taken_by(library, Table(expected))
    assert found == expected
    assert [type(one) for one in found["truth"]] == [type(one) for one in COLUMNS["truth"]]
    assert taken_by(library, Table(MIXED)) == AS_TAKEN


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_a_table_without_rows_or_columns_is_one(library: str) -> None:
    pytest.importorskip(library)
    assert taken_by(library, Table({"a": [], "b": []})) == {"a": [], "b": []}
    assert taken_by(library, Table({})) == {}


def test_results_are_taken_too(desk: Path) -> None:
    polars = pytest.importorskip("polars")
    r = en.odds("fire.toml")
    cells, outcomes = polars.DataFrame(r.cells), polars.DataFrame(r.outcomes)
    assert cells.height == 9 and cells["fp"].to_list() == [4.0] * 3 + [8.0] * 3 + [16.0] * 3
    # The chances of a cell are all there is.
    whole = outcomes.group_by("cell").agg(polars.col("p_exact").sum())["p_exact"].to_list()
    assert whole == pytest.approx([1.0] * 9)
    assert polars.DataFrame(en.dice("d6").table)["share"].to_list() == pytest.approx([1 / 6] * 6)


def test_what_was_handed_out_is_let_go() -> None:
    pyarrow = pytest.importorskip("pyarrow")

    def held() -> int:
        gc.collect()
        _arrow.sweep()
        return len(_arrow._held) + len(_arrow._capsules)

    before = held()
    table = Table(COLUMNS)
    # Nobody takes them.
    for _ in range(3):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()
    assert held() == before
    # One that somebody holds is held, and taken later.
    stream = table.__arrow_c_stream__()
    assert held() > before
    reader = pyarrow.RecordBatchReader._import_from_c_capsule(stream)
    taken = reader.read_all()
    del stream, reader
    assert pyarrow.schema(table).names == list(COLUMNS)
    assert held() > before
    # A column alone keeps what it needs.
    column = taken["text"]
    del taken, table
    assert held() > before
    assert column.to_pylist() == COLUMNS["text"]
    del column
    assert held() == before


def test_who_cannot_take_it_says_so() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    stream = Table(COLUMNS).__arrow_c_stream__()
    pyarrow.RecordBatchReader._import_from_c_capsule(stream)
    with pytest.raises(pyarrow.ArrowInvalid, match="released"):
        pyarrow.RecordBatchReader._import_from_c_capsule(stream)
    del stream
    _arrow.sweep()


@pytest.mark.parametrize("library", ["polars", "pyarrow", "pandas", "duckdb"])
def test_what_is_held_to_the_end_harms_nothing(library: str) -> None:
    pytest.importorskip(library)
    take = {
        "polars": "polars.DataFrame(t)",
        "pyarrow": "pyarrow.table(t)",
        "pandas": "pandas.DataFrame.from_arrow(t)",
        "duckdb": "duckdb.sql('from t')",
    }
    code = f"""
import {library}
from enfilade import Table
t = Table({{"a": [1, None], "b": ["x", "y"], "c": [True, False]}})
held = {take[library]}
t.left = t.__arrow_c_stream__()
import builtins
builtins.kept = held
print(len(held))
"""
    done = python(code)
    assert (done.returncode, done.stdout.strip()) == (0, "2"), done.stderr


def test_no_library_is_imported_unasked(desk: Path) -> None:
    code = """
import sys
import enfilade as en
en.odds("fire.toml").cells._repr_html_()
large = {"polars", "pyarrow", "pandas", "duckdb", "numpy", "tqdm", "ctypes"}
print(sorted(large & set(sys.modules)))
"""
    done = python(code)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_columns_have_one_length() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        Table({"a": [1], "b": []})
    with pytest.raises(KeyError, match="there is no column 'c'; there are a, b"):
        Table({"a": [], "b": []})["c"]
