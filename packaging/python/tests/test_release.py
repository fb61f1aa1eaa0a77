"""Texts of a release name the files that the release has."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

from conftest import ROOT

PACKAGING = ROOT / "packaging"


def archives() -> set[str]:
    """The archives that the workflow makes, of each target that it lists."""
    text = (PACKAGING / "release.yml").read_text()
    targets = [one.strip() for row in re.findall(r"target: \[(.+)\]", text) for one in row.split(",")]
    assert len(targets) == 6
    return {f"enfilade-{one}.{'zip' if 'windows' in one else 'tar.gz'}" for one in targets}


def test_every_script_and_file_of_the_workflow_is_there() -> None:
    text = (PACKAGING / "release.yml").read_text()
    scripts = re.findall(r"packaging/([\w-]+)", text)
    assert {"build", "deb", "manifests", "page-test", "supply"} <= set(scripts)
    for script in scripts:
        assert (PACKAGING / script).is_file(), script
    # The targets that are built here are those that packaging/build knows.
    build = (PACKAGING / "build").read_text()
    for name in archives():
        target = name.removeprefix("enfilade-").split(".")[0]
        assert "apple" in target or target in build.replace("{", "").replace("}", ""), target
    for name in ("homebrew.rb", "winget.yaml", "release.yml"):
        assert "Untested" in "".join((PACKAGING / name).read_text().splitlines()[:2])


def test_manifests_have_the_hashes_of_the_archives(tmp_path: Path) -> None:
    (tmp_path / "archives").mkdir()
    for name in archives():
        (tmp_path / "archives" / name).write_bytes(name.encode())
    command = [PACKAGING / "manifests", tmp_path / "archives", tmp_path / "out"]
    subprocess.run(command, check=True, capture_output=True)
    texts = {path.name: path.read_text() for path in (tmp_path / "out").iterdir()}
    assert set(texts) == {"enfilade.rb", "winget.yaml"} and "@" not in "".join(texts.values())
    for text, packed in ((texts["enfilade.rb"], 3), (texts["winget.yaml"], 1)):
        assert "0.2.0" in text
        # Each hash is below the address of its archive.
        pairs = re.findall(r"/(enfilade-[\w.-]+)\"?\n\s*\w+:? \"(\w{64})\"", text)
        assert len(pairs) == packed
        for name, digest in pairs:
            assert digest == hashlib.sha256(name.encode()).hexdigest() and name in archives()


def test_a_missing_archive_is_named(tmp_path: Path) -> None:
    command = [PACKAGING / "manifests", tmp_path, tmp_path / "out"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "SHA256_AARCH64_APPLE_DARWIN" in done.stderr
