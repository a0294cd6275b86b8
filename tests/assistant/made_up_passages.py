"""Made-up passages and reports for the tests of the list and of the report view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as some

from assistant.core.domain import CheckedSentence, Match, Passage, Report, Tier
from assistant.passages import listing
from tests.assistant import made_up

CLAIMS = tuple(replace(made_up.VCLAIM, id=f"claim-{i}") for i in range(3))
MATCHES = tuple(made_up.match(claim) for claim in CLAIMS)


@some.composite
def checked_passages(draw) -> tuple[list[Passage], list[CheckedSentence]]:
    """Passages of one to five sentences of one speaker each, some of them with matches."""
    passages = []
    sentences = []
    sizes = draw(some.lists(some.integers(1, 5), max_size=8))
    ranks = draw(some.permutations(range(1, sum(sizes) + 1)))
    some_matches = some.lists(
        some.sampled_from(MATCHES), unique_by=lambda match: match.claim.id, max_size=2
    )
    for passage_number, size in enumerate(sizes, 1):
        speaker = draw(some.sampled_from(["RIVERA", "OKAFOR", None]))
        first_number = len(sentences) + 1
        numbers = tuple(range(first_number, first_number + size))
        for number in numbers:
            matches = tuple(draw(some_matches))
            sentence = made_up.sentence(
                number, f"The bridge was built in {1900 + number}.", speaker
            )
            tier = Tier.LIKELY if matches else None
            rank = ranks[number - 1]
            restates = draw(some.none() | some.integers(1, sum(sizes)))
            sentences.append(
                CheckedSentence(
                    sentence, 0.9, True, None, rank, 1.0, tier, matches, restates=restates
                )
            )
        passages.append(Passage(passage_number, numbers))
    return passages, sentences


def sentence_with(
    number: int, *matches: Match, text: str = "", restates: int | None = None
) -> CheckedSentence:
    """Return a checked sentence whose rank is its number, likely if it has matches."""
    sentence = made_up.sentence(number, text or f"The bridge was built in {1900 + number}.")
    tier = Tier.LIKELY if matches else None
    return CheckedSentence(sentence, 0.9, True, None, number, 1.0, tier, matches, restates=restates)


def report_of(passages: Sequence[Passage], sentences: Sequence[CheckedSentence]) -> Report:
    """Return a report of these passages and sentences."""
    report = made_up.report()
    transcript = replace(
        report.transcript, sentences=tuple(checked.sentence for checked in sentences)
    )
    return replace(
        report,
        transcript=transcript,
        sentences=tuple(sentences),
        passages=listing.arranged(passages, sentences),
    )
