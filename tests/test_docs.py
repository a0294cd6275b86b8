"""The documentation is true: generated pages are fresh, links lead somewhere, commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.commands.cli import parser
from bench import docs

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_generated_pages_are_fresh():
    """`make docs` would change nothing."""
    assert docs.pages() == {
        name: (ROOT / "docs" / name).read_text("utf-8") for name in docs.pages()
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_to_files(page):
    """Every relative link of a page names a file that is there."""
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text("utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_in_the_documentation_exist(page):
    """Every `python -m assistant VERB` that a page shows is a verb of the command line."""
    verbs = next(a.choices for a in parser()._actions if a.choices)
    shown = set(re.findall(r"python -m assistant ([a-z]+)", page.read_text("utf-8")))

    assert shown - set(verbs) == set()


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.name != "CHANGELOG.md"], ids=lambda p: p.name
)
def test_benches_and_trainings_in_the_documentation_exist(page):
    """Every `python -m bench.…` or `python -m training.…` that a page shows is a module."""
    shown = re.findall(r"python -m ((?:bench|training)(?:\.\w+)+)", page.read_text("utf-8"))

    assert [name for name in shown if not (ROOT / (name.replace(".", "/") + ".py")).is_file()] == []
