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
    matches = [form.search(text or "") for form in FORMS]
    in_order = sorted(filter(None, matches), key=lambda match: match.start())
    for match in in_order:
        month = match["month"]
        if month.isdecimal():
            month_number = int(month)
        else:
            month_number = MONTHS.index(month[:3].lower()) + 1
        try:
            return date(int(match["year"]), month_number, int(match["day"]))
        except ValueError:
            continue  # 31/02/2016 is not a date; another form may fit
    return None


def parted(text: str) -> tuple[date | None, str]:
    """Return the date that alone precedes a snippet's first ``...``, and the rest.

    None and all without one.
    """
    head, dots, tail = text.partition("...")
    is_date = any(form.fullmatch(head.strip()) for form in FORMS)
    day = day_in(head) if dots and is_date else None
    if day is None:
        return None, text.strip()
    return day, tail.strip()


def snippet(record: Mapping[str, Any]) -> Snippet:
    """Return a search result as it is read: title and text are one text."""
    day, text = parted(record["text"] or "")
    return Snippet(" ".join(f"{record['title'] or ''} {text}".split()), day, record["rank"])


def about(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the metadata of a claim as words such as ``speaker=...`` and ``tags=...``."""
    words = [f"speaker={record['speaker']}"] if record.get("speaker") else []
    for field in LISTED:
        value = record.get(field) or ""
        if value.strip() in UNKNOWN:
            continue
        for word in re.split(r"[,\[\]'\"]+", value):
            if word.strip():
                words.append(f"{field}={word.strip().lower()}")
    return tuple(words)


def claims(data: Path) -> dict[str, list[Claim]]:
    """Return the claims of each part, in the order of their files.

    A claim without snippets has an empty list.
    """
    folder = data / "multifc"
    snippets = {}
    for record in rows(folder / "snippets.jsonl.gz"):
        snippets[record["claim_id"]] = record["snippets"]
    claims_by_part = {}
    for split in PARTS:
        records = rows(folder / f"multifc_{split}.jsonl.gz")
        claims_by_part[split] = [
            _claim(record, snippets.get(record["claim_id"], ())) for record in records
        ]
    return claims_by_part


def trained_claims(data: Path) -> dict[str, list[Claim]]:
    """Return the claims of each part whose domain has training claims."""
    claims_by_part = claims(data)
    domains = {claim.domain for claim in claims_by_part["train"]}
    trained = {}
    for split, part_claims in claims_by_part.items():
        trained[split] = [claim for claim in part_claims if claim.domain in domains]
    return trained


def _claim(record: Mapping[str, Any], results: Iterable[Mapping[str, Any]]) -> Claim:
    day = day_in(record["publish_date"]) or day_in(record["claim_date"])
    snippets = tuple(sorted(map(snippet, results), key=lambda claim_snippet: claim_snippet.place))
    return Claim(
        record["claim_id"],
        record["domain"],
        record["claim"],
        record["label"],
        day,
        about(record),
        snippets,
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
