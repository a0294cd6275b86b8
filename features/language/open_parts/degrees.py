"""Degrees by which two texts differ: "close to $20 trillion", "the lowest in 65 years"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

from features.language.agreement import pair_figures
from features.language.figures.numbers import COUNT, MULTIPLE, TIME, Figure
from features.language.figures.rounding import EXACT, SMALL_COUNT
from features.language.open_parts.measures import names_ethnic_group
from features.language.open_parts.word_kinds import NO_SUPERLATIVES
from features.language.vocabulary import Vocabulary, content_words, vocabulary, word_topic
from features.language.word_clashes import Clash

MAX_REACH_CHARACTERS = 60  # from a superlative to its reach: "the lowest level in only 65 years"
MAX_YARDSTICK_CHARACTERS = 80  # from a superlative to its yardstick
MAX_TEXT_CHARACTERS_BEFORE = 40  # before a figure, in which its hedge is looked for

_HEDGE_BEFORE_FIGURE_PATTERN = re.compile(
    r"\b(?:nearly|almost|close to|approaching|just under|just shy of|not quite)\s$", re.I
)
_LARGE_NUMBER_AFTER_PATTERN = re.compile(r" (?:a )?(?:hundred|thousand|million|billion|trillion)\b")
_BOUND_BEFORE_FIGURE_PATTERN = re.compile(
    r"(?<!\bno )\b(?:less than|fewer than|under|below|not even)\s$", re.I
)
_PREDICTION_BEFORE_FIGURE_PATTERN = re.compile(
    r"\b(?:going to|will|would|shall|expected to|projected to) (?:soon )?be (?:(?:close to|about|"
    r"almost|nearly|"
    r"over|more than|around|at|up to) )?$",
    re.I,
)
_BOUND_WORD_PATTERN = re.compile(r"\b(?:less than|fewer than|under|below|not even)\b", re.I)
_ABOUT_BEFORE_FIGURE_PATTERN = re.compile(
    r"\b(?:about|around|roughly|approximately|over|more than|at least|some)\s$", re.I
)
_HEDGED_SUPERLATIVE_PATTERN = re.compile(
    r"\b(?P<hedge>(?:close to|near|nearly|almost|just about|practically|virtually|possibly|"
    r"probably|"
    r"perhaps|maybe|arguably|among|one of) )?"
    r"(?:the |an? |its |their |our )?(?:single |very )?"
    r"(?P<superlative>[a-z]{3,}est|worst|best|(?:most|least) [a-z]+)\b"
    r"(?P<following>(?: [a-z][\w'’-]*){0,3})",
    re.I,
)
_SUPERLATIVE_ENDING_PATTERN = re.compile(r"(?:est|most|least|worst)\b", re.I)
_OTHER_PHRASE_PATTERN = re.compile(
    r"(?<=\w) (?:of|in|on|at|for|to|from|by|with|ever|we|it|they|that|this|is|are|was|were|will|"
    r"can|has|have|and|or|but|"
    r"the|any|as|than|it's)\b.*$",
    re.I,
)
_NEAR_DEED_PATTERN = re.compile(
    r"\b(?:close to|on the (?:verge|brink|edge) of|on the way to) (?P<deed>[a-z]{3,}ing)"
    r"(?: (?:an?|the|his|her|its|their|our) (?:[^\s,;.!?]|[.,]\d)+"
    r"(?: (?!to\b|of\b|in\b|on\b|for\b|and\b|with\b)(?:[^\s,;.!?]|[.,]\d)+){0,3})?",
    re.I,
)
_ANY_NEARNESS_PATTERN = re.compile(r"\b(?:close|nearly|almost|about|verge|brink|edge|way)\b", re.I)
_YARDSTICK_PATTERN = re.compile(
    r"\b(?:(?P<since>since (?:the )?[\w'’-]+(?: [A-Z][\w'’-]+){0,3})|"
    r"(?P<ever>ever\b(?! since)|in (?:\w+ )?history|of all time|on record))",
)
_STANDARD_PATTERN = re.compile(
    r"\b(?P<degree>(?:more|less|fewer) [a-z]+|[a-z]{3,}er) "
    r"(?P<standard>than (?:in |on |at |for )?(?:the |a |an |our |their |its )?[\w'’-]+)"
    r"(?=[\s]*(?:$|[.,;:!?]))",
    re.I,
)
# "Twice as much on ferries as many other nations", "more than any other nation"
_STANDARD_GROUP_PATTERN = re.compile(
    r"\b(?P<standard>(?:as|than) (?:do |in |the people of |does )*"
    r"(?P<quantity>any|every|all|many|most|some|several|"
    r"the (?:next|second)(?:[- ](?:closest|highest|largest|biggest|nearest|best))?)"
    r"(?: other)?(?: major| large| rich| developed| industrialized)? (?P<noun>[a-z]+))\b",
    re.I,
)
_COMPARISON_PATTERN = re.compile(r"\b(?:as|more|less|fewer|[a-z]{3,}er)\b", re.I)
_COUNTRY_OF_NOUN = {
    "nation": "country",
    "nations": "country",
    "countries": "country",
    "place": "country",
}
STATEMENT_BREAK_PATTERN = re.compile(r"(?<=[a-z)\"”’][.!?;])\s|(?<=\d\d[.!?;])\s(?=[A-Z])|[—–]|--")
_REACH_PREPOSITION_PATTERN = re.compile(
    r"\b(?:in|for|over)\b(?: [a-z]+){0,3} ?(?:(?:more|less) than )?$", re.I
)


def hedged_value_clash(
    sentence: str,
    statement: str,
    sentence_figures: Sequence[Figure],
    statement_figures: Sequence[Figure],
) -> Clash | None:
    """Return "$20 trillion" and "close to $20 trillion" if one of two texts hedges, or None."""
    equal_pairs, _, _ = pair_figures(sentence_figures, statement_figures)
    for sentence_figure, statement_figure, kind_of_agreement in equal_pairs:
        # "Almost twice" is said for "twice", and "almost ten" for "ten".
        is_small_count = sentence_figure.kind == COUNT and sentence_figure.high < SMALL_COUNT
        if kind_of_agreement != EXACT or sentence_figure.kind == MULTIPLE or is_small_count:
            continue
        # "$20 trillion" and "close to $20 trillion"
        only_one_is_hedged = bool(sentence_figure.hedge) != bool(statement_figure.hedge)
        if not only_one_is_hedged:
            continue
        # "Nearly a half a million" is a count, not a share.
        if _LARGE_NUMBER_AFTER_PATTERN.match(sentence, sentence_figure.end):
            continue
        sentence_hedge = hedge_before(sentence, sentence_figure)
        statement_hedge = hedge_before(statement, statement_figure)
        if sentence_hedge or statement_hedge:
            return Clash(
                f"{sentence_hedge}{sentence_figure.text}",
                f"{statement_hedge}{statement_figure.text}",
            )
    return None


def upper_bound_clash(
    sentence: str,
    statement: str,
    sentence_figures: Sequence[Figure],
    statement_figures: Sequence[Figure],
) -> Clash | None:
    """Return "less than 1 percent" and "about 1 percent" if one text stays below, or None."""
    if not _BOUND_WORD_PATTERN.search(sentence) and not _BOUND_WORD_PATTERN.search(statement):
        return None
    equal_pairs, _, _ = pair_figures(sentence_figures, statement_figures)
    for sentence_figure, statement_figure, _ in equal_pairs:
        if sentence_figure.low != statement_figure.low:
            continue
        said_bound = _words_before(sentence, sentence_figure, _BOUND_BEFORE_FIGURE_PATTERN)
        checked_bound = _words_before(statement, statement_figure, _BOUND_BEFORE_FIGURE_PATTERN)
        if bool(said_bound) != bool(checked_bound):
            said = said_bound or _words_before(
                sentence, sentence_figure, _ABOUT_BEFORE_FIGURE_PATTERN
            )
            checked = checked_bound or _words_before(
                statement, statement_figure, _ABOUT_BEFORE_FIGURE_PATTERN
            )
            return Clash(said + sentence_figure.text, checked + statement_figure.text)
    return None


def predicted_value_clash(
    sentence: str,
    statement: str,
    sentence_figures: Sequence[Figure],
    statement_figures: Sequence[Figure],
) -> Clash | None:
    """Return "20 percent" and "going to be 20 percent" if one text only predicts it, or None."""
    if " be " not in sentence and " be " not in statement:
        return None
    equal_pairs, _, _ = pair_figures(sentence_figures, statement_figures)
    for sentence_figure, statement_figure, kind_of_agreement in equal_pairs:
        if kind_of_agreement != EXACT or sentence_figure.high < SMALL_COUNT:
            continue
        said_prediction = _words_before(
            sentence, sentence_figure, _PREDICTION_BEFORE_FIGURE_PATTERN
        )
        checked_prediction = _words_before(
            statement, statement_figure, _PREDICTION_BEFORE_FIGURE_PATTERN
        )
        if bool(said_prediction) != bool(checked_prediction):
            return Clash(
                said_prediction + sentence_figure.text, checked_prediction + statement_figure.text
            )
    return None


def hedge_before(text: str, figure: Figure) -> str:
    """Return the words before a figure by which it may fall short of its value, "" if none."""
    return _words_before(text, figure, _HEDGE_BEFORE_FIGURE_PATTERN)


def _words_before(text: str, figure: Figure, pattern: re.Pattern[str]) -> str:
    """Return the words of a pattern that precede a figure, "" if there are none."""
    preceding = text[max(0, figure.start - MAX_TEXT_CHARACTERS_BEFORE) : figure.start]
    words_match = pattern.search(preceding)
    return words_match[0] if words_match else ""


def hedged_superlative_clash(sentence: str, statement: str) -> Clash | None:
    """Return "the lowest level" and "close to the lowest" if one of two texts hedges, or None."""
    statement_parts = STATEMENT_BREAK_PATTERN.split(statement)
    for sentence_match in _superlatives(sentence):
        statement_part = _part_about(sentence, sentence_match["superlative"], statement_parts)
        # A record of Hispanics is none of all people.
        if names_ethnic_group(statement_part) and not names_ethnic_group(sentence):
            continue
        for statement_match in _superlatives(statement_part):
            if not _have_one_superlative(sentence_match, statement_match):
                continue
            if bool(sentence_match["hedge"]) != bool(statement_match["hedge"]):
                return Clash(_noun_phrase(sentence_match), _noun_phrase(statement_match))
    return None


def ranked_thing_clash(sentence: str, statement: str) -> Clash | None:
    """Return "the biggest spending cuts" and "the biggest tax cuts" of two texts, or None.

    The statement ranks nothing else so, and has no word of the thing of the sentence.
    """
    # "the biggest spending cuts" and "the biggest tax cuts"
    statement_vocabulary = vocabulary(statement)
    for phrase in _superlatives(sentence):
        others = [
            other for other in _superlatives(statement) if _have_one_superlative(phrase, other)
        ]
        if len(others) != 1:
            continue
        [other] = others
        said = _noun_phrase(phrase)
        claimed = _noun_phrase(other)
        is_new_there = _names_new_thing(said, phrase["superlative"], statement_vocabulary)
        # "The biggest harbour cuts" beside "the biggest tax cuts". "The best jobs report" may be
        # "the best employment numbers" in other words, and "the worst slump" names no kind.
        have_one_noun = _final_noun(said) == _final_noun(claimed) != ""
        names_kind = len(_content_after(claimed, other["superlative"])) > 1
        if is_new_there and have_one_noun and names_kind:
            return Clash(said, claimed)
    return None


def _final_noun(phrase: str) -> str:
    """Return the topic of the last word of a phrase that is not its superlative, "" for none."""
    words = phrase.split()
    is_property = bool(words) and words[-1].casefold().endswith("est")
    return "" if not words or is_property else word_topic(words[-1])


def _names_new_thing(phrase: str, superlative: str, other_vocabulary: Vocabulary) -> bool:
    """Return whether a word behind a superlative is not in another text: "biggest | tax cuts"."""
    return any(not other_vocabulary.has(match[0]) for match in _content_after(phrase, superlative))


def _content_after(phrase: str, superlative: str) -> tuple[re.Match[str], ...]:
    """Return the words of content behind the superlative of a phrase."""
    _, _, thing = phrase.partition(superlative)
    return content_words(thing)


def share_superlative(text: str, other_text: str) -> bool:
    """Return whether two texts have a superlative in common."""
    superlatives = {phrase["superlative"].casefold() for phrase in _superlatives(text)}
    return any(
        phrase["superlative"].casefold() in superlatives for phrase in _superlatives(other_text)
    )


def reach_clash(
    sentence: str,
    statement: str,
    sentence_figures: Sequence[Figure],
    statement_figures: Sequence[Figure],
) -> Clash | None:
    """Return "65 years" and "19 years", over which two texts rank the same thing, or None."""
    # "the lowest in 65 years" and "the lowest in 19 years"
    statement_parts = STATEMENT_BREAK_PATTERN.split(statement)
    for sentence_match in _superlatives(sentence):
        sentence_period = _period_after(
            sentence, sentence_match.start("superlative"), sentence_figures
        )
        if sentence_period is None:
            continue
        statement_part = _part_about(sentence, sentence_match["superlative"], statement_parts)
        part_start = statement.find(statement_part)
        for statement_match in _superlatives(statement_part):
            if not _have_one_superlative(sentence_match, statement_match):
                continue
            start_in_statement = part_start + statement_match.start("superlative")
            statement_period = _period_after(statement, start_in_statement, statement_figures)
            if statement_period is not None and not _may_be_one_period(
                sentence_period, statement_period
            ):
                return Clash(sentence_period.text, statement_period.text)
    return None


def yardstick_clash(sentence: str, statement: str) -> Clash | None:
    """Return "since the flood" and "ever", with which two texts compare one record, or None."""
    # "the worst since the flood" and "the worst ever"
    statement_parts = STATEMENT_BREAK_PATTERN.split(statement)
    for sentence_match in _superlatives(sentence):
        sentence_yardstick = _yardstick_after(sentence, sentence_match)
        if sentence_yardstick is None:
            continue
        statement_part = _part_about(sentence, sentence_match["superlative"], statement_parts)
        for statement_match in _superlatives(statement_part):
            statement_yardstick = _yardstick_after(statement_part, statement_match)
            if statement_yardstick is None or not _have_one_superlative(
                sentence_match, statement_match
            ):
                continue
            # "Ever" and "in history" are the same; "since" begins at some time.
            sentence_names_beginning = sentence_yardstick["since"] is not None
            statement_names_beginning = statement_yardstick["since"] is not None
            if sentence_names_beginning != statement_names_beginning:
                return Clash(sentence_yardstick[0], statement_yardstick[0])
    return None


def _yardstick_after(text: str, phrase: re.Match[str]) -> re.Match[str] | None:
    """Return "since ..." or "ever" near a superlative, or None."""
    start = phrase.start("superlative")
    return _YARDSTICK_PATTERN.search(text, start, start + MAX_YARDSTICK_CHARACTERS)


def standard_clash(sentence: str, statement: str) -> Clash | None:
    """Return "than the mill" and "than the church", with which two texts compare, or None."""
    # "taller than the mill" and "taller than the church"
    said_standards = _STANDARD_PATTERN.finditer(sentence)
    checked_standards = list(_STANDARD_PATTERN.finditer(statement))
    for said, checked in product(said_standards, checked_standards):
        if said["degree"].casefold() != checked["degree"].casefold():
            continue
        said_topics = _standard_topics(said)
        checked_topics = _standard_topics(checked)
        have_topics = bool(said_topics and checked_topics)
        if have_topics and said_topics.isdisjoint(checked_topics):
            return Clash(said["standard"], checked["standard"])
    return None


def standard_group_clash(sentence: str, statement: str) -> Clash | None:
    """Return "as many other nations" and "as any other nation" of two comparisons, or None."""
    said = _standard_group(sentence)
    checked = _standard_group(statement) if said else None
    if said is None or checked is None:
        return None
    are_one_kind = _things_compared(said) == _things_compared(checked)
    if not are_one_kind or _compared_group(said) == _compared_group(checked):
        return None
    return Clash(said["standard"], checked["standard"])


def _standard_group(text: str) -> re.Match[str] | None:
    """Return "as many other nations" of a comparison, or None."""
    if " than " not in text and " as " not in text:
        return None
    standard = _STANDARD_GROUP_PATTERN.search(text)
    if standard is None or not _COMPARISON_PATTERN.search(text[: standard.start()]):
        return None
    return standard


def _things_compared(standard: re.Match[str]) -> str:
    """Return the noun with which two texts compare: one word for nations and countries."""
    noun = standard["noun"].casefold()
    return _COUNTRY_OF_NOUN.get(noun, noun.removesuffix("s"))


def _compared_group(standard: re.Match[str]) -> str:
    """Return whether a text compares with all others, with many, or with the next one."""
    quantity = standard["quantity"].casefold()
    if quantity in ("any", "every", "all"):
        return "all"
    return quantity if quantity in ("many", "most", "some", "several") else "next"


def _standard_topics(standard: re.Match[str]) -> set[str]:
    return {word_topic(match[0]) for match in content_words(standard["standard"])}


def uncovered_near_deeds(text: str, other_text: str) -> Iterator[str]:
    """Yield "close to signing a deal" if another text has no deed that is only near."""
    if _ANY_NEARNESS_PATTERN.search(other_text):
        return
    for near_deed_match in _NEAR_DEED_PATTERN.finditer(text):
        yield near_deed_match[0]


def _period_after(text: str, superlative_start: int, figures: Sequence[Figure]) -> Figure | None:
    """Return the period that follows a superlative: "the lowest in 65 years", or None."""
    for figure in figures:
        distance = figure.start - superlative_start
        is_near = 0 < distance <= MAX_REACH_CHARACTERS
        words_between = text[superlative_start : figure.start]
        if figure.kind != TIME or not is_near:
            continue
        if _REACH_PREPOSITION_PATTERN.search(words_between):  # "in", "over the last"
            return figure
    return None


def _may_be_one_period(figure: Figure, other: Figure) -> bool:
    """Return whether two periods may be the same."""
    return figure.low <= other.high and other.low <= figure.high


@lru_cache(maxsize=1 << 12)
def _superlatives(text: str) -> tuple[re.Match[str], ...]:
    """Return the superlatives of a text with their hedges and the words that follow."""
    if not _SUPERLATIVE_ENDING_PATTERN.search(text):
        return ()
    superlatives = []
    for superlative_match in _HEDGED_SUPERLATIVE_PATTERN.finditer(text):
        if superlative_match["superlative"].casefold() not in NO_SUPERLATIVES:
            superlatives.append(superlative_match)
    return tuple(superlatives)


def _have_one_superlative(phrase: re.Match[str], other: re.Match[str]) -> bool:
    """Return whether two phrases rank by one property."""
    superlative = phrase["superlative"].casefold()
    return superlative == other["superlative"].casefold()


def _part_about(sentence: str, superlative: str, statement_parts: Sequence[str]) -> str:
    """Return the part of a statement with a superlative that shares most with a sentence.

    A part counts only if it shares a word besides the superlative. Names count more than words:
    the lowest wages "in Lisbon" are others than those "in Porto".
    """
    sentence_vocabulary = vocabulary(sentence)
    superlative_topic = word_topic(superlative)
    best_part = ""
    # The shared names and topics of the best part; names count first.
    best_name_and_topic_counts = (0, 0)
    for part in statement_parts:
        if superlative.casefold() not in part.casefold():
            continue
        shared_words = {
            match[0] for match in content_words(part) if sentence_vocabulary.has(match[0])
        }
        # A topic stands for all forms of a word. The superlative itself doesn't count.
        shared_topics = {word_topic(word) for word in shared_words} - {superlative_topic}
        shared_names = {word for word in shared_words if word in sentence and word[0].isupper()}
        name_and_topic_counts = (len(shared_names), len(shared_topics))
        if shared_topics and name_and_topic_counts > best_name_and_topic_counts:
            best_part = part
            best_name_and_topic_counts = name_and_topic_counts
    return best_part


def _noun_phrase(phrase: re.Match[str]) -> str:
    """Return a superlative with the nouns after it, up to a preposition or a pronoun."""
    end_of_superlative = phrase.end("superlative") - phrase.start()
    following = _OTHER_PHRASE_PATTERN.sub("", phrase["superlative"] + phrase["following"])
    return phrase[0][:end_of_superlative] + following[len(phrase["superlative"]) :]
