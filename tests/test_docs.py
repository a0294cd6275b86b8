"""The documentation is true: generated pages are fresh, links lead somewhere, commands exist."""

from __future__ import annotations

import ast
import inspect
import json
import re
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from assistant.commands.cli import parser
from assistant.core import settings
from assistant.core.access import Access
from assistant.core.mail_server import MailServer
from assistant.core.settings import Profile
from assistant.report.measured_strength import AS_OF_EVENT, MORNING_AFTER
from bench import docs

ROOT = Path(__file__).parent.parent
# Set by Lectern for its own processes.
INTERNAL_VARIABLES = {"LECTERN_CONFINED", "LECTERN_ARGUMENT"}
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_generated_pages_are_fresh():
    """`make docs` would change nothing."""
    generated_pages = docs.pages()

    for name, page in generated_pages.items():
        assert page == (ROOT / "docs" / name).read_text("utf-8"), name


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_to_files(page):
    """Every relative link of a page names a file that is there."""
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text("utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


@cache
def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    names = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {name.replace(" ", "-") for name in names}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_to_headings(page):
    """Every link to a place in a page names a heading that is there."""
    links = re.findall(r"\]\(([\w./-]*)#([^)\s]+)\)", page.read_text("utf-8"))
    missing = [
        f"{path}#{anchor}"
        for path, anchor in links
        if anchor not in anchors(page.parent / path if path else page)
    ]

    assert missing == []


def test_every_page_can_be_reached_from_the_index_in_two_clicks():
    """Pages of docs/ that no click from the index or from its pages leads to are lost."""
    index = ROOT / "docs" / "index.md"
    reached = {index}
    for _click in range(2):
        for page in list(reached):
            links = re.findall(r"\]\(([^)#:\s]+\.md)", page.read_text("utf-8"))
            reached |= {(page.parent / link).resolve() for link in links}

    assert [page for page in sorted((ROOT / "docs").rglob("*.md")) if page not in reached] == []


@pytest.fixture(scope="module")
def verbs():
    """The verbs of the command line."""
    return next(set(a.choices) for a in parser()._actions if a.choices)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_commands_in_the_documentation_exist(page, verbs):
    """Every `python -m assistant VERB` that a page shows is a verb of the command line."""
    shown = set(re.findall(r"python -m assistant ([a-z]+)", page.read_text("utf-8")))

    assert shown - verbs == set()


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.name != "CHANGELOG.md"], ids=lambda p: p.name
)
def test_benches_and_trainings_in_the_documentation_exist(page):
    """Every `python -m bench.…` or `python -m training.…` that a page shows is a module."""
    shown = re.findall(r"python -m ((?:bench|training)(?:\.\w+)+)", page.read_text("utf-8"))

    assert [name for name in shown if not (ROOT / (name.replace(".", "/") + ".py")).is_file()] == []


def test_every_setting_is_in_the_reference():
    """Every variable, key of lectern.toml, field of a table and of a profile is on the page."""
    page = (ROOT / "docs" / "reference" / "settings.md").read_text("utf-8")
    code = ""
    for package in ("assistant", "features", "ranking"):
        for path in (ROOT / package).rglob("*.py"):
            code += path.read_text("utf-8")
    variables = set(re.findall(r"\bLECTERN_[A-Z_]*[A-Z]\b", code)) - INTERNAL_VARIABLES
    keys = set(re.findall(r'table\.get\(\s*"(\w+)"', inspect.getsource(settings.load)))
    keys -= {"access", "mail", "settings"}  # tables, whose keys are the fields of classes
    for table in (Access, MailServer, Profile):
        keys |= {field.name for field in fields(table)}

    assert "LECTERN_HOME" in variables
    assert "voices" in keys
    assert [name for name in sorted(variables | keys) if f"`{name}`" not in page] == []


def strength_figures(folder: str = "models") -> tuple[dict, dict]:
    """Return the measured figures of the morning after and of the night."""
    figures = json.loads((ROOT / folder / "strength.json").read_text("utf-8"))["figures"]
    return figures[MORNING_AFTER], figures[AS_OF_EVENT]


def test_the_figures_of_the_readme_are_the_measured_ones():
    readme = (ROOT / "README.md").read_text("utf-8")
    cells = []
    for measured in strength_figures():
        strong = measured["strong"]
        good = measured["good"]
        cells.append(
            (
                f"{strong['settled'][0]:.0%} of {strong['rows']}",
                f"{good['in_part'][0]:.0%} of {good['rows']}",
                f"{strong['found'][0] + good['found'][0]:.0%}",
            )
        )

    rows = [f"| {morning} | {night} |" for morning, night in zip(*cells, strict=True)]
    assert [row for row in rows if row not in readme] == []


def test_the_figures_of_the_larger_re_ranker_are_the_measured_ones():
    """Those of its sentence in the README, and of its table on the page about passages."""
    measured = strength_figures("models/large")
    found = [f"{step['strong']['found'][0] + step['good']['found'][0]:.0%}" for step in measured]
    strong = measured[0]["strong"]

    readme = (ROOT / "README.md").read_text("utf-8")
    page = (ROOT / "docs" / "research" / "passages.md").read_text("utf-8")
    assert f"the last row is {' and '.join(found)}." in readme
    assert f"| {strong['settled'][0]:.0%} of {strong['rows']} |" in page
    assert f"| **{strong['found'][0]:.0%}** |" in page
    assert f"| **{found[0]}** |" in page


@pytest.mark.parametrize(
    ("row_start", "step", "measure"),
    [
        ("| *strong* matches that cover the sentence ", "strong", "settled"),
        ("| *good* matches that cover all or part of the sentence ", "good", "in_part"),
        ("| share of covered sentences with a *strong* match", "strong", "found"),
    ],
)
def test_the_results_have_the_measured_figures(row_start, step, measure):
    lines = (ROOT / "docs" / "research" / "results.md").read_text("utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith(row_start)]

    shares = [f"{figures[step][measure][0]:.0%}" for figures in strength_figures()]
    assert " / ".join(shares) in row


def test_the_kinds_of_uncovered_parts_are_in_the_reference_of_the_json_report():
    source = (ROOT / "features/language/open_parts/partial_coverage.py").read_text("utf-8")
    kinds = set(re.findall(r'^[A-Z]+ = "([a-z]+)"', source, re.M))

    page = (ROOT / "docs/reference/json-report.md").read_text("utf-8")
    section = page.partition("## `uncovered`")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.M)) == kinds


def test_screens_and_reports_do_not_type_figures_of_quality():
    """A share of right matches comes from models/strength.json, so that it can't differ."""
    typed = re.compile(
        r"\d+ (?:of|in) (?:a hundred|100|10|ten)\b|\d ?%(?![a-zA-Z(])|\b(?:seven|eight|nine) (?:of|in) ten"
    )
    found = []
    for path in sorted((ROOT / "assistant").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            if is_text and " match" in node.value and typed.search(node.value):
                found.append(f"{path.name}:{node.lineno}")

    assert found == []
