"""The review queue of a report.

What there is to decide, in which order, the progress, and the keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.core import files
from assistant.core.domain import CheckedSentence, Match
from assistant.core.errors import ReviewError
from assistant.report.view import PassageGroup, ReportView

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


def items(view: ReportView, *, every: bool) -> list[Item]:
    """Return the matches to review, those of the best passage first.

    Of each listed passage the first match, or every match of its sentences.
    """
    queue = []
    for group in view.groups:
        best = group.listed.best
        first_match = best.matches[0] if best is not None and best.matches else None
        for item in _group_items(group):
            if every or item.match is first_match or item.verdict:
                queue.append(item)
    return queue


def _group_items(group: PassageGroup) -> Iterator[Item]:
    """Yield the matches of a group, those of its best sentence with their repeats first."""
    listed_best, *grouped_bests = [
        passage.best for passage in group.passages if passage.best is not None
    ]
    shared: set[tuple[int, str]] = set()
    for match in listed_best.matches:
        repeats = tuple(_same_matches(match, grouped_bests))
        shared |= {(item.checked.sentence.number, item.match.claim.id) for item in repeats}
        yield Item(listed_best, match, repeats)
    others = [
        checked
        for passage in group.passages
        for checked in passage.sentences
        if checked is not passage.best
    ]
    for checked in (*grouped_bests, *others):
        for match in checked.matches:
            if (checked.sentence.number, match.claim.id) not in shared:
                yield Item(checked, match)


def _same_matches(match: Match, sentences: Sequence[CheckedSentence]) -> Iterator[Item]:
    """Yield the matches of other sentences with the same fact-check and the same decision."""
    for checked in sentences:
        for other in checked.matches:
            if other.claim.id == match.claim.id and other.decision == match.decision:
                yield Item(checked, other)


def counts(queued: Sequence[Item]) -> dict[str, int]:
    """Return the number of items, of decided ones, and of each verdict."""
    verdicts = [item.verdict for item in queued]
    confirmed = verdicts.count("confirm")
    rejected = verdicts.count("reject")
    return {
        "all": len(queued),
        "decided": confirmed + rejected,
        "confirm": confirmed,
        "reject": rejected,
        "later": verdicts.count("later"),
    }


def progress(queued: Sequence[Item]) -> str:
    """Return the progress in words: ``3 of 24 decided: 2 confirmed, 1 rejected``."""
    totals = counts(queued)
    phrases = []
    for verdict, word in (("confirm", "confirmed"), ("reject", "rejected"), ("later", "later")):
        if totals[verdict]:
            phrases.append(f"{totals[verdict]:,} {word}")
    text = f"{totals['decided']:,} of {totals['all']:,} decided"
    return f"{text}: {', '.join(phrases)}" if phrases else text


def at(queued: Sequence[Item], name: str) -> int:
    """Return the position of an item by its name, else of the first open one, one put off, or 0."""
    for position, item in enumerate(queued):
        names = [same_decision.name for same_decision in (item, *item.also)]
        if name in names:
            return position
    return _open(queued, range(len(queued)), 0)


def following(queued: Sequence[Item], place: int) -> int:
    """Return the position of the next open item after a position, cyclically, then of those put off.

    If nothing is left, the same position.
    """
    return _open(queued, [*range(place + 1, len(queued)), *range(place)], place)


def _open(queued: Sequence[Item], order: Sequence[int], otherwise: int) -> int:
    """Return the first open position in an order, else the first that was put off."""
    for verdict in ("", "later"):
        for position in order:
            if queued[position].verdict == verdict:
                return position
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
            raise ReviewError(f"{key!r} for {action} isn't a single letter from a to z.")
        if key in TAKEN:
            raise ReviewError(f"the key {key} cannot be used: {TAKEN[key]}.")
    if len(set(chosen.values())) < len(chosen):
        raise ReviewError("two actions have the same key.")
    return chosen
