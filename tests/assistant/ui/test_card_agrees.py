"""The card of a match never contradicts itself.

The marks in both texts, the row of differences, the reasons for and against, the tier, the strength
and the parts that are left open, for every match of the sample debates and for texts made by rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import pipeline, transcripts
from assistant.check import loaded_models
from assistant.check.match_tiers import capped
from assistant.check.pairs import Pairs
from assistant.check.rankers import Ranking
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.importers import read_claims
from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    Difference,
    Match,
    Report,
    Sentence,
    Stance,
    Strength,
    Tier,
    VerifiedClaim,
)
from assistant.core.settings import EMBEDDED
from assistant.report import wording
from assistant.report.difference_notes import quotable_differences
from assistant.report.measured_strength import StrengthThresholds, strength_of
from assistant.report.settled_parts import open_parts
from assistant.ui import card_html, difference_marks, rank_reasons
from features.language.agreement import agreement
from features.language.conflicts import clashes
from features.language.open_parts.partial_coverage import uncovered_parts
from features.similarity import input_catalogue
from ranking.tier_thresholds import LIKELY, POSSIBLE

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "sample_claims" / "samples.jsonl"
DEBATES = sorted((ROOT / "sample_transcripts").glob("20*.[djvt]*"))
WORDS_INSIDE_PHRASES = frozenset("a an the my your our their of and or but because if than".split())
SUBJECTS = ("The mayor", "Russia", "The Russians", "I", "She", "Ann Stone", "The EPA", "Nobody")
VERBS = ("closed", "opened", "did not close", "will close", "never closed", "lost", "cut")
OBJECTS = (
    "5 percent of the bridges",
    "15 percent of the bridges",
    "one in five bridges",
    "40,000 bridges",
    "at least 40,000 bridges",
    "nearly 40,000 bridges",
    "all bridges",
    "almost all bridges",
    "the second largest bridge",
    "the largest bridge",
)
ENDINGS = ("", " in 2012", " in 2016", " last year", " in Ohio", ", and wages fell", ", he says")


@st.composite
def statements(draw: st.DrawFn) -> str:
    """Draw a sentence with figures, names, hedges, denials and a second clause."""
    parts = (SUBJECTS, VERBS, OBJECTS, ENDINGS)
    subject, verb, object_words, ending = (draw(st.sampled_from(words)) for words in parts)
    return f"{subject} {verb} {object_words}{ending}."


def contradictions(checked: CheckedSentence, match: Match, report: Report | None) -> list[str]:
    """Return the ways in which the card of a listed match contradicts itself."""
    event = report.transcript.event_date if report else None
    settings = report.manifest.settings if report else {}
    faults = [*wrong_marks(checked.sentence.text, match, event), *wrong_bars(match)]
    faults += contradicting_words(checked, match, event, settings)
    if match.against:
        faults += wrong_conflicts(match)
    faults += [f"the open part “{open_part}” isn't a clause" for open_part in cut_parts(checked)]
    return faults


def wrong_marks(text: str, match: Match, event: date | None) -> Iterator[str]:
    """Yield the words that both texts have and one has marked as different."""
    claim = match.claim
    differences = quotable_differences(match)
    compared = difference_marks.compare_texts(
        text, claim.statement, event, claim.claim_date, differences
    )
    for pieces, other_text in ((compared.sentence, claim.statement), (compared.statement, text)):
        for piece in pieces:
            is_marked = piece.standing == difference_marks.DIFFERS and piece.kind != "negation"
            if is_marked and has_words(other_text, piece.text):
                yield f"“{piece.text}” is in both texts and marked as different"


def wrong_bars(match: Match) -> Iterator[str]:
    bars = rank_reasons.rank_groups(match), rank_reasons.tier_groups(match)
    if any(groups and groups[0].label == input_catalogue.Group().label for groups in bars):
        yield "the largest bar has no name"


def contradicting_words(
    checked: CheckedSentence, match: Match, event: date | None, settings: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the lines of the card that say the same claim beside a difference."""
    text = checked.sentence.text
    card = card_html.match_html(match, text, event)
    is_called_equal = "Differs nothing found" in words_of(card.evidence.partition("<h2")[0])
    if is_called_equal and has_caution(match):
        yield "nothing found beside a caution"
    reasons = rank_reasons.rank_words(match, text, event)
    reasons_for, _, reasons_against = reasons.partition(" Against: ")
    lines_of_the_same_claim = {
        "nothing found": reasons_against,
        "No conflict": rank_reasons.tier_words(match, checked, settings),
        "Yes, as far": words_of(card_html.comparison_html(match, text, event)),
        "repeats the claim": reasons_for,
    }
    for words, line in lines_of_the_same_claim.items():
        if words in line and not is_called_equal:
            yield f"“{words}” beside a difference"
    has_other_figures = any(
        difference.conflict == "figures" for difference in quotable_differences(match)
    )
    if "same numbers" in reasons_for and has_other_figures:
        yield "same numbers beside other figures"


def wrong_conflicts(match: Match) -> Iterator[str]:
    """Yield the faults of a match with a conflict."""
    if match.tier is Tier.LIKELY or match.strength is Strength.STRONG:
        yield "likely or strong with a conflict"
    if match.stance is Stance.REPEATS:
        yield "repeats its claim with a conflict"
    if not has_caution(match):
        yield "a conflict without a caution"


def has_caution(match: Match) -> bool:
    return "lx-warn" in card_html.rating_html(match) or bool(wording.doubts(match))


def cut_parts(checked: CheckedSentence) -> Iterator[str]:
    """Yield the open parts that end within a phrase or aren't words of the sentence."""
    for open_part in open_parts(checked):
        last_word = re.findall(r"[\w']+", open_part)[-1].casefold()
        is_whole = has_words(checked.sentence.text, open_part.rstrip(".!?…"))
        if last_word in WORDS_INSIDE_PHRASES or not is_whole:
            yield open_part


def words_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def has_words(text: str, words: str) -> bool:
    """Return whether a text has these words, not within longer words or figures."""
    pattern = rf"(?<!\w)(?<!\d[.,]){re.escape(words)}(?!\w)(?![.,]\d)"
    return re.search(pattern, text, re.IGNORECASE) is not None


@pytest.fixture(scope="module")
def sample_reports() -> list[Report]:
    """Return the reports of the sample debates against the sample fact-checks."""
    index = ClaimIndex.in_memory(list(read_claims(SAMPLES)), loaded_models.encoders(EMBEDDED))
    return [pipeline.check(transcripts.read(path), index) for path in DEBATES]


@pytest.mark.slow
def test_the_cards_of_the_sample_debates_agree_with_themselves(
    sample_reports: list[Report],
) -> None:
    """Every listed match; some have conflicts, differences and open parts."""
    faults = []
    listed = conflicting = 0
    for report in sample_reports:
        for checked in report.sentences:
            for match in checked.matches:
                listed += 1
                conflicting += bool(match.against)
                for words in contradictions(checked, match, report):
                    faults.append((words, checked.sentence.text, match.claim.statement))
    assert faults == []
    assert listed > 100
    assert conflicting > 20


def made_match(text: str, statement: str, log_odds: float) -> Match:
    """Return a match of two texts as a check builds it, from their words and its log-odds."""
    conflicts = clashes(text, statement)
    ranking, pairs = one_pair()
    tiers = capped(ranking, pairs, [text], [statement])
    match = Match(
        VerifiedClaim("made", statement),
        rank=1,
        score=log_odds,
        tier=Tier.LIKELY if tiers.pair_tiers[0] == LIKELY else Tier.POSSIBLE,
        measures=(0.0,) * len(input_catalogue.MEASURES),
        contributions={"same_claim": 0.4, "days_apart": 1.5, "nli_entailment": 0.2},
        sureness={"same_claim": log_odds},
        stance=Stance(str(tiers.stances[0])),
        agreement={kind: Agreement(value) for kind, value in agreement(text, statement).items()},
        against=tuple(conflicts),
        differences=tuple(
            Difference(name, clash.in_sentence, clash.in_statement)
            for name, clash in conflicts.items()
        ),
        uncovered=tuple(
            Difference(kind, clash.in_sentence, clash.in_statement)
            for kind, clash in uncovered_parts(text, statement)
        ),
    )
    return replace(match, strength=strength_of(match, text, StrengthThresholds(2.0, 0.0)))


def one_pair() -> tuple[Ranking, Pairs]:
    """Return a ranking in which one pair of a sentence and a claim is likely."""
    pairs = replace(
        Pairs.from_positions(1, np.array([0]), np.array([0])),
        may_raise_sentence=np.array([True]),
        word_count=np.array([8]),
    )
    ranking = Ranking(
        sentence_scores=np.zeros(1),
        sentence_tiers=np.array([LIKELY]),
        pair_scores=np.zeros(1),
        pair_tiers=np.array([LIKELY]),
        best_pair=np.array([0]),
        stances=np.zeros(1, str),
        contributions=np.zeros((1, 0)),
        contribution_names=(),
        sureness=np.zeros(1),
        standalone_scores=np.zeros(1),
        on_topic=np.ones(1, bool),
    )
    return ranking, pairs


@given(statements(), statements(), st.floats(-3, 3))
def test_the_card_of_any_two_texts_agrees_with_itself(
    text: str, statement: str, log_odds: float
) -> None:
    """Whatever differs between them, and however sure the ranker is."""
    match = made_match(text, statement, log_odds)
    sentence = Sentence(1, 1, text, "ANN STONE")
    checked = CheckedSentence(sentence, 1.0, True, rank=1, tier=match.tier, matches=(match,))

    assert contradictions(checked, match, None) == []


@given(statements(), statements())
def test_no_pair_with_a_conflict_is_likely_or_repeats_its_claim(text: str, statement: str) -> None:
    """The ranking keeps its conflicts, and one without any stays likely."""
    ranking, pairs = one_pair()

    limited = capped(ranking, pairs, [text], [statement])

    has_conflict = bool(clashes(text, statement))
    assert (limited.pair_tiers[0] == POSSIBLE) == has_conflict
    assert (limited.sentence_tiers[0] == POSSIBLE) == has_conflict
    assert (str(limited.stances[0]) != Stance.REPEATS.value) == has_conflict
    assert bool(limited.conflicts) == has_conflict
