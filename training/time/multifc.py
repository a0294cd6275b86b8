"""MultiFC as values: a claim, its label in its publisher's own words, and dated search snippets.

A domain is a publisher, with labels of its own. A domain without training claims (PolitiFact,
``pomt``, of which only the test part is available) is left out of training and tables. Source:
Augenstein et al., MultiFC, EMNLP 2019.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from training.shared.loaders import rows

PARTS = ("train", "dev", "test")
LISTED = ("categories", "tags", "entities")  # metadata that is a list; the speaker is one name
UNKNOWN = ("", "None", "['None']", "[]")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<month>(?:{'|'.join(MONTHS)})[a-z]*)\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?!\d)",
        r"\b(?P<month>\d{2})/(?P<day>\d{2})/(?P<year>\d{4})\b",
        rf"\b{_MONTH} {_DAY},? (?P<year>\d{{4}})\b",
        rf"\b{_DAY} {_MONTH},? (?P<year>\d{{4}})\b",
    )
)


class Snippet(NamedTuple):
    """A search result: its title and text without the date in front, that date, and its place in the search, from 1."""

    text: str
    day: date | None
    place: int


class Claim(NamedTuple):
    """A claim, its publisher's label, when it was checked (else said), and its snippets, best of the search first."""

    id: str
    domain: str
    text: str
    label: str
    day: date | None
    about: tuple[str, ...]
    snippets: tuple[Snippet, ...]


def day_in(text: str | None) -> date | None:
    """Return the first full date of a text.

    ISO, month first in figures, or with the month's English name.
    """
    matches = [match for form in FORMS if (match := form.search(text or ""))]
    for match in sorted(matches, key=lambda match: match.start()):
        month = match["month"]
        number = int(month) if month.isdecimal() else MONTHS.index(month[:3].lower()) + 1
        try:
            return date(int(match["year"]), number, int(match["day"]))
        except ValueError:
            continue  # 31/02/2016 is no date; another form may fit
    return None


def parted(text: str) -> tuple[date | None, str]:
    """Return the date that alone precedes a snippet's first ``...``, and the rest.

    None and all without one.
    """
    head, dots, rest = text.partition("...")
    whole = any(form.fullmatch(head.strip()) for form in FORMS)
    day = day_in(head) if dots and whole else None
    return (day, rest.strip()) if day else (None, text.strip())


def snippet(row: Mapping[str, Any]) -> Snippet:
    """Return a search result as it is read: title and text are one text."""
    day, text = parted(row["text"] or "")
    return Snippet(" ".join(f"{row['title'] or ''} {text}".split()), day, row["rank"])


def about(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the metadata of a claim as words such as ``speaker=...`` and ``tags=...``."""
    words = [f"speaker={row['speaker']}"] if row.get("speaker") else []
    for field in LISTED:
        value = row.get(field) or ""
        if value.strip() not in UNKNOWN:
            words += [
                f"{field}={word.strip().lower()}"
                for word in re.split(r"[,\[\]'\"]+", value)
                if word.strip()
            ]
    return tuple(words)


def claims(data: Path) -> dict[str, list[Claim]]:
    """Return the claims of each part, in the order of their files.

    A claim without snippets has an empty list.
    """
    folder = data / "multifc"
    snippets = {row["claim_id"]: row["snippets"] for row in rows(folder / "snippets.jsonl.gz")}
    return {
        part: [
            _claim(row, snippets.get(row["claim_id"], ()))
            for row in rows(folder / f"multifc_{part}.jsonl.gz")
        ]
        for part in PARTS
    }


def trained_claims(data: Path) -> dict[str, list[Claim]]:
    """Return the claims of each part whose domain has training claims."""
    parts = claims(data)
    domains = {claim.domain for claim in parts["train"]}
    return {
        part: [claim for claim in of_part if claim.domain in domains]
        for part, of_part in parts.items()
    }


def _claim(row: Mapping[str, Any], results: Iterable[Mapping[str, Any]]) -> Claim:
    day = day_in(row["publish_date"]) or day_in(row["claim_date"])
    snippets = tuple(sorted(map(snippet, results), key=lambda one: one.place))
    return Claim(
        row["claim_id"], row["domain"], row["claim"], row["label"], day, about(row), snippets
    )


class Space:
    """The labels of all domains, numbered: those that training claims have, domain by domain."""

    def __init__(self, training: Sequence[Claim]) -> None:
        self.labels = sorted({(claim.domain, claim.label) for claim in training})
        self._number = {label: i for i, label in enumerate(self.labels)}

    def number(self, claim: Claim) -> int:
        """Return the number of a claim's label, -1 for one that its domain never gives in training."""
        return self._number.get((claim.domain, claim.label), -1)

    def mask(self, domain: str) -> list[bool]:
        """Return for each label whether it is one of a domain's."""
        return [owner == domain for owner, _ in self.labels]
