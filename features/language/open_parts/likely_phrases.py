"""The leftover phrase that likely is the open part of a match.

A linear model scores each phrase of which the other text has no word: a phrase with a figure, or
with many new words of a short text, is likely the part that the other text leaves open. Weights:
``models/open_parts.json``, made by ``training/open_parts`` from labels of a language model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from features.language.agreement import particulars
from features.language.open_parts.compared_words import compared_words, known_figures
from features.language.open_parts.introductions import introduces_statement
from features.language.open_parts.leftover_phrases import (
    PREPOSITIONS,
    LeftoverPhrase,
    leftover_phrases,
)
from features.language.word_clashes import Clash
from features.models.weight_files import MODELS

# Other words of a statement that a sentence may say in words of its own, and shares of the words of
# either text that both have
MAX_PARAPHRASED_WORDS = 2
MAX_MORE_WORDS_OF_PARAPHRASE = 1
MAX_PARAPHRASED_WORDS_BESIDE_FIGURE = 4
MIN_KNOWN_FRACTION_OF_STATEMENT = 0.6
MIN_KNOWN_FRACTION_OF_SENTENCE = 0.5
MIN_KNOWN_FRACTION_BESIDE_FIGURE = 0.4
MAX_COUNTED_NEW_WORDS = 5
MAX_COUNTED_WORDS_OF_TEXT = 30
WEIGHTS_FILE = "open_parts.json"
_RELATIVE_PRONOUNS = frozenset(("who", "which", "that"))


@dataclass(frozen=True, slots=True)
class PhraseModel:
    """The weights of features, by name, and the bias."""

    weights: Mapping[str, float]
    bias: float


@dataclass(frozen=True, slots=True)
class ScoredPhrase:
    """A phrase of the sentence or of the statement, with its score."""

    phrase: LeftoverPhrase
    is_said: bool  # the sentence has it, not the statement
    score: float


def leftover_clash(sentence: str, statement: str) -> Clash | None:
    """Return the words that likely are the open part of a match, or None.

    They are of the sentence, of the statement, or of both if each gives another figure after the
    same preposition: "in 50 years" and "in 25 years".
    """
    if _may_be_paraphrase(sentence, statement):
        return None
    scored_phrases = [
        ScoredPhrase(phrase, is_said, phrase_score(phrase, is_said=is_said))
        for phrase, is_said in candidate_phrases(sentence, statement)
    ]
    if not scored_phrases:
        return None
    best = max(scored_phrases, key=lambda scored: scored.score)
    if best.score < 0:
        return None
    if not best.is_said:
        return Clash(in_statement=best.phrase.text)
    checked_phrases = leftover_phrases(statement, sentence)
    return Clash(best.phrase.text, _counterpart(best.phrase, checked_phrases))


def candidate_phrases(sentence: str, statement: str) -> list[tuple[LeftoverPhrase, bool]]:
    """Return the phrases that only one of two texts has, each with whether the sentence has it.

    A bare name of the statement leaves nothing open.
    """
    said_phrases = [(phrase, True) for phrase in _said_phrases(sentence, statement)]
    checked_phrases = [
        (phrase, False) for phrase in leftover_phrases(statement, sentence) if not phrase.is_name
    ]
    return said_phrases + checked_phrases


def _said_phrases(sentence: str, statement: str) -> list[LeftoverPhrase]:
    """Return the phrases that only the sentence has, without clauses that introduce a statement."""
    return [
        phrase
        for phrase in leftover_phrases(sentence, statement)
        if not introduces_statement(phrase.text, sentence)
    ]


def _may_be_paraphrase(sentence: str, statement: str) -> bool:
    """Return whether a sentence may say the few other words of a statement in words of its own.

    "In 2010 a quake of magnitude nine set it off" has the date and the figure of "it began with a
    magnitude 9 earthquake in 2010". A statement without other words leaves the rest open.
    """
    new_count, known_fraction = _new_and_known(statement, sentence)
    own_count, known_fraction_of_sentence = _new_and_known(sentence, statement)
    # A sentence with more words of its own says something else, too.
    if new_count == 0 or own_count > new_count + MAX_MORE_WORDS_OF_PARAPHRASE:
        return False
    if _share_figure_or_date(sentence, statement):
        is_short = new_count <= MAX_PARAPHRASED_WORDS_BESIDE_FIGURE
        return is_short and known_fraction >= MIN_KNOWN_FRACTION_BESIDE_FIGURE
    are_close = (
        known_fraction >= MIN_KNOWN_FRACTION_OF_STATEMENT
        and known_fraction_of_sentence >= MIN_KNOWN_FRACTION_OF_SENTENCE
    )
    return are_close and new_count <= MAX_PARAPHRASED_WORDS


def _new_and_known(text: str, other_text: str) -> tuple[int, float]:
    """Return the number of new words of a text, and the share of its words that another has."""
    words = compared_words(text, other_text)
    content_count = sum(word.has_content for word in words)
    new_count = sum(word.is_new for word in words)
    return new_count, 1 - new_count / max(1, content_count)


def _share_figure_or_date(text: str, other_text: str) -> bool:
    """Return whether two texts have a figure or a date in common."""
    if known_figures(text, other_text):
        return True
    periods = {mention.period for mention in particulars(text).dates}
    return any(mention.period in periods for mention in particulars(other_text).dates)


def likely_phrase(sentence: str, statement: str, quotation: str, min_score: float) -> str:
    """Return the best phrase of a sentence beside a quotation of either text, "" if none is."""
    best_phrase = ""
    best_score = min_score
    for phrase in _said_phrases(sentence, statement):
        overlaps = bool(quotation) and (quotation in phrase.text or phrase.text in quotation)
        score = phrase_score(phrase, is_said=True)
        if score > best_score and not overlaps:
            best_phrase = phrase.text
            best_score = score
    return best_phrase


def whole_phrase(text: str, other_text: str, quotation: str) -> str:
    """Return the phrase without a word of another text that has a quotation, "" if none has it."""
    for phrase in leftover_phrases(text, other_text):
        if quotation in phrase.text:
            return phrase.text
    return ""


def _counterpart(phrase: LeftoverPhrase, other_phrases: Sequence[LeftoverPhrase]) -> str:
    """Return the only phrase with a figure after the preposition of another one, "" if none is."""
    if not phrase.has_figure or phrase.opening_word not in PREPOSITIONS:
        return ""
    counterparts = [
        other.text
        for other in other_phrases
        if other.has_figure and other.opening_word == phrase.opening_word
    ]
    return counterparts[0] if len(counterparts) == 1 else ""


def phrase_features(phrase: LeftoverPhrase, *, is_said: bool) -> dict[str, float]:
    """Return the features of a phrase by name.

    ``is_said`` tells whether the sentence has it, not the statement.
    """
    return {
        "in the statement": not is_said,
        "new words": min(phrase.new_word_count, MAX_COUNTED_NEW_WORDS),
        "single new word": phrase.new_word_count == 1,
        "words of the text": min(phrase.text_word_count, MAX_COUNTED_WORDS_OF_TEXT),
        "figure": phrase.has_figure,
        "figure in the statement": phrase.has_figure and not is_said,
        "verb": phrase.has_verb,
        "verb in the statement": phrase.has_verb and not is_said,
        "name in the sentence": phrase.has_name and is_said,
        "preposition first": phrase.opening_word in PREPOSITIONS,
        "relative pronoun first": phrase.opening_word in _RELATIVE_PRONOUNS,
    }


def phrase_score(phrase: LeftoverPhrase, *, is_said: bool) -> float:
    """Return the log-odds that a phrase is the open part."""
    model = phrase_model()
    features = phrase_features(phrase, is_said=is_said)
    return model.bias + sum(model.weights[name] * value for name, value in features.items())


@lru_cache(maxsize=1)
def phrase_model(path: Path = MODELS / WEIGHTS_FILE) -> PhraseModel:
    """Return the weights of a model file."""
    values = json.loads(path.read_text("utf-8"))
    return PhraseModel(values["weights"], values["bias"])
