"""A package for Debian from the program as it is built."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="this is no Debian")
def test_it_holds_the_program_its_pages_and_its_completions(program: str, tmp_path: Path) -> None:
    def call(*command: str | Path) -> str:
        return subprocess.run(list(command), capture_output=True, text=True, check=True).stdout.strip()

    package = call(ROOT / "packaging/deb", program, tmp_path)
    control = call("dpkg-deb", "--info", package)
    assert "Package: enfilade" in control and "Version: 0.2.0" in control and "Depends: libc6 (>= 2." in control
    call("dpkg-deb", "--extract", package, tmp_path / "root")
    usr = tmp_path / "root/usr"
    assert call(usr / "bin/enfilade", "--version") == "enfilade 0.2.0"
    pages = {page.name: gzip.decompress(page.read_bytes()) for page in (usr / "share/man/man1").iterdir()}
    assert pages["enfilade.1.gz"].startswith(b".ie") or b".TH enfilade 1" in pages["enfilade.1.gz"]
    assert {"enfilade-odds.1.gz", "enfilade-serve.1.gz"} <= set(pages)
    # A shell that reads them finds no fault in them.
    call("bash", "-n", usr / "share/bash-completion/completions/enfilade")
    assert "odds" in (usr / "share/zsh/vendor-completions/_enfilade").read_text()
    assert "odds" in (usr / "share/fish/vendor_completions.d/enfilade.fish").read_text()
    documents = {page.name: page for page in (usr / "share/doc/enfilade").iterdir()}
    assert set(documents) == {"copyright", "THIRD-PARTY.gz", "enfilade.cyclonedx.json.gz"}
    assert b"Bitstream Vera" in gzip.decompress(documents["THIRD-PARTY.gz"].read_bytes())
    owners = {line.split()[1] for line in call("dpkg-deb", "--contents", package).splitlines()}
    assert owners == {"root/root"}


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="this is no Debian")
def test_it_is_installed_and_leaves_nothing_behind(program: str, tmp_path: Path) -> None:
    """By dpkg, into a root with nothing else in it: the program answers from there, a shell completes its commands."""

    def call(*command: str | Path) -> str:
        return subprocess.run(list(command), capture_output=True, text=True, check=True).stdout.strip()

    package = call(ROOT / "packaging/deb", program, tmp_path)
    root = tmp_path / "root"
    for folder in ("info", "updates"):
        (root / "var/lib/dpkg" / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    # The C library that it depends on is that of the machine.
    dpkg = ("dpkg", f"--root={root}", "--force-not-root", "--force-depends")
    call(*dpkg, "--install", package)
    assert "Status: install ok installed" in call(*dpkg, "--status", "enfilade")
    assert call(*dpkg, "--verify", "enfilade") == ""
    # Of four dice the sum of the best three, over the 1296 ways in which they fall.
    assert "mean 12.244599" in call(root / "usr/bin/enfilade", "dice", "4d6kh3")
    completions = root / "usr/share/bash-completion/completions/enfilade"
    line = "COMP_WORDS=(enfilade comp); COMP_CWORD=1; _enfilade enfilade comp enfilade; echo ${COMPREPLY[*]}"
    assert call("bash", "-c", f". {completions}; {line}") == "compare completions"
    if shutil.which("man"):
        assert "FORMAT" in call("man", "-l", root / "usr/share/man/man1/enfilade-odds.1.gz").upper()
    call(*dpkg, "--purge", "enfilade")
    assert not (root / "usr").exists()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="this is no Debian")
def test_cargo_deb_is_told_the_same(program: str, tmp_path: Path) -> None:
    """Its section of Cargo.toml names every file of the package, from where `packaging/deb --stage` lays it."""
    tomllib = pytest.importorskip("tomllib")
    told = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["metadata"]["deb"]
    stage = tmp_path / "stage"
    subprocess.run([ROOT / "packaging/deb", program, stage, "--stage"], capture_output=True, check=True)
    laid = {str(file.relative_to(stage)) for file in stage.rglob("*") if file.is_file()}
    found = set()
    for source, folder, mode in told["assets"]:
        if source == "target/release/enfilade":
            found.add(f"{folder}enfilade")
            assert mode == "755"
            continue
        files = list(stage.glob(source.removeprefix("out/deb/")))
        assert files and source.startswith("out/deb/") and mode == "644", source
        found |= {f"{folder}{file.name}" for file in files}
    assert found == laid
    control = subprocess.run([ROOT / "packaging/deb", program, tmp_path], capture_output=True, text=True, check=True).stdout.strip()
    info = subprocess.run(["dpkg-deb", "--info", control], capture_output=True, text=True, check=True).stdout
    for key in ("section", "priority", "maintainer"):
        assert f"{key.capitalize()}: {told[key]}" in info
