"""Passage boundaries: how likely a new passage begins at each sentence of a speaker's talk.

A passage is what a reporter would quote as one: it makes one claim or argues one matter. A linear
model uses features of two neighbouring sentences: words and names in common, pronouns and
connectives at the beginning, lengths, questions, similarity in meaning and check-worthiness.
Weights: ``models/passages.json``, made by ``training/passages`` from labels of a language model
that follows docs/research/annotation-guidelines.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.language.stems import topic
from features.models.weight_files import MODELS

Floats = NDArray[np.floating]
MAX_PASSAGE_SENTENCES = 5
SHORT_WORDS = 4
DEFAULT_NEXT_COSINE = 0.2  # stands for the cosine with a following sentence after the last one
WEIGHTS = "passages.json"
_WORD_PATTERN = re.compile(r"[A-Za-z$][\w'-]*|\d[\d,.]*")
_PRONOUNS = frozenset(
    "he she it they him her them his its their that this these those it's that's he's she's they're there's which "
    "who".split()
)
_POINTING_WORDS = frozenset("that that's this it it's these those".split())
_PERSON_WORDS = frozenset("he she they he's she's they're".split())
_CONNECTIVES = frozenset("and but so or because then plus also now well look".split())
_CONTINUING_WORDS = frozenset(
    "because which or than like meaning including whether until unless so".split()
)
# Words before the word that a sentence begins with.
_SKIPPED_CONNECTIVES = frozenset("and but so well now or because".split())
_NON_NAME_WORDS = frozenset(
    "i i'm i've i'll mr mrs senator governor congressman president secretary".split()
)
_MARK_PATTERN = re.compile(
    r"^(?:(?:and|but|so|well|now|ok(?:ay)?),? )*"
    r"(?:now|look|let me|let's|first|second|third|number (?:one|two|three)|next|another|also|in addition|by the way"
    r"|when it comes|as for|as far as|with (?:regard|respect)|on (?:the )?\w+,|i'?ll tell you|here's|finally|meanwhile"
    r"|at the same time|one (?:more|other|last))\b",
    re.IGNORECASE,
)
_GREETING_PATTERN = re.compile(
    r"\b(?:thank|thanks|welcome|good (?:morning|evening|afternoon)|please|ladies and gentlemen|hello|congratulations"
    r"|god bless|applause)\b",
    re.IGNORECASE,
)
_QUESTION_PATTERN = re.compile(r"\?[\"”’)\]]*\s*$")
NAMES = (
    "connective",
    "and",
    "but",
    "so",
    "now",
    "continuing",
    "pronoun_first",
    "pointing_first",
    "person_first",
    "pronoun",
    "pronoun_no_name",
    "i_we_first",
    "you_first",
    "length",
    "length_before",
    "short",
    "short_before",
    "topics_shared",
    "topics_shared_count",
    "topics_of_three",
    "topics_with_next",
    "topics_across",
    "question_before",
    "question",
    "questions",
    "mark",
    "greeting",
    "greeting_before",
    "greetings",
    "new_names",
    "same_names",
    "figure",
    "figure_before",
    "parallel",
    "lower_case",
    "broken_off",
    "repeated",
    "near",
    "near_next",
    "near_before",
    "near_around",
    "worth_before",
    "worth",
    "worth_both",
)


@dataclass(frozen=True, slots=True)
class _SentenceFeatures:
    """Features of a sentence alone: words, topic stems, names, and its kind."""

    text: str
    words: list[str]
    topics: set[str]
    names: set[str]
    question: bool
    greeting: bool
    worth: float

    @classmethod
    def of(cls, text: str, worth: float) -> _SentenceFeatures:
        words = [word.lower() for word in _WORD_PATTERN.findall(text.replace("’", "'"))]
        return cls(
            text=text,
            words=words,
            topics={topic(word) for word in words} - {""},
            names=_names(text),
            question=bool(_QUESTION_PATTERN.search(text)),
            greeting=bool(_GREETING_PATTERN.search(text)),
            worth=worth,
        )

    @property
    def is_short(self) -> bool:
        return len(self.words) <= SHORT_WORDS

    @property
    def has_figure(self) -> bool:
        return any(word[0].isdigit() for word in self.words)


def cohesion(texts: Sequence[str], vectors: Floats, worthiness: Floats) -> Floats:
    """Return the features of each two neighbouring sentences, (n - 1, f), as in ``NAMES``.

    ``texts``: the sentences of one speaker's talk; ``vectors`` (n, d): their SBERT vectors;
    ``worthiness`` (n,).
    """
    sentence_features = []
    for text, worth in zip(texts, worthiness, strict=True):
        sentence_features.append(_SentenceFeatures.of(text, float(worth)))
    # Row i has the features between sentence i and sentence i + 1, columns in the order of NAMES.
    feature_rows = []
    for index in range(1, len(sentence_features)):
        value_by_name = {
            **_opening_features(sentence_features[index - 1], sentence_features[index]),
            **_topic_features(sentence_features, index),
            **_pair_features(sentence_features[index - 1], sentence_features[index]),
            **_similarity_features(vectors, index),
        }
        feature_rows.append([value_by_name[name] for name in NAMES])
    return np.array(feature_rows, np.float64).reshape(len(feature_rows), len(NAMES))


def _opening_features(previous: _SentenceFeatures, current: _SentenceFeatures) -> dict[str, float]:
    """Return features of the beginning of a sentence, and of the lengths of the two."""
    words = current.words
    first_word = words[0] if words else ""
    # The word that the sentence begins with, after a connective.
    content_words = words[1:] if first_word in _SKIPPED_CONNECTIVES else words
    content_word = content_words[0] if content_words else ""
    has_pronoun = any(word in _PRONOUNS for word in words)
    return {
        "connective": first_word in _CONNECTIVES,
        "and": first_word == "and",
        "but": first_word == "but",
        "so": first_word == "so",
        "now": first_word in ("now", "well", "look"),
        "continuing": first_word in _CONTINUING_WORDS,
        "pronoun_first": content_word in _PRONOUNS,
        "pointing_first": content_word in _POINTING_WORDS,
        "person_first": content_word in _PERSON_WORDS,
        "pronoun": has_pronoun,
        "pronoun_no_name": has_pronoun and not current.names,
        "i_we_first": content_word in ("i", "we", "i'm", "we're", "i've", "we've"),
        "you_first": content_word in ("you", "you're"),
        "length": np.log1p(len(words)),
        "length_before": np.log1p(len(previous.words)),
        "short": current.is_short,
        "short_before": previous.is_short,
        "mark": bool(_MARK_PATTERN.search(current.text)),
        "lower_case": current.text[:1].islower(),
    }


def _topic_features(sentence_features: Sequence[_SentenceFeatures], index: int) -> dict[str, float]:
    """Return the shares of topic stems that a sentence has in common with its neighbours."""
    previous_topics = sentence_features[index - 1].topics
    current_topics = sentence_features[index].topics
    following_topics: set[str] = set()
    if index + 1 < len(sentence_features):
        following_topics = sentence_features[index + 1].topics
    # The topics of the three sentences before, or of fewer at the beginning
    topics_of_previous_three: set[str] = set()
    first_index = max(0, index - 3)
    for sentence in sentence_features[first_index:index]:
        topics_of_previous_three |= sentence.topics
    return {
        "topics_shared": _overlap(previous_topics, current_topics),
        # Counts are limited: more says no more about the boundary.
        "topics_shared_count": min(3, len(previous_topics & current_topics)),
        "topics_of_three": len(topics_of_previous_three & current_topics)
        / max(1, len(current_topics)),
        "topics_with_next": _overlap(current_topics, following_topics),
        "topics_across": _overlap(previous_topics, following_topics),
    }


def _overlap(topics: set[str], other_topics: set[str]) -> float:
    """Return the share of the smaller set that is in the other one."""
    smaller = min(len(topics), len(other_topics))
    return len(topics & other_topics) / max(1, smaller)


def _pair_features(previous: _SentenceFeatures, current: _SentenceFeatures) -> dict[str, float]:
    """Return features of the two sentences around a boundary."""
    current_words = current.words
    previous_words = previous.words
    return {
        "question_before": previous.question,
        "question": current.question,
        "questions": previous.question and current.question,
        "greeting": current.greeting,
        "greeting_before": previous.greeting,
        "greetings": previous.greeting and current.greeting,
        "new_names": min(2, len(current.names - previous.names)),
        "same_names": min(2, len(current.names & previous.names)),
        "figure": current.has_figure,
        "figure_before": previous.has_figure,
        "parallel": len(current_words) > 2 and current_words[:2] == previous_words[:2],
        "broken_off": previous.text.rstrip().endswith(("--", "...", "—", "…", ":")),
        "repeated": set(current_words) == set(previous_words),
        "worth_before": previous.worth,
        "worth": current.worth,
        "worth_both": current.worth * previous.worth,
    }


def _similarity_features(vectors: Floats, index: int) -> dict[str, float]:
    """Return the cosines of a sentence with its neighbours, and around the boundary."""
    # The vectors have length 1, so that a product is a cosine.
    sentence_vector = vectors[index]
    cosine_with_previous = float(sentence_vector @ vectors[index - 1])
    # At either end of a talk a default stands for the cosine with a further sentence.
    cosine_with_next = DEFAULT_NEXT_COSINE
    if index + 1 < len(vectors):
        cosine_with_next = float(sentence_vector @ vectors[index + 1])
    cosine_with_second_previous = cosine_with_previous
    if index > 1:
        cosine_with_second_previous = float(sentence_vector @ vectors[index - 2])
    # Sums of up to two sentence vectors before the boundary and after it, (d,).
    sum_before = vectors[max(0, index - 2) : index].sum(axis=0)
    sum_after = vectors[index : index + 2].sum(axis=0)
    norms = float(np.linalg.norm(sum_before) * np.linalg.norm(sum_after))
    return {
        "near": cosine_with_previous,
        "near_next": cosine_with_next,
        "near_before": cosine_with_second_previous,
        "near_around": sum_before @ sum_after / max(norms, 1e-9),
    }


def boundary_log_odds_of(texts: Sequence[str], vectors: Floats, worthiness: Floats) -> Floats:
    """Return the log-odds of a boundary before each sentence but the first, (n - 1,).

    See ``cohesion`` for the arguments.
    """
    weights, bias = _model(MODELS / WEIGHTS)
    return cohesion(texts, vectors, worthiness) @ weights + bias


def segment(
    boundary_log_odds: Floats, max_passage_sentences: int = MAX_PASSAGE_SENTENCES
) -> list[int]:
    """Return the first sentences of the passages, from 0, in the most likely division of a talk.

    ``boundary_log_odds`` (n - 1,): the log-odds of a boundary before each sentence but the first.
    ``max_passage_sentences``: the most sentences of a passage.
    """
    # The best division of the first sentences is the best division of fewer of them, with one
    # passage behind it (dynamic programming).
    sentence_count = len(boundary_log_odds) + 1
    # Log-probabilities of a boundary, and of none, before each sentence but the first, (n - 1,).
    log_boundary = -np.logaddexp(0, -boundary_log_odds)
    log_inside = -np.logaddexp(0, boundary_log_odds)
    # Log-probability of no boundary before sentences 1 to i - 1, at index i, (n + 1,). It is 0 at
    # 0 and 1, because no boundary can be before the first sentence.
    inside_sums = np.concatenate(([0.0, 0.0], np.cumsum(log_inside)))
    # Best score of a division of the first i sentences, and the start of its last passage, (n + 1,).
    best_scores = np.full(sentence_count + 1, -np.inf)
    best_scores[0] = 0.0
    last_starts = np.zeros(sentence_count + 1, int)
    for end in range(1, sentence_count + 1):
        for start in range(max(0, end - max_passage_sentences), end):
            # A passage from start to end: a boundary before it, and none inside.
            start_score = log_boundary[start - 1] if start else 0.0
            inside_score = inside_sums[end] - inside_sums[start + 1]
            score = best_scores[start] + start_score + inside_score
            if score > best_scores[end]:
                best_scores[end] = score
                last_starts[end] = start
    # Follow the starts from the end back to the beginning.
    passage_starts = []
    end = sentence_count
    while end:
        end = int(last_starts[end])
        passage_starts.append(end)
    return passage_starts[::-1]


def _names(text: str) -> set[str]:
    """Return the capitalised words of a text, in lower case, without its first word and titles."""
    names = set()
    words = text.replace("’", "'").split()
    # The first word of a text has a capital in any case.
    for raw_word in words[1:]:
        word = raw_word.strip('.,?!;:"”“')
        is_capitalised = word[:1].isupper()
        if is_capitalised and word.lower() not in _NON_NAME_WORDS:
            names.add(word.lower())
    return names


@lru_cache(maxsize=2)
def _model(path: Path) -> tuple[Floats, float]:
    """Return the weights, (f,), and the bias of a model file."""
    model = json.loads(path.read_text("utf-8"))
    weights = np.array([model["weights"][name] for name in NAMES])
    return weights, float(model["bias"])
