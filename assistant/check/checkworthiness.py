"""Check-worthiness: how much a sentence deserves checking, and in words why it is dropped.

The score comes from the classifier in ``models/checkworthiness.safetensors``, which is trained on
ClaimBuster's debates: it is high for factual claims that the public would want to see checked. The
reason for dropping a sentence comes from simple rules, which explain a low score and never change
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.core.domain import Passage, Sentence, Transcript
from assistant.core.errors import ModelUnavailable

WEIGHTS = "checkworthiness.safetensors"
SHORTEST_WORDS = 4  # words; the verifiable sentences of the annotated debates are longer

_GREETING_PATTERN = re.compile(
    r"^\W*(?:(?:and|so|well|ok|okay|now|but),? )*(?:thank(?:s| you)"
    r"|good (?:morning|afternoon|evening|night)|hello|hi|welcome|congratulations"
    r"|god bless|bye|goodbye|please (?:welcome|be seated|sit))\b",
    re.IGNORECASE,
)
_QUESTION_PATTERN = re.compile(r"\?[\"”’)\]]*\s*$")
_PREDICTION_PATTERN = re.compile(
    r"\b(?:will|won['’]t|shall|would|might|['’]ll|if (?:i|we|you) "
    r"|(?:is|are|am|['’]re|['’]m|['’]s) (?:not )?(?:going to|gonna))\b",
    re.IGNORECASE,
)
_OPINION_PATTERN = re.compile(
    r"\b(?:i|we|you) (?:\w+ )?(?:think|believe|feel|hope|guess|want|love|like|agree|disagree|wish|support|know)\b"
    r"|\bin my (?:view|opinion)\b|\b(?:should|ought to|must|have to|need to|let['’]s|great|beautiful|terrible"
    r"|wonderful|amazing|disgrace|best|worst|incredible|tremendous|important|right|wrong)\b",
    re.IGNORECASE,
)
_REASONS = (
    (_GREETING_PATTERN, "greeting or thanks"),
    (_QUESTION_PATTERN, "question"),
    (_PREDICTION_PATTERN, "prediction or hypothetical"),
    (_OPINION_PATTERN, "opinion or belief"),
)


@dataclass(frozen=True, slots=True)
class CheckWorthiness:
    """A classifier of sentences, the score below which they are dropped, and the digest of its weights."""

    probabilities: Callable[[Sequence[str]], NDArray[np.float32]]
    threshold: float
    digest: str = ""

    def score(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return for each text how much it deserves checking, (n,), 0 to 1; 0 for a blank text."""
        scores = np.zeros(len(texts), np.float32)
        # The classifier reads the texts that are not blank, (s,); the others keep 0.
        filled_positions = [position for position, text in enumerate(texts) if text.strip()]
        if filled_positions:
            filled_texts = [texts[position] for position in filled_positions]
            scores[filled_positions] = self.probabilities(filled_texts)
        return scores

    def dropped_reason(
        self, sentence: Sentence, score: float, *, threshold: float | None = None
    ) -> str | None:
        """Return in words why a sentence is dropped, None if it is kept.

        ``threshold`` replaces the classifier's.
        """
        if threshold is None:
            threshold = self.threshold
        if score >= threshold:
            return None
        return reason(sentence.text, score, threshold)


def checkworthy_positions(
    transcript: Transcript,
    worthiness: NDArray[np.floating],
    passages: Sequence[Passage],
    threshold: float,
) -> NDArray[np.intp]:
    """Return the positions of the sentences that are searched for, (n,).

    A sentence is dropped only if no sentence of its passage reaches the threshold. A sentence of
    very few words is kept only for its own score, since only its neighbours could say its claim.
    """
    is_checkworthy = worthiness >= threshold
    is_long = [len(sentence.text.split()) >= SHORTEST_WORDS for sentence in transcript]
    position_of_number = {}
    for position, sentence in enumerate(transcript):
        position_of_number[sentence.number] = position
    # Masks over all sentences, (n,): each keeps its own score's verdict, and a passage adds its
    # longer sentences.
    is_kept = is_checkworthy.copy()
    for passage in passages:
        positions = [position_of_number[number] for number in passage.sentences]
        if is_checkworthy[positions].any():
            for position in positions:
                is_kept[position] |= is_long[position]
    return np.flatnonzero(is_kept)


def reason(text: str, score: float, threshold: float) -> str:
    """Return in words why a sentence may have a score below the threshold."""
    if len(text.split()) < SHORTEST_WORDS:
        return "too short"
    for pattern, reason_words in _REASONS:
        if pattern.search(text):
            return reason_words
    score_text = f"{score:.2f}"
    threshold_text = f"{threshold:.2f}"
    # "0.04 < 0.04" would explain nothing.
    if score_text == threshold_text:
        score_text = f"{score:.4f}"
        threshold_text = f"{threshold:.4f}"
    return f"not check-worthy ({score_text} < {threshold_text})"


def load() -> CheckWorthiness:
    """Return the classifier of ``models/``.

    Raises: ModelUnavailable if the weights are not there.
    """
    from features.models.classifier import load_classifier
    from features.models.model_spec import ModelUnavailable as Missing
    from features.models.weight_files import read_card

    try:
        classifier = load_classifier(WEIGHTS)
    except Missing as error:
        raise ModelUnavailable(str(error)) from error
    label_column = classifier.labels.index("check-worthy")

    def checkworthy_probabilities(texts: Sequence[str]) -> NDArray[np.float32]:
        return classifier.probabilities(texts)[:, label_column]

    threshold = float(read_card(WEIGHTS)["threshold"])
    return CheckWorthiness(checkworthy_probabilities, threshold, classifier.digest)
