"""Notes that name a difference between a sentence and a claim, with the words of both.

``They checked 12 percent; 15 percent was said``. A difference without words to quote has no note,
since a wrong one would mislead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assistant.core.domain import Difference, Match, Strength
from features.language.denials import denials
from features.language.figures.numbers import figures
from features.language.function_words import FILLER_WORDS, FUNCTION_WORDS
from features.language.group_words import countries
from features.language.open_parts.noted_parts import quotes_almost_all
from features.language.open_parts.partial_coverage import (
    LAST,
    PLAN,
    REMAINDER,
    SUPPOSITION,
    UNCHECKED,
    UNSAID,
)
from features.language.sentence_parts import has_finite_verb
from features.language.stems import PLACE_NAMES
from features.language.vocabulary import content_words, vocabulary
from features.similarity.catalogue import COLUMN

MAX_NOTE_CHARACTERS = 130  # longest quotation of one text in a note
MAX_NOTES = 2  # notes on one match
MIN_REPEATED_FRACTION = 0.5  # share of the topics of a quotation that repeats another one
MIN_ENTAILMENT_OF_STATEMENT = 0.4  # entailment of a statement that adds nothing
NAMES_OF_ALL = frozenset({"america", "american", "americans"})  # too general to differ
MAX_RATIO_OF_VALUES = 5  # largest ratio of two values of one thing
SLIP_RATIOS = (1e3, 1e6)  # ratios of "billion" to "million" and of "trillion" to "million"
# Words that stand for each other: "per person" and "per capita", "in the world" and "on earth"
WORDS_OF_ONE_THING = (
    frozenset(("capita", "person", "head", "per capita", "per person", "per head")),
    frozenset(("world", "earth", "globe", "planet", "the world", "the earth", "the globe")),
)
NAME_LETTERS = 4  # which the possessive and the adjective of a name have: Iran
QUOTATION = "quotation"
CONFLICTS_BY_CHANCE = ("roles", "denial", "scope", "wording", "things", "speaker")
WORD_CONFLICT = "wording"
SCOPE_CONFLICT = "scope"
NAME_CONFLICT = "names"
FIGURE_CONFLICT = "figures"
FIGURE_KINDS = (FIGURE_CONFLICT, "bounds", "units", LAST)  # may have figures of both texts
_NO_PERSON_PATTERN = re.compile(
    r"(?:(?:and|but|so|well),? )?(?:what|(?:they|people|you|some|others) say)\b", re.I
)
# "You'll recall", and habits: "they would lose", "they won't show the crowd"
_NO_PLAN_PATTERN = re.compile(r"\b(?:would|won['’]t|(?:recall|remember|see)$)\b", re.I)
# "We closed the pier, and what did we get out of it?" states the closing as a fact.
_QUESTION_AFTER_FACT_PATTERN = re.compile(
    r", (?:and|but|so) (?:what|who|why|how|where|when)\b[^.]*\?$", re.I
)
_LOOK_PATTERN = re.compile(r"if (?:you|we) (?:just )?(?:look|think|go|take|consider)\b", re.I)
_UNFINISHED_PATTERN = re.compile(
    r"\b(?:percent|hundred|thousand|million|billion|trillion|the|an?|as|than|of|to|in|on|for|by|"
    r"with)$",
    re.I,
)
# "Gave it away" and "frankly, gave it" say the same as "gave it".
_LIGHT_WORD_PATTERN = re.compile(
    r"(?:away|off|down|back|along|together|forward|ahead|aside|ends?|ended|incidentally|certainly|"
    r"surely|clearly|"
    r"obviously|basically|once again|again|absolutely|totally|completely|definitely|truly|indeed|"
    r"please|folks)",
    re.I,
)
_NAME_WITH_ARTICLE_PATTERN = re.compile(r"The Hague\b")
_CAPITALISED_ANYWHERE = frozenset(("i", "may", "will"))  # "May" and "Will" can be names
_NUMBER_WORDS = frozenset(
    "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty "
    "hundreds thousands millions billions half most many".split()
)
_NEVER_NAMES = (FUNCTION_WORDS | FILLER_WORDS | _NUMBER_WORDS) - _CAPITALISED_ANYWHERE
_NOTE_OF_BOTH = "They checked “{claimed}”; “{said}” was said"
_NOTE_OF_FIGURES = "They checked {claimed}; {said} was said"
_UNCHECKED_OPENING = "The checked statement says nothing on "
_NOTES_OF_BOTH = {
    "figures": _NOTE_OF_FIGURES,
    "years": _NOTE_OF_FIGURES,
    "names": _NOTE_OF_FIGURES,
    "bounds": _NOTE_OF_FIGURES,
    "units": _NOTE_OF_FIGURES,
    "speaker": "The sentence speaks of {said}, the claim of {claimed}",
}
_NOTES_OF_SENTENCE = {
    "figures": "They checked it without {said}",
    "years": "They checked another time; {said} was said",
    "denial": "They checked it without a denial; “{said}” was said",
    "scope": "They checked it without “{said}”",
    "wording": "They checked it without “{said}”",
    "quotation": "The sentence quotes somebody: “{said}”",
    "plan": "They checked a fact; a plan or prospect was said: “{said}”",
    "cause": "They checked it without a cause; “{said}” was said",
    "supposition": "They checked a statement; a question or a supposition was said: “{said}”",
    "unchecked": _UNCHECKED_OPENING + "“{said}”",
    "remainder": _UNCHECKED_OPENING + "“{said}”",
    "last": _UNCHECKED_OPENING + "“{said}”",
}
_NOTES_OF_CLAIM = {
    "figures": "They checked {claimed}, which was not said",
    "years": "They checked {claimed}, which was not said",
    "denial": "They checked a denial (“{claimed}”); none was said",
    "plan": "They checked a plan or prospect (“{claimed}”); a fact was said",
    "supposition": "They checked it under a condition (“{claimed}”); none was said",
    "cause": "They checked it with a cause (“{claimed}”); none was said",
    "unsaid": "The checked statement also says “{claimed}”",
    "last": "The checked statement also says “{claimed}”",
}


def difference_notes(match: Match) -> list[str]:
    """Return the conflicts and the uncovered parts of a match, one line each.

    ``They checked 12 percent; 15 percent was said``. A conflict without such words is left out, and
    so is one whose words another line has. The conflicts of a *possible* match are left out, but
    for a quotation: its texts seldom speak of the same matter, so that two words that differ mean
    nothing. A part of the statement that was not said is named only if there is nothing else.
    """
    notes: list[str] = []
    noted_differences: list[Difference] = []
    for difference in _named_differences(match):
        if len(notes) == MAX_NOTES:
            break
        if _is_superfluous(difference, noted_differences):
            continue
        if any(_share_words(difference, noted) for noted in noted_differences):
            continue
        note = difference_note(difference)
        if note:  # "" for a difference without words to quote
            notes.append(note)
            noted_differences.append(difference)
    return _with_joint_note(notes)


def _is_superfluous(difference: Difference, noted_differences: Sequence[Difference]) -> bool:
    """Return whether a difference is a note of last resort beside other notes."""
    noted_kinds = {noted.conflict for noted in noted_differences}
    # Words of the claim alone come after words of the sentence.
    if difference.conflict == UNSAID:
        return bool(noted_kinds - {LAST})
    if difference.conflict == PLAN:
        return bool(noted_differences)
    if difference.conflict == REMAINDER and LAST in noted_kinds:
        return True
    # "The checked statement says nothing on “A” or “B”" is one note.
    return difference.conflict == LAST and bool(noted_kinds - {UNCHECKED})


def quotable_differences(match: Match) -> list[Difference]:
    """Return the conflicts and uncovered parts with words of both texts that a note may quote."""
    differences = (*match.differences, *match.uncovered)
    return [
        difference
        for difference in differences
        if difference.said and difference.claimed and difference_note(difference)
    ]


def lone_denial(match: Match, sentence: str) -> str:
    """Return the word of denial that only the sentence or only the claim has, in words, or "".

    The conflicts look for a denial among the shared words only; "not a single person was killed"
    stands before them. A strong match with such a word usually has it in another clause.
    """
    sentence_denial = _first_denial(sentence)
    statement_denial = _first_denial(match.claim.statement)
    if bool(sentence_denial) == bool(statement_denial) or match.strength is Strength.STRONG:
        return ""
    denying_text = "the sentence" if sentence_denial else "the claim"
    return f"only {denying_text} says “{sentence_denial or statement_denial}”"


def _first_denial(text: str) -> str:
    """Return the first word of a text that denies, "" if none does."""
    spans = denials(text)
    if not spans:
        return ""
    start, end = spans[0]
    return text[start:end]


def _with_joint_note(notes: list[str]) -> list[str]:
    """Return the notes with two on unchecked parts as one: “A” or “B”."""
    # "The checked statement says nothing on “A” or “B”"
    unchecked_notes = [note for note in notes if note.startswith(_UNCHECKED_OPENING)]
    if len(unchecked_notes) < 2:
        return notes
    quotations = [note.removeprefix(_UNCHECKED_OPENING) for note in unchecked_notes]
    joint_note = _UNCHECKED_OPENING + " or ".join(quotations)
    other_notes = [note for note in notes if note not in unchecked_notes]
    return [*other_notes, joint_note]


def _named_differences(match: Match) -> Iterator[Difference]:
    """Yield the conflicts that may be named, specific ones first, and then the uncovered parts."""
    # Parts are words of one text that the other one doesn't cover.
    parts = [part for part in match.uncovered if _is_named(part, match)]
    kinds_of_parts = {part.conflict for part in parts}
    has_sure_part = bool(kinds_of_parts - {REMAINDER, UNSAID, LAST})
    for difference in sorted(match.differences, key=_is_general):
        kind = difference.conflict
        # The texts of a possible match seldom speak of the same matter.
        if match.strength is Strength.POSSIBLE and kind != QUOTATION:
            continue
        if kind == NAME_CONFLICT and _is_named_in_statement(difference.said, match):
            continue
        # The parts have all figures that differ, in pairs.
        if kind in kinds_of_parts:
            continue
        # Texts of the same words exchange roles or differ in a single word; those with parts of
        # their own do so by chance.
        if kind in CONFLICTS_BY_CHANCE and has_sure_part:
            continue
        yield difference
    # A plan beside another part often is a way to tell a fact: "they want to avoid the toll".
    yield from sorted(parts, key=lambda part: part.conflict == PLAN)


def _is_named_in_statement(name: str, match: Match) -> bool:
    """Return whether a statement has a name of the sentence besides the one that differs."""
    # "Hispanic American" beside "Hispanic unemployment". Two persons may share the last name.
    first_word, *_ = [*name.split(), ""]
    return bool(first_word) and first_word in match.claim.statement.split()


def _is_named(part: Difference, match: Match) -> bool:
    """Return whether a part is named: in a closer match, a remainder often is a paraphrase."""
    # The sentence may say the whole statement, or these words of it, in other words.
    is_of_statement = bool(part.claimed) and not part.said
    if is_of_statement and quotes_almost_all(part.claimed, match.claim.statement):
        return False
    if is_of_statement and part.conflict in (UNSAID, LAST) and _implies_statement(match):
        return False
    # A strong match leaves nothing open.
    if part.conflict == LAST:
        return match.strength is not Strength.STRONG
    return part.conflict != REMAINDER or match.strength is Strength.POSSIBLE


def _implies_statement(match: Match) -> bool:
    """Return whether the text model reads the statement as a consequence of the sentence."""
    column = COLUMN["nli_entailment"]
    # A match without measures was made by hand.
    return len(match.measures) > column and match.measures[column] >= MIN_ENTAILMENT_OF_STATEMENT


def difference_note(difference: Difference) -> str:
    """Return a conflict in one line with the words of both texts, "" if it has none to name."""
    said = difference.said
    claimed = difference.claimed
    if said and claimed:
        if not _is_real_difference(difference):
            return ""
        if said.casefold() == claimed.casefold():  # "last year"
            is_time = difference.conflict == "years"
            return f"“{said}” means another time in the claim" if is_time else ""
        template = _NOTES_OF_BOTH.get(difference.conflict, _NOTE_OF_BOTH)
    elif said:
        if not _says_something(difference):
            return ""
        template = _NOTES_OF_SENTENCE.get(difference.conflict, "")
    elif claimed:
        template = _NOTES_OF_CLAIM.get(difference.conflict, "")
    else:
        # The text model's opinion that the two contradict each other has no words. It is too often
        # wrong to be a note: "a dollar a minute" and "a dollar every minute".
        return ""
    return template.format(
        said=_shortened(_mid_sentence(said)), claimed=_shortened(_mid_sentence(claimed))
    )


def _says_something(difference: Difference) -> bool:
    """Return whether words that only the sentence has are worth a note."""
    said = difference.said
    # "What it is about is saying that" and "they say" quote no person.
    if difference.conflict == QUOTATION and _NO_PERSON_PATTERN.match(said):
        return False
    if difference.conflict == PLAN and _NO_PLAN_PATTERN.search(said):
        return False
    if difference.conflict == SUPPOSITION and _QUESTION_AFTER_FACT_PATTERN.search(said):
        return False
    is_wording = difference.conflict in (WORD_CONFLICT, SCOPE_CONFLICT)
    if is_wording and (_UNFINISHED_PATTERN.search(said) or _LIGHT_WORD_PATTERN.fullmatch(said)):
        return False
    # "Working women in this country" speaks of no other women.
    return difference.conflict != WORD_CONFLICT or bool(content_words(said))


def _is_real_difference(difference: Difference) -> bool:
    """Return whether the words of both texts can stand for each other and mean different things."""
    said = difference.said
    claimed = difference.claimed
    if _are_forms_of_one_name(said, claimed) or _are_one_figure(said, claimed):
        return False
    # "If you look at the bill" leads up to a statement.
    if _LOOK_PATTERN.match(said) or _LOOK_PATTERN.match(claimed):
        return False
    both_words = {said.casefold(), claimed.casefold()}
    if any(both_words <= words_of_one_thing for words_of_one_thing in WORDS_OF_ONE_THING):
        return False
    # "Most votes" and "many votes as" were cut from two constructions.
    words = (said, claimed)
    if difference.conflict == WORD_CONFLICT and any(map(_UNFINISHED_PATTERN.search, words)):
        return False
    if difference.conflict == FIGURE_CONFLICT and _are_of_two_things(said, claimed):
        return False
    # "The American people" differ from no other name.
    names_all = not NAMES_OF_ALL.isdisjoint((said.casefold(), claimed.casefold()))
    if difference.conflict in ("names", "places") and names_all:
        return False
    return not _are_of_two_sorts(difference)


def _are_forms_of_one_name(said: str, claimed: str) -> bool:
    """Return whether two words are forms of one name: "Iran's" and "Iranian"."""
    are_words = said.isascii() and claimed.isascii() and " " not in said + claimed
    are_names = said[:1].isupper() and claimed[:1].isupper()
    begin_alike = said[:NAME_LETTERS].casefold() == claimed[:NAME_LETTERS].casefold()
    is_possessive = "'" in said or "'" in claimed
    return are_words and are_names and begin_alike and is_possessive


def _are_one_figure(said: str, claimed: str) -> bool:
    """Return whether two texts are one bare figure in two spellings: "4" and "four"."""
    said_value = _value_of_bare_figure(said)
    return said_value is not None and said_value == _value_of_bare_figure(claimed)


def _are_of_two_things(said: str, claimed: str) -> bool:
    """Return whether two bare figures, 43 and 3.9 million, are too far apart for one thing.

    A slip of the tongue, million for billion, is one of the same thing.
    """
    said_value = _value_of_bare_figure(said)
    claimed_value = _value_of_bare_figure(claimed)
    if said_value is None or claimed_value is None or min(said_value[0], claimed_value[0]) <= 0:
        return False
    # "One out of five" and "36 million" can't be compared, and may be of one thing.
    _, _, said_kind = said_value
    _, _, claimed_kind = claimed_value
    if said_kind != claimed_kind:
        return False
    ratio = max(said_value[0], claimed_value[0]) / min(said_value[0], claimed_value[0])
    return ratio > MAX_RATIO_OF_VALUES and ratio not in SLIP_RATIOS


def _value_of_bare_figure(text: str) -> tuple[float, float, str] | None:
    """Return the ends and the kind of a figure that is the whole text, None for another text."""
    for figure in figures(text):
        if figure.text == text:
            return (figure.low, figure.high, figure.kind)
    return None


def _are_of_two_sorts(difference: Difference) -> bool:
    """Return whether two words cannot stand for each other: "startups" and "formation is down"."""
    if difference.conflict == "names":
        # "Syrian" is not another "Obama".
        return _names_place(difference.said) != _names_place(difference.claimed)
    is_wording = difference.conflict == WORD_CONFLICT
    # "Dying" may stand for "closing".
    if is_wording and _are_single_gerunds(difference):
        return True
    return is_wording and has_finite_verb(difference.said) != has_finite_verb(difference.claimed)


def _are_single_gerunds(difference: Difference) -> bool:
    """Return whether two words are forms of verbs, such as "dying" and "closing"."""
    words = f"{difference.said} {difference.claimed}".split()
    return len(words) == 2 and all(word.islower() and word.endswith("ing") for word in words)


def _names_place(words: str) -> bool:
    """Return whether some words name a country or state, or its people."""
    lower_words = words.casefold()
    return bool(countries(lower_words)) or not PLACE_NAMES.isdisjoint(lower_words.split())


def _is_general(difference: Difference) -> bool:
    """Return whether other conflicts name the difference better than this one."""
    return difference.conflict in ("wording", "things")


def _share_words(difference: Difference, other: Difference) -> bool:
    """Return whether the differing words of one conflict contain the words of another."""
    said = difference.said.casefold()
    claimed = difference.claimed.casefold()
    other_said = other.said.casefold()
    other_claimed = other.claimed.casefold()
    # "Nothing on 3.9 million Americans" beside "43 million; 3.9 million was said"
    if difference.conflict == UNCHECKED and other.conflict in FIGURE_KINDS:
        return bool(other_said) and other_said in said
    are_of_sentence = not claimed and not other_claimed
    if are_of_sentence and _repeat_each_other(said, other_said):
        return True
    contains_other = other_said in said and other_claimed in claimed
    is_contained = said in other_said and claimed in other_claimed
    return contains_other or is_contained


def _repeat_each_other(words: str, other_words: str) -> bool:
    """Return whether two quotations share at least half of the topics of the shorter one.

    "They're losing them fast" and "they are losing them so fast" are one part.
    """
    words_vocabulary = vocabulary(words)
    shared_count = len(words_vocabulary.shared_topics(other_words))
    shorter_count = min(len(words_vocabulary.topics), len(vocabulary(other_words).topics))
    return shared_count > 0 and shared_count >= MIN_REPEATED_FRACTION * shorter_count


def _mid_sentence(words: str) -> str:
    """Return words as they are written in the middle of a sentence: “the trade deficit”.

    Only a word that is never a name loses its capital, which it had at the start of a sentence. A
    whole sentence with its full stop or question mark keeps it.
    """
    if words.endswith((".", "?", "!")):
        return words
    first_word, *_ = words.split(maxsplit=1) or [""]
    is_capitalised = first_word.istitle() and not _NAME_WITH_ARTICLE_PATTERN.match(words)
    if is_capitalised and first_word.casefold() in _NEVER_NAMES:
        return words[0].lower() + words[1:]
    return words


def _shortened(words: str) -> str:
    """Return words with their middle left out if they are long."""
    if len(words) <= MAX_NOTE_CHARACTERS:
        return words
    half_length = MAX_NOTE_CHARACTERS // 2
    # The words that are cut, at the end of the first half and at the start of the second one,
    # are left out.
    opening, *_ = words[:half_length].rsplit(" ", maxsplit=1)
    *_, ending = words[-half_length:].split(" ", maxsplit=1)
    return f"{opening} … {ending}"
