"""A package for Debian from the program as it is built."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT


def call(*command: str | Path) -> str:
    """What a command prints."""
    return subprocess.run(list(command), capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="this is no Debian")
def test_it_holds_the_program_its_pages_and_its_completions(program: str, tmp_path: Path) -> None:
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
    package = call(ROOT / "packaging/deb", program, tmp_path)
    try_in_a_root(package, tmp_path / "root")


def try_in_a_root(package: str | Path, root: Path) -> None:
    """By dpkg, into a root with nothing else in it: the program answers from there, a shell completes its commands."""
    for folder in ("info", "updates"):
        (root / "var/lib/dpkg" / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    # The C library that it depends on is that of the machine.
    dpkg = ("dpkg", f"--root={root}", "--force-not-root", "--force-depends")
    call(*dpkg, "--install", package)
    assert "Status: install ok installed" in call(*dpkg, "--status", "enfilade")
    assert call(*dpkg, "--verify", "enfilade") == ""
    # Of four dice the sum of the best three, over the 1296 ways in which they fall.
    assert "mean 12.245" in call(root / "usr/bin/enfilade", "dice", "4d6kh3")
    completions = root / "usr/share/bash-completion/completions/enfilade"
    line = "COMP_WORDS=(enfilade comp); COMP_CWORD=1; _enfilade enfilade comp enfilade; echo ${COMPREPLY[*]}"
    assert call("bash", "-c", f". {completions}; {line}") == "compare completions"
    if shutil.which("man"):
        assert "FORMAT" in call("man", "-l", root / "usr/share/man/man1/enfilade-odds.1.gz").upper()
    call(*dpkg, "--purge", "enfilade")
    assert not (root / "usr").exists()


def metadata() -> dict[str, Any]:
    """What Cargo.toml has for cargo-deb."""
    tomllib = pytest.importorskip("tomllib")
    section: dict[str, Any] = tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]["metadata"]["deb"]
    return section


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="this is no Debian")
def test_cargo_toml_names_every_file(program: str, tmp_path: Path) -> None:
    """From where `packaging/deb --stage` lays it."""
    section, stage = metadata(), tmp_path / "stage"
    call(ROOT / "packaging/deb", program, stage, "--stage")
    laid = {str(file.relative_to(stage)) for file in stage.rglob("*") if file.is_file()}
    licence = section["license-file"][0].removeprefix("out/deb/")
    assert (stage / licence).is_file()
    found = {licence}
    for source, folder, mode in section["assets"]:
        if source == "target/release/enfilade":
            found.add(f"{folder}enfilade")
            assert mode == "755"
            continue
        files = list(stage.glob(source.removeprefix("out/deb/")))
        assert files and source.startswith("out/deb/") and mode == "644", source
        found |= {f"{folder}{file.name}" for file in files}
    assert found == laid


#: .ci/run installs it there.
CARGO_DEB = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "enfilade/cargo-deb/bin/cargo-deb"


@pytest.mark.skipif(not CARGO_DEB.exists(), reason="cargo-deb is not installed here")
def test_cargo_deb_packs_the_same(program: str, tmp_path: Path) -> None:
    (tmp_path / "target/release").mkdir(parents=True)
    shutil.copy(program, tmp_path / "target/release/enfilade")
    call(ROOT / "packaging/deb", program, ROOT / "out/deb", "--stage")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target")}
    command = [CARGO_DEB, "deb", "--no-build", "--no-strip", "--fast", "--compress-system", "--output", tmp_path / "cargo"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    (made,) = (tmp_path / "cargo").iterdir()
    own = Path(call(ROOT / "packaging/deb", program, tmp_path))
    assert made.name == own.name

    def files(package: Path) -> list[tuple[str, ...]]:
        """Modes, owners, sizes and paths, but for the size of the licence, whose heading each writes its own way."""
        listed = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True).stdout
        rows = tarfile.open(fileobj=io.BytesIO(listed))
        sized = [(one, one.size if not one.name.endswith("copyright") else 0) for one in rows if one.isfile()]
        return sorted((one.name.lstrip("./"), oct(one.mode), one.uid, one.gid, size) for one, size in sized)  # type: ignore[misc]

    assert files(made) == files(own)
    for field in ("Package", "Version", "Architecture", "Section", "Priority", "Maintainer"):
        assert call("dpkg-deb", "--field", made, field) == call("dpkg-deb", "--field", own, field)
    # Versions differ for a program linked against an older C library: Debian's table of symbols has those that moved between
    # its libraries from the version that moved them (2.34), although the program runs with the older one.
    depends = [call("dpkg-deb", "--field", package, "Depends").split(" (")[0] for package in (made, own)]
    assert depends == ["libc6", "libc6"]
    call("dpkg-deb", "--extract", made, tmp_path / "files")
    licence = (tmp_path / "files/usr/share/doc/enfilade/copyright").read_text()
    assert "Permission is hereby granted" in licence and "Apache License" in licence
    try_in_a_root(made, tmp_path / "root")
