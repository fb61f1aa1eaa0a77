"""A dict becomes a file that holds the same."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest
from enfilade._question import toml, whole


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no reader of TOML comes with this Python")
@pytest.mark.parametrize(
    "table",
    [
        {"a": 1, "b": -2.5, "c": True, "d": "x", "e": 1e300, "f": 10**15},
        {"odd key ä": 1, 'quote " and \\': "\\ \" ' \n\t\r\b\x00\x1f\x7f \u2028 😀", "": 0},
        {"list": [1, 2], "empty": [], "nested": [[1], [2, [3]]], "words": ["a", "b"]},
        {"contest": [{"a": {"b": {"c": [1, {"d": 2}]}}}, {"e": {}}], "seed": 1},
        {"contest": [{"target": [{"unit": "4-4-7"}, {"unit": "2-2-8", "count": 2}]}]},
        {"x": math.inf, "y": -math.inf},
        {"contest": {"a": {"b": 1}}, "seek": {"so_that": ["x"], "change": {"a.b": [1, 2]}}, "seed": 1},
    ],
)
def test_what_is_written_reads_back(table: dict[str, Any]) -> None:
    import tomllib

    assert tomllib.loads(toml(table)) == table


def test_ranges_tuples_and_numbers_of_other_libraries_are_lists_and_numbers() -> None:
    class Scalar:
        ndim = 0

        def item(self) -> int:
            return 7

    assert toml({"a": range(3), "b": (1, 2), "c": Scalar(), "d": None}) == "a = [0, 1, 2]\nb = [1, 2]\nc = 7\n"


def test_a_contest_alone_is_a_whole_file() -> None:
    assert whole({"system": "asl", "action": "fire"}) == {"contest": {"system": "asl", "action": "fire"}}
    named = whole({"system": "x", "action": "y", "rules": "x.rules"})
    assert named == {"rules": "x.rules", "contest": {"system": "x", "action": "y"}}
    # A field of that name stays where it is.
    assert whole({"system": "asl", "rules": {"a": 1}}) == {"contest": {"system": "asl", "rules": {"a": 1}}}
    assert whole({"contest": []}) == {"contest": []}
