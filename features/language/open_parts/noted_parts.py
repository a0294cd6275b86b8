"""The parts to note of a match: uncovered parts in whole phrases, and otherwise another difference.

``partial_coverage`` decides which parts weaken a match. This module decides which of them a note
quotes, and in which words.
"""

from __future__ import annotations

from features.language.agreement import are_comparable
from features.language.open_parts.doubtful_parts import (
    adds_what_is_meant,
    is_doubtful_plan,
    joins_in_other_role,
)
from features.language.open_parts.last_differences import (
    differing_values_of_one_thing,
    last_difference,
)
from features.language.open_parts.leftover_phrases import is_remark
from features.language.open_parts.likely_phrases import likely_phrase, whole_phrase
from features.language.open_parts.partial_coverage import (
    LAST,
    PLAN,
    REMAINDER,
    STRENGTH,
    UNCHECKED,
    UNSAID,
    Part,
    plain_statement,
    plainest,
    uncovered_parts,
)
from features.language.word_clashes import Clash

# Scores of phrases that only the sentence has, from which they are noted beside another part
MIN_SCORE_OF_SECOND_PHRASE = 0.4
MIN_SCORE_BESIDE_UNSAID = 0.8
MAX_WORDS_WITHOUT_PHRASE = 3  # so few words may need the phrase around them to be understood
MAX_QUOTED_FRACTION = 0.75  # the largest share of the words of a text that is a part of it


def noted_parts(sentence: str, statement: str, claimant: str = "") -> tuple[Part, ...]:
    """Return the uncovered parts of two texts in whole phrases, and other differences to note.

    The latter have the kind ``LAST``. They take nothing from a match, and never quote almost all
    of a text: that text may be a paraphrase of the other.
    """
    uncovered = uncovered_parts(sentence, statement, claimant)
    if not are_comparable(sentence, statement):
        return uncovered
    return tuple(
        (kind, clash)
        for kind, clash in _with_last_difference(uncovered, sentence, statement)
        if kind != LAST
        or not (
            quotes_almost_all(clash.in_sentence, sentence)
            or quotes_almost_all(clash.in_statement, statement)
        )
    )


def _is_doubtful(part: Part, sentence: str, statement: str) -> bool:
    """Return whether a part weakens a match and is too often no difference to be named."""
    kind, clash = part
    if kind == PLAN:
        return is_doubtful_plan(clash, sentence, statement)
    if kind == UNCHECKED:
        return is_remark(clash.in_sentence)
    return kind == STRENGTH and (
        joins_in_other_role(clash, sentence, statement)
        or adds_what_is_meant(clash, sentence, statement)
    )


def quotes_almost_all(quotation: str, text: str) -> bool:
    """Return whether a quotation has more than three quarters of the words of a text."""
    return len(quotation.split()) > MAX_QUOTED_FRACTION * len(text.split())


def _with_last_difference(
    uncovered: tuple[Part, ...], sentence: str, statement: str
) -> tuple[Part, ...]:
    """Return parts in whole phrases, and another difference beside them if there is one."""
    sentence = plainest(sentence)
    statement = plain_statement(statement)
    parts = tuple(
        _in_whole_phrase(part, sentence, statement)
        for part in uncovered
        if not _is_doubtful(part, sentence, statement)
    )
    kinds = {kind for kind, _ in parts} - {REMAINDER}
    if not kinds:
        # A remainder may be a paraphrase, and comes last.
        clash = last_difference(sentence, statement)
        return parts if clash is None else ((LAST, clash), *parts)
    if kinds == {UNCHECKED} and len(parts) == 1:
        [(_, clash)] = parts
        values = differing_values_of_one_thing(sentence, statement)
        if values is not None and _one_contains_other(values.in_sentence, clash.in_sentence):
            return ((LAST, values), *parts)
        phrase = likely_phrase(sentence, statement, clash.in_sentence, MIN_SCORE_OF_SECOND_PHRASE)
        return (*parts, (LAST, Clash(in_sentence=phrase))) if phrase else parts
    if kinds == {UNSAID}:
        # What only the sentence has comes first.
        phrase = likely_phrase(sentence, statement, "", MIN_SCORE_BESIDE_UNSAID)
        return ((LAST, Clash(in_sentence=phrase)), *parts) if phrase else parts
    return parts


def _one_contains_other(quotation: str, other: str) -> bool:
    """Return whether one of two quotations contains the other."""
    return quotation in other or other in quotation


def _in_whole_phrase(part: Part, sentence: str, statement: str) -> Part:
    """Return a part of one text with the phrase around its words: "paid off $405 billion"."""
    kind, clash = part
    if kind == UNCHECKED and len(clash.in_sentence.split()) <= MAX_WORDS_WITHOUT_PHRASE:
        phrase = whole_phrase(sentence, statement, clash.in_sentence)
        return (kind, Clash(in_sentence=phrase)) if phrase else part
    if kind == UNSAID and len(clash.in_statement.split()) <= MAX_WORDS_WITHOUT_PHRASE:
        phrase = whole_phrase(statement, sentence, clash.in_statement)
        return (kind, Clash(in_statement=phrase)) if phrase else part
    return part
