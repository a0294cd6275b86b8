"""The security policy, which says how to report a vulnerability and what is promised."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
POLICY = (ROOT / "SECURITY.md").read_text("utf-8")


def test_the_policy_says_how_to_report_what_is_supported_and_what_is_promised():
    headings = re.findall("^## (.+)$", POLICY, re.MULTILINE)

    assert headings == ["Report a vulnerability", "Supported versions", "Scope", "Promises"]


def test_the_pages_that_the_policy_names_exist():
    links = re.findall(r"\]\(([^)]+)\)", POLICY)
    pages = [link.partition("#")[0] for link in links]

    assert "docs/admin/threat-model.md" in pages
    assert [page for page in pages if not (ROOT / page).is_file()] == []
