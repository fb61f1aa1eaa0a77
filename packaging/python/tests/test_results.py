"""What is answered, held against laws worked out by hand and against the program's own tables."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import enfilade as en
import pytest
from conftest import COINS, FIRE, ROOT


def told(program: str, *arguments: str) -> str:
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def written(value: Any) -> str:
    """A value as a CSV of the program has it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_laws_of_dice_are_those_of_counting() -> None:
    for expression, reckon in [("2d6", sum), ("4d6kh3", lambda faces: sum(sorted(faces)[1:]))]:
        faces = list(product(range(1, 7), repeat=int(expression[0])))
        law = en.dice(expression)
        assert isinstance(law, en.Law)
        values = [reckon(roll) for roll in faces]
        expected = {value: Fraction(values.count(value), len(faces)) for value in sorted(set(values))}
        assert law.fractions == expected and list(law) == list(expected)
        for value, share in expected.items():
            assert law[value] == pytest.approx(float(share), rel=1e-14)
        assert law.mean == pytest.approx(sum(values) / len(values))
        deviation = sum((value - law.mean) ** 2 for value in values) / len(values)
        assert law.standard_deviation == pytest.approx(deviation**0.5)
        assert law.at_least(9) == pytest.approx(sum(value >= 9 for value in values) / len(values))
        assert law.at_most(9) == pytest.approx(sum(value <= 9 for value in values) / len(values))
        assert law[1000] == 0.0 and 1000 not in law


def test_several_dice_stand_beside_each_other() -> None:
    left, right = en.dice("d4", "d6 vs d6")
    assert left.mean == 2.5
    # Six of the 36 are equal, and half of the others each.
    assert right["equal"] == pytest.approx(6 / 36) and right["left is higher"] == pytest.approx(15 / 36)
    with pytest.raises(TypeError, match="not numbers"):
        right.mean


def test_a_law_of_an_outcome_and_given_another(desk: Path) -> None:
    """Two dice that each hit one time in two; of the dice that hit one in six is a six."""
    r = en.odds("coins.rules", "toss", need=4)
    assert dict(r.law("hits")) == pytest.approx({0: 1 / 4, 1: 1 / 2, 2: 1 / 4})
    given = r.law("sixes", given={"hits": 2})
    assert dict(given) == pytest.approx({0: 25 / 36, 1: 10 / 36, 2: 1 / 36})
    assert dict(r.law("hits", given={"sixes": 2})) == pytest.approx({2: 1.0})
    assert r.law("hits").mean == pytest.approx(1.0)
    for wrong, word in [
        (lambda: r.law("hit"), "there is no outcome 'hit'; there are hits, sixes"),
        (lambda: r.law("hits", given={"six": 1}), "there is no outcome 'six'"),
        (lambda: r.law("hits", given={"sixes": 3}), "it never happens"),
        (lambda: r.law("hits", at={"needs": 3}), "there is no axis 'needs'"),
    ]:
        with pytest.raises(en.Error, match=word):
            wrong()


def test_a_cell_is_named_by_its_axes(desk: Path) -> None:
    r = en.odds("coins.rules", "toss", need=[2, 4, 6])
    for need in (2, 4, 6):
        # Of six faces 7 - need hit.
        hit = (7 - need) / 6
        assert r.law("hits", at={"need": need})[2] == pytest.approx(hit**2)
        assert r.law("hits", at={"cell": need // 2 - 1})[0] == pytest.approx((1 - hit) ** 2)
    with pytest.raises(en.Error, match="3 cells fit: name one by .* need"):
        r.law("hits")
    with pytest.raises(en.Error, match="there is no cell at {'need': 3}"):
        r.law("hits", at={"need": 3})


def test_tables_are_those_that_the_program_writes(desk: Path, program: str) -> None:
    r = en.odds("fire.toml")
    expected = rows(told(program, "odds", "fire.toml", "--exact-only", "--format", "csv"))
    assert len(r) == len(r.cells) == len(expected) == 9
    for found, row in zip(r.cells, expected):
        shared = [name for name in found if name in row]
        assert len(shared) > 40
        assert {name: written(found[name]) for name in shared} == {name: row[name] for name in shared}
    run = en.run("fire.toml", desk / "out", trials=20_000)
    simulated = en.odds("fire.toml", trials=20_000)
    for table, name in [(simulated.outcomes, "outcomes.csv"), (simulated.cells, "cells.csv")]:
        expected = rows((desk / "out" / name).read_text())
        assert len(table) == len(expected)
        for found, row in zip(table, expected):
            assert {key: written(found[key]) for key in row if key in found} == {
                key: value for key, value in row.items() if key in found
            }
            # What is left out is the same in every row, or how it was made.
            assert set(row) - set(found) <= {"unsettled_trials", "seed"}
    assert run.report.is_file() and run.summary.startswith("#")
    assert [type(value) for value in next(iter(run.cells)).values()][:4] == [int, str, float, int]
    assert run.outcomes["count"] == simulated.outcomes["count"]


def test_a_question_is_the_same_however_it_is_asked(desk: Path) -> None:
    target = {"unit": "4-4-7", "nation": "Russian"}
    fields = {"fp": [4, 8, 16], "drm": {"from": -1, "to": 1}, "target": [target]}
    asked = [
        en.odds("fire.toml"),
        en.odds(desk / "fire.toml"),
        en.odds({"system": "asl", "action": "fire", **fields}),
        en.odds({"contest": [{"system": "asl", "action": "fire", **fields}]}),
        en.odds("asl", "fire", fp=(4, 8, 16), drm=range(-1, 2), target=target),
    ]
    assert all(one.cells == asked[0].cells and one.outcomes == asked[0].outcomes for one in asked)
    beside = en.odds({"system": "coins", "action": "toss", "rules": "coins.rules", "need": 5})
    assert beside.cells == en.odds("coins.rules", "toss", need=5).cells


def test_what_is_wrong_has_its_place(desk: Path) -> None:
    (desk / "wrong.toml").write_text(FIRE.replace("drm", "dmr").replace("fp =", "fpp ="))
    with pytest.raises(en.Error) as caught:
        en.odds("wrong.toml")
    places = [(one.file, one.line, one.column) for one in caught.value.faults]
    assert sorted(places) == [("wrong.toml", 4, 1), ("wrong.toml", 5, 1)]
    of_name = next(one for one in caught.value.faults if one.line == 5)
    assert of_name.help == "did you mean `drm`?" and "wrong.toml:5:1: " in str(caught.value)
    assert (caught.value.line, caught.value.text) == (caught.value.faults[0].line, caught.value.faults[0].text)
    # Of the commands that write or compare too.
    for ask in (lambda: en.run("wrong.toml", desk / "out"), lambda: en.compare("fire.toml", "wrong.toml")):
        with pytest.raises(en.Error) as caught:
            ask()
        assert {one.line for one in caught.value.faults} == {4, 5}
    assert not (desk / "out").exists()
    with pytest.raises(en.Error, match="expected"):
        en.dice("4d")
    with pytest.raises(FileNotFoundError, match="there is no file none.toml"):
        en.odds("none.toml")
    with pytest.raises(en.Error, match="must be 1 to"):
        en.odds("fire.toml", trials=0)
    with pytest.raises(TypeError, match="is no value of a question"):
        en.odds("asl", "fire", fp=object())


def test_a_rulebook_is_checked(desk: Path) -> None:
    assert en.rules.check("coins.rules") == []
    (desk / "wrong.rules").write_text(COINS.replace("2d6 >= need", "2d6 >= neeed"))
    (fault,) = en.rules.check(desk / "wrong.rules")
    # Of the fifth line that is not blank the word behind the comparison.
    assert (fault.file, fault.line, fault.column, fault.severity) == ("wrong.rules", 6, 25, "fault")
    assert "need" in fault.help


def test_a_contest_is_told_as_the_dice_are_given(desk: Path) -> None:
    story = en.explain("fire.toml", dice=[3, 5, 4, 4])
    assert [step.dice for step in story.steps] == [((6, 3), (6, 5)), ((6, 4), (6, 4))]
    # The nearest line of the fire table at 4 factors and a final 7 is a pin test; 8 against morale 7 fails it.
    assert "PTC" in story.steps[0].text and story.outcome == "1 unit pinned"
    assert str(story).startswith("  1. d6 shows 3, d6 shows 5\n")


def test_two_variants_and_their_difference() -> None:
    variants = ROOT / "experiments/variants"
    table = en.compare(variants / "cowering.toml", variants / "no_cowering.toml").cells
    kills = [row for row in table if row["measure"] == "p_kill"]
    own, other = en.odds(variants / "cowering.toml").cells, en.odds(variants / "no_cowering.toml").cells
    assert [row["a_exact"] for row in kills] == own["p_kill_exact"]
    assert [row["b_exact"] for row in kills] == other["p_kill_exact"]
    for row in kills:
        assert row["difference_exact"] == pytest.approx(row["b_exact"] - row["a_exact"])


def test_dicts_are_run_and_compared_with_their_rulebooks(desk: Path) -> None:
    toss = {"system": "coins", "action": "toss", "rules": "coins.rules"}
    run = en.run({**toss, "need": [2, 4]}, exact_only=True)
    assert run.folder == Path("out/the_question") and run.report.is_file()
    # Both dice hit: 25 of 36, and 9 of 36.
    both = [row["p_exact"] for row in run.outcomes if row["hits"] == 2]
    assert sum(both) == pytest.approx(25 / 36 + 9 / 36)
    table = en.compare({**toss, "need": 4}, {**toss, "need": 2}).cells
    mean = next(row for row in table if row["measure"] == "e_hits")
    assert (mean["a_exact"], mean["difference_exact"]) == (pytest.approx(1.0), pytest.approx(2 / 3))


def test_designs_are_those_that_counting_finds(desk: Path) -> None:
    """A toss hits with 7 - need of six faces, so both dice hit in a square of that."""
    toss = {"system": "coins", "action": "toss"}
    seek = {"change": {"need": {"from": 2, "to": 6}}, "so_that": ["e_hits = 1 ± 0.4"]}
    # Means of 5/3, 4/3, 1, 2/3 and 1/3 for a need of 2 to 6: three are near enough, and 4 is printed.
    asked = [
        en.seek({"rules": "coins.rules", "contest": toss, "seek": seek}),
        en.seek("coins.rules", "toss", change={"need": range(2, 7)}, so_that="e_hits = 1 ± 0.4"),
    ]
    (desk / "seek.toml").write_text(
        'rules = "coins.rules"\n[[contest]]\nsystem = "coins"\naction = "toss"\n'
        '[seek]\nso_that = ["e_hits = 1 ± 0.4"]\n[seek.change]\nneed = "all"\n'
    )
    asked.append(en.seek("seek.toml"))
    for designs in asked:
        assert (designs.fit, len(designs), designs.document["designs"]) == (3, 3, 5)
        means = dict(zip(designs.found["need"], designs.found[designs.document["wanted"][0]]))
        assert means == {3: pytest.approx(4 / 3), 4: pytest.approx(1), 5: pytest.approx(2 / 3)}
        assert next(iter(designs.found))["need"] == 4 and repr(designs).startswith("3 of 5 designs fit.")
        assert "<table>" in designs._repr_html_()
    assert len(en.seek("seek.toml", best=1)) == 1
    # None is an answer, with the nearest one.
    none = en.seek("coins.rules", "toss", change={"need": [2, 3]}, so_that=["e_hits <= 0.1"])
    assert (none.fit, len(none), none.found.columns["need"]) == (0, 0, []) and none.document["missing"]["nearest"]
    with pytest.raises(TypeError, match="in its table"):
        en.seek("seek.toml", so_that="e_hits = 1")
    with pytest.raises(TypeError, match="a dict has action and fields in it"):
        en.seek({"system": "coins"}, "toss")
    with pytest.raises(en.Error, match="e_hit") as caught:
        en.seek("coins.rules", "toss", change={"need": [2, 3]}, so_that="e_hit = 1")
    assert caught.value.file == "the question"
    (desk / "seek.toml").write_text((desk / "seek.toml").read_text().replace("need =", "nead ="))
    with pytest.raises(en.Error) as caught:
        en.seek("seek.toml")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("seek.toml", 8, 1)
    assert caught.value.help == "did you mean `need`?" and "nead" in caught.value.text


def test_prices_are_those_of_the_command_line(desk: Path, program: str) -> None:
    arsenal = (
        "system = 'skirmishers'\n[[weapon]]\nname = 'MMG'\n[[weapon]]\nname = 'rifle'\n"
        "[[scenario]]\nname = 'a'\nmoves = 2\ntarget = { troopers = 2 }\n"
    )
    (desk / "arsenal.toml").write_text(arsenal)
    whole = en.balance("arsenal.toml")
    document = json.loads(told(program, "balance", "arsenal.toml", "--format", "json", "--quiet"))
    document["arsenal"] = whole.document["arsenal"]
    assert whole.document == document
    assert whole.weapons["name"] == ["MMG", "rifle"] and whole["rifle"]["even"] == whole.weapons["even"][1]
    only = en.balance("arsenal.toml", only="rifle")
    assert only.weapons["name"] == ["rifle"]
    with pytest.raises(en.Error, match='did you mean "rifle"'):
        en.balance("arsenal.toml", only="riffle")


def test_a_notebook_shows_sentence_chart_and_table(desk: Path, program: str) -> None:
    r = en.odds("coins.rules", "toss", need=4)
    shown = r._repr_html_()
    assert shown.startswith("<p>") and "<svg" in shown and "<table>" in shown
    assert r.sentence and r.sentence in repr(r)
    # Nobody's file puts markup into a notebook.
    (desk / "odd.toml").write_text(FIRE.replace('action = "fire"', 'action = "fire"\nname = "<script>x</script>"'))
    assert "<script" not in en.odds("odd.toml")._repr_html_()
    assert r.sheet("odds.xlsx").startswith(b"PK") and r.sheet("card.svg").startswith(b"<svg")
    assert r.sheet("cells.csv").decode() == told(program, "odds", "coins.rules", "toss", "need=4", "--exact-only", "--format", "csv")
    with pytest.raises(en.Error, match="there is no such sheet"):
        r.sheet("none.pdf")
    assert "16.6667%" in en.dice("d6")._repr_html_()


def test_the_document_is_that_of_the_command_line(desk: Path, program: str) -> None:
    assert en.odds("fire.toml").document == json.loads(told(program, "odds", "fire.toml", "--exact-only", "--format", "json"))
