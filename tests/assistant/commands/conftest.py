"""What the tests of the commands share.

A home folder with three fact-checks, and a debate about them.
"""

from __future__ import annotations

import json
import shutil
from functools import cache

import pytest

from assistant.commands import cli
from assistant.commands.cli import main
from tests.assistant.review.conftest import any_url, clock  # noqa: F401
from tests.assistant.test_pipeline import CLAIMS, TEXTS


@pytest.fixture(autouse=True, scope="package")
def one_parser():
    """Make the parser of all commands once: tests run hundreds of commands."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cli, "parser", cache(cli.parser))
        yield


def claim_row(claim):
    """Return a fact-check as a row of an import file."""
    names = ("id", "statement", "title", "body", "claimant", "rating", "url")
    row = {name: getattr(claim, name) for name in names}
    row["rating_class"] = str(claim.rating_class)
    row["publisher"] = claim.publisher
    row["claim_date"] = claim.claim_date and claim.claim_date.isoformat()
    row["review_date"] = claim.review_date and claim.review_date.isoformat()
    row["language"] = claim.language
    return row


@pytest.fixture(scope="session")
def imported_home(tmp_path_factory):
    """A home folder into which the command has imported three fact-checks, for all tests to copy."""
    folder = tmp_path_factory.mktemp("imported")
    home_folder = folder / "home"
    rows = [json.dumps(claim_row(claim)) for claim in CLAIMS]
    (folder / "claims.jsonl").write_text("".join(f"{row}\n" for row in rows))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("LECTERN_HOME", str(home_folder))
        patched.delenv("LECTERN_DATABASE_URL", raising=False)
        assert main(["claims", "import", str(folder / "claims.jsonl")]) == 0
    return home_folder


@pytest.fixture
def home(tmp_path, monkeypatch, imported_home):
    """A home folder with three fact-checks loaded."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LECTERN_HOME", str(folder))
    monkeypatch.delenv("LECTERN_DATABASE_URL", raising=False)
    shutil.copytree(imported_home, folder)
    return folder


@pytest.fixture
def debate(tmp_path):
    path = tmp_path / "2024-09-10_city.txt"
    path.write_text("".join(f"RIVERA: {text}\n\n" for text in TEXTS))
    return path
