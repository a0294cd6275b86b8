"""Beginnings of lines that may be speaker labels, one per way to set a name apart from the speech.

This module knows one line and how much its beginning looks like a name. The whole file decides in
``label_finder`` which beginnings are labels.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from assistant.transcripts import full_stop_labels
from assistant.transcripts.nonspeech import is_stage_direction, is_unspoken_line
from assistant.transcripts.speaker_labels import (
    NAME_CACHE_SIZE,
    SpeakerLabel,
    colon_label_at,
    is_common_noun,
    is_prose_word,
    is_standard_label,
    name_in_label,
    names_nobody,
    question_examiner,
    question_label_at,
    speaker_or_none,
)
from features.language.function_words import FUNCTION_WORDS

COLON = "a colon"
PHRASE = "a phrase before a colon"
NUMBER = "a number before a colon"
FULL_STOP = "a full stop"
QUESTION = "Q or A"
DASH = "a dash"
COLUMN = "a wide space"
OWN_LINE = "a line of its own"
OWN_LINE_IN_CAPITALS = f"{OWN_LINE} in capitals"
ABOVE_GAP = " above a gap"
MARKED = "emphasis"
HEADING = "a heading"
CLASS = "a class of the page"
FILLED_LINE = " line"  # end of the name of a style whose labels fill their lines

# How much the beginning of a line looks like the name of a speaker
FUNCTION_WORD = -2  # a short form of a name that is also a word: "To." for Toby
NO_NAME = -1  # a heading between headings that are labels
LOWER_CASE = 0
SINGLE_NAME = 1
FULL_NAME = 2
TITLED_NAME = 3
USUAL_LABEL = 4

# Words that never stand alone as a sentence, unlike "No." and "So."
_WORDS_NEVER_ALONE = frozenset(
    "a an the and or nor to of for from in on at by with as into than if that".split()
)
RECENT_LINES = 512
MAX_HEAD_WORDS = 6
MAX_INITIALS = 3
MAX_NAME_WORDS_WITH_TITLES = MAX_HEAD_WORDS + 3
MAX_CHARACTERS_WITH_SEPARATOR = 70  # a label with the mark and the spaces behind it
MAX_OWN_LINE_CHARACTERS = 60
MIN_CAPITAL_LETTERS = 3
MIN_CAPITAL_SHARE_OF_NAME = 0.6

# Any words before a colon
_ANY_COLON_HEAD_PATTERN = re.compile(
    r"^\s*(?:[-–—•*]\s)?(?P<head>[^:：\n]{1,60}?)\s?(?P<colon>[:：])(?P<gap>\s*)(?=$|\S)"
)
# "1: Good evening", without clock times and verses such as 3:16
_NUMBER_HEAD_PATTERN = re.compile(r"^\s*(?P<head>\d{1,2})\s?[:：]\s{1,4}(?=\S)")
# "Jane Doe - Good evening", also with an arrow or a bar
_DASH_HEAD_PATTERN = re.compile(
    r"""
    ^\s*(?P<head>[^\s–—-][^:：–—\n]{1,59}?)
    (?:
        \s(?:[-=]{0,2}>{1,2}|-{1,2}|//|[–—|»→~=])\s
      | [–—]\s?
    )
    (?=\S)
    """,
    re.VERBOSE,
)
# "Jane Doe    Good evening"
_COLUMN_HEAD_PATTERN = re.compile(
    r"^\s*(?P<head>[^\s:][^:\t\n]{0,59}?)(?:\s{0,20}\t\s{0,20}|\s{2,20})(?=\S)"
)
# "Audience members. No!"
_INITIAL_AT_END_PATTERN = re.compile(r"\s[A-Z]\.?$")
_COLLECTIVE_HEAD_PATTERN = re.compile(
    r"^\s*(?P<head>[^\W\d_]\w{0,20}(?:\s[\w-]{1,20}\.?){1,4}?)\.\s+(?=[^\W\d_a-z“\"\[(])"
)
_NAME_END_PATTERN = re.compile(r"[\w)\]’'.]$")
# Marks, years and dashes that no name has
_SENTENCE_MARK_PATTERN = re.compile(r"[?!;,:“”\"…]|(?<=[^.\s]{3})\.(?:\s|$)|\d{4}|\s[–—-]\s")
# The full stop of a title ends no sentence: "Sen. Jo Hale"
_TITLE_WITH_STOP_PATTERN = re.compile(
    rf"(?<![\w.])(?:{'|'.join(sorted(full_stop_labels.TITLES))})\.\s", re.IGNORECASE
)
# Words that names of persons do not have: "Presidents and Rivers"
_PHRASE_WORDS = frozenset("and of the for in to at".split())
# Words that end a phrase before a quotation: "Lincoln said: Four score"
_VERBS_OF_SAYING = frozenset(
    "said says say asked asks wrote writes told tells added adds replied replies continued noted "
    "tweeted posted reads read stated states explained answered argued warned declared".split()
)
_QUESTION_LETTERS = ("Q", "A")
# "Q Is it?", "Q -- before that?", and after a Q also "Q sir, is it?"
_BARE_QUESTION_PATTERN = re.compile(
    r"""
    ^\s*(?P<letter>[QA])\s(?=[A-Z“\"(…]|\.{2,}|--|[–—]\s)
    | ^\s*(?P<letter_before_lower_case>Q)\s(?=[a-z])(?!and\b|or\b)
    """,
    re.VERBOSE,
)
# "Q  Follow-up: why?"
_WIDE_QUESTION_PATTERN = re.compile(r"^\s*[QA](?:\s{2}|\t)")
_WEEKDAY_OR_MONTH_PATTERN = re.compile(
    r"\b(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april"
    r"|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LineWithLayout:
    """A line with the hints that its source gives.

    ``starts_paragraph``: nothing above it runs on into it. ``has_text_below``: speech follows on
    the next line. ``markup`` names the mark-up of the first ``markup_end`` characters: "bold",
    "italic", "heading 2", "class speaker", or "" for none. ``has_gap_below``: an empty line is
    between this line and the speech below it.
    """

    text: str
    starts_paragraph: bool = True
    has_text_below: bool = True
    markup: str = ""
    markup_end: int = 0
    has_gap_below: bool = False


@dataclass(frozen=True, slots=True)
class LabelCandidate:
    """The beginning of a line that may be a label, and how much it looks like a name.

    ``set_apart_by`` says what separates it from the speech, such as "a colon". ``style_name``
    tells these apart further, by the mark-up. ``is_marked_up``: mark-up ends where the name ends.
    ``speech_starts_lower``: the text behind it begins in lower case.
    """

    label: SpeakerLabel
    set_apart_by: str
    style_name: str
    name_quality: int
    is_marked_up: bool = False
    speech_starts_lower: bool = False


@lru_cache(maxsize=RECENT_LINES)
def label_candidates(line: LineWithLayout) -> tuple[LabelCandidate, ...]:
    """Return the beginnings of a line that may be labels, the likeliest one first.

    Live sources read the latest lines again with every new one, so the result is remembered.
    """
    text = line.text
    if not text.strip() or is_unspoken_line(text):
        return ()
    candidates = [
        _question_candidate(text),
        _marked_up_candidate(line),
        _number_candidate(text),
        _colon_candidate(line),
        _full_stop_candidate(line),
        _column_candidate(text),
        _dash_candidate(text),
        _own_line_candidate(line),
    ]
    return tuple(candidate for candidate in candidates if candidate is not None)


@lru_cache(maxsize=NAME_CACHE_SIZE)
def name_quality(name: str) -> int | None:
    """Return how much words look like the name of a speaker, None if they are not a name."""
    words = name.split()
    if not words or len(words) > MAX_NAME_WORDS_WITH_TITLES or is_stage_direction(name):
        return None
    # "Moderator"
    if is_standard_label(name):
        return USUAL_LABEL
    # "42", but not "***"
    letters = [character for character in name if character.isalpha()]
    if not letters:
        has_digit = any(character.isdigit() for character in name)
        return LOWER_CASE if has_digit else None
    # "Thank you"
    if _is_phrase(words):
        return None
    # "DOE"; two capitals may be an abbreviation.
    if _are_mostly_capitals(letters):
        return USUAL_LABEL if len(letters) >= MIN_CAPITAL_LETTERS else FULL_NAME
    # "Mr. Doe"
    if full_stop_labels.is_titled(name):
        return TITLED_NAME
    # "jane doe"
    if name_in_label(name) is None:
        return _lower_case_quality(words)
    # A script without capitals, such as Chinese
    has_case = any(letter.isupper() or letter.islower() for letter in letters)
    if not has_case:
        is_short = len(words) <= 3 and len(letters) <= 20
        return FULL_NAME if is_short else None
    # "Presidents and Rivers" is a phrase.
    has_phrase_word = any(word in _PHRASE_WORDS for word in words)
    is_full_name = len(words) > 1 and not has_phrase_word
    return FULL_NAME if is_full_name else SINGLE_NAME


def _is_phrase(words: list[str]) -> bool:
    """Return whether words are a phrase that speech has before a colon: ``Breaking News``."""
    if all(is_common_noun(word.strip(".,'’")) for word in words):
        return True
    first_word = words[0]
    last_word = words[-1]
    ends_in_letter = len(last_word) == 1 and last_word.isupper()  # "Speaker A"
    ends_in_noun = is_common_noun(last_word) and not ends_in_letter
    is_short_noun_phrase = ends_in_noun and len(words) < 4
    if is_short_noun_phrase and not first_word.isupper():
        return True
    if last_word.lower() in _VERBS_OF_SAYING:
        return True
    # A single word may be the initials of a person: "BE", "IT".
    has_length_of_initials = 1 < len(first_word) <= MAX_INITIALS
    if len(words) == 1 and first_word.isupper() and has_length_of_initials:
        return False
    begins_with_function_word = first_word.lower() in FUNCTION_WORDS
    # "Will Abara" and "The Moderator" are names.
    may_begin_name = first_word.lower() in ("the", "will", "may")
    return begins_with_function_word and not may_begin_name


def _are_mostly_capitals(letters: list[str]) -> bool:
    capital_count = sum(letter.isupper() for letter in letters)
    return capital_count >= MIN_CAPITAL_SHARE_OF_NAME * len(letters)


def _lower_case_quality(words: list[str]) -> int | None:
    """Return the quality of a head in lower case, None if it has a word of ordinary prose."""
    if len(words) > 3 or any(is_common_noun(word) for word in words):
        return None
    for word in words:
        bare_word = word.lower().strip(".,'’")
        if bare_word in FUNCTION_WORDS or is_prose_word(bare_word):
            return None
        if not any(letter.isalnum() for letter in word):
            return None
    return LOWER_CASE


def _starts_in_lower_case(text: str) -> bool:
    return text.lstrip("“\"'‘([ ")[:1].islower()


def _question_candidate(text: str) -> LabelCandidate | None:
    label = question_label_at(text)
    if label and question_examiner(text):
        return LabelCandidate(label, QUESTION, QUESTION, USUAL_LABEL)
    if label:
        return LabelCandidate(label, QUESTION, QUESTION, TITLED_NAME)
    bare_letter = _BARE_QUESTION_PATTERN.match(text)
    if bare_letter is None:
        return None
    letter = bare_letter["letter"] or bare_letter["letter_before_lower_case"]
    label = SpeakerLabel(letter, letter, bare_letter.end(), is_sure=False)
    return LabelCandidate(label, QUESTION, QUESTION, LOWER_CASE)


def _colon_candidate(line: LineWithLayout) -> LabelCandidate | None:
    """Return the words before a colon, also if no list of shapes would take them for a name."""
    text = line.text
    label = colon_label_at(text) or _label_of_any_words_before_colon(text)
    if label is None or label.name in _QUESTION_LETTERS or _WIDE_QUESTION_PATTERN.match(text):
        return None
    # How much the words look like a name, None if they do not
    quality = USUAL_LABEL if label.is_sure else name_quality(label.name)
    speech_starts_lower = _starts_in_lower_case(text[label.end :])
    if quality is None:
        # The words may stand for a name: "First Voice: Good evening"
        return LabelCandidate(
            label, COLON, PHRASE, LOWER_CASE, speech_starts_lower=speech_starts_lower
        )
    # The colon and a space may be behind the bold type.
    distance_from_markup = label.end - line.markup_end
    is_marked_up = bool(line.markup) and 0 <= distance_from_markup <= 3
    return LabelCandidate(label, COLON, COLON, quality, is_marked_up, speech_starts_lower)


def _number_candidate(text: str) -> LabelCandidate | None:
    """Return a number before a colon, as some programs write voices without names."""
    match = _NUMBER_HEAD_PATTERN.match(text)
    if match is None:
        return None
    number = match["head"]
    label = SpeakerLabel(number, number, match.end(), is_sure=False)
    starts_lower = _starts_in_lower_case(text[match.end() :])
    return LabelCandidate(label, COLON, NUMBER, LOWER_CASE, speech_starts_lower=starts_lower)


def _label_of_any_words_before_colon(text: str) -> SpeakerLabel | None:
    """Return the words before a colon as a label, if nothing in them shows a sentence."""
    match = _ANY_COLON_HEAD_PATTERN.match(text[:MAX_CHARACTERS_WITH_SEPARATOR])
    if match is None:
        return None
    name = match["head"].strip(" *_\t")
    if name_in_label(name) is not None:
        # ``colon_label_at`` knows such names, and did not accept the label.
        return None
    next_character = text[match.end() : match.end() + 1]
    # The wide colon of East Asian texts needs no space behind it.
    needs_space = match["colon"] == ":" and not next_character.isupper()
    if needs_space and not match["gap"]:
        return None
    word_count = len(name.split())
    has_usual_length = 1 <= word_count <= MAX_HEAD_WORDS
    if not has_usual_length or _SENTENCE_MARK_PATTERN.search(name):
        return None
    return SpeakerLabel(name, speaker_or_none(name), match.end(), is_sure=False)


def _full_stop_candidate(line: LineWithLayout) -> LabelCandidate | None:
    text = line.text
    ends = full_stop_labels.label_ends(text)
    if ends is None:
        return _collective_candidate(text)
    name_end, label_end = ends
    name = " ".join(text[:name_end].split())
    has_capital_surname = full_stop_labels.has_capital_surname(name)
    if full_stop_labels.addresses_office(name) and not has_capital_surname:
        return None  # "Mr. President." begins a speech
    is_titled = full_stop_labels.is_titled(name)
    quality = TITLED_NAME if is_titled else name_quality(name)
    is_function_word = name[:1].isupper() and name.lower() in _WORDS_NEVER_ALONE
    if is_function_word:
        quality = FUNCTION_WORD
    elif quality is None or quality < SINGLE_NAME or "'s" in name or "’s" in name:
        return None
    # "Ada L. Hale, Chair" has an initial inside a name; "Speaker B. No" ends with a letter.
    if quality == FULL_NAME and _INITIAL_AT_END_PATTERN.search(name):
        return None
    speech = text[label_end:].lstrip()
    if not speech and not (line.has_text_below and has_capital_surname):
        return None
    label = SpeakerLabel(name, speaker_or_none(name), len(text) - len(speech), is_sure=False)
    is_marked_up = bool(line.markup) and abs(label_end - line.markup_end) <= 2
    return LabelCandidate(label, FULL_STOP, FULL_STOP, quality, is_marked_up)


def _collective_candidate(text: str) -> LabelCandidate | None:
    """Return a label of several words for people without names: ``Audience members. No!``"""
    match = _COLLECTIVE_HEAD_PATTERN.match(text)
    if match is None or not names_nobody(match["head"]):
        return None
    label = SpeakerLabel(match["head"], None, match.end(), is_sure=False)
    return LabelCandidate(label, FULL_STOP, FULL_STOP, FULL_NAME)


def _marked_up_candidate(line: LineWithLayout) -> LabelCandidate | None:
    """Return words that mark-up sets apart: bold without a colon, a heading, a class name."""
    if not line.markup or not line.markup_end:
        return None
    marked_up_text = line.text[: line.markup_end]
    text_behind = line.text[line.markup_end :]
    fills_line = not text_behind.strip(" :：.")
    has_text_below = line.has_text_below or line.has_gap_below
    if fills_line and not (has_text_below and line.starts_paragraph):
        return None
    if marked_up_text.rstrip().endswith((":", ".")) and not fills_line:
        return None  # The colon or full stop sets it apart.
    markup_kind = _kind_of_markup(line.markup)
    style_name = f"{markup_kind} {line.markup}"
    if fills_line:
        style_name += FILLED_LINE
    stripped_text = marked_up_text.strip(" .:：\t*_|-–—")
    name = _name_without_colon(stripped_text)
    quality = name_quality(name) if name else None
    is_whole_heading = markup_kind == HEADING and fills_line
    if quality is None and is_whole_heading and stripped_text:
        speaker = speaker_or_none(stripped_text)
        heading = SpeakerLabel(stripped_text, speaker, len(line.text), is_sure=False)
        return LabelCandidate(heading, markup_kind, style_name, NO_NAME, is_marked_up=True)
    if quality is None or (quality == LOWER_CASE and markup_kind != CLASS):
        return None
    speech = text_behind.lstrip(" :：-–—|\t")
    speech_start = len(line.text) - len(speech)
    label = SpeakerLabel(name, speaker_or_none(name), speech_start, is_sure=False)
    return LabelCandidate(
        label,
        markup_kind,
        style_name,
        quality,
        is_marked_up=True,
        speech_starts_lower=_starts_in_lower_case(speech),
    )


def _kind_of_markup(markup: str) -> str:
    if markup.startswith("class"):
        return CLASS
    if markup.startswith("heading"):
        return HEADING
    return MARKED


def _column_candidate(text: str) -> LabelCandidate | None:
    match = _COLUMN_HEAD_PATTERN.match(text[:MAX_CHARACTERS_WITH_SEPARATOR])
    return _candidate_before_separator(text, match, COLUMN) if match else None


def _dash_candidate(text: str) -> LabelCandidate | None:
    match = _DASH_HEAD_PATTERN.match(text[:MAX_CHARACTERS_WITH_SEPARATOR])
    return _candidate_before_separator(text, match, DASH) if match else None


def _candidate_before_separator(
    text: str, match: re.Match[str], separator: str
) -> LabelCandidate | None:
    name = _name_without_colon(match["head"].strip(" *_"))
    quality = name_quality(name) if name else None
    if quality is None or quality == LOWER_CASE:
        return None
    label = SpeakerLabel(name, speaker_or_none(name), match.end(), is_sure=False)
    speech_starts_lower = _starts_in_lower_case(text[match.end() :])
    return LabelCandidate(
        label, separator, separator, quality, speech_starts_lower=speech_starts_lower
    )


def _own_line_candidate(line: LineWithLayout) -> LabelCandidate | None:
    """Return a line that is only a name, with speech on the line below."""
    text = line.text.strip()
    has_text_below = line.has_text_below or line.has_gap_below
    if not line.starts_paragraph or not has_text_below:
        return None
    if len(text) > MAX_OWN_LINE_CHARACTERS:
        return None
    name = _name_without_colon(text)
    quality = name_quality(name) if name else None
    if quality is None or quality == LOWER_CASE:
        return None
    label = SpeakerLabel(name, speaker_or_none(name), len(line.text), is_sure=False)
    style_name = OWN_LINE_IN_CAPITALS if text.isupper() else OWN_LINE
    if line.has_gap_below:
        style_name += ABOVE_GAP
    return LabelCandidate(label, OWN_LINE, style_name, quality)


def _name_without_colon(text: str) -> str:
    """Return the name in words without a colon behind them, "" if they are not a name."""
    ends_as_name = _NAME_END_PATTERN.search(text) is not None
    if not ends_as_name or _WEEKDAY_OR_MONTH_PATTERN.search(text):
        return ""
    name = name_in_label(text)
    if name is None or len(name.split()) > MAX_HEAD_WORDS:
        return ""
    untitled_name = _TITLE_WITH_STOP_PATTERN.sub(" ", name)
    if _SENTENCE_MARK_PATTERN.search(untitled_name):
        return ""
    is_junior_or_senior = name.lower().endswith(("jr.", "sr."))
    if name.endswith(".") and not is_junior_or_senior:
        return ""
    return name
