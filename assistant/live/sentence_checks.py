"""Checks live sentences with the pipeline of finished transcripts.

Their check-worthiness first, then their matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from threading import Lock

import numpy as np

from assistant import pipeline
from assistant.check import checkworthiness, loaded_models
from assistant.check.loaded_models import Models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import CheckedSentence, Report, Sentence, Source, Transcript
from assistant.core.settings import Profile
from assistant.live.event import Event, LiveSentence, Outcome, ScoredSentence
from assistant.passages.listing import rearranged
from assistant.passages.splitting import passages
from assistant.report import stored_reports
from assistant.report.measured_strength import NO_STRENGTH, stored_strength
from features.models.model_spec import Floats
from features.similarity.context_window import Texts

LIVE_SOURCE = Source("live", "live", "")
RECENT_TEXTS = 2048  # texts whose vectors are kept: the talk around a new sentence was read before


@dataclass(frozen=True)
class Checker:
    """Checks sentences of events against an index, each on its own and with the sentences before it."""

    index: ClaimIndex
    profile: Profile
    as_of_event: bool = False
    # The vector and check-worthiness of the latest texts, the oldest first.
    _recent: dict[str, tuple[Floats, float]] = field(default_factory=dict)
    # Several events share the models and the index.
    _turn: Lock = field(default_factory=Lock)

    @cached_property
    def _models(self) -> Models:
        return loaded_models.load(self.profile)

    def warm(self) -> None:
        """Load every model and table now, so that the first sentence waits for nothing."""
        with loaded_models.missing_models_reported():
            # A check-worthy sentence goes through all steps of a check.
            sentence = Sentence(
                1, 1, "The unemployment rate has fallen to three percent in the last two years."
            )
            transcript = Transcript("warm", None, LIVE_SOURCE, (sentence,))
            pipeline.check(transcript, self.index, self.profile)

    def score_worthiness(
        self, sentences: Sequence[LiveSentence], neighbourhoods: Sequence[Sequence[LiveSentence]]
    ) -> list[ScoredSentence]:
        """Return each sentence with its check-worthiness, and with its outcome if it is dropped.

        A sentence is dropped only if its whole passage is. The passage ends with the newest
        sentence, so a later sentence may bring it back. ``neighbourhoods``: each sentence with the
        ones around it.
        """
        with loaded_models.missing_models_reported(), self._turn:
            # All texts together are read faster than one by one; the results are cached.
            nearby_sentences = chain.from_iterable(neighbourhoods)
            self._vectors_and_worthiness([nearby.text for nearby in nearby_sentences])
            scored_sentences = []
            for sentence, neighbourhood in zip(sentences, neighbourhoods, strict=True):
                scored_sentences.append(self._score_sentence(sentence, neighbourhood))
            return scored_sentences

    def _score_sentence(
        self, sentence: LiveSentence, neighbourhood: Sequence[LiveSentence]
    ) -> ScoredSentence:
        """Score one sentence and decide from its passage so far whether it is dropped."""
        # The sentences of the neighbourhood are numbered by their index.
        threshold = self._models.worthiness_threshold
        texts = [neighbour.text for neighbour in neighbourhood]
        vectors, worthiness = self._vectors_and_worthiness(texts)
        numbered_sentences = tuple(
            replace(neighbour.as_sentence(), number=index)
            for index, neighbour in enumerate(neighbourhood)
        )
        nearby_passages = passages(numbered_sentences, vectors, worthiness)
        transcript = Transcript("", None, LIVE_SOURCE, numbered_sentences)
        kept_array = checkworthiness.checkworthy_positions(
            transcript, worthiness, nearby_passages, threshold
        )
        kept_indexes = set(kept_array.tolist())

        own_index = [neighbour.id for neighbour in neighbourhood].index(sentence.id)
        score = float(worthiness[own_index])
        if own_index not in kept_indexes:
            reason = checkworthiness.reason(sentence.text, score, threshold)
            vector = _half_precision_bytes(vectors[own_index])
            outcome = Outcome(score, kept=False, reason=reason, vector=vector)
            return ScoredSentence(sentence, score, outcome)
        # Sentences of its passage that were dropped before, and are worth checking now
        recalled_sentences = []
        for passage in nearby_passages:
            if own_index not in passage.sentences:
                continue
            for index in passage.sentences:
                neighbour = neighbourhood[index]
                was_dropped = neighbour.kept is False and bool(neighbour.worthiness)
                if was_dropped and index in kept_indexes:
                    recalled_sentences.append(neighbour)
        return ScoredSentence(sentence, score, recalled_sentences=tuple(recalled_sentences))

    def _vectors_and_worthiness(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the SBERT vectors (n, d) and the check-worthiness (n,) of texts.

        The results for the latest texts are cached.
        """
        # Each new text once, in order
        new_texts = list(dict.fromkeys(text for text in texts if text not in self._recent))
        if new_texts:
            vectors = self._models.encoders.sbert.encode(new_texts)
            scores = self._models.checkworthiness.score(new_texts).tolist()
            for text, vector, score in zip(new_texts, vectors, scores, strict=True):
                self._recent[text] = (vector, score)
        vectors_of_texts = []
        scores_of_texts = []
        for text in texts:
            vector, score = self._recent[text]
            vectors_of_texts.append(vector)
            scores_of_texts.append(score)
        # A dict keeps the order of insertion, so the newest texts are at its end.
        outdated_texts = list(self._recent)[:-RECENT_TEXTS]
        for text in outdated_texts:
            del self._recent[text]
        return np.array(vectors_of_texts), np.array(scores_of_texts)

    def check(
        self, event: Event, sentences: Sequence[LiveSentence], windows: Sequence[Texts]
    ) -> list[Outcome]:
        """Return the outcome of each sentence, its matches ranked.

        Several together are faster than one by one. ``windows``: each sentence with the sentences
        before it.
        """
        spoken_sentences = tuple(live_sentence.as_sentence() for live_sentence in sentences)
        transcript = Transcript(event.title, event.day, LIVE_SOURCE, spoken_sentences)
        # Only fact-checks from before the event, if that is wanted and its day is known
        uses_event_date = self.as_of_event and event.day is not None
        with self._turn:
            report = pipeline.check(
                transcript, self.index, self.profile, as_of_event=uses_event_date, windows=windows
            )
            vectors, _ = self._vectors_and_worthiness([sentence.text for sentence in transcript])
        outcomes = []
        for checked_sentence, vector in zip(report.sentences, vectors, strict=True):
            outcomes.append(_outcome(report, checked_sentence, vector))
        return outcomes


def _outcome(report: Report, checked_sentence: CheckedSentence, vector: Floats) -> Outcome:
    """Return the outcome of one sentence of a report, with a report of this sentence alone."""
    transcript = replace(report.transcript, sentences=(checked_sentence.sentence,))
    ranked_sentence = replace(checked_sentence, rank=1)
    report_of_sentence = replace(
        report, transcript=transcript, sentences=(ranked_sentence,), passages=()
    )
    claim_id_of_best_match = ""
    strength = None
    if checked_sentence.matches and checked_sentence.listed_tier:
        best_match = checked_sentence.matches[0]
        claim_id_of_best_match = best_match.claim.id
        strength = stored_strength(best_match, report.manifest)
    return Outcome(
        worthiness=checked_sentence.check_worthiness,
        kept=True,
        tier=checked_sentence.listed_tier,
        score=checked_sentence.score,
        claim=claim_id_of_best_match,
        report=stored_reports.archive(rearranged(report_of_sentence)),
        vector=_half_precision_bytes(vector),
        strength=strength or NO_STRENGTH,
    )


def _half_precision_bytes(vector: Floats) -> bytes:
    return vector.astype(np.float16).tobytes()
