"""The program is found in the environments that uv makes: for one call, for a tool, laid over a project's own, in folders."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_find import ASKED, environment, made, packed

pytestmark = pytest.mark.skipif(importlib.util.find_spec("uv") is None, reason="uv is not installed here")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packed(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def uv(tmp_path: Path):  # type: ignore[no-untyped-def]
    """Runs uv without a network, with a cache and a home of its own, by the Python of these tests."""
    from uv import find_uv_bin

    (tmp_path / "home").mkdir()
    own = environment(HOME=str(tmp_path / "home"), UV_CACHE_DIR=str(tmp_path / "cache"), UV_OFFLINE="1", UV_NO_CONFIG="1")
    own |= {"UV_PYTHON": sys.executable, "UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "tools/bin")}

    def run(*arguments: str | Path, status: int = 0) -> str:
        done = subprocess.run([find_uv_bin(), *map(str, arguments)], env=own, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == status, done.stderr
        return done.stdout.strip()

    return run


def test_for_one_call(uv, wheel: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """`uvx`: the program of the wheel, and its exit code."""
    said = uv("tool", "run", "--from", wheel, "enfilade", "a", "b c", status=7)
    assert said.endswith("/bin/enfilade a b c") and said.startswith(str(tmp_path / "cache"))


def test_as_a_tool(uv, wheel: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    uv("tool", "install", wheel)
    called = subprocess.run([tmp_path / "tools/bin/enfilade", "--version"], capture_output=True, text=True, check=True)
    assert called.stdout == "enfilade 0.2.0\n"
    own = tmp_path / "tools/enfilade/bin"
    found = subprocess.run([own / "python", "-c", ASKED], env=environment(), capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(own / "enfilade")


def test_laid_over_the_environment_of_a_project(uv, wheel: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """`uv run --with`: the package is in an environment for this once, the Python in another."""
    own = made(tmp_path / "venv")
    found = uv("run", "--no-project", "--python", own, "--with", wheel, "python", "-c", ASKED)
    assert os.path.isfile(found) and found.startswith(str(tmp_path / "cache")) and not (tmp_path / "venv/bin/enfilade").exists()


@pytest.mark.parametrize("where", ["--target", "--prefix"])
def test_in_a_folder(uv, where: str, wheel: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    place = tmp_path / "place"
    uv("pip", "install", where, place, wheel)
    site = place if where == "--target" else next(place.glob("lib/python*/site-packages"))
    found = subprocess.run(
        [sys.executable, "-c", ASKED], env=environment(PYTHONPATH=str(site)), capture_output=True, text=True, cwd="/", check=True
    )
    assert found.stdout.strip() == str(place / "bin/enfilade")
