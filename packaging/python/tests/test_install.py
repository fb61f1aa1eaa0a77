"""A wheel of the program as it is built, in an environment with nothing else in it, and without a network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT
from test_find import pythons

#: The largest wheel, in bytes.
MOST = 20_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, str(ROOT / "packaging/wheel"), os.environ["ENFILADE_PROGRAM"], str(out)]
    return Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())


def blocks(page: str) -> list[str]:
    """What a page shows of Python, as a reader runs it."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "import enfilade" in block]


@pytest.mark.parametrize("base", pythons())
def test_it_installs_alone_and_answers_what_the_readme_asks(base: str, wheel: Path, tmp_path: Path) -> None:
    own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "ENFILADE"))}
    # There is no network.
    own |= dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")

    def call(*command: str | Path) -> str:
        called = subprocess.run(list(command), env=own, capture_output=True, text=True, cwd=tmp_path)
        assert called.returncode == 0, called.stderr
        return called.stdout

    call(base, "-m", "venv", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    begun = time.monotonic()
    call(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", wheel)
    print(f"wheel of {wheel.stat().st_size / 1e6:.1f} MB installed in {time.monotonic() - begun:.1f} s")
    (of_readme,) = blocks("README.md")
    assert 4 <= len(of_readme.strip().splitlines()) <= 8
    # The chances of a broken squad as the page on results of the fire table has them, and of three dice kept of four.
    said = call(python, "-c", of_readme)
    assert "0.23148" in said and "[0.21527" in said, said
    for block in blocks("docs/python.md"):
        call(python, "-c", block)
    assert call(python, "-m", "enfilade", "--version") == call(tmp_path / "venv/bin/enfilade", "--version")
    # What was installed goes without a trace but what Python keeps for itself.
    call(sys.executable, "-m", "pip", "--python", python, "uninstall", "-q", "-y", "enfilade")
    left = [path for path in (tmp_path / "venv").rglob("*enfilade*") if "__pycache__" not in path.parts]
    assert left == []


def test_it_is_small_and_says_what_it_is_made_of(wheel: Path) -> None:
    assert wheel.stat().st_size <= MOST
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        made = json.loads(packed.read(next(name for name in names if name.endswith("/sboms/enfilade.cyclonedx.json"))))
        record = packed.read(next(name for name in names if name.endswith("/RECORD"))).decode()
    assert sorted(line.split(",")[0] for line in record.splitlines()) == sorted(names)
    assert not any("test" in name for name in names)
    locked = set(re.findall(r'name = "(.+)"\nversion = "(.+)"', (ROOT / "Cargo.lock").read_text()))
    parts = {(one["name"], one["version"]) for one in made["components"]}
    assert parts <= locked and len(parts) > 100
    assert {"clap", "rayon", "enfilade-engine"} <= {name for name, _ in parts}
    # Tests are made of more than the program is.
    assert not {"proptest", "criterion", "assert_cmd"} & {name for name, _ in parts}
    assert all(one.get("licenses") for one in made["components"] if not one["name"].startswith("enfilade"))


def test_the_same_program_gives_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "enfilade").write_text("#!/bin/sh\n")
    command = [sys.executable, str(ROOT / "packaging/wheel"), str(tmp_path / "enfilade"), "--tag", "any"]
    once, again = (
        Path(subprocess.run([*command, str(tmp_path / out)], capture_output=True, text=True, check=True).stdout.strip())
        for out in ("a", "b")
    )
    assert once.name == again.name and once.read_bytes() == again.read_bytes()
