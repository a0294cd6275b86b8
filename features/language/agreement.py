"""Agreement of two texts on particulars: do they name the same numbers, names and dates?

Figures and dates are read by ``features.language.figures``. Two figures agree if they are the same
or one is a rounding of the other; they clash only if both may be the same quantity of the same
thing. Names are capitalised words that do not merely begin a sentence; what is a name in one text
is a name wherever the other has it, in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from features.language.abbreviations import spelled_like
from features.language.figures.calendar import MONTHS
from features.language.figures.date_comparison import compare, date_verdicts, may_be_same_date
from features.language.figures.dates import DateMention
from features.language.figures.dates import dates as read_dates
from features.language.figures.numbers import Figure, figures
from features.language.figures.rounding import (
    EXACT,
    ROUNDED,
    SAME_CONTEXT,
    SHARED_CONTEXT,
    SHARED_CONTEXT_OF_OTHER_NAMES,
    agree_by_chance,
    are_opposed,
    figure_agreement,
)
from features.language.figures.spelling import plain_character
from features.language.function_words import NON_NAME_WORDS
from features.language.stems import PLACE_NAMES, topic
from features.language.text_limits import MAX_CHARACTERS, MAX_FIGURES

SAME = "same"
DIFFERENT = "different"
MISSING = "missing"
ROUNDS = "rounds to"
MIN_SHARED_TOPICS = (
    0.35  # share of the shorter text's topics, below which the texts differ in topic
)
MIN_REPEATED_WORDS = 0.7  # share of the longer text's words, above which they differ in one place
MIN_ROOT_LETTERS = 4  # letters of a name's root, from which its other forms are known
PAST_DAYS = 366  # before the day of speaking, when a date is no longer "today"

_PLACE_ENDINGS = frozenset("an ans ian ians ese ish n ns er ers s ic ics".split())
_WORD_PATTERN = re.compile(r"\d[\d,.]*|[^\W\d_]+(?:'[^\W\d_]+)*")
_CAPITALISED_WORD_PATTERN = re.compile(
    r"(?P<end>^|[.!?:;—–]['\"”’)]*\s+|"
    r"['\"“‘(]\s*)?(?<!\w)(?P<word>[A-Z][^\W\d_]*(?:['’][^\W\d_]+)*)"
)
_REPEATED_WORD_PATTERN = re.compile(r"\b(?P<word>[a-z]+(?:'[a-z]+)?)(?:,? (?P=word)\b)+", re.I)
_TODAY_PATTERN = re.compile(
    r"\b(?:today|right now|currently|these days|nowadays|at present)\b", re.I
)
_HESITATION_PATTERN = re.compile(
    r"(?<=[\w,]) (?:um+|uh+|er+|ah|hmm|you know|i mean|okay|frankly)\b,?(?= \w)"
    r"(?! (?:that|what|how|who|where|why|if|it))|"
    r"^(?:um+|uh+|er+|ah|hmm|well|look|you know|okay)\b,? ",
    re.I,
)


class ParticularSpan(NamedTuple):
    """A particular in its text, and whether the other text has it, too."""

    start: int
    end: int
    verdict: str


class FigurePair(NamedTuple):
    """A figure of the sentence, one of the statement, and how they agree: EXACT or ROUNDED."""

    sentence_figure: Figure
    statement_figure: Figure
    agreement_kind: str


@dataclass(frozen=True, slots=True)
class Particulars:
    """The numbers, names and dates of a text, with its words.

    ``names`` and ``words`` (all of its words) are in lower case. ``topics`` are the stems of its
    content words. ``is_about_today``: the text is about today. ``is_too_long``: the text is longer
    than a statement or a table of figures, and nothing else is known of it.
    """

    numbers: tuple[Figure, ...]
    names: frozenset[str]
    dates: tuple[DateMention, ...]
    words: frozenset[str]
    topics: frozenset[str] = frozenset()
    is_about_today: bool = False
    is_too_long: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """The number of particulars that two texts share, that clash, and that agree by rounding."""

    shared: int
    clashing: int
    rounded: int = 0

    @property
    def verdict(self) -> str:
        """Return same, different or missing."""
        if self.clashing:
            return DIFFERENT
        return SAME if self.shared else MISSING


@dataclass(frozen=True, slots=True)
class Mark:
    """A number, name or date, ``text[start:end]``, compared with the other text.

    The verdict is same, different or missing.
    """

    kind: str
    start: int
    end: int
    verdict: str


_TOO_LONG = Particulars((), frozenset(), (), frozenset(), is_too_long=True)


def are_comparable(*texts: str) -> bool:
    """Return whether no text is longer than a statement (``text_limits``) or a table of figures.

    Other texts have no agreement, no conflict and no difference.
    """
    return not any(particulars(text).is_too_long for text in texts)


def agreement(
    sentence: str, statement: str, event_day: int = 0, claim_day: int = 0
) -> dict[str, str]:
    """Return same, different or missing for the numbers, names and dates of two texts.

    Different: both have particulars of one kind that the other lacks. Missing: at least one side
    has none to compare. ``event_day`` and ``claim_day`` are the days (ordinals, 0 if unknown) of
    the two texts, from which "last year" and other relative dates are counted.
    """
    sentence_particulars = particulars(sentence)
    statement_particulars = particulars(statement)
    return {
        "numbers": compare_numbers(sentence_particulars, statement_particulars).verdict,
        "names": _names_verdict_of_texts(sentence, statement),
        "dates": compare_dates(
            sentence_particulars, statement_particulars, event_day, claim_day
        ).verdict,
    }


def marks(
    sentence: str, statement: str, event_day: int = 0, claim_day: int = 0
) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the numbers, names and dates of both texts, as they are written there.

    For each kind, a mark of either text is different if and only if ``agreement`` says different,
    and one is the same only if the other text has it. Texts that are too long have no marks.
    """
    if not are_comparable(sentence, statement):
        return (), ()
    both_particulars = (particulars(sentence), particulars(statement))
    plain_texts = (plain(sentence), plain(statement))
    # For each kind, the spans of the sentence, then the spans of the statement.
    spans_of_both = {
        "numbers": _number_spans(*both_particulars),
        "names": _name_spans(both_particulars, plain_texts),
        "dates": _date_spans(both_particulars, plain_texts, (event_day, claim_day)),
    }
    sentence_spans = {kind: spans[0] for kind, spans in spans_of_both.items()}
    statement_spans = {kind: spans[1] for kind, spans in spans_of_both.items()}
    return _marks_of_text(sentence, sentence_spans), _marks_of_text(statement, statement_spans)


def _marks_of_text(
    text: str, spans_by_kind: Mapping[str, Sequence[ParticularSpan]]
) -> tuple[Mark, ...]:
    """Turn spans of the plain text into marks at their positions in the written text."""
    positions = _original_positions(text)
    marks_of_text = []
    for kind, spans in spans_by_kind.items():
        for start, end, verdict in spans:
            marks_of_text.append(Mark(kind, positions[start], positions[end - 1] + 1, verdict))
    return tuple(marks_of_text)


def roundings(sentence: str, statement: str) -> tuple[tuple[str, str], ...]:
    """Return the figures, in the words of both texts, that agree only by rounding."""
    sentence_figures = particulars(sentence).numbers
    statement_figures = particulars(statement).numbers
    # The figures of both texts that agree, in pairs; the other figures don't matter here.
    pairs, _, _ = pair_figures(sentence_figures, statement_figures)
    rounded_words = []
    for sentence_figure, statement_figure, agreement_kind in pairs:
        is_by_chance = agree_by_chance(sentence_figure, statement_figure)
        if agreement_kind == ROUNDED and not is_by_chance:
            rounded_words.append((sentence_figure.text, statement_figure.text))
    return tuple(rounded_words)


def plain(text: str) -> str:
    """Return a text without hesitations and words repeated in a row, with plain apostrophes."""
    if not text.isascii():
        text = "".join(map(plain_character, text))
    without_hesitations = _HESITATION_PATTERN.sub("", text)
    return _REPEATED_WORD_PATTERN.sub(r"\g<word>", without_hesitations).strip()


def _original_positions(text: str) -> list[int]:
    """Return the position in the text of each character of ``plain(text)``."""
    # The position in the text of each character of the plain text, which is shorter: hesitations,
    # repeated words and outer spaces are removed.
    plain_text = "".join(map(plain_character, text))
    # The same two replacements as in ``plain``, from the end so that earlier spans stay valid.
    kept_positions = list(range(len(text)))
    for match in reversed(list(_HESITATION_PATTERN.finditer(plain_text))):
        del kept_positions[match.start() : match.end()]
    shortened_text = "".join(plain_text[position] for position in kept_positions)
    # "the the plan": the first "the" stays.
    for match in reversed(list(_REPEATED_WORD_PATTERN.finditer(shortened_text))):
        first_word = slice(match.start("word"), match.end("word"))
        kept_positions[match.start() : match.end()] = kept_positions[first_word]
    shortened_text = "".join(plain_text[position] for position in kept_positions)
    leading_spaces = len(shortened_text) - len(shortened_text.lstrip())
    return kept_positions[leading_spaces : len(shortened_text.rstrip())]


@lru_cache(maxsize=1 << 17)
def particulars(text: str) -> Particulars:
    """Return the numbers, names and dates of a text, none if it is too long."""
    if len(text) > MAX_CHARACTERS:
        return _TOO_LONG
    text = plain(text)
    read_date_mentions = read_dates(text)
    read_figures = figures(text, ((when.start, when.end) for when in read_date_mentions))
    if len(read_figures) > MAX_FIGURES:
        return _TOO_LONG
    lower_words = frozenset(
        word.casefold().removesuffix("'s") for word in _WORD_PATTERN.findall(text)
    )
    read_names = frozenset[str]()
    if _has_both_cases(text):
        read_names = frozenset(name for name, _, _ in _read_names(text))
    return Particulars(
        numbers=read_figures,
        names=read_names,
        dates=read_date_mentions,
        words=lower_words,
        topics=frozenset(map(topic, lower_words)) - {""},
        is_about_today=bool(_TODAY_PATTERN.search(text)),
    )


def _has_both_cases(text: str) -> bool:
    return not text.islower() and not text.isupper()


def compare_numbers(sentence: Particulars, statement: Particulars) -> Overlap:
    """Compare the figures of two texts.

    Those clash that are left over on both sides and may be the same quantity.
    """
    pairs, unpaired_in_sentence, unpaired_in_statement = pair_figures(
        sentence.numbers, statement.numbers
    )
    # How each pair agrees: EXACT or ROUNDED. Chance agreements, with other words around the two
    # figures, don't count.
    agreement_kinds = []
    for sentence_figure, statement_figure, agreement_kind in pairs:
        if not agree_by_chance(sentence_figure, statement_figure):
            agreement_kinds.append(agreement_kind)
    clashing_in_sentence, clashing_in_statement = _clashing_figures(
        sentence, statement, unpaired_in_sentence, unpaired_in_statement
    )
    return Overlap(
        shared=len(agreement_kinds),
        clashing=min(len(clashing_in_sentence), len(clashing_in_statement)),
        rounded=agreement_kinds.count(ROUNDED),
    )


def _clashing_figures(
    sentence: Particulars,
    statement: Particulars,
    unpaired_in_sentence: list[Figure],
    unpaired_in_statement: list[Figure],
) -> tuple[list[Figure], list[Figure]]:
    """Return the unpaired figures of each text that clash with one of the other text."""
    if not unpaired_in_sentence or not unpaired_in_statement:
        return [], []
    needed_context_share = _needed_context(sentence, statement)
    clashing_in_sentence = _clashing_with_any(
        unpaired_in_sentence, unpaired_in_statement, needed_context_share
    )
    clashing_in_statement = _clashing_with_any(
        unpaired_in_statement, unpaired_in_sentence, needed_context_share
    )
    if not clashing_in_sentence or not clashing_in_statement:
        return [], []
    return clashing_in_sentence, clashing_in_statement


def _clashing_with_any(
    figures_of_text: list[Figure], figures_of_other: list[Figure], needed_context: float
) -> list[Figure]:
    return [
        figure
        for figure in figures_of_text
        if any(are_opposed(figure, other, needed_context) for other in figures_of_other)
    ]


def _number_spans(sentence: Particulars, statement: Particulars) -> list[list[ParticularSpan]]:
    """Return the spans of the figures of both texts."""
    pairs, unpaired_in_sentence, unpaired_in_statement = pair_figures(
        sentence.numbers, statement.numbers
    )
    agreeing_pairs = [
        pair for pair in pairs if not agree_by_chance(pair.sentence_figure, pair.statement_figure)
    ]
    clashing_in_sentence, clashing_in_statement = _clashing_figures(
        sentence, statement, unpaired_in_sentence, unpaired_in_statement
    )
    sentence_spans = _spans_of_figures(
        sentence.numbers, [pair.sentence_figure for pair in agreeing_pairs], clashing_in_sentence
    )
    statement_spans = _spans_of_figures(
        statement.numbers, [pair.statement_figure for pair in agreeing_pairs], clashing_in_statement
    )
    return [sentence_spans, statement_spans]


def _spans_of_figures(
    figures_of_text: Iterable[Figure], agreeing: list[Figure], clashing: list[Figure]
) -> list[ParticularSpan]:
    """Return the spans of a text's figures, of which some agree and some clash with the other text."""
    spans = []
    for figure in figures_of_text:
        is_shared = any(figure is agreeing_figure for agreeing_figure in agreeing)
        verdict = SAME if is_shared else _unshared_verdict(figure in clashing)
        spans.append(ParticularSpan(figure.start, figure.end, verdict))
    return spans


def _unshared_verdict(clashes: bool) -> str:
    return DIFFERENT if clashes else MISSING


def _needed_context(sentence: Particulars, statement: Particulars) -> float:
    """Return the share of context that two figures of these texts need to be of the same thing."""
    shorter_topic_count = min(len(sentence.topics), len(statement.topics))
    sentence_places = sentence.words & PLACE_NAMES
    statement_places = statement.words & PLACE_NAMES
    in_different_places = (
        sentence_places and statement_places and sentence_places.isdisjoint(statement_places)
    )
    # The less the texts have in common, the more context two figures need.
    shared_topic_count = len(sentence.topics & statement.topics)
    if shared_topic_count < MIN_SHARED_TOPICS * shorter_topic_count or in_different_places:
        return SAME_CONTEXT
    if compare_names(sentence, statement).clashing:
        return SHARED_CONTEXT_OF_OTHER_NAMES
    return SHARED_CONTEXT


def pair_figures(
    sentence_figures: Iterable[Figure], statement_figures: Iterable[Figure]
) -> tuple[list[FigurePair], list[Figure], list[Figure]]:
    """Pair the figures that agree, and return those left over on each side.

    Figures that agree exactly are paired first.
    """
    # Equal figures find each other first: 100 is paired with 100, even if 98 comes before it.
    unpaired_in_sentence = list(sentence_figures)
    unpaired_in_statement = list(statement_figures)
    pairs: list[FigurePair] = []
    for needed_agreement in (EXACT, ROUNDED):
        for sentence_figure in tuple(unpaired_in_sentence):
            for statement_figure in unpaired_in_statement:
                if figure_agreement(sentence_figure, statement_figure) == needed_agreement:
                    pair = FigurePair(sentence_figure, statement_figure, needed_agreement)
                    pairs.append(pair)
                    unpaired_in_sentence.remove(sentence_figure)
                    unpaired_in_statement.remove(statement_figure)
                    break
    return pairs, unpaired_in_sentence, unpaired_in_statement


def compare_names(sentence: Particulars, statement: Particulars) -> Overlap:
    """Compare the names of two texts, which clash only if both have some and none is shared."""
    shared = _shared_names(sentence, statement)
    clashes = bool(sentence.names and statement.names) and not shared
    return Overlap(len(shared), int(clashes))


def _names_verdict(sentence: Particulars, statement: Particulars) -> str:
    """Return same, different or missing for the names; a name in another form is the same one.

    ``compare_names``, an input of the rankers, compares the letters alone.
    """
    if _names_in_other_form(sentence, statement):
        return SAME
    return compare_names(sentence, statement).verdict


def _names_verdict_of_texts(sentence: str, statement: str) -> str:
    """Return the verdict on the names of two texts, of which one may abbreviate a name."""
    verdict = _names_verdict(particulars(sentence), particulars(statement))
    if verdict != DIFFERENT:
        return verdict
    # "EPA" stands for "Environmental Protection Agency", but the two are not marked as the same.
    respelled_sentence = spelled_like(sentence, statement)
    is_abbreviated = respelled_sentence != sentence
    if is_abbreviated:
        verdict = _names_verdict(particulars(respelled_sentence), particulars(statement))
    return MISSING if is_abbreviated and verdict == SAME else verdict


def _names_in_other_form(sentence: Particulars, statement: Particulars) -> frozenset[str]:
    """Return the names of which the other text has another form: "Russians" and "Russia"."""
    names = []
    for text, other in ((sentence, statement), (statement, sentence)):
        for name in text.names:
            if topic(name) in other.topics or has_form_of_name(name, other.words):
                names.append(name)
    return frozenset(names)


def has_form_of_name(name: str, words: Iterable[str]) -> bool:
    """Return whether one of the words is another form of a name: Russia, Russian, Russians."""
    return any(_is_people_of(name, word) or _is_people_of(word, name) for word in words)


def _is_people_of(name: str, word: str) -> bool:
    """Return whether a word is a name's adjective or people: Russian, Arizonans."""
    # "russia" has the root "russ", which "russians" continues with the ending "ians".
    root = name.removesuffix("s").rstrip("aeiouy")
    is_long = len(root) >= MIN_ROOT_LETTERS
    return is_long and word.startswith(root) and word.removeprefix(root) in _PLACE_ENDINGS


def _shared_names(sentence: Particulars, statement: Particulars) -> frozenset[str]:
    """Return the names of either text that the other has in any case."""
    in_both = sentence.names & statement.names
    return in_both | (sentence.names & statement.words) | (statement.names & sentence.words)


def _name_spans(
    both_particulars: tuple[Particulars, Particulars], plain_texts: tuple[str, str]
) -> list[list[ParticularSpan]]:
    """Return the spans of the names of both texts."""
    shared_names = _shared_names(*both_particulars) | _names_in_other_form(*both_particulars)
    has_clash = _names_verdict_of_texts(*plain_texts) == DIFFERENT
    spans_by_text = []
    for text_particulars, text in zip(both_particulars, plain_texts, strict=True):
        spans = []
        for name, start, end in _read_names(text):
            if name in text_particulars.names:
                verdict = SAME if name in shared_names else _unshared_verdict(has_clash)
                spans.append(ParticularSpan(start, end, verdict))
        spans_by_text.append(spans)
    return spans_by_text


def compare_dates(
    sentence: Particulars, statement: Particulars, event_day: int = 0, claim_day: int = 0
) -> Overlap:
    """Compare dates and periods, which clash if some can be compared and none is shared.

    "Today" is a date only if the other text, word for word the same, has a past one in its place.
    """
    date_counts = compare(sentence.dates, statement.dates, event_day, claim_day)
    past_dates = _past_dates(sentence, statement, claim_day) or _past_dates(
        statement, sentence, event_day
    )
    return Overlap(date_counts.shared, date_counts.clashing or int(bool(past_dates)))


def _date_spans(
    both_particulars: tuple[Particulars, Particulars],
    plain_texts: tuple[str, str],
    speaking_days: tuple[int, int],
) -> list[list[ParticularSpan]]:
    """Return the spans of the dates of both texts.

    "Today" is one if the other text has a past date in its place.
    """
    sentence, statement = both_particulars
    event_day, claim_day = speaking_days
    is_shared_by_text = date_verdicts(sentence.dates, statement.dates, *speaking_days)
    past_dates_by_text = (
        _past_dates(sentence, statement, claim_day),
        _past_dates(statement, sentence, event_day),
    )
    spans_by_text = []
    for side, text_particulars in enumerate(both_particulars):
        spans = _spans_of_dates(
            text_particulars.dates, is_shared_by_text[side], past_dates_by_text[side]
        )
        # The other text has a past date in the place of "today" in this one.
        other_side = 1 - side
        if past_dates_by_text[other_side]:
            for match in _TODAY_PATTERN.finditer(plain_texts[side]):
                spans.append(ParticularSpan(match.start(), match.end(), DIFFERENT))
        spans_by_text.append(spans)
    return spans_by_text


def _spans_of_dates(
    dates: Sequence[DateMention],
    is_shared_by_date: Sequence[bool | None],
    past_dates: Sequence[DateMention],
) -> list[ParticularSpan]:
    """Return the spans of a text's dates; a past date clashes with "today" in the other text."""
    spans = []
    for date_mention, is_shared in zip(dates, is_shared_by_date, strict=True):
        # True: the other text has the date. False: it clashes. None: neither.
        clashes = is_shared is False or date_mention in past_dates
        verdict = SAME if is_shared and not clashes else _unshared_verdict(clashes)
        spans.append(ParticularSpan(date_mention.start, date_mention.end, verdict))
    return spans


def _past_dates(
    text_with_date: Particulars, text_about_today: Particulars, day_of_today: int
) -> list[DateMention]:
    """Return the dates of a text that are past while the other text is about today.

    The texts must have most words in common. ``day_of_today`` is the day (ordinal, 0 if unknown) of the
    text about today.
    """
    # "Crime rose in 1990" beside "Crime is rising today".
    if text_with_date.is_about_today or not text_about_today.is_about_today:
        return []
    if not text_with_date.dates or not _have_most_words_in_common(text_with_date, text_about_today):
        return []
    past_dates = []
    for date_mention in text_with_date.dates:
        # A day of 0 stands for an unknown one: then every date may be past.
        is_long_ago = date_mention.period.last_day < day_of_today - PAST_DAYS
        may_be_past = day_of_today == 0 or is_long_ago
        if not date_mention.is_calendar_date or not may_be_past:
            continue
        may_be_shared = any(
            may_be_same_date(date_mention, other) for other in text_about_today.dates
        )
        if not may_be_shared:
            past_dates.append(date_mention)
    return past_dates


def _have_most_words_in_common(one_text: Particulars, other_text: Particulars) -> bool:
    longer_word_count = max(len(one_text.words), len(other_text.words))
    return len(one_text.words & other_text.words) >= MIN_REPEATED_WORDS * longer_word_count


def _read_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each name in small letters and its span, without the ending of its genitive."""
    for match in _CAPITALISED_WORD_PATTERN.finditer(text):
        capitalised_word = match["word"]
        name = capitalised_word.casefold().removesuffix("'s")
        # The group "end" is the end of the sentence before: then any word has a capital.
        only_begins_sentence = match["end"] is not None and not capitalised_word.isupper()
        is_other_word = name in NON_NAME_WORDS or name in MONTHS or len(name) <= 1
        if not only_begins_sentence and not is_other_word:
            start = match.start("word")
            yield name, start, start + len(capitalised_word.removesuffix("'s"))
