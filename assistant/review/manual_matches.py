"""Adds a match that the search missed and a person found.

It is measured and shown like any other.
"""

from __future__ import annotations

import numpy as np

from assistant.check import loaded_models, name_spelling
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
def match_sentence_with_claim(
    report: Report, number: int, claim_id: str, index: ClaimIndex, profile: Profile
) -> Match:
    """Return the match of a sentence with a verified claim.

    Its 19 measures, reasons and key sentences.

    The claim is scored as the only candidate of its sentence; it gets a tier if the score reaches
    one.

    Raises: ReviewError if there is no such sentence or the claim is not in the index.
    """
    checked_by_number = {
        checked_sentence.sentence.number: checked_sentence for checked_sentence in report.sentences
    }
    if number not in checked_by_number:
        raise ReviewError(f"there is no sentence {number} in this transcript.")
    claim_position = index.position(claim_id)
    if claim_position is None:
        remedy = "Run `python -m assistant claims index`, or wait until it is indexed."
        raise ReviewError(f"the fact-check {claim_id!r} is not searchable yet.", remedy=remedy)
    rechecked = _checked_against_claim(
        checked_by_number[number], report, claim_position, index, profile
    )
    # A claim that is too weak for a match is the nearest candidate.
    match = rechecked.matches[0] if rechecked.matches else rechecked.nearest
    if match is None:
        raise ReviewError("a sentence without words can't have a match.")
    return match


def _texts_before(transcript: Transcript, sentence: Sentence) -> Texts:
    """Return the texts of the sentences before a sentence, as far as the re-ranker reads them."""
    numbers = [other_sentence.number for other_sentence in transcript]
    texts = [other_sentence.text for other_sentence in transcript]
    # The last text of the window is the sentence itself.
    window = LIVE.of(texts, numbers.index(sentence.number))
    return window[:-1]


def _checked_against_claim(
    checked_sentence: CheckedSentence,
    report: Report,
    claim_position: int,
    index: ClaimIndex,
    profile: Profile,
) -> CheckedSentence:
    """Return the sentence checked against this claim alone."""
    ranker_name = str(report.manifest.settings.get("ranker", profile.ranker))
    models = loaded_models.load(profile, ranker_name)
    sentence = checked_sentence.sentence
    event_date = report.transcript.event_date
    # One sentence and one claim: every array below has a single row.
    spoken = SpokenSentences(
        texts=[sentence.text],
        speakers=[sentence.speaker],
        worthiness=np.array([checked_sentence.check_worthiness]),
        event_day=event_date.toordinal() if event_date else 0,
        before=[_texts_before(report.transcript, sentence)],
    )
    sentence_vectors = models.encoders.sbert.encode(spoken.texts)
    pairs = Pairs.from_claims([np.array([claim_position])])
    pairs = name_spelling.compare(pairs, spoken.texts, index, models)
    pairs, ranking = rank_pairs(pairs, spoken, index, models, read_all=True)
    builder = MatchBuilder(index, spoken, sentence_vectors, pairs, ranking, models)
    only_row = 0
    return builder.ranked_sentence(sentence, checked_sentence.check_worthiness, only_row, rank=1)
