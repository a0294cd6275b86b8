"""The requirements list every library that is imported, and nothing that nobody uses."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
FILES = (
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-desktop.txt",
    "requirements-archive.txt",
)
PRODUCT = ("app.py", "assistant", "features", "ranking")
RESEARCH = ("bench", "training", "tests")
OURS = {Path(name).stem for name in PRODUCT + RESEARCH}
NOT_IMPORTED = (
    "not imported"  # what the comment says of a library that other libraries or the Makefile use
)
BY_THE_MAKEFILE = {"simcse", "resemblyzer"}  # installed without its dependencies
WINDOW = {
    "webview": ["pywebview"],
    "PySide6": ["PySide6"],
}  # not always installed, the second in several parts


@cache
def lines(file: str) -> dict[str, tuple[Requirement, str]]:
    """Return requirement and comment of each line of a requirements file, by the distribution's name."""
    pattern = re.compile(r"(?m)^(?!#|-r)(\S+)(?: +# *(.*))?$")
    requirements = [
        (Requirement(line_match[1]), line_match[2] or "")
        for line_match in pattern.finditer((ROOT / file).read_text("utf-8"))
    ]
    return {name(requirement[0].name): requirement for requirement in requirements}


def name(distribution: str) -> str:
    """Return a distribution's name in the one spelling of package indexes."""
    return re.sub(r"[-_.]+", "-", distribution).lower()


@cache
def imported(rooms: tuple[str, ...]) -> dict[str, str]:
    """Return the distributions that some rooms import, wherever in a file, each with one file that does."""
    paths = [
        path
        for room in rooms
        for path in ([ROOT / room] if room.endswith(".py") else (ROOT / room).rglob("*.py"))
    ]
    installed_names = installed() | WINDOW
    return {
        name(distribution): str(path.relative_to(ROOT))
        for path in paths
        for module in modules(path) - OURS - sys.stdlib_module_names
        for distribution in installed_names.get(module, [module])
    }


@cache
def installed() -> Mapping[str, list[str]]:
    """Return the distributions that each installed module comes from."""
    return packages_distributions()


def modules(path: Path) -> set[str]:
    """Return the top-level modules that a file imports, also by ``pytest.importorskip``."""
    names = set()
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    # Imports are statements; a call of ``importorskip`` may be in any expression.
    nodes = ast.walk(tree) if "importorskip" in source else statements(tree)
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "importorskip":
            names.add(node.args[0].value)
    return {module.split(".")[0] for module in names}


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the statements of a file, nested ones included, without their expressions."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            children = getattr(node, name, ())
            if isinstance(children, list):
                stack += children


def test_what_the_product_imports_is_listed():
    """Whatever app.py, assistant, features and ranking import is in requirements.txt, or with a part's."""
    listed = {
        *lines("requirements.txt"),
        *lines("requirements-desktop.txt"),
        *lines("requirements-archive.txt"),
    }
    missing = imported(PRODUCT).keys() - listed

    assert {distribution: imported(PRODUCT)[distribution] for distribution in missing} == {}


def test_what_tests_and_research_import_is_listed():
    """Whatever bench, training and tests import is in one of the files."""
    listed = {distribution for file in FILES for distribution in lines(file)}
    missing = imported(RESEARCH).keys() - listed - BY_THE_MAKEFILE

    assert {distribution: imported(RESEARCH)[distribution] for distribution in missing} == {}


@pytest.mark.parametrize("file", FILES)
def test_what_is_listed_is_used(file):
    """A library that no file imports says in its comment that it is not imported, and what uses it instead."""
    used = {**imported(PRODUCT), **imported(RESEARCH)}
    wrong = [
        d for d, (_, comment) in lines(file).items() if (d in used) == (NOT_IMPORTED in comment)
    ]

    assert wrong == []
    assert [d for d, (_, comment) in lines(file).items() if not comment] == []


@pytest.mark.parametrize("file", FILES)
def test_ranges_have_two_ends_and_admit_what_is_installed(file):
    """Each range has a lower and an upper end, and contains the version in use."""
    for distribution, (requirement, _) in lines(file).items():
        ends = {specifier.operator for specifier in requirement.specifier}
        assert ends in ({">=", "<"}, {"=="}), distribution
        try:
            assert version(distribution) in requirement.specifier, distribution
        except PackageNotFoundError:  # a tool that this environment does without
            continue
