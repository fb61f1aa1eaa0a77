"""The program is found in whatever way the wheel was installed, and is the one that belongs to the package."""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from conftest import ROOT
from enfilade import _find

SCRIPT = '#!/bin/sh\nif [ "$1" = --version ]; then echo "enfilade {version}"; else echo "$0 $*"; exit 7; fi\n'
ASKED = "import enfilade; print(enfilade.program())"


def packed(folder: Path, version: str = "0.2.0") -> Path:
    """A wheel of this package with a small script for its program."""
    script = folder / "enfilade"
    script.write_text(SCRIPT.format(version=version))
    command = [sys.executable, ROOT / "packaging/wheel", script, folder / version, "--tag", "any", "--no-sbom"]
    return Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packed(tmp_path_factory.mktemp("wheel"))


def environment(**variables: str) -> dict[str, str]:
    """The variables of a shell that knows nothing of these tests."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "ENFILADE", "VIRTUAL_ENV"))}
    return {**own, "PIP_BREAK_SYSTEM_PACKAGES": "1", **variables}


def call(*command: str | Path, **variables: str) -> str:
    called = subprocess.run(list(command), env=environment(**variables), capture_output=True, text=True, cwd="/")
    assert called.returncode == 0, called.stderr
    return called.stdout.strip()


def made(folder: Path, python: str = sys.executable, *options: str) -> Path:
    """The Python of a virtual environment that is made there."""
    call(python, "-m", "venv", "--without-pip", *options, folder)
    return folder / "bin/python"


def install(python: Path | str, wheel: Path, *options: str, **variables: str) -> None:
    """By the installer of this Python, so that none has to be put into each environment first."""
    pip = (sys.executable, "-m", "pip", "--python", str(python))
    call(*pip, "install", "-q", "--no-index", "--no-warn-script-location", *options, wheel, **variables)


def pythons() -> list[str]:
    """Every Python of this machine that the package is for."""
    names = [f"python3.{minor}" for minor in range(10, 16)]
    folders = ("~/.pyenv/versions/3.1[0-9].*/bin/python", "~/.local/share/uv/python/cpython-3.1[0-9]*/bin/python3")
    roots = [path for folder in folders for path in glob.glob(os.path.expanduser(folder))]
    found = [*roots, *filter(None, map(shutil.which, names))]
    ask = "import sys, ensurepip; print('%d.%d' % sys.version_info[:2])"
    versions = {}
    for path in found:
        told = subprocess.run([path, "-c", ask], capture_output=True, text=True, env=environment())
        if told.returncode == 0:
            versions.setdefault(told.stdout.strip(), path)
    return [path for version, path in sorted(versions.items()) if int(version.split(".")[1]) >= 10] or [sys.executable]


@pytest.mark.parametrize("python", pythons())
def test_in_a_virtual_environment(python: str, wheel: Path, tmp_path: Path) -> None:
    own = made(tmp_path / "venv", python)
    install(own, wheel)
    assert call(own, "-c", ASKED) == str(tmp_path / "venv/bin/enfilade")
    # Without the environment being entered, and by the name of the module.
    called = subprocess.run([own, "-m", "enfilade", "a", "b c"], capture_output=True, text=True, env=environment())
    assert (called.stdout.strip(), called.returncode) == (f"{tmp_path}/venv/bin/enfilade a b c", 7)


def test_in_a_folder_of_its_own(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "target"
    install(sys.executable, wheel, "--target", str(place))
    assert call(sys.executable, "-c", ASKED, PYTHONPATH=str(place)) == str(place / "bin/enfilade")


def test_for_one_user(wheel: Path, tmp_path: Path) -> None:
    base = shutil.which(os.path.basename(sys._base_executable), path=os.path.join(sys.base_prefix, "bin"))  # type: ignore[attr-defined]
    assert base is not None
    install(base, wheel, "--user", PYTHONUSERBASE=str(tmp_path))
    assert call(base, "-c", ASKED, PYTHONUSERBASE=str(tmp_path)) == str(tmp_path / "bin/enfilade")
    # A virtual environment that sees what the system has sees it too.
    sees = made(tmp_path / "venv", base, "--system-site-packages")
    assert call(sees, "-c", ASKED, PYTHONUSERBASE=str(tmp_path)) == str(tmp_path / "bin/enfilade")


def test_below_a_prefix(wheel: Path, tmp_path: Path) -> None:
    own = made(tmp_path / "venv")
    install(own, wheel, "--prefix", str(tmp_path / "opt"))
    site = next((tmp_path / "opt").glob("lib/python*/site-packages"))
    assert call(own, "-c", ASKED, PYTHONPATH=str(site)) == str(tmp_path / "opt/bin/enfilade")


def test_in_an_environment_laid_over_another(wheel: Path, tmp_path: Path) -> None:
    """As tools make it that run a script for once: a path file leads to the packages of the one below."""
    below = made(tmp_path / "below")
    install(below, wheel)
    above = made(tmp_path / "above")
    site = next((tmp_path / "below").glob("lib/python*/site-packages"))
    next((tmp_path / "above").glob("lib/python*/site-packages")).joinpath("over.pth").write_text(f"{site}\n")
    assert call(above, "-c", ASKED) == str(tmp_path / "below/bin/enfilade")


def test_in_place(tmp_path: Path) -> None:
    """An installation that can be edited: the package lies in the checkout, the program in the environment."""
    own = made(tmp_path / "venv")
    site = next((tmp_path / "venv").glob("lib/python*/site-packages"))
    (site / "enfilade.pth").write_text(f"{ROOT}/packaging/python\n")
    program = tmp_path / "venv/bin/enfilade"
    program.write_text(SCRIPT.format(version="0.2.0"))
    program.chmod(0o755)
    assert call(own, "-c", ASKED) == str(program)


def test_of_two_the_own_one(wheel: Path, tmp_path: Path) -> None:
    """A program beside another Python, or first on the path, is not that of this package."""
    own, other = made(tmp_path / "own"), made(tmp_path / "other")
    install(own, wheel)
    install(other, packed(tmp_path, "0.2.0"))
    path = f"{tmp_path}/other/bin:{os.environ['PATH']}"
    assert call(own, "-c", ASKED, PATH=path) == str(tmp_path / "own/bin/enfilade")


@pytest.mark.parametrize(
    ("platform", "package", "scripts"),
    [
        ("linux", "/usr/lib/python3/dist-packages", "/usr/bin"),
        ("linux", "/usr/local/lib/python3.11/dist-packages", "/usr/local/bin"),
        ("linux", "/usr/lib64/python3.12/site-packages", "/usr/bin"),
        ("darwin", "/Library/Frameworks/Python.framework/Versions/3.12/lib/python3.12/site-packages",
         "/Library/Frameworks/Python.framework/Versions/3.12/bin"),
        ("win32", "/Python312/Lib/site-packages", "/Python312/Scripts"),
        ("win32", "/venv/Lib/site-packages", "/venv/Scripts"),
    ],
)  # fmt: skip
def test_where_systems_put_it(platform: str, package: str, scripts: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_find.sys, "platform", platform)
    monkeypatch.setattr(_find, "__file__", f"{package}/enfilade/_find.py")
    assert next(_find._folders()) == scripts


def test_one_that_is_missing_is_told_with_the_places(tmp_path: Path) -> None:
    code = "import enfilade\ntry: enfilade.program()\nexcept enfilade.ProgramMissing as why: print(why)"
    shutil.copytree(ROOT / "packaging/python/enfilade", tmp_path / "lib/python3/site-packages/enfilade")
    bare = venv.EnvBuilder(with_pip=False)
    bare.create(tmp_path / "venv")
    site = str(tmp_path / "lib/python3/site-packages")
    said = call(tmp_path / "venv/bin/python", "-c", code, PYTHONPATH=site, PYTHONUSERBASE=str(tmp_path / "user"))
    for place in ("bin", "lib/python3/site-packages/bin", "venv/bin", "user/bin"):
        assert str(tmp_path / place / "enfilade") in said
    assert "pip install --force-reinstall enfilade" in said and "ENFILADE_PROGRAM" in said
    named = call(tmp_path / "venv/bin/python", "-c", code, PYTHONPATH=site, ENFILADE_PROGRAM="/no/such")
    assert "ENFILADE_PROGRAM names /no/such" in named


def test_one_of_another_version_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "enfilade"
    script.write_text(SCRIPT.format(version="9.9.9"))
    script.chmod(0o755)
    code = "import enfilade\ntry: enfilade.dice('d6')\nexcept enfilade.ProgramMissing as why: print(why)"
    said = call(
        sys.executable, "-c", code, PYTHONPATH=str(ROOT / "packaging/python"), ENFILADE_PROGRAM=str(script)
    )
    assert "has version 9.9.9, and this package 0.2.0" in said


def test_the_version_is_that_of_the_workspace() -> None:
    workspace = (ROOT / "Cargo.toml").read_text().split("[workspace.package]")[1]
    import enfilade

    assert f'\nversion = "{enfilade.__version__}"\n' in workspace
