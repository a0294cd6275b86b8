"""Every package has a hash, and the list of packages names them all."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


@pytest.fixture(scope="module")
def sbom():
    spec = importlib.util.spec_from_file_location("sbom", ROOT / "deploy" / "sbom.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["sbom"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@pytest.mark.threat("publisher")
def test_every_locked_package_has_a_hash(sbom):
    assert [package.name for package in sbom.locked_packages() if not package.hashes] == []


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("name", ["torch", "simcse", "resemblyzer", "uv", "mpmath", "setuptools"])
def test_packages_with_a_rule_of_their_own_have_hashes(sbom, name):
    assert name in {package.name for package in sbom.locked_packages()}


@pytest.mark.threat("publisher")
def test_an_index_supplies_only_what_the_main_one_lacks():
    assert "unsafe" not in (ROOT / "deploy" / "install.py").read_text("utf-8")


def test_every_installation_is_checked_or_says_that_it_is_not():
    unchecked = []
    for line in MAKEFILE.splitlines():
        is_installation = re.match(r"\t.*\$\((INSTALL|PIP)\)", line)
        if is_installation and "--require-hashes" not in line and "$(HASHED)" not in line:
            unchecked.append(line.strip())

    assert len(unchecked) == 1
    assert 'test -z "$(STRICT)"' in unchecked[0]


def test_the_list_is_the_same_for_the_same_input(sbom):
    assert sbom.bill_of_materials() == sbom.bill_of_materials()


def test_the_list_has_packages_and_weights(sbom):
    components = sbom.bill_of_materials()["components"]

    names = {component["name"] for component in components}
    assert {"torch", "streamlit", "models/simcse.safetensors"} <= names
    references = [component["bom-ref"] for component in components]
    assert len(references) == len(set(references))


def test_every_package_has_a_line_on_the_page_of_licences(sbom):
    page = (ROOT / "docs" / "reference" / "licences.md").read_text("utf-8")

    missing = [p.name for p in sbom.locked_packages() if f"| {p.name} | {p.version} |" not in page]
    assert missing == []
