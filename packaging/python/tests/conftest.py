"""The package beside these tests, with the program that ENFILADE_PROGRAM names: packaging/test sets both."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

#: A game whose laws can be worked out by hand: hits of two dice, and sixes among as many dice as hit.
COINS = """game "Coins"

field need: 2..6 = 4

action toss "two dice":
    hits = count(2d6 >= need)
    sixes = count(hits d6 >= 6)
    show hits "hits"
    show sixes "sixes"
"""

FIRE = """[[contest]]
system = "asl"
action = "fire"
fp = [4, 8, 16]
drm = { from = -1, to = 1 }
[[contest.target]]
unit = "4-4-7"
nation = "Russian"
"""


@pytest.fixture
def program() -> str:
    return os.environ["ENFILADE_PROGRAM"]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a question and a game, in which the test works."""
    (tmp_path / "fire.toml").write_text(FIRE)
    (tmp_path / "coins.rules").write_text(COINS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a Python of its own makes of this, with the package of this checkout."""
    paths = {"PYTHONPATH": os.pathsep.join([variables.pop("before", ""), str(ROOT / "packaging/python")]).strip(os.pathsep)}
    environment = {**os.environ, **paths, **variables}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
