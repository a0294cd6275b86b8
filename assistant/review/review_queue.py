"""The review queue of a report.

What there is to decide, in which order, the progress, and the keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.core import files
from assistant.core.domain import CheckedSentence, Match
from assistant.core.errors import ReviewError
from assistant.report import wording
from assistant.report.view import PassageGroup, ReportView, shown_match

# Actions in the order of their buttons, each with its default key.
KEYS: Mapping[str, str] = {
    "confirm": "y",
    "reject": "n",
    "later": "l",
    "undo": "u",
    "next": "j",
    "previous": "k",
}
RESERVED_KEYS = {
    "c": "the framework clears its caches with it",
    "r": "the framework runs the page again with it",
}
# Verdicts as the progress names them.
VERDICT_WORDS = {"confirm": "confirmed", "reject": "rejected", "later": "later"}


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """A match to decide on, with its sentence.

    ``grouped_items`` are matches of grouped passages that share the decision.
    """

    checked: CheckedSentence
    match: Match
    grouped_items: tuple[ReviewItem, ...] = ()

    @property
    def name(self) -> str:
        """Return the item's name in an address: ``12.1`` is the first match of sentence 12."""
        return f"{self.checked.sentence.number}.{self.match.rank}"

    @property
    def verdict(self) -> str:
        """Return what a person decided: confirm, reject, later, or nothing."""
        return self.match.decision.verdict if self.match.decision else ""


def items(view: ReportView, *, every_match: bool) -> list[ReviewItem]:
    """Return the matches to review, those of the best passage first.

    Of each statement the shown match, or every match of its sentences.
    """
    queue = []
    for group in view.statements:
        shown = None
        if group.listed.best is not None:
            shown = shown_match(group.listed.best)
        for item in group_items(group):
            # A match with a decision stays in the queue, so that the decision can be changed.
            if every_match or item.match is shown or item.verdict:
                queue.append(item)
    return queue


def items_of_sentences(view: ReportView, numbers: Iterable[int]) -> list[ReviewItem]:
    """Return the first match of each of some sentences, in their order, to review.

    ``numbers`` are the numbers of the sentences.
    """
    item_by_name = {item.name: item for item in items(view, every_match=True)}
    queue = []
    for number in numbers:
        checked_sentence = view.sentence(number)
        if checked_sentence is not None and checked_sentence.matches:
            item = ReviewItem(checked_sentence, checked_sentence.matches[0])
            # an item of a listed passage also has the passages grouped with it
            queue.append(item_by_name.get(item.name, item))
    return queue


def group_items(group: PassageGroup) -> Iterator[ReviewItem]:
    """Yield the matches of a group, those of its best sentence with their repeats first."""
    # The first passage is the listed one; the others are repeats, grouped below it.
    best_sentences = [passage.best for passage in group.passages if passage.best is not None]
    listed_sentence, *repeat_sentences = best_sentences
    weaker_sentences = []
    for passage in group.passages:
        for checked_sentence in passage.sentences:
            if checked_sentence is not passage.best:
                weaker_sentences.append(checked_sentence)

    # Matches, by sentence number and claim id, that are decided together with a listed one.
    shared_matches: set[tuple[int, str]] = set()
    for match in listed_sentence.matches:
        repeated_items = tuple(_same_matches(match, repeat_sentences))
        for repeat in repeated_items:
            shared_matches.add((repeat.checked.sentence.number, repeat.match.claim.id))
        yield ReviewItem(listed_sentence, match, repeated_items)

    for checked_sentence in (*repeat_sentences, *weaker_sentences):
        for match in checked_sentence.matches:
            if (checked_sentence.sentence.number, match.claim.id) not in shared_matches:
                yield ReviewItem(checked_sentence, match)


def _same_matches(match: Match, sentences: Sequence[CheckedSentence]) -> Iterator[ReviewItem]:
    """Yield the matches of other sentences with the same fact-check and the same decision."""
    for checked_sentence in sentences:
        for other_match in checked_sentence.matches:
            has_same_claim = other_match.claim.id == match.claim.id
            if has_same_claim and other_match.decision == match.decision:
                yield ReviewItem(checked_sentence, other_match)


def verdicts_to_give(view: ReportView, *, every_match: bool) -> list[str]:
    """Return the verdicts of a review, "" for an open one: on each statement, or on each match.

    The filters of the list look at the same verdicts.
    """
    if every_match:
        return [item.verdict for item in items(view, every_match=True)]
    return [group.verdict for group in view.statements]


def verdict_counts(verdicts: Sequence[str]) -> dict[str, int]:
    """Return the number of verdicts to give, of decided ones, and of each verdict."""
    confirmed_count = verdicts.count("confirm")
    rejected_count = verdicts.count("reject")
    return {
        "all": len(verdicts),
        "decided": confirmed_count + rejected_count,
        "confirm": confirmed_count,
        "reject": rejected_count,
        "later": verdicts.count("later"),
    }


def progress(verdicts: Sequence[str], *, every_match: bool) -> str:
    """Return the progress in words: ``3 of 24 statements decided: 2 confirmed, 1 rejected``."""
    # Beside the verdicts, it counts all of them ("all") and all decided ones ("decided").
    count_by_verdict = verdict_counts(verdicts)
    decided_count = count_by_verdict["decided"]
    if every_match:
        total_words = wording.count(count_by_verdict["all"], "match", "matches")
    else:
        total_words = wording.count(count_by_verdict["all"], "statement")
    summary = f"{decided_count:,} of {total_words} decided"
    details = []
    for verdict, verdict_word in VERDICT_WORDS.items():
        if count_by_verdict[verdict]:
            details.append(f"{count_by_verdict[verdict]:,} {verdict_word}")
    return f"{summary}: {', '.join(details)}" if details else summary


def at(queued: Sequence[ReviewItem], name: str) -> int:
    """Return the position of an item by its name, else of the first open one, one put off, or 0."""
    for position, item in enumerate(queued):
        if name in (item.name, *[folded_item.name for folded_item in item.grouped_items]):
            return position
    return _first_open_position(queued, range(len(queued)), default=0)


def following(queued: Sequence[ReviewItem], position: int) -> int:
    """Return the position of the next open item after a position, cyclically, then of those put off.

    If nothing is left, the same position.
    """
    positions_after = range(position + 1, len(queued))
    positions_before = range(position)
    return _first_open_position(queued, [*positions_after, *positions_before], default=position)


def _first_open_position(queued: Sequence[ReviewItem], order: Sequence[int], default: int) -> int:
    """Return the first position in an order without a decision, else the first put off."""
    for open_verdict in ("", "later"):
        for position in order:
            if queued[position].verdict == open_verdict:
                return position
    return default


def load_keys(path: Path) -> dict[str, str]:
    """Return the keys in a file, the default ones if it is missing or invalid."""
    try:
        return validated_keys(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, ReviewError):
        return dict(KEYS)


def save_keys(path: Path, keys: Mapping[str, str]) -> None:
    """Store the keys in a file.

    Raises: ReviewError if they cannot be used or the file cannot be written.
    """
    files.write(path, json.dumps(validated_keys(keys), indent=1), error=ReviewError)


def validated_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Return a key for every action, lower case.

    Raises: ReviewError if one isn't a single letter, is used by the framework, or is given twice.
    """
    # A file may hold a list instead, which has no values: the set of its entries differs.
    has_all_actions = set(keys) == set(KEYS)
    if not has_all_actions or not all(isinstance(key, str) for key in keys.values()):
        raise ReviewError(f"each of these actions needs a key: {', '.join(KEYS)}.")
    key_by_action = {action: keys[action].strip().lower() for action in KEYS}
    for action, key in key_by_action.items():
        is_letter = len(key) == 1 and "a" <= key <= "z"
        if not is_letter:
            raise ReviewError(
                f"the key for {action} is {key!r}, but must be a single letter from a to z."
            )
        if key in RESERVED_KEYS:
            raise ReviewError(f"the key {key} cannot be used, because {RESERVED_KEYS[key]}.")
    different_keys = set(key_by_action.values())
    if len(different_keys) < len(key_by_action):
        raise ReviewError("two actions have the same key.")
    return key_by_action
