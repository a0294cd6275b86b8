"""Adds a match that the search missed and a person found.

It is measured and shown like any other.
"""

from __future__ import annotations

import numpy as np

from assistant.check import loaded_models, pair_features
from assistant.check.match_building import MatchBuilder
from assistant.check.pairs import Pairs
from assistant.check.ranker_inputs import SpokenSentences
from assistant.check.ranking_steps import rank_pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import CheckedSentence, Match, Report, Sentence, Transcript
from assistant.core.errors import ReviewError
from assistant.core.settings import Profile
from features.similarity.context_window import LIVE, Texts


@loaded_models.missing_models_reported()
def pair(report: Report, number: int, claim_id: str, index: ClaimIndex, profile: Profile) -> Match:
    """Return the match of a sentence with a verified claim.

    Its 19 measures, reasons and key sentences.

    The claim is scored as the only candidate of its sentence; it gets a tier if the score reaches
    one.

    Raises: ReviewError if there is no such sentence or the claim is not in the index.
    """
    checked = next((c for c in report.sentences if c.sentence.number == number), None)
    if checked is None:
        raise ReviewError(f"there is no sentence {number} in this transcript.")
    position = index.position(claim_id)
    if position is None:
        remedy = "Run `python -m assistant claims index`, or wait until it is indexed."
        raise ReviewError(f"the fact-check {claim_id!r} is not searchable yet.", remedy=remedy)
    alone = _matched(checked, report, position, index, profile)
    match = alone.matches[0] if alone.matches else alone.nearest
    if match is None:
        raise ReviewError("a sentence without words has no match.")
    return match


def said_before(transcript: Transcript, sent: Sentence) -> Texts:
    """Return what was said before a sentence, as far as the re-ranker reads it."""
    place = [each.number for each in transcript].index(sent.number)
    return LIVE.of([each.text for each in transcript], place)[:-1]


def _matched(
    checked: CheckedSentence, report: Report, position: int, index: ClaimIndex, profile: Profile
) -> CheckedSentence:
    """Return the sentence checked against this claim alone."""
    ranker = str(report.manifest.settings.get("ranker", profile.ranker))
    loaded = loaded_models.load(profile, ranker)
    sent = checked.sentence
    event = report.transcript.event_date
    spoken = SpokenSentences(
        texts=[sent.text],
        speakers=[sent.speaker],
        worthiness=np.array([checked.check_worthiness]),
        event_day=event.toordinal() if event else 0,
        before=[said_before(report.transcript, sent)],
    )
    vectors = loaded.encoders.sbert.encode(spoken.texts)
    pairs = Pairs.of_claims([np.array([position])])
    pairs = pair_features.compare(pairs, spoken.texts, index, loaded.encoders)
    pairs, ranking = rank_pairs(pairs, spoken, index, loaded, read_all=True)
    matcher = MatchBuilder(index, spoken, vectors, pairs, ranking, loaded)
    return matcher.matched(sent, checked.check_worthiness, 0, 1)
