"""Conflicts between two texts: reasons, found in their words, why their claims differ.

Two sentences make the same claim if the same facts would settle them. Each rule finds one way in
which that fails: the figures, years or names clash, or a name is a namesake's; one says up and the
other says down; one denies, or only supposes, the other; one speaks of all and the other of some;
or one repeats the other almost word for word and yet has another word in the middle, or adds a
clause about a name. The rules are for English. A text that they cannot read has no conflicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product

from features.language import agreement
from features.language.abbreviations import abbreviates, spelled_like
from features.language.causes import cause_clash
from features.language.complements import say_complements
from features.language.denials import (
    denials,
    denies,
    denies_equality,
    denies_that_any_equals,
    denies_without,
    deny_by_verb,
    excepts_one,
    flat_denials,
    has_negative_form,
    negative_forms,
    rejects_denied_clause,
    tell_first,
)
from features.language.exchanged_partners import exchanged_partners
from features.language.figure_terms import bound_clash, rank_clash, unit_or_period_clash
from features.language.figures.date_comparison import compare, may_be_same_date
from features.language.figures.dates import DateMention
from features.language.figures.numbers import (
    COUNT,
    MULTIPLE,
    OVER,
    RANK,
    TIME,
    UNDER,
    Figure,
    comparable,
)
from features.language.figures.rounding import EXACT, figure_agreement
from features.language.function_words import NON_NAME_WORDS
from features.language.group_words import group_clash, place_clash, thing_clash
from features.language.hedged_universals import hedged_universal_clash
from features.language.interchangeable_words import are_interchangeable, have_same_letters
from features.language.namesakes import mention_namesakes
from features.language.prospects import prospect
from features.language.reported_speech import reported_speech
from features.language.role_exchange import (
    QUANTITY_BEFORE_PATTERN,
    exchanged_roles,
    is_restated_conversely,
)
from features.language.sentence_parts import looks_like_verb
from features.language.slot_clashes import (
    LIGHT_WORDS,
    WORDS_OF_DENIAL,
    opposite_verb_clash,
    replaced_slot_clash,
    same_number_clash,
    side_of_event_clash,
)
from features.language.speaker_references import UNKNOWN_SPEAKERS, Speakers, person_clash
from features.language.stems import PLACE_NAMES, content_stem
from features.language.text_pairs import (
    FIGURE_MARK,
    MIN_REPEATED_WORDS,
    MIN_VERBATIM_FRACTION,
    AnalysedText,
    Gap,
    TextPair,
    analyse_text,
    pair_texts,
)
from features.language.verb_senses import are_synonyms, opposite_verbs
from features.language.vocabulary import is_irregular_form, vocabulary, word_topic
from features.language.word_clashes import Clash

MIN_DENIED_WORDS = 2  # shared words after "not one", by which a text denies the other
MAX_WORDS_AFTER_ALL = 2  # small words from "all" to its noun: "all of the ferries"
MAX_DENIED_CHARACTERS = 30  # from "not" to the word that it denies
MIN_ADVERB_LETTERS = 6
MAX_NAMED_GAP_WORDS = 4  # between shared words, in which two names are each other's replacement

# What differs if one text speaks of a part and the other of the rest
_SETTLED_BY_COMPLEMENT = frozenset(["figures", "direction", "denial", "bounds", "wording"])
_FINAL_PHRASE_PATTERN = re.compile(
    r"^\S+ (?:in|among|during|for|at|within|outside|near|under|on) [\w'-]+(?: [\w'-]+){0,3} "
    r"?[.!?]?$"
)
_ORDINAL_OF_NUMBER = dict(
    enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1)
)
_MAGNITUDES = {1e3: "thousand", 1e6: "million", 1e9: "billion", 1e12: "trillion"}
_WORDS_NEVER_SUBJECTS = NON_NAME_WORDS | frozenset(
    "first second last all any today every each instead many most both half no none other others "
    "another few several only whatever nothing everything yesterday tonight then now later "
    "hes shes im ive theyre youre thats theres whos lets weve dont "
    "finally again indeed perhaps maybe not never nobody once since unlike like plus despite besides".split()
)
_NAME_AFTER_PREPOSITION_PATTERN = re.compile(
    r"\b(?P<preposition>[Uu]nder|[Bb]y) (?:(?:President|Governor|Senator|Mayor|former|the) )*"
    r"(?:[A-Z][a-z]+ )?(?P<name>[A-Z][a-z]+)\b"
)
_DATE_PREPOSITION_PATTERN = re.compile(r"\b(?:since|until|till|before|after|by|through)\s+$", re.I)
_NO_LETTER_PATTERN = re.compile(r"[^a-z\s]")
_PERIOD_PATTERN = re.compile(r"(?:year|month|week|day|night|decade|time)s?\b")
_ANYWHERE_IN_PATTERN = re.compile(r"(?:anywhere|everywhere) (?P<reach>in (?:the|this|our) [a-z]+)")
_OPINION_PATTERN = re.compile(r" (?P<verb>think|believe|feel)\b")
# "We should not be the only ones" says that we are.
_ONLY_ONE_PATTERN = re.compile(r" (?:be |being )?the only\b")
_IF_PATTERN = re.compile(r"\b(?:even )?if\b")
_NEAR_MISS_BUT_PATTERN = re.compile(
    r"\b(?:nearly|almost|all but|came close to|on the verge of) (?P<verb>[a-z]+)\b[^.;!?]{0,80}\bbut\b"
)
# "Country" is the stem of "America" and "this nation", too. The others only strengthen a noun.
_LIGHT_ADDITIONS = frozenset(
    map(content_stem, "country top major disastrous terrible horrible radical".split())
)
_WORDS_OF_FIGURES = frozenset(
    map(
        content_stem,
        "thousand million billion trillion dollar first second third fourth fifth sixth seventh "
        "eighth ninth tenth".split(),
    )
)
_LIMITING_ADVERBS = frozenset(
    "nearly mostly partly partially barely hardly scarcely rarely seldomly usually generally "
    "possibly potentially allegedly supposedly reportedly purportedly family assembly supply "
    "weekly monthly yearly hourly quarterly slightly slowly quickly rapidly virtually practically "
    "largely mainly primarily directly indirectly legally illegally openly secretly publicly "
    "privately jointly solely exclusively especially elderly federally locally nationally "
    "newly formerly previously early temporarily permanently unfairly falsely wrongly".split()
)
_CLAUSE_BOUNDARY_PATTERN = re.compile(
    r"[,;:—–?!]|--|\b(?:that|which|who|because|although|but|where|when|so)\b"
)
_LIST_PATTERN = re.compile(r"\b(?:and|or)\b")
_END_OF_CLAUSE_PATTERN = re.compile(r"[;:—?!]|\.(?:\s|$)")
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
_ALL_IN_PHRASE_PATTERN = re.compile(r"(?:first of|after|at|above|once and for) all\b")
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


def conflicts(
    sentence: str,
    statement: str,
    event_day: int = 0,
    claim_day: int = 0,
    speakers: Speakers = UNKNOWN_SPEAKERS,
) -> frozenset[str]:
    """Return the names of the conflicts between two texts, a subset of ``CONFLICTS``.

    It takes the parameters of ``clashes``.
    """
    return frozenset(clashes(sentence, statement, event_day, claim_day, speakers))


def clashes(
    sentence: str,
    statement: str,
    event_day: int = 0,
    claim_day: int = 0,
    speakers: Speakers = UNKNOWN_SPEAKERS,
) -> dict[str, Clash]:
    """Return the conflicts between two texts by name, each with the words that differ.

    ``event_day`` and ``claim_day`` are the days (ordinals, 0 if unknown) of the two texts, from
    which "last year" and other relative dates are counted.
    """
    # The sentence with its names spelled as the statement spells them
    respelled_sentence = spelled_like(sentence, statement)
    pair = pair_texts(
        analyse_text(respelled_sentence), analyse_text(statement), event_day, claim_day
    )
    clash_of_rule = {}
    for name, rule in _RULES:
        clash = rule(pair)
        if clash is not None:
            clash_of_rule[name] = clash
    if clash_of_rule and say_complements(pair):
        clash_of_rule = {
            name: clash
            for name, clash in clash_of_rule.items()
            if name not in _SETTLED_BY_COMPLEMENT
        }
    if "names" in clash_of_rule:
        clash_of_rule.pop("things", None)  # a name says more than a word of its kind
        if _quotes_part_of(clash_of_rule.get("wording"), clash_of_rule["names"]):
            clash_of_rule.pop("wording")
    speaker_clash = person_clash(pair, speakers)
    if speaker_clash is not None:
        clash_of_rule["speaker"] = speaker_clash
    return clash_of_rule


def _quotes_part_of(clash: Clash | None, names: Clash) -> bool:
    """Return whether a clash quotes only words of the names that differ."""
    if clash is None:
        return False
    return clash.in_sentence in names.in_sentence and clash.in_statement in names.in_statement


def _figures_conflict(pair: TextPair) -> Clash | None:
    """Return another figure of both texts for the same quantity, or None.

    In a repetition, a figure of the statement that the sentence leaves out is a conflict, too.
    """
    figures_in_sentence = pair.sentence.particulars.numbers
    figures_in_statement = pair.statement.particulars.numbers
    _, sentence_figures, statement_figures = agreement.pair_figures(
        figures_in_sentence, figures_in_statement
    )
    # One text may say a figure twice: "six banks, the largest six".
    sentence_figures = _unequalled(sentence_figures, figures_in_statement)
    statement_figures = _unequalled(statement_figures, figures_in_sentence)
    # These figures have no equal in the other text.
    is_same_quantity = comparable if pair.is_repetition else _is_same_quantity
    for sentence_figure, statement_figure in product(sentence_figures, statement_figures):
        if is_same_quantity(sentence_figure, statement_figure):
            return Clash(sentence_figure.text, statement_figure.text)
    if not pair.is_repetition:
        return None
    for figure in sentence_figures:
        if _is_age_limit(figure):
            return Clash(in_sentence=figure.text)
    # A figure of the statement that the repetition leaves out, or replaces by its own ending.
    start, end = _shared_characters(pair)
    for figure in statement_figures:
        if _is_said_in_words(figure, pair):
            continue
        is_inside = start <= figure.start < end
        is_replaced_by_ending = pair.sentence_has_more_words and figure.start >= end
        if figure.kind != MULTIPLE and (is_inside or is_replaced_by_ending):
            replacements = [
                other.text
                for other in sentence_figures
                if comparable(other, figure) or _is_same_number(other, figure)
            ]
            return Clash(replacements[0] if replacements else "", figure.text)
    return None


def _is_said_in_words(figure: Figure, pair: TextPair) -> bool:
    """Return whether the sentence has a figure of the statement, of other things or in words.

    "Seventeen inmates" and "17 suicides", "the billion" and "$1 billion", "Ninth" and "9th".
    """
    for other in pair.sentence.particulars.numbers:
        if other.kind == figure.kind and _is_same_number(other, figure):
            return True
    text = pair.sentence.lower_text
    if figure.kind == RANK and figure.low == figure.high:
        ordinal = _ORDINAL_OF_NUMBER.get(int(figure.low), "")
        return bool(ordinal) and re.search(rf"\b{ordinal}\b", text) is not None
    magnitude = _MAGNITUDES.get(figure.low, "")
    return bool(magnitude) and re.search(rf"\b(?:the|that|this|a) {magnitude}\b", text) is not None


def _is_same_number(figure: Figure, other: Figure) -> bool:
    """Return whether two figures are the same number, of whatever: "40 dollars", "40 percent"."""
    return (figure.low, figure.high) == (other.low, other.high)


def _unequalled(figures: Sequence[Figure], other_figures: Sequence[Figure]) -> list[Figure]:
    """Return the figures that none of the other text's equals exactly."""
    unequalled = []
    for figure in figures:
        if all(figure_agreement(figure, other) != EXACT for other in other_figures):
            unequalled.append(figure)
    return unequalled


def _is_same_quantity(figure: Figure, other: Figure) -> bool:
    """Return whether two figures are the same quantity even if their sentences differ.

    Counts must be of the same things.
    """
    if not comparable(figure, other) or figure.kind in (TIME, MULTIPLE):
        return False
    return figure.kind != COUNT or bool(figure.units & other.units)


def _is_age_limit(figure: Figure) -> bool:
    """Return whether a figure limits a statement to some ages: "over eighty", "under five"."""
    is_bare_count = figure.kind == COUNT and not figure.units
    return is_bare_count and figure.hedge in (OVER, UNDER) and figure.high < 100


def _shared_characters(pair: TextPair) -> tuple[int, int]:
    """Return the first and the end character of the part of the statement that is shared."""
    # Where each content word begins in the text, and the runs of words that both texts share
    word_starts = pair.statement.word_starts
    first_word = pair.shared_runs[0].statement_start
    end_word = pair.shared_runs[-1].statement_end
    first_character = word_starts[first_word]
    if end_word < len(word_starts):
        return first_character, word_starts[end_word]
    # The shared words go on to the end: the beginning of the final word is enough.
    return first_character, word_starts[-1] + 1


def _times_conflict(pair: TextPair) -> Clash | None:
    return _years_conflict(pair) or side_of_event_clash(pair)


def _roles_conflict(pair: TextPair) -> Clash | None:
    return exchanged_roles(pair) or exchanged_partners(pair)


def _units_conflict(pair: TextPair) -> Clash | None:
    return unit_or_period_clash(pair) or same_number_clash(pair)


def _years_conflict(pair: TextPair) -> Clash | None:
    """Return the dates of both texts if they differ, or None.

    In a repetition, a calendar date that only the sentence has is a conflict, and so is a relative
    date that the sentence leaves out or replaces.
    """
    sentence_dates, statement_dates = _without_same_anaphoric_dates(
        pair.sentence.particulars.dates, pair.statement.particulars.dates
    )
    sentence_fixed = [
        date_mention for date_mention in sentence_dates if date_mention.is_calendar_date
    ]
    statement_fixed = [
        date_mention for date_mention in statement_dates if date_mention.is_calendar_date
    ]
    if compare(sentence_fixed, statement_fixed).clashing:
        return _unshared_dates(pair, sentence_fixed, statement_fixed)
    if not pair.is_repetition:
        return None
    # In a repetition, relative dates count, too: "last year", seen from the day of each text.
    days = (pair.event_day, pair.claim_day)
    if compare(sentence_dates, statement_dates, *days).clashing:
        return _unshared_dates(pair, sentence_dates, statement_dates)
    added_dates = []
    for sentence_date in sentence_dates:
        may_be_in_statement = any(
            may_be_same_date(sentence_date, statement_date, *days)
            for statement_date in statement_dates
        )
        if not may_be_in_statement:
            added_dates.append(sentence_date)
    if any(sentence_date.is_calendar_date for sentence_date in added_dates):
        return _unshared_dates(pair, added_dates, ())
    # Without another date in its place, "in the last ten years" may simply be left out.
    if not added_dates and not pair.sentence_has_more_words:
        return None
    for statement_date in statement_dates:
        is_long_period = not statement_date.is_calendar_date and abs(statement_date.count) > 1
        may_be_in_sentence = any(
            may_be_same_date(sentence_date, statement_date, *days)
            for sentence_date in sentence_dates
        )
        if is_long_period and not may_be_in_sentence:
            return _unshared_dates(pair, added_dates, (statement_date,))
    return None


def _without_same_anaphoric_dates(
    sentence_dates: Sequence[DateMention], statement_dates: Sequence[DateMention]
) -> tuple[Sequence[DateMention], Sequence[DateMention]]:
    """Return the dates of both texts without a "previous twelve years" that both have.

    Those years are counted from something in the text, and not from the day on which it was said.
    """
    lengths_in_sentence = {_anaphoric_length(date_mention) for date_mention in sentence_dates}
    lengths_in_statement = {_anaphoric_length(date_mention) for date_mention in statement_dates}
    shared_lengths = lengths_in_sentence & lengths_in_statement - {None}
    if not shared_lengths:
        return sentence_dates, statement_dates
    kept_dates = []
    for dates in (sentence_dates, statement_dates):
        kept_dates.append([date for date in dates if _anaphoric_length(date) not in shared_lengths])
    return kept_dates[0], kept_dates[1]


def _anaphoric_length(date_mention: DateMention) -> float | None:
    """Return the length of "the previous twelve years", None for any other date."""
    if date_mention.is_calendar_date or "previous" not in date_mention.text.casefold():
        return None
    return date_mention.count


def _unshared_dates(
    pair: TextPair,
    sentence_dates: Sequence[DateMention],
    statement_dates: Sequence[DateMention],
) -> Clash:
    """Return the first date of each text that the other one lacks."""

    def may_be_same(sentence_date: DateMention, statement_date: DateMention) -> bool | None:
        return may_be_same_date(sentence_date, statement_date, pair.event_day, pair.claim_day)

    only_in_sentence = [
        sentence_date
        for sentence_date in sentence_dates
        if not any(may_be_same(sentence_date, statement_date) for statement_date in statement_dates)
    ]
    only_in_statement = [
        statement_date
        for statement_date in statement_dates
        if not any(may_be_same(sentence_date, statement_date) for sentence_date in sentence_dates)
    ]
    return Clash(
        _date_with_role(pair.sentence, only_in_sentence[0]) if only_in_sentence else "",
        _date_with_role(pair.statement, only_in_statement[0]) if only_in_statement else "",
    )


def _date_with_role(text: AnalysedText, date_mention: DateMention) -> str:
    """Return a date as it is written, with "since" or "until" before it."""
    preceding = _DATE_PREPOSITION_PATTERN.search(text.text[: date_mention.start])
    start = preceding.start() if preceding else date_mention.start
    return text.text[start : date_mention.end].strip()


def _names_conflict(pair: TextPair) -> Clash | None:
    """Return the names of both texts if one is replaced by another or is a namesake, or None."""
    if pair.is_about_same_thing:
        clash_of_names = _replaced_names(pair)
        if clash_of_names is not None:
            return clash_of_names
    if not pair.is_about_same_subject:
        return None
    namesakes = mention_namesakes(pair.sentence.text, pair.statement.text)
    if namesakes and have_same_letters(*(name.casefold() for name in namesakes)):
        return None
    return namesakes


def _replaced_names(pair: TextPair) -> Clash | None:
    """Return a name and the other name in its position, between the same shared words.

    In long passages without a shared word, the names may be of anything.
    """
    # "Reyes won Ohio" and "Hale won Ohio". A gap has the words of both texts between two runs of
    # words that they share, by position.
    sentence_names = _unshared_names(pair.sentence, pair.statement)
    statement_names = _unshared_names(pair.statement, pair.sentence)
    for gap in pair.gaps:
        sentence_indices = _capitalised(pair.sentence, gap.sentence, sentence_names)
        statement_indices = _capitalised(pair.statement, gap.statement, statement_names)
        sentence_words = {pair.sentence.words[index] for index in sentence_indices}
        statement_words = {pair.statement.words[index] for index in statement_indices}
        has_sentence_name = not sentence_words.isdisjoint(sentence_names)
        has_statement_name = not statement_words.isdisjoint(statement_names)
        if not has_sentence_name and not has_statement_name:
            continue
        # "Sweden takes more than any country", "no other European country takes as many as Sweden"
        is_moved = _is_shared_name(pair.statement, statement_indices, pair.sentence)
        is_moved = is_moved or _is_shared_name(pair.sentence, sentence_indices, pair.statement)
        both_have_capitals = bool(sentence_indices and statement_indices) and not is_moved
        if both_have_capitals and not abbreviates(pair.clash_in_gap(gap)):
            is_long_gap = max(len(gap.sentence), len(gap.statement)) > MAX_NAMED_GAP_WORDS
            if is_long_gap:
                # The names of long passages may be of anything.
                continue
            said = pair.sentence.original_words(sentence_indices[0], sentence_indices[-1] + 1)
            checked = pair.statement.original_words(statement_indices[0], statement_indices[-1] + 1)
            if have_same_letters(said.casefold(), checked.casefold()):
                continue
            # "Reyes, when he was in Congress" has a clause before the next name.
            return Clash(said.partition(", ")[0], checked.partition(", ")[0])
    return _moved_names(pair, sentence_names, statement_names)


def _is_shared_name(text: AnalysedText, word_indices: Sequence[int], other: AnalysedText) -> bool:
    """Return whether the only name in a place is one that the other text has elsewhere."""
    return len(word_indices) == 1 and text.words[word_indices[0]] in other.words


def _capitalised(text: AnalysedText, word_range: range, names: set[str]) -> list[int]:
    """Return the words of a range that are names, or the one that begins the text as its subject."""
    word_indices = []
    for index in word_range:
        if text.words[index] in names or (len(word_range) == 1 and _is_first_subject(text, index)):
            word_indices.append(index)
    return word_indices


def _is_first_subject(text: AnalysedText, index: int) -> bool:
    """Return whether a word begins a text and may be the name of its subject."""
    word_start = text.word_starts[index]
    word_end = text.word_ends[index]
    word = text.lower_text[word_start:word_end]
    begins_text = text.text[:word_start].strip(' "“') == ""
    may_be_noun = word not in _WORDS_NEVER_SUBJECTS and not word.endswith("ing")
    has_capital = text.text[word_start].isupper()
    next_character = text.text[word_end : word_end + 1]
    return begins_text and has_capital and may_be_noun and next_character == " "


def _moved_names(
    pair: TextPair, sentence_names: set[str], statement_names: set[str]
) -> Clash | None:
    """Return two names after the same preposition, "under" or "by", wherever they stand."""
    sentence_name_by_preposition = _names_by_preposition(pair.sentence, sentence_names)
    statement_name_by_preposition = _names_by_preposition(pair.statement, statement_names)
    for preposition in sentence_name_by_preposition.keys() & statement_name_by_preposition.keys():
        clash = Clash(
            sentence_name_by_preposition[preposition], statement_name_by_preposition[preposition]
        )
        if not abbreviates(clash):
            return clash
    return None


def _names_by_preposition(text: AnalysedText, names: set[str]) -> dict[str, str]:
    """Return the first name after each preposition that tells who or when."""
    name_by_preposition: dict[str, str] = {}
    # "under Obama", "by Governor Smith"
    for match in _NAME_AFTER_PREPOSITION_PATTERN.finditer(text.text):
        if content_stem(match["name"].casefold()) in names:
            name_by_preposition.setdefault(match["preposition"].casefold(), match["name"])
    return name_by_preposition


def _unshared_names(text: AnalysedText, other_text: AnalysedText) -> set[str]:
    """Return the names, as content words, that the other text does not have in any form."""
    # Places count as names even in small letters.
    place_names = text.particulars.words & PLACE_NAMES
    names = text.particulars.names | place_names
    other_words = other_text.particulars.words
    unshared_stems = set()
    for name in names:
        if name not in other_words and not agreement.has_form_of_name(name, other_words):
            unshared_stems.add(content_stem(name))
    return unshared_stems - set(other_text.words)


def _direction_conflicts(pair: TextPair) -> Clash | None:
    return _opposite_direction(pair) or opposite_verb_clash(pair) or _negative_form_clash(pair)


def _negative_form_clash(pair: TextPair) -> Clash | None:
    """Return "safe" and "unsafe" if neither text denies, or both do, or None."""
    if not pair.is_repetition or pair.differs_in_denial:
        return None
    sentence = pair.sentence.lower_text
    statement = pair.statement.lower_text
    if denies(sentence) != denies(statement):
        return None
    for negative, affirmative in negative_forms(sentence, statement):
        return Clash(negative, affirmative)
    for negative, affirmative in negative_forms(statement, sentence):
        return Clash(affirmative, negative)
    return None


def _opposite_direction(pair: TextPair) -> Clash | None:
    # Denying the opposite says the same.
    if pair.opposite_words is None or pair.differs_in_denial:
        return None
    # "No ferry is slower than ours" has the sides of "ours is faster than any".
    ranks_by_denial = denies_that_any_equals(pair.sentence.lower_text)
    if is_restated_conversely(pair) and not ranks_by_denial:
        return None
    return Clash(*pair.opposite_words)


def _denial_conflicts(pair: TextPair) -> Clash | None:
    """Return the words of denial if the sentence rejects the statement, or just one denies."""
    lower_texts = (pair.sentence.lower_text, pair.statement.lower_text)
    says_same = excepts_one(*lower_texts) or rejects_denied_clause(*lower_texts)
    if says_same or tell_first(*lower_texts):
        return None
    is_rejected = (
        pair.is_about_same_subject and pair.sentence.rejects and not pair.statement.rejects
    )
    is_opposite = pair.is_opposite or _has_opposite_verbs(pair) or _deny_in_other_words(pair)
    is_denied = pair.is_about_same_thing and pair.differs_in_denial and not is_opposite
    is_denied_flatly = not is_opposite and _is_flatly_denied(pair.sentence, pair.statement)
    is_claimed_denial = not is_opposite and _is_flatly_denied(pair.statement, pair.sentence)
    if not (is_rejected or is_denied or is_denied_flatly or is_claimed_denial):
        return None
    sentence_denial = _words_of_denial(pair.sentence)
    statement_denial = _words_of_denial(pair.statement)
    # The words are quoted only if one text alone has some.
    both_or_none_deny = bool(sentence_denial) == bool(statement_denial)
    if both_or_none_deny:
        return Clash()
    is_denied_alone = is_denied and not (is_rejected or is_denied_flatly or is_claimed_denial)
    if is_denied_alone and not _deny_shared_words(pair):
        return Clash() if pair.is_repetition and _deny_in_shared_clause(pair) else None
    return Clash(sentence_denial, statement_denial)


def _deny_in_other_words(pair: TextPair) -> bool:
    """Return whether one text says with a word what the other says with a denial."""
    lower_texts = (pair.sentence.lower_text, pair.statement.lower_text)
    ways = (deny_by_verb, denies_equality, denies_without, has_negative_form)
    return any(is_same(*lower_texts) for is_same in ways)


def _has_opposite_verbs(pair: TextPair) -> bool:
    """Return whether verbs are opposite, so that one denied says the other: "didn't show up"."""
    return any(opposite_verbs(pair.sentence.lower_text, pair.statement.lower_text))


def _deny_shared_words(pair: TextPair) -> bool:
    """Return whether the text that denies denies a word of the other text.

    "Because it would not rent them" denies nothing of a text that has nothing on rents.
    """
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        for _, end in denials(text.text)[:1]:
            # "They don't think" denies nothing of a text without an opinion.
            opinion = _OPINION_PATTERN.match(text.lower_text, end)
            is_other_opinion = opinion is not None and opinion["verb"] not in other.lower_text
            is_only_one = _ONLY_ONE_PATTERN.match(text.lower_text, end) is not None
            if is_only_one or is_other_opinion or not _is_denied_word_in(text, end, other):
                return False
    return True


def _deny_in_shared_clause(pair: TextPair) -> bool:
    """Return whether the clause of a denial has a word that both texts share."""
    shared_words = set(pair.sentence.words) & set(pair.statement.words)
    for text in (pair.sentence, pair.statement):
        for start, end in denials(text.text)[:1]:
            boundaries = list(_CLAUSE_BOUNDARY_PATTERN.finditer(text.lower_text))
            clause_start = max((m.end() for m in boundaries if m.end() <= start), default=0)
            clause_end = min(
                (m.start() for m in boundaries if m.start() >= end), default=len(text.text)
            )
            for word, word_start in zip(text.words, text.word_starts, strict=True):
                if clause_start <= word_start < clause_end and word in shared_words:
                    return True
    return False


def _is_denied_word_in(text: AnalysedText, denial_end: int, other: AnalysedText) -> bool:
    """Return whether another text has the first word after a denial, or the text has none there."""
    for word, start, end in zip(text.words, text.word_starts, text.word_ends, strict=True):
        if start >= denial_end:
            if word.startswith(FIGURE_MARK):
                return True
            denied_word = text.text[start:end]
            is_far = start - denial_end > MAX_DENIED_CHARACTERS
            is_light = not word_topic(denied_word) or denied_word.casefold() == "single"
            is_said = vocabulary(other.text).has(denied_word) or are_synonyms(
                denied_word.casefold(), other.lower_text
            )
            return is_far or is_light or is_said
    return True


def _is_flatly_denied(denying: AnalysedText, other: AnalysedText) -> bool:
    """Return whether a text denies altogether what another text says: "not one was hurt by it".

    Most words after "not one" are in the other text in any order, a verb among them.
    """
    clauses = flat_denials(denying.lower_text)
    if not clauses or denies(other.lower_text) or other.supposition_count:
        return False
    for clause in clauses:
        is_verb_by_word = _denied_words(denying, clause)
        shared_words = is_verb_by_word.keys() & set(other.words)
        shares_most = len(shared_words) >= max(MIN_DENIED_WORDS, len(is_verb_by_word) / 2)
        if shares_most and any(is_verb_by_word[word] for word in shared_words):
            return True
    return False


def _denied_words(text: AnalysedText, clause: re.Match[str]) -> dict[str, bool]:
    """Return the words that a clause denies, each with whether it may be a verb."""
    # "Not one | was hurt by it": hurt
    is_verb_by_word: dict[str, bool] = {}
    for word, start, end in zip(text.words, text.word_starts, text.word_ends, strict=True):
        is_inside = clause.start("denied") <= start < clause.end("denied")
        if is_inside and not word.startswith(FIGURE_MARK):
            is_verb = _may_be_verb(text.lower_text[start:end])
            is_verb_by_word[word] = is_verb or is_verb_by_word.get(word, False)
    return is_verb_by_word


def _may_be_verb(word: str) -> bool:
    return looks_like_verb(word) or is_irregular_form(word)


def _words_of_denial(text: AnalysedText) -> str:
    spans = denials(text.text)
    if not spans:
        return ""
    start, end = spans[0]
    return text.text[start:end]


def _supposition_conflicts(pair: TextPair) -> Clash | None:
    """Return the sentence if it only supposes what the statement says, or None.

    It is not quoted if a comma precedes the shared words: then only another clause may suppose.
    """
    # Suppositions are words such as "if" and "perhaps", and questions.
    sentence_count = pair.sentence.supposition_count
    if _tells_averted_loss(pair):
        sentence_count -= 1
    sentence_supposes_more = sentence_count > pair.statement.supposition_count
    if not pair.is_about_same_thing or not sentence_supposes_more:
        return None
    if pair.sentence.lower_text.rstrip().endswith("?"):
        return Clash(in_sentence=pair.sentence.text)
    # "Even if she was hurt" may come first in one text and last in the other.
    opens_with_condition = _IF_PATTERN.match(pair.sentence.lower_text)
    if opens_with_condition and _IF_PATTERN.search(pair.statement.lower_text):
        return None
    # The text before the first shared word
    opening = pair.sentence.text
    if pair.shared_runs:
        first_shared_word = pair.shared_runs[0].sentence_start
        opening = opening[: pair.sentence.word_starts[first_shared_word]]
    # With a comma there, the supposition may be another clause: the sentence isn't quoted.
    may_be_other_clause = "," in opening
    return Clash() if may_be_other_clause else Clash(in_sentence=pair.sentence.text)


def _tells_averted_loss(pair: TextPair) -> bool:
    """Return whether "we almost lost it, but" only leads to what happened: "but we saved it"."""
    near_miss = _NEAR_MISS_BUT_PATTERN.search(pair.sentence.lower_text)
    if near_miss is None or content_stem(near_miss["verb"]) in pair.statement.words:
        return False
    return not are_synonyms(near_miss["verb"], pair.statement.lower_text)


def _scope_conflicts(pair: TextPair) -> Clash | None:
    return hedged_universal_clash(pair) or _word_for_all_clash(pair)


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
        if not _is_rate(pair, match) and not _is_part_of_count(pair, match):
            all_word_match = match
            break
    if all_word_match is None or _WORD_FOR_ALL_PATTERN.search(pair.statement.lower_text):
        return None
    if excepts_one(pair.sentence.lower_text, pair.statement.lower_text):
        return None
    # "Always voted against it" is "never voted for it".
    if pair.differs_in_denial and (pair.is_opposite or _has_opposite_verbs(pair)):
        return None
    # "Anywhere in the world" is "in the world".
    reach = _ANYWHERE_IN_PATTERN.match(pair.sentence.lower_text, all_word_match.start())
    if reach is not None and reach["reach"] in pair.statement.lower_text:
        return None
    return _quoted_words_for_all(pair, all_word_match)


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


def _wording_conflicts(pair: TextPair) -> Clash | None:
    """Return the words that the sentence adds to the statement that it repeats, or None."""
    is_said_otherwise = _has_opposite_verbs(pair) or _deny_in_other_words(pair)
    is_denied_opposite = pair.differs_in_denial and is_said_otherwise
    if is_denied_opposite or is_restated_conversely(pair):
        return None
    if not pair.is_repetition:
        return replaced_slot_clash(pair)
    # A clash quotes the words that differ; ``in_sentence`` are those of the sentence.
    if pair.shared_words >= MIN_REPEATED_WORDS:
        clash_of_added_words = _added_words(pair)
        if clash_of_added_words is not None:
            return clash_of_added_words
        if _adds_ending(pair):
            ending_start = pair.shared_runs[-1].sentence_end
            ending = pair.sentence.original_words(ending_start, len(pair.sentence.words))
            return Clash(in_sentence=ending)
    if _adds_clause(pair):
        return Clash()
    return replaced_slot_clash(pair)


def _added_words(pair: TextPair) -> Clash | None:
    """Return content words of the sentence between those it repeats, or None.

    Figures do not count. Unless the repetition is verbatim, words in the position of other words
    are a rewording, and only additional words count.
    """
    is_nearly_verbatim = pair.shared_fraction >= MIN_VERBATIM_FRACTION
    # A gap has the words of both texts between two runs of words that they share. The first and
    # the last gap are outside of all runs.
    inner_gaps = pair.gaps[1:-1]
    for gap in inner_gaps:
        if not is_nearly_verbatim and gap.statement:
            continue
        words_only_in_sentence = _words_only_in_sentence(pair, gap)
        words_of_gap = {pair.sentence.words[index] for index in gap.sentence}
        # Most of these words are elsewhere in the statement: they only moved.
        is_moved = len(words_only_in_sentence) < len(words_of_gap) / 2
        if is_moved or _may_say_same(pair, gap):
            continue
        for word in words_only_in_sentence:
            is_figure = word.startswith(FIGURE_MARK) or any(letter.isdigit() for letter in word)
            if not is_figure and not _is_other_of_all(pair, gap.sentence, word):
                return pair.clash_in_gap(gap)
    return None


def _words_only_in_sentence(pair: TextPair, gap: Gap) -> set[str]:
    """Return the content words of a gap that the statement lacks, without light words."""
    light_words = LIGHT_WORDS | WORDS_OF_DENIAL
    if not gap.statement:
        light_words = light_words | _LIGHT_ADDITIONS
    if _has_figure(pair.statement.words, gap.statement):
        light_words = light_words | _WORDS_OF_FIGURES
    words_of_gap = set()
    for index in gap.sentence:
        written_word = pair.sentence.original_words(index, index + 1).casefold()
        is_denial = written_word.endswith("n't")
        is_light = is_denial or _is_emphasis(written_word) or written_word in NON_NAME_WORDS
        if not is_light:
            words_of_gap.add(pair.sentence.words[index])
    return words_of_gap - set(pair.statement.words) - light_words


def _is_emphasis(lower_word: str) -> bool:
    """Return whether a word is an adverb such as "ultimately", which limits nothing."""
    is_adverb = lower_word.endswith("ly") and len(lower_word) >= MIN_ADVERB_LETTERS
    return is_adverb and lower_word not in _LIMITING_ADVERBS


def _may_say_same(pair: TextPair, gap: Gap) -> bool:
    """Return whether the words of a gap may be a rewording, or words of two clauses."""
    clash = pair.clash_in_gap(gap)
    # "Spending went down" for "I cut spending": the verb is elsewhere in the statement.
    statement_words = (clash.in_statement or pair.statement.text).casefold()
    said_words = clash.in_sentence.casefold()
    if are_synonyms(said_words, statement_words) or are_synonyms(*pair.phrases_in_gap(gap)):
        return True
    if denies(said_words) and denies(clash.in_statement.casefold()):
        return True
    claimed_words = clash.in_statement.casefold()
    if are_interchangeable(said_words, claimed_words) or have_same_letters(
        said_words, claimed_words
    ):
        return True
    is_of_two_clauses = _END_OF_CLAUSE_PATTERN.search(said_words) is not None
    if not gap.statement and _is_listed(pair.sentence, gap.sentence):
        return True
    return is_of_two_clauses or _is_reworded(said_words, pair)


def _is_listed(text: AnalysedText, word_range: range) -> bool:
    """Return whether words are an item of a list or in apposition: "Houston, Texas, is"."""
    start = text.word_ends[word_range.start - 1]
    end = text.word_starts[word_range.stop]
    has_comma = "," in text.lower_text[start : text.word_starts[word_range.start]]
    return has_comma or _LIST_PATTERN.search(text.lower_text[start:end]) is not None


def _has_figure(words: Sequence[str], word_range: range) -> bool:
    return any(FIGURE_MARK in words[index] for index in word_range)


def _is_reworded(lower_phrase: str, pair: TextPair) -> bool:
    """Return whether a phrase may stand for words that only the statement has, wherever they are."""
    statement = pair.statement
    unshared_words = []
    for index, word in enumerate(statement.words):
        is_figure = word.startswith(FIGURE_MARK)
        if word not in pair.sentence.words and not is_figure:
            unshared_words.append(statement.original_words(index, index + 1).casefold())
    phrase_in_statement = " ".join(unshared_words)
    return are_synonyms(lower_phrase, phrase_in_statement) or are_interchangeable(
        lower_phrase, phrase_in_statement
    )


def _is_other_of_all(pair: TextPair, gap: range, word: str) -> bool:
    """Return whether a word of a gap is "other" after "any" or "all": "than any other country"."""
    if word != content_stem("other"):
        return False
    for index in gap:
        if pair.sentence.words[index] == word:
            text_before = pair.sentence.lower_text[: pair.sentence.word_starts[index]]
            return text_before.endswith(("any ", "all ", "every ", "all the "))
    return False


def _adds_ending(pair: TextPair) -> bool:
    """Return whether the sentence adds a final place, time or group: "only in Ohio"."""
    # A run is a series of words that both texts have.
    last_run = pair.shared_runs[-1]
    has_whole_end = last_run.statement_end == len(pair.statement.words)
    if not pair.sentence_has_more_words or not has_whole_end:
        return False
    next_word = pair.sentence.words[last_run.sentence_end]
    if next_word in pair.statement.words:
        return False
    # From the last shared word on: that word, a preposition and a few words to the end.
    last_shared_word = last_run.sentence_end - 1
    last_shared_start = pair.sentence.word_starts[last_shared_word]
    ending = pair.sentence.lower_text[last_shared_start:]
    return _FINAL_PHRASE_PATTERN.search(ending) is not None


def _adds_clause(pair: TextPair) -> bool:
    """Return whether a relative clause about a name shares no word with the statement.

    "Ohio, where Edison was born".
    """
    for clause in pair.sentence.relative_clauses:
        if clause and clause.isdisjoint(pair.statement.words):
            return True
    return False


_RULES: tuple[tuple[str, Callable[[TextPair], Clash | None]], ...] = (
    ("figures", _figures_conflict),
    ("years", _times_conflict),
    ("names", _names_conflict),
    ("direction", _direction_conflicts),
    ("denial", _denial_conflicts),
    ("supposition", _supposition_conflicts),
    ("scope", _scope_conflicts),
    ("wording", _wording_conflicts),
    ("roles", _roles_conflict),
    ("quotation", reported_speech),
    ("plan", prospect),
    ("bounds", bound_clash),
    ("units", _units_conflict),
    ("ranks", rank_clash),
    ("places", place_clash),
    ("groups", group_clash),
    ("things", thing_clash),
    ("cause", cause_clash),
)
CONFLICTS = (*(name for name, _ in _RULES), "speaker")
