"""Heads of lines that may be speaker labels, one per way to set a name apart from the speech.

This module knows one line and how much its head looks like a name. The whole file decides in
``label_finder`` which heads are labels.
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
FILLED_LINE = " line"  # behind a family of marked heads that fill their lines

# How much a head looks like the name of a speaker
FUNCTION_WORD = -2  # a short form of a name that is also a word: "To." for Toby
NO_NAME = -1  # a heading between headings that are labels
LOWER_CASE = 0
SINGLE_NAME = 1
FULL_NAME = 2
TITLED_NAME = 3
USUAL_LABEL = 4

# Words that never stand alone as a sentence, unlike "No." and "So."
_FUNCTION_WORDS = frozenset(
    "a an the and or nor to of for from in on at by with as into than if that".split()
)
RECENT_LINES = 512
MAX_HEAD_WORDS = 6
MAX_INITIALS = 3
MAX_NAME_WORDS_WITH_TITLES = MAX_HEAD_WORDS + 3
MAX_SEPARATED_HEAD_CHARACTERS = 60
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
class HintedLine:
    """A line with the hints that its source gives.

    ``starts_paragraph``: nothing above it runs on into it. ``has_text_below``: speech follows on
    the next line. ``mark`` names the mark-up of the first ``mark_end`` characters: "bold",
    "italic", "heading 2", "class speaker", or "" for none. ``has_gap_below``: an empty line is
    between this line and the speech below it.
    """

    text: str
    starts_paragraph: bool = True
    has_text_below: bool = True
    mark: str = ""
    mark_end: int = 0
    has_gap_below: bool = False


@dataclass(frozen=True, slots=True)
class LabelHead:
    """A head that may be a label, and how much it looks like a name.

    ``set_apart_by`` says what separates it from the speech, such as "a colon". ``family`` tells
    these apart further, by the mark-up. ``is_marked``: mark-up ends where the name ends.
    ``speech_starts_lower``: the text behind it begins in lower case.
    """

    label: SpeakerLabel
    set_apart_by: str
    family: str
    quality: int
    is_marked: bool = False
    speech_starts_lower: bool = False


@lru_cache(maxsize=RECENT_LINES)
def candidate_heads(line: HintedLine) -> tuple[LabelHead, ...]:
    """Return the heads of a line that may be labels, the likeliest way first.

    Live sources read the latest lines again with every new one, so their heads are remembered.
    """
    text = line.text
    if not text.strip() or is_unspoken_line(text):
        return ()
    heads = [
        _question_head(text),
        _marked_head(line),
        _number_head(text),
        _colon_head(line),
        _full_stop_head(line),
        _column_head(text),
        _dash_head(text),
        _own_line_head(line),
    ]
    return tuple(head for head in heads if head is not None)


@lru_cache(maxsize=NAME_CACHE_SIZE)
def name_quality(name: str) -> int | None:
    """Return how much words look like the name of a speaker, None if they are not a name."""
    words = name.split()
    if not words or len(words) > MAX_NAME_WORDS_WITH_TITLES or is_stage_direction(name):
        return None
    if is_standard_label(name):
        return USUAL_LABEL
    letters = [character for character in name if character.isalpha()]
    if not letters:
        has_digit = any(character.isdigit() for character in name)
        return LOWER_CASE if has_digit else None
    if _is_phrase(words):
        return None
    if _are_mostly_capitals(letters):
        return USUAL_LABEL if len(letters) >= MIN_CAPITAL_LETTERS else FULL_NAME
    if full_stop_labels.is_titled(name):
        return TITLED_NAME
    if name_in_label(name) is None:
        return _lower_case_quality(words)
    has_capitals_or_small_letters = any(letter.isupper() or letter.islower() for letter in letters)
    if not has_capitals_or_small_letters:  # a script without them, such as Chinese
        is_short = len(words) <= 3 and len(letters) <= 20
        return FULL_NAME if is_short else None
    has_phrase_word = any(word in _PHRASE_WORDS for word in words)
    return FULL_NAME if len(words) > 1 and not has_phrase_word else SINGLE_NAME


def _is_phrase(words: list[str]) -> bool:
    """Return whether words are a phrase that speech has before a colon: ``Breaking News``."""
    if all(is_common_noun(word.strip(".,'’")) for word in words):
        return True
    first_word = words[0]
    last_word = words[-1]
    ends_in_letter = len(last_word) == 1 and last_word.isupper()  # "Speaker A"
    ends_in_noun = is_common_noun(last_word) and not ends_in_letter
    if ends_in_noun and len(words) < 4 and not first_word.isupper():
        return True
    if last_word.lower() in _VERBS_OF_SAYING:
        return True
    # A single word may be the initials of a person: "BE", "IT".
    has_length_of_initials = 1 < len(first_word) <= MAX_INITIALS
    if len(words) == 1 and first_word.isupper() and has_length_of_initials:
        return False
    is_function_word = first_word.lower() in FUNCTION_WORDS
    # "Will Abara" and "The Moderator" are names.
    return is_function_word and first_word.lower() not in ("the", "will", "may")


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


def _starts_lower(text: str) -> bool:
    return text.lstrip("“\"'‘([ ")[:1].islower()


def _question_head(text: str) -> LabelHead | None:
    label = question_label_at(text)
    if label and question_examiner(text):
        return LabelHead(label, QUESTION, QUESTION, USUAL_LABEL)
    if label:
        return LabelHead(label, QUESTION, QUESTION, TITLED_NAME)
    bare_letter = _BARE_QUESTION_PATTERN.match(text)
    if bare_letter is None:
        return None
    letter = bare_letter["letter"] or bare_letter["letter_before_lower_case"]
    label = SpeakerLabel(letter, letter, bare_letter.end(), is_sure=False)
    return LabelHead(label, QUESTION, QUESTION, LOWER_CASE)


def _colon_head(line: HintedLine) -> LabelHead | None:
    """Return the head before a colon, also one that no list of shapes would take for a name."""
    text = line.text
    label = colon_label_at(text) or _any_colon_label(text)
    if label is None or label.name in _QUESTION_LETTERS or _WIDE_QUESTION_PATTERN.match(text):
        return None
    # How much the words look like a name, None if they do not
    quality = USUAL_LABEL if label.is_sure else name_quality(label.name)
    speech_starts_lower = _starts_lower(text[label.end :])
    if quality is None:
        # Not a name, but words that may stand for one: "First Voice: Good evening"
        return LabelHead(label, COLON, PHRASE, LOWER_CASE, speech_starts_lower=speech_starts_lower)
    # The colon may be behind the bold type, with a space.
    is_marked = bool(line.mark) and 0 <= label.end - line.mark_end <= 3
    return LabelHead(label, COLON, COLON, quality, is_marked, speech_starts_lower)


def _number_head(text: str) -> LabelHead | None:
    """Return a number before a colon, as some programs write voices without names."""
    match = _NUMBER_HEAD_PATTERN.match(text)
    if match is None:
        return None
    number = match["head"]
    label = SpeakerLabel(number, number, match.end(), is_sure=False)
    starts_lower = _starts_lower(text[match.end() :])
    return LabelHead(label, COLON, NUMBER, LOWER_CASE, speech_starts_lower=starts_lower)


def _any_colon_label(text: str) -> SpeakerLabel | None:
    """Return the words before a colon as a label, if nothing in them shows a sentence."""
    # A few more characters for the colon and the spaces around it
    beginning = text[: MAX_SEPARATED_HEAD_CHARACTERS + 10]
    match = _ANY_COLON_HEAD_PATTERN.match(beginning)
    if match is None:
        return None
    name = match["head"].strip(" *_\t")
    if name_in_label(name) is not None:
        return None  # recognised already, and refused for its surroundings
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


def _full_stop_head(line: HintedLine) -> LabelHead | None:
    text = line.text
    ends = full_stop_labels.label_ends(text)
    if ends is None:
        return _collective_head(text)
    name_end, label_end = ends
    name = " ".join(text[:name_end].split())
    has_capital_surname = full_stop_labels.has_capital_surname(name)
    if full_stop_labels.addresses_office(name) and not has_capital_surname:
        return None  # "Mr. President." begins a speech
    is_titled = full_stop_labels.is_titled(name)
    quality = TITLED_NAME if is_titled else name_quality(name)
    is_function_word = name[:1].isupper() and name.lower() in _FUNCTION_WORDS
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
    is_marked = bool(line.mark) and abs(label_end - line.mark_end) <= 2
    return LabelHead(label, FULL_STOP, FULL_STOP, quality, is_marked)


def _collective_head(text: str) -> LabelHead | None:
    """Return a label of several words for people without names: ``Audience members. No!``"""
    match = _COLLECTIVE_HEAD_PATTERN.match(text)
    if match is None or not names_nobody(match["head"]):
        return None
    label = SpeakerLabel(match["head"], None, match.end(), is_sure=False)
    return LabelHead(label, FULL_STOP, FULL_STOP, FULL_NAME)


def _marked_head(line: HintedLine) -> LabelHead | None:
    """Return the head that mark-up sets apart: bold without a colon, a heading, a class name."""
    if not line.mark or not line.mark_end:
        return None
    marked_text = line.text[: line.mark_end]
    text_behind = line.text[line.mark_end :]
    fills_line = not text_behind.strip(" :：.")
    has_text_below = line.has_text_below or line.has_gap_below
    if fills_line and not (has_text_below and line.starts_paragraph):
        return None
    if marked_text.rstrip().endswith((":", ".")) and not fills_line:
        return None  # The colon or full stop sets it apart.
    mark_kind = _kind_of_mark(line.mark)
    family = f"{mark_kind} {line.mark}"
    if fills_line:
        family += FILLED_LINE
    stripped_text = marked_text.strip(" .:：\t*_|-–—")
    name = _name_of_line(stripped_text)
    quality = name_quality(name) if name else None
    if quality is None and mark_kind == HEADING and fills_line and stripped_text:
        heading = SpeakerLabel(
            stripped_text, speaker_or_none(stripped_text), len(line.text), is_sure=False
        )
        return LabelHead(heading, mark_kind, family, NO_NAME, is_marked=True)
    if quality is None or (quality == LOWER_CASE and mark_kind != CLASS):
        return None
    speech = text_behind.lstrip(" :：-–—|\t")
    speech_start = len(line.text) - len(speech)
    label = SpeakerLabel(name, speaker_or_none(name), speech_start, is_sure=False)
    return LabelHead(label, mark_kind, family, quality, True, _starts_lower(speech))


def _kind_of_mark(mark: str) -> str:
    if mark.startswith("class"):
        return CLASS
    if mark.startswith("heading"):
        return HEADING
    return MARKED


def _column_head(text: str) -> LabelHead | None:
    match = _COLUMN_HEAD_PATTERN.match(text[: MAX_SEPARATED_HEAD_CHARACTERS + 10])
    return _separated_head(text, match, COLUMN) if match else None


def _dash_head(text: str) -> LabelHead | None:
    match = _DASH_HEAD_PATTERN.match(text[: MAX_SEPARATED_HEAD_CHARACTERS + 10])
    return _separated_head(text, match, DASH) if match else None


def _separated_head(text: str, match: re.Match[str], separator: str) -> LabelHead | None:
    name = _name_of_line(match["head"].strip(" *_"))
    quality = name_quality(name) if name else None
    if quality is None or quality == LOWER_CASE:
        return None
    label = SpeakerLabel(name, speaker_or_none(name), match.end(), is_sure=False)
    starts_lower = _starts_lower(text[match.end() :])
    return LabelHead(label, separator, separator, quality, speech_starts_lower=starts_lower)


def _own_line_head(line: HintedLine) -> LabelHead | None:
    """Return a line that is only a name, with speech on the line below."""
    text = line.text.strip()
    has_text_below = line.has_text_below or line.has_gap_below
    if not line.starts_paragraph or not has_text_below:
        return None
    if len(text) > MAX_OWN_LINE_CHARACTERS:
        return None
    name = _name_of_line(text)
    quality = name_quality(name) if name else None
    if quality is None or quality == LOWER_CASE:
        return None
    label = SpeakerLabel(name, speaker_or_none(name), len(line.text), is_sure=False)
    family = OWN_LINE_IN_CAPITALS if text.isupper() else OWN_LINE
    if line.has_gap_below:
        family += ABOVE_GAP
    return LabelHead(label, OWN_LINE, family, quality)


def _name_of_line(text: str) -> str:
    """Return the name in words without a colon behind them, "" if they are not a name."""
    if not text or not _NAME_END_PATTERN.search(text) or _WEEKDAY_OR_MONTH_PATTERN.search(text):
        return ""
    name = name_in_label(text)
    if name is None or len(name.split()) > MAX_HEAD_WORDS:
        return ""
    untitled_name = _TITLE_WITH_STOP_PATTERN.sub(" ", name)
    if _SENTENCE_MARK_PATTERN.search(untitled_name):
        return ""
    if name.endswith(".") and not name.lower().endswith(("jr.", "sr.")):
        return ""
    return name
