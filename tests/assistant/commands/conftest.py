"""What the tests of the commands share.

A home folder with three fact-checks, and a debate about them.
"""

from __future__ import annotations

import json

import pytest

from assistant.commands.cli import main
from tests.assistant.review.conftest import any_url, clock  # noqa: F401
from tests.assistant.test_pipeline import CLAIMS, TEXTS


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder with three fact-checks loaded."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LECTERN_HOME", str(folder))
    monkeypatch.delenv("LECTERN_DATABASE_URL", raising=False)
    claims = [
        {
            **{
                name: getattr(c, name)
                for name in ("id", "statement", "title", "body", "claimant", "rating", "url")
            },
            "rating_class": str(c.rating_class),
            "publisher": c.publisher,
            "claim_date": c.claim_date and c.claim_date.isoformat(),
            "review_date": c.review_date and c.review_date.isoformat(),
            "language": c.language,
        }
        for c in CLAIMS
    ]
    (tmp_path / "claims.jsonl").write_text("".join(json.dumps(claim) + "\n" for claim in claims))
    assert main(["claims", "import", str(tmp_path / "claims.jsonl")]) == 0
    return folder


@pytest.fixture
def debate(tmp_path):
    path = tmp_path / "2024-09-10_city.txt"
    path.write_text("".join(f"RIVERA: {text}\n\n" for text in TEXTS))
    return path
