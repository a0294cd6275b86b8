"""Conflicts of scope: one text speaks of all, the other of some."""

from __future__ import annotations

import re

from features.language.denial_conflicts import has_opposite_verbs
from features.language.denials import denials, excepts_one
from features.language.hedged_universals import hedged_universal_clash
from features.language.quantifiers import quantifier_clash
from features.language.role_exchange import QUANTITY_BEFORE_PATTERN
from features.language.stems import content_stem
from features.language.text_pairs import FIGURE_MARK, TextPair
from features.language.word_clashes import Clash

MAX_WORDS_AFTER_ALL = 2  # small words from "all" to its noun: "all of the ferries"
_CLAUSE_SEPARATOR_PATTERN = re.compile(r"[.,;:!?—–]")
_NO_LETTER_PATTERN = re.compile(r"[^a-z\s]")
_PERIOD_PATTERN = re.compile(r"(?:year|month|week|day|night|decade|time)s?\b")
_ANYWHERE_IN_PATTERN = re.compile(r"(?:anywhere|everywhere) (?P<reach>in (?:the|this|our) [a-z]+)")
_KNOWING_PATTERN = re.compile(
    r" (?:here |of us |of you )?(?:knows?|agrees?|remembers?|understands?)\b"
)
_EVERY_ORDINAL_PATTERN = re.compile(
    r"every (?:other|two|three|four|five|six|seven|eight|nine|ten|\d+|"
    r"second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+th)\b(?!-)"
)
_RANKING_WORD_PATTERN = re.compile(r"\b(?:most|least|first|[a-z]{2,}est)\b")
_RATE_PATTERN = re.compile(r"(?:each and )?(?:every|each) (?:single )?(?P<unit>[a-z]+)\b")
_UNIT_RATE_PATTERN = re.compile(r"\b(?:per|each|every) (?P<unit>[a-z]+)\b")
# "First of all", "after all"
_ALL_IN_PHRASE_PATTERN = re.compile(
    r"(?:first of|after|at|above|once and for) all\b|\ball (?:of a sudden|told|in all|because|"
    r"by (?:myself|yourself|himself|herself|itself|ourselves|themselves))\b|"
    # "In all of Lorne", "in the whole town"
    r"\b(?:in|than|across|from) all of (?=[A-Za-z]+(?: history)?\b)|"
    r"\b(?:in|across|throughout) (?:the|this|our) (?:whole|entire)\b"
)
_ADVERB_OF_PERIOD = {
    "hour": "hourly",
    "day": "daily",
    "week": "weekly",
    "month": "monthly",
    "quarter": "quarterly",
    "year": "(?:yearly|annual|annually)",
}
_WORD_FOR_ALL_PATTERN = re.compile(
    r"\b(?:all|every|everyone|everybody|each|entire|always|everywhere|anywhere|(?<!hardly )any|"
    r"throughout|whole)\b"
)


def scope_conflict(pair: TextPair) -> Clash | None:
    clash = hedged_universal_clash(pair) or quantifier_clash(pair)
    return clash or _word_for_all_clash(pair)


def _word_for_all_clash(pair: TextPair) -> Clash | None:
    """Return the word by which the sentence speaks of all and the statement of some, or None."""
    if not pair.is_repetition:
        return None
    # "all", "every" or "always" in the sentence, up to the last word that both texts share.
    last_shared_word = pair.shared_runs[-1].sentence_end - 1
    shared_end = pair.sentence.word_starts[last_shared_word]
    all_word_match = None
    lower_text = _ALL_IN_PHRASE_PATTERN.sub(
        lambda phrase: " " * len(phrase[0]), pair.sentence.lower_text
    )
    for match in _WORD_FOR_ALL_PATTERN.finditer(lower_text[:shared_end]):
        is_rate_or_count = _is_rate(pair, match) or _is_part_of_count(pair, match)
        if not is_rate_or_count and not _is_any_of_denial(pair, match):
            all_word_match = match
            break
    if all_word_match is None or _WORD_FOR_ALL_PATTERN.search(pair.statement.lower_text):
        return None
    if excepts_one(pair.sentence.lower_text, pair.statement.lower_text):
        return None
    # "Always voted against it" is "never voted for it".
    if pair.differs_in_denial and (pair.is_opposite or has_opposite_verbs(pair)):
        return None
    # "Anywhere in the world" is "in the world".
    reach = _ANYWHERE_IN_PATTERN.match(pair.sentence.lower_text, all_word_match.start())
    if reach is not None and reach["reach"] in pair.statement.lower_text:
        return None
    return _quoted_words_for_all(pair, all_word_match)


def _is_any_of_denial(pair: TextPair, word_for_all: re.Match[str]) -> bool:
    """Return whether "any" only strengthens a denial: "don't owe any tax" is "owe no tax"."""
    if not word_for_all[0].startswith("any"):
        return False
    text_before = pair.sentence.text[: word_for_all.start()]
    clause = _CLAUSE_SEPARATOR_PATTERN.split(text_before)[-1]
    return bool(denials(clause)) and bool(denials(pair.statement.text))


def _is_part_of_count(pair: TextPair, word_for_all: re.Match[str]) -> bool:
    """Return whether a word for all belongs to "every fifth", "1,400 in all" or "of all counties"."""
    text = pair.sentence.lower_text
    if _EVERY_ORDINAL_PATTERN.match(text, word_for_all.start()):
        return True
    words_before = text[: word_for_all.start()]
    # "Everybody knows that", "as you all know"
    words_after = text[word_for_all.end() :]
    if _KNOWING_PATTERN.match(words_after) and word_for_all[0].startswith(("every", "all")):
        return True
    # "Of all the counties, ours has the lowest" ranks ours, and so does the statement.
    # So does "smaller than at any time since".
    # "That is all they give you" says that they give no more.
    if words_before.endswith(("is ", "'s ", "was ")) and word_for_all[0] == "all":
        return True
    openings = ("of ", "among ", "than ", "than at ", "than in ")
    is_ranking = words_before.endswith(openings) and bool(
        _RANKING_WORD_PATTERN.search(pair.statement.lower_text)
    )
    is_sum = words_before.endswith(" in ") and re.match(r"[,.;]|$", words_after) is not None
    # "Half of all ferries" is half of ferries.
    is_share = QUANTITY_BEFORE_PATTERN.search(words_before) is not None
    # "More than all other towns combined" is "more than the other towns combined".
    is_standard = words_before.endswith("than ") and words_after.startswith(" other")
    is_standard = is_standard and "combined" in pair.statement.lower_text
    return is_ranking or is_sum or is_share or is_standard


def _is_rate(pair: TextPair, word_for_all: re.Match[str]) -> bool:
    """Return whether "every year" or "for each resident" is the other text's "a year" or "per"."""
    rate = _RATE_PATTERN.match(pair.sentence.lower_text, word_for_all.start())
    if rate is None:
        return False
    unit = rate["unit"]
    adverb = _ADVERB_OF_PERIOD.get(unit, unit)
    rate_in_statement = re.compile(rf"\b(?:(?:an?|per|each|every|single) {unit}|{adverb})\b")
    # "A resident" is one of them, and "a year" is every year.
    is_period = unit in _ADVERB_OF_PERIOD
    if not is_period:
        # "Each student" is "per pupil".
        for unit_rate in _UNIT_RATE_PATTERN.finditer(pair.statement.lower_text):
            if content_stem(unit_rate["unit"]) == content_stem(unit):
                return True
        return False
    return rate_in_statement.search(pair.statement.lower_text) is not None


def _quoted_words_for_all(pair: TextPair, all_word: re.Match[str]) -> Clash | None:
    """Return "all ferries" and "ferries", None if the statement has no such noun.

    "Care for all people" may be a part of its own.
    """
    for index, start in enumerate(pair.sentence.word_starts):
        if start < all_word.end():
            continue
        words_between = pair.sentence.lower_text[all_word.end() : start]
        is_near = len(words_between.split()) <= MAX_WORDS_AFTER_ALL
        is_next_word = is_near and not _NO_LETTER_PATTERN.search(words_between)
        word = pair.sentence.words[index]
        if is_next_word and _PERIOD_PATTERN.match(pair.sentence.lower_text, start):
            # "Every year" for "last year"
            return Clash()
        if not is_next_word or word.startswith(FIGURE_MARK) or word not in pair.statement.words:
            return None
        said = pair.sentence.text[all_word.start() : pair.sentence.word_ends[index]]
        index_in_statement = pair.statement.words.index(word)
        return Clash(
            said, pair.statement.original_words(index_in_statement, index_in_statement + 1)
        )
    return None
