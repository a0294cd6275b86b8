"""Check-worthiness: how much a sentence deserves checking, and in words why it is dropped.

The score comes from the classifier in ``models/checkworthiness.safetensors``, which is learnt from
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

_GREETING = re.compile(
    r"^\W*(?:(?:and|so|well|ok|okay|now|but),? )*(?:thank(?:s| you)"
    r"|good (?:morning|afternoon|evening|night)|hello|hi|welcome|congratulations"
    r"|god bless|bye|goodbye|please (?:welcome|be seated|sit))\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?[\"”’)\]]*\s*$")
_PREDICTION = re.compile(
    r"\b(?:will|won['’]t|shall|would|might|['’]ll|if (?:i|we|you) "
    r"|(?:is|are|am|['’]re|['’]m|['’]s) (?:not )?(?:going to|gonna))\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:i|we|you) (?:\w+ )?(?:think|believe|feel|hope|guess|want|love|like|agree|disagree|wish|support|know)\b"
    r"|\bin my (?:view|opinion)\b|\b(?:should|ought to|must|have to|need to|let['’]s|great|beautiful|terrible"
    r"|wonderful|amazing|disgrace|best|worst|incredible|tremendous|important|right|wrong)\b",
    re.IGNORECASE,
)
_KINDS = ((_GREETING, "greeting or thanks"), (_QUESTION, "question"), (_PREDICTION, "prediction or hypothetical"),
          (_OPINION, "opinion or belief"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class CheckWorthiness:
    """A classifier of sentences, the score below which they are dropped, and the digest of its weights."""

    probabilities: Callable[[Sequence[str]], NDArray[np.float32]]
    threshold: float
    digest: str = ""

    def score(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return for each text how much it deserves checking, (n,), 0 to 1; 0 for a blank text."""
        scores = np.zeros(len(texts), np.float32)
        spoken = [i for i, text in enumerate(texts) if text.strip()]
        if spoken:
            scores[spoken] = self.probabilities([texts[i] for i in spoken])
        return scores

    def dropped_reason(
        self, sentence: Sentence, score: float, *, threshold: float | None = None
    ) -> str | None:
        """Return in words why a sentence is dropped, None if it is kept.

        ``threshold`` replaces the classifier's.
        """
        threshold = self.threshold if threshold is None else threshold
        return None if score >= threshold else reason(sentence.text, score, threshold)


def kept_positions(
    transcript: Transcript,
    worthiness: NDArray[np.floating],
    passages: Sequence[Passage],
    threshold: float,
) -> NDArray[np.intp]:
    """Return the places of the sentences that are searched for.

    A sentence is dropped only if its passage is.

    A passage is dropped if no sentence of it reaches the threshold. A sentence of very few words
    is kept for its own score alone, since only its neighbours could say what it claims.
    """
    is_worthy = worthiness >= threshold
    position_of_number = {sent.number: position for position, sent in enumerate(transcript)}
    is_kept = is_worthy.copy()
    for passage in passages:
        positions = [position_of_number[number] for number in passage.sentences]
        if is_worthy[positions].any():
            is_kept[
                [
                    position
                    for position in positions
                    if len(transcript.sentences[position].text.split()) >= SHORTEST_WORDS
                ]
            ] = True
    return np.flatnonzero(is_kept)


def reason(text: str, score: float, threshold: float) -> str:
    """Return in words why a sentence may have a score below the threshold."""
    if len(text.split()) < SHORTEST_WORDS:
        return "too short"
    for pattern, words in _KINDS:
        if pattern.search(text):
            return words
    digits = 2 if f"{score:.2f}" != f"{threshold:.2f}" else 4  # "0.04 < 0.04" would explain nothing
    return f"not check-worthy ({score:.{digits}f} < {threshold:.{digits}f})"


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
    column = classifier.labels.index("check-worthy")
    return CheckWorthiness(
        lambda texts: classifier.probabilities(texts)[:, column],
        float(read_card(WEIGHTS)["threshold"]),
        classifier.digest,
    )
