"""What the program is made of: rules of deny.toml that are broken are found, and the licences of all libraries are there."""

from __future__ import annotations

import copy
import importlib.util
import json
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType

import pytest
from conftest import ROOT

tomllib = pytest.importorskip("tomllib")


@pytest.fixture(scope="module")
def supply() -> ModuleType:
    loader = SourceFileLoader("supply", str(ROOT / "packaging/supply"))
    spec = importlib.util.spec_from_loader("supply", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("expression", "held"),
    [
        ("MIT", True),
        ("GPL-3.0", False),
        ("GPL-3.0 OR MIT", True),
        ("GPL-3.0/MIT", True),
        ("MIT AND GPL-3.0", False),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", True),
        ("MIT OR GPL-3.0 AND Unicode-3.0", True),
        ("GPL-3.0 OR MIT AND EUPL-1.2", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-2.0 WITH Classpath-exception", False),
        ("none", False),
    ],
)
def test_a_licence_is_allowed(supply: ModuleType, expression: str, held: bool) -> None:
    assert supply.allowed(expression, {"MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"}) is held


def test_what_breaks_a_rule_is_told(supply: ModuleType) -> None:
    known, rules = supply.metadata(), tomllib.loads((ROOT / "deny.toml").read_text())
    assert supply.faults(known, rules) == []
    names = [package["name"] for package in known["packages"]]

    def broken(crate: str, **other: object) -> list[str]:
        changed = copy.deepcopy(known)
        changed["packages"][names.index(crate)].update(other)
        return supply.faults(changed, rules)

    assert broken("rayon", source="git+https://code.example/rayon") == ["rayon comes from git+https://code.example/rayon"]
    assert broken("rayon", license="AGPL-3.0") == ["rayon is licensed under AGPL-3.0"]
    assert broken("rayon", license=None) == ["rayon is licensed under None"]
    assert broken("rayon", name="openssl") == ["openssl must not be there"]
    assert broken("rayon", name="toml", version="0.5.0")[0].startswith("toml is there as 0.5.0, 1.")
    assert any(told.startswith("deny.toml excuses unicode-width 0.1.14") for told in broken("unicode-width", version="9.9.9"))
    supply.BUDGET["crates"] -= 1
    assert supply.faults(known, rules)[0].startswith("there are ")


def test_every_library_has_its_licence_with_it(supply: ModuleType) -> None:
    notices = supply.notices()
    components = json.loads(supply.sbom())["components"]
    assert len(components) > 150
    for one in components:
        if not one["name"].startswith("enfilade"):
            assert f"{one['name']} {one['version']} (" in notices, one
    # The compressor is C, and the letters are not code at all.
    for author in ("Meta Platforms", "Bitstream Vera"):
        assert author in notices
