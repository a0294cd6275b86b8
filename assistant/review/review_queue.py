"""The review queue of a report.

What there is to decide, in which order, the progress, and the keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.core import files
from assistant.core.domain import CheckedSentence, Match, Report
from assistant.core.errors import ReviewError
from assistant.passages.listing import groups

# Actions in the order of their buttons, each with its default key.
KEYS: Mapping[str, str] = {
    "confirm": "y",
    "reject": "n",
    "later": "l",
    "undo": "u",
    "next": "j",
    "previous": "k",
}
TAKEN = {
    "c": "the framework clears its caches with it",
    "r": "the framework runs the page again with it",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A match to decide on, with its sentence.

    ``also`` are those of folded passages that share the decision.
    """

    checked: CheckedSentence
    match: Match
    also: tuple[Item, ...] = ()

    @property
    def name(self) -> str:
        """Return the item's name in an address: ``12.1`` is the first match of sentence 12."""
        return f"{self.checked.sentence.number}.{self.match.rank}"

    @property
    def verdict(self) -> str:
        """Return what a person decided: confirm, reject, later, or nothing."""
        return self.match.decision.verdict if self.match.decision else ""


def items(report: Report, *, every: bool) -> list[Item]:
    """Return what there is to review, best row first.

    The first match of each, or every match of its sentences.
    """
    by_number = {checked.sentence.number: checked for checked in report.sentences}
    found = []
    for group in groups(report):
        bests = [by_number[p.best] for p in group if p.best is not None]
        others = [by_number[n] for p in group for n in p.passage.sentences if n != p.best]
        first = next(iter(bests[0].matches), None)
        found += [
            item for item in _items(bests, others) if every or item.match is first or item.verdict
        ]
    return found


def _items(bests: Sequence[CheckedSentence], others: Sequence[CheckedSentence]) -> Iterator[Item]:
    """Yield the matches of a row.

    Those of its best sentence with the same ones of folded passages, then the rest.
    """
    shared: set[tuple[int, str]] = set()
    for match in bests[0].matches:
        alike = [(c, m) for c in bests[1:] for m in c.matches]
        same = [
            (c, m) for c, m in alike if (m.claim.id, m.decision) == (match.claim.id, match.decision)
        ]
        shared |= {(c.sentence.number, m.claim.id) for c, m in same}
        yield Item(bests[0], match, tuple(Item(c, m) for c, m in same))
    for checked in (*bests[1:], *others):
        for match in checked.matches:
            if (checked.sentence.number, match.claim.id) not in shared:
                yield Item(checked, match)


def counts(queued: Sequence[Item]) -> dict[str, int]:
    """Return how many items there are, those confirmed or rejected (decided), and those of each verdict."""
    verdicts = [item.verdict for item in queued]
    named = {verdict: verdicts.count(verdict) for verdict in ("confirm", "reject", "later")}
    return {"all": len(queued), "decided": named["confirm"] + named["reject"], **named}


def progress(queued: Sequence[Item]) -> str:
    """Return the progress in words: ``3 of 24 decided: 2 confirmed, 1 rejected``."""
    c = counts(queued)
    kinds = (("confirm", "confirmed"), ("reject", "rejected"), ("later", "put off"))
    parts = [f"{c[verdict]:,} {word}" for verdict, word in kinds if c[verdict]]
    return f"{c['decided']:,} of {c['all']:,} decided" + (f": {', '.join(parts)}" if parts else "")


def at(queued: Sequence[Item], name: str) -> int:
    """Return the position of an item by its name.

    Without one the first open item, else put off, else the first.
    """
    places = (
        place
        for place, item in enumerate(queued)
        if name in (one.name for one in (item, *item.also))
    )
    place = next(places, None)
    return _open(queued, range(len(queued)), 0) if place is None else place


def following(queued: Sequence[Item], place: int) -> int:
    """Return the position of the next open item after a position, then from the start, then of those put off.

    If nothing is left, the same position.
    """
    return _open(queued, [*range(place + 1, len(queued)), *range(place)], place)


def _open(queued: Sequence[Item], order: Sequence[int], otherwise: int) -> int:
    """Return the first open position in an order, else the first that was put off."""
    for wanted in ("", "later"):
        for i in order:
            if queued[i].verdict == wanted:
                return i
    return otherwise


def load_keys(path: Path) -> dict[str, str]:
    """Return the keys in a file, the default ones if it is missing or invalid."""
    try:
        return checked_keys(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, ReviewError):
        return dict(KEYS)


def save_keys(path: Path, keys: Mapping[str, str]) -> None:
    """Store the keys in a file.

    Raises: ReviewError if they cannot be used or the file cannot be written.
    """
    files.write(path, json.dumps(checked_keys(keys), indent=1), error=ReviewError)


def checked_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Return a key for every action, lower case.

    Raises: ReviewError if one is no single letter, is used by the framework, or is given twice.
    """
    if set(keys) != set(KEYS) or not all(isinstance(key, str) for key in keys.values()):
        raise ReviewError(f"keys are needed for {', '.join(KEYS)}.")
    chosen = {action: keys[action].strip().lower() for action in KEYS}
    for action, key in chosen.items():
        if len(key) != 1 or not ("a" <= key <= "z"):
            raise ReviewError(f"{key!r} for {action} is no single letter from a to z.")
        if key in TAKEN:
            raise ReviewError(f"{key} cannot be used: {TAKEN[key]}.")
    if len(set(chosen.values())) < len(chosen):
        raise ReviewError("two actions have the same key.")
    return chosen
