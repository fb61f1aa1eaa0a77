"""The Python of docs/results.md, as it stands there, on what the main job of the README has written.

8 firepower at +0 breaks a squad of morale 7 in 40.35 of 100, as the golden cells of the fire table have it; here it is
enough that the table has this number, and that both tables have their axes in front.
"""

import contextlib
import io
import pathlib
import re

import polars as pl

text = pathlib.Path("docs/results.md").read_text(encoding="utf-8")
code = re.search(r"```python\n(.*?)```", text, re.S)[1]
said = io.StringIO()
names = {}
with contextlib.redirect_stdout(said):
    exec(code, names)
pivot = names["squads"].pivot(on="drm", index="fp", values="p_break_exact")
assert abs(pivot.filter(pl.col("fp") == 8)["0"].item() - 0.4035) < 5e-5, pivot
assert "share of 1" in said.getvalue(), said.getvalue()
outcomes = pl.read_parquet("out/ift-odds/outcomes.parquet")
assert outcomes.columns[:5] == ["contest", "cell", "fp", "drm", "target_morale"], outcomes.columns
law = outcomes.group_by("cell").agg(pl.col("p_exact").sum())["p_exact"]
assert law.len() == 264 and ((law - 1).abs() < 1e-9).all(), law
cells = pl.read_csv("out/ift-odds/cells.csv")
assert cells.columns[:5] == ["cell", "contest", "fp", "drm", "target_morale"], cells.columns
constants = dict(pl.read_csv("out/ift-odds/constants.csv").iter_rows())
assert constants["system"] == "asl" and not set(constants) & set(cells.columns), constants
print("the Python of docs/results.md reads what was written")
