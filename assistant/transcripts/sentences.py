"""Cuts text into sentences with ``sentencex``, and repairs its errors on debates.

This module knows no file format and no claim. A line break always ends a sentence, so callers join
wrapped lines first. ``sentence_spans`` works on any text, articles too; ``sentences_of_pieces`` makes the sentences
of a transcript from the pieces of a reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sentencex

from assistant.core.domain import Sentence
from assistant.transcripts.speech_pieces import SpeechPiece
from features.language.text_limits import MAX_CHARACTERS

CharacterSpan = tuple[int, int]  # characters, end excluded


@dataclass(frozen=True, slots=True)
class _SentenceSpan:
    """The characters of a sentence, or of a window of words that takes its place."""

    start: int
    end: int
    is_window: bool = False


MAX_WORDS_PER_STOP = 60  # text with fewer full stops counts as unpunctuated
# Windows of words take the place of sentences if punctuation is missing.
WINDOW_WORDS = 22
WINDOW_STEP = 11
MAX_SNAP_WORDS = 5  # by which the end of a window may move to the beginning of a cue
MAX_SENTENCE_WORDS = 150  # a longer sentence of a debate lacks punctuation

# Titles that belong to the name behind them
_TITLES = (
    "Mr Mrs Ms Mx Messrs Dr Prof Sen Sens Rep Reps Gov Govs Lt Gen Col Maj Capt Cmdr Sgt Cpl "
    "Pvt Adm Brig Rev Hon Pres Supt Amb Atty Asst Dep Del Ald Msgr Fr St Mt Ft"
)
# Abbreviations with a number behind them
_NUMBERED_NOUNS = (
    "No Nos Sec Secs Art Fig Ch Vol Pt Rep Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)


# Words with a capital that only begin a sentence
_SENTENCE_STARTS = (
    "They|He|She|It|We|You|Nobody|Somebody|Everybody|Everyone|Nothing|This|That|These|Those|There"
    "|But|And|So|Then|What|Why|How|When|Who|Where|Our|My|His|Their|Your|Its|If|Because|Now|Not"
    "|No|Yes|Well|Thank|Let|Do|Does|Did|Is|Are|Was|Were|Have|Has|Can|Will|Would|Should"
)


def _any_word(names: str) -> str:
    """Return a pattern for any of these words in title case or capitals."""
    return "|".join(f"{name}|{name.upper()}" for name in names.split())


# A boundary that sentencex sets is removed if its two sides match a pair of patterns.
_JOIN_PATTERNS = [
    (re.compile(left), re.compile(right))
    for left, right in [
        # A title belongs to the name behind it.
        (rf"\b(?:{_any_word(_TITLES)})\.$", rf"[“\"'(]?(?!(?:{_SENTENCE_STARTS})\b)[A-Z]"),
        # No. 1, Sec. 1325, Jan. 2017
        (rf"\b(?:{_any_word(_NUMBERED_NOUNS)}|[Aa]rt|[Pp]p?|[Cc]h)\.$", r"\d"),
        # Bills and statutes
        (r"\b(?:H\.R|S|[HS]\.(?:J\.|Con\.)?\s?Res|Pub\.\s?L|U\.S\.C)\.$", r"\d"),
        # Abbreviations that never end a sentence
        (r"(?i)(?:\b(?:vs?|approx|cf|viz|incl|est)|\be\.g|\bi\.e|\ba\.k\.a)\.$", r"\S"),
        # 9 p.m. Eastern
        (r"\b[ap]\.m\.$", r"(?:Eastern|Central|Mountain|Pacific|[ECMP][SD]?T\b|GMT|UTC)"),
        # A pause, not an end
        (r"(?:\.{2,}|…|[“\"]…)$", r"[“\"'(]?[a-z]"),
        # p.m. every day
        (
            r"(?:\b[A-Za-z]\.|\b(?:etc|[Jj]r|[Ss]r|Inc|Corp|Co|Ltd|Bros|Dept|Univ)\.|\.D\.)$",
            r"[a-z]",
        ),
        # 1. a wall and 2. a fence
        (r"(?:^|\s)\d{1,2}\.$", r"[a-z]"),
        # The number of a list entry is not a sentence.
        (r"^\s*\d{1,2}\.$", r"\S"),
    ]
]
# Quotes and brackets that close behind a full stop
_CLOSERS = "”’\"')\\]"
# Boundaries that sentencex misses. Each pattern ends where the next sentence begins.
_CUT_PATTERNS = [
    re.compile(pattern)
    for pattern in [
        r"\n+",
        # everyday words that sentencex takes for abbreviations (number, article, identity, Maine,
        # Oregon, ...)
        r"\b(?:me|no|may|ill|art|miss|ok|okay|con|fed|fig|id|ark|arc|ore|pa|med|rep)\.[”’\"']?\s+(?=[“\"'(]?[A-Z])",
        # an abbreviation at the end of a sentence: in the U.S. Nobody said so; the full stop comes
        # first in the pattern, because a search for one character is quick
        r"\.(?:(?<=\b[A-Z]\.[A-Z]\.)|(?<=\.[A-Z]\.[A-Z]\.)|(?<=\b(?:Inc|etc)\.)|(?<=\bCorp\.)|(?<=\bBros\.)"
        rf"|(?<=\b(?:Co|Jr|Sr)\.)|(?<=\bLtd\.)|(?<=\b[ap]\.m\.))[”’\"']?\s+(?=[“\"'(]?(?:{_SENTENCE_STARTS})\b)",
        rf"\.(?:(?<=[a-z] (?:St|Rd|Dr|Ln|Mt|Ft)\.)|(?<=[a-z] (?:Ave|Hwy)\.)|(?<=[a-z] Blvd\.))\s+(?=(?:{_SENTENCE_STARTS})\b)",
        r"\bOK\.[”’\"']?\s+(?=[“\"'(]?[A-Z])",
        # the pronoun is no initial after a word in lower case; a letter that numbers something is
        # none either
        r"(?<=[a-z] )I\.\s+(?=[“\"'(]?[A-Z])",
        r"\b(?:Plan|Title|Part|Type|Class|Phase|Exhibit|Schedule|Appendix|Vitamin) [A-Z]\.\s+(?=[“\"'(]?[A-Z])",
        r"[.!?]\)\s+(?=[“\"']?[A-Z])",  # (the biggest in history.) They ...
        rf"[.!?…][{_CLOSERS}]*\s+(?=[\[(][^\])\n]{{1,60}}[\])]\s*(?:[“\"'\[(]?[A-Z]|$))",  # before a bracketed aside
        rf"(?:(?<=[.!?…])|(?<=[.!?…][{_CLOSERS}]))\s+[\[(][^\])\n]{{1,60}}[\])]\s+(?=[“\"']?[A-Z])",  # and after it
        # someone breaks in: a capitalised function word after a dash does not continue a sentence
        r"(?<=[a-z])\s?(?:--|—)\s+(?=(?:You|He|She|We|They|No|Yes|That|It|This|There|But|And|So|What|Why|How|Look)\b)",
    ]
]
# The patterns see so many characters on both sides of a boundary, which keeps the work linear.
_CONTEXT_CHARACTERS = 40
# The end of a sentence
_STOP_PATTERN = re.compile(rf"[.!?…][{_CLOSERS}]*(?=\s|$)")
_CUT_SPACE_PATTERN = re.compile(r"\s")
_CUT_MARK_PATTERN = re.compile(r"[,;:.!?…—–-]")
_SPACED_WORD_PATTERN = re.compile(r"\S+")
_LETTER_PATTERN = re.compile(r"[^\W\d_]")


def sentence_spans(text: str) -> list[CharacterSpan]:
    """Return the character span of each sentence, in order, without the white space around it.

    Together the spans have every character of ``text`` that is not white space.
    """
    boundaries = set(_segment_ends_by_library(text))
    for pattern in _CUT_PATTERNS:
        boundaries.update(match.end() for match in pattern.finditer(text))
    spans: list[CharacterSpan] = []
    start = 0
    for boundary in sorted(boundaries):
        if boundary < len(text) and _continues_sentence(text, start, boundary):
            continue
        trimmed_start, trimmed_end = _trimmed(text, start, boundary)
        if trimmed_start < trimmed_end:
            spans.append((trimmed_start, trimmed_end))
        start = boundary
    return spans


def limited_spans(text: str, span: CharacterSpan) -> Iterator[CharacterSpan]:
    """Yield a span in pieces of at most ``MAX_CHARACTERS``, each cut at a space or mark if possible.

    The pieces have every character of the span that is not white space.
    """
    start, end = span
    while end - start > MAX_CHARACTERS:
        cut = _cut_position(text, start, start + MAX_CHARACTERS)
        piece_start, piece_end = _trimmed(text, start, cut)
        if piece_start < piece_end:
            yield piece_start, piece_end
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _cut_position(text: str, start: int, end: int) -> int:
    """Return the end of the last space in the second half of a span, else of the last mark."""
    middle = (start + end) // 2
    for pattern in (_CUT_SPACE_PATTERN, _CUT_MARK_PATTERN):
        cuts = [match.end() for match in pattern.finditer(text, middle, end)]
        if cuts:
            return cuts[-1]
    return end


def _segment_ends_by_library(text: str) -> list[int]:
    """Return the ends of the segments that sentencex finds, the end of the text included."""
    # The segments of the library, spaces included, make up the text.
    ends = []
    position = 0
    for segment in sentencex.segment("en", text):
        position += len(segment)
        ends.append(position)
    return [*ends, len(text)]


def _continues_sentence(text: str, start: int, boundary: int) -> bool:
    """Return whether sentencex should not have set a boundary."""
    # The text on both sides of the boundary, and the space between them
    left_with_space = text[max(start, boundary - _CONTEXT_CHARACTERS) : boundary]
    left = left_with_space.rstrip()
    space = left_with_space[len(left) :]
    right = text[boundary : boundary + _CONTEXT_CHARACTERS]
    if "\n" in space:
        return False
    sentence_start = text[start : start + _CONTEXT_CHARACTERS]
    if right[:1].islower() and _first_letter_is_lower(sentence_start):
        return False  # In a text without capitals, lower case means nothing.
    # Such as a title on the left and a name on the right: "Dr. | Hale"
    for left_pattern, right_pattern in _JOIN_PATTERNS:
        if left_pattern.search(left) and right_pattern.match(right):
            return True
    return False


def _first_letter_is_lower(text: str) -> bool:
    letter = _LETTER_PATTERN.search(text)
    return letter is not None and letter.group().islower()


def _trimmed(text: str, start: int, end: int) -> CharacterSpan:
    """Return a span without the white space at its ends."""
    untrimmed = text[start:end]
    leading_length = len(untrimmed) - len(untrimmed.lstrip())
    trailing_length = len(untrimmed) - len(untrimmed.rstrip())
    return start + leading_length, end - trailing_length


def sentences_of_pieces(pieces: Sequence[SpeechPiece]) -> tuple[list[Sentence], list[str]]:
    """Return the sentences of a transcript, numbered from 1, and a warning for every guess.

    Pieces are joined until the speaker changes or a turn begins; a line break inside a piece ends
    a sentence. Times come from the pieces, between two known times by the share of characters.
    If punctuation is missing, overlapping windows of words take the place of sentences.
    """
    pieces = [piece for piece in pieces if piece.text.strip()]
    timeline = _Timeline(pieces)
    is_unpunctuated = _is_unpunctuated(pieces)
    sentences: list[Sentence] = []
    window_count = 0
    cut_count = 0
    text_start = 0  # character of the transcript
    for speaker_pieces in _pieces_by_speaker(pieces):
        text, piece_starts = _text_and_piece_starts(speaker_pieces)
        if is_unpunctuated:
            long_spans = _windows(text, (0, len(text)), piece_starts)
        else:
            long_spans = list(_limited_sentence_spans(text, piece_starts))
        spans = [
            _SentenceSpan(start, end, long_span.is_window)
            for long_span in long_spans
            for start, end in limited_spans(text, (long_span.start, long_span.end))
        ]
        cut_count += len(spans) - len(long_spans)
        for span in spans:
            window_count += span.is_window
            # The piece in which the sentence begins
            piece = speaker_pieces[bisect_right(piece_starts, span.start) - 1]
            start_s, end_s = timeline.between(text_start + span.start, text_start + span.end)
            sentences.append(
                Sentence(
                    number=len(sentences) + 1,
                    line=piece.line_number,
                    text=" ".join(text[span.start : span.end].split()),
                    speaker=piece.speaker,
                    start=start_s,
                    end=end_s,
                )
            )
        text_start += len(text) + 1
    warnings = _cut_warnings(is_unpunctuated, window_count, timeline.estimated_count)
    if cut_count:
        warnings.append(f"sentences of more than {MAX_CHARACTERS:,} characters were divided")
    return sentences, warnings


def _cut_warnings(is_unpunctuated: bool, window_count: int, estimated_count: int) -> list[str]:
    warnings = []
    replacement = f"overlapping stretches of about {WINDOW_WORDS} words take the place of sentences"
    if is_unpunctuated:
        warnings.append(f"the text has hardly any punctuation; {replacement}")
    elif window_count:
        warnings.append(
            f"passages of more than {MAX_SENTENCE_WORDS} words have no full stop; "
            f"there {replacement}"
        )
    if estimated_count:
        warnings.append(f"{estimated_count:,} times were estimated")
    return warnings


def _is_unpunctuated(pieces: Sequence[SpeechPiece]) -> bool:
    """Return whether a text is too long for its few full stops and line breaks."""
    word_count = 0
    full_stop_count = 0
    for piece in pieces:
        word_count += len(piece.text.split())
        full_stop_count += len(_STOP_PATTERN.findall(piece.text))
        full_stop_count += piece.text.count("\n")
    is_long = word_count >= MAX_WORDS_PER_STOP
    return is_long and full_stop_count * MAX_WORDS_PER_STOP < word_count


def _pieces_by_speaker(pieces: Sequence[SpeechPiece]) -> Iterator[list[SpeechPiece]]:
    """Yield pieces that may share a sentence: one speaker, no new turn between them."""
    speaker_pieces: list[SpeechPiece] = []
    for piece in pieces:
        if speaker_pieces:
            is_new_speaker = piece.speaker != speaker_pieces[-1].speaker
            if piece.starts_turn or is_new_speaker:
                yield speaker_pieces
                speaker_pieces = []
        speaker_pieces.append(piece)
    if speaker_pieces:
        yield speaker_pieces


def _text_and_piece_starts(pieces: Sequence[SpeechPiece]) -> tuple[str, list[int]]:
    """Return the joined text of pieces, and the character at which each begins in it."""
    piece_starts = []
    length = 0
    for piece in pieces:
        piece_starts.append(length)
        length += len(piece.text) + len(" ")
    return " ".join(piece.text for piece in pieces), piece_starts


def _limited_sentence_spans(text: str, piece_starts: Sequence[int]) -> Iterator[_SentenceSpan]:
    """Yield the sentences of a text, with windows in place of one that is far too long."""
    for start, end in sentence_spans(text):
        # A word has two characters at least, so most sentences need not be divided into words.
        may_be_long = end - start > 2 * MAX_SENTENCE_WORDS
        if may_be_long and len(text[start:end].split()) > MAX_SENTENCE_WORDS:
            yield from _windows(text, (start, end), piece_starts)
        else:
            yield _SentenceSpan(start, end)


def _windows(
    text: str, text_span: CharacterSpan, piece_starts: Sequence[int]
) -> list[_SentenceSpan]:
    """Return overlapping windows over the words of a span.

    Their ends move to the beginning of a piece that is near.
    """
    # Words 0 to 22, 11 to 33 and so on. For each word, its first character and the one behind it
    word_spans = [match.span() for match in _SPACED_WORD_PATTERN.finditer(text, *text_span)]
    if not word_spans:
        return []
    start_characters = set(piece_starts)
    # The words that begin a piece, by their index
    piece_words = []
    for word_index, (word_start, _) in enumerate(word_spans):
        if word_index > 0 and word_start in start_characters:
            piece_words.append(word_index)
    windows: list[_SentenceSpan] = []
    first_word = 0
    end_word = _moved_to_piece_start(WINDOW_WORDS, piece_words)
    # A short remainder joins the last window.
    while end_word + WINDOW_STEP // 2 < len(word_spans):
        window_start, _ = word_spans[first_word]
        _, window_end = word_spans[end_word - 1]
        windows.append(_SentenceSpan(window_start, window_end, is_window=True))
        first_word = _moved_to_piece_start(first_word + WINDOW_STEP, piece_words)
        end_word = _moved_to_piece_start(first_word + WINDOW_WORDS, piece_words)
    window_start, _ = word_spans[first_word]
    _, text_end = word_spans[-1]
    windows.append(_SentenceSpan(window_start, text_end, is_window=True))
    return windows


def _moved_to_piece_start(word_index: int, piece_words: Sequence[int]) -> int:
    """Return the nearest word that begins a piece, the word itself if none is near.

    ``piece_words`` are the words that begin a piece, in order.
    """
    next_position = bisect_right(piece_words, word_index)
    neighbours = piece_words[max(next_position - 1, 0) : next_position + 1]
    nearest = min(neighbours, key=lambda index: abs(index - word_index), default=word_index)
    is_near = abs(nearest - word_index) <= MAX_SNAP_WORDS
    return nearest if is_near else word_index


class _Timeline:
    """Times of characters: known at the ends of pieces, estimated between them."""

    def __init__(self, pieces: Sequence[SpeechPiece]) -> None:
        self.estimated_count = 0
        # Known times in order: the characters of the whole transcript, and the seconds of each
        self._characters: list[int] = []
        self._seconds: list[float] = []
        piece_start = 0
        for piece in pieces:
            piece_end = piece_start + len(piece.text)
            self._add(piece_start, piece.start)
            self._add(piece_end, piece.end)
            piece_start = piece_end + len(" ")

    def _add(self, character: int, seconds: float | None) -> None:
        if seconds is not None:
            self._characters.append(character)
            self._seconds.append(seconds)

    def between(self, start: int, end: int) -> tuple[float | None, float | None]:
        """Return the seconds of two characters of the transcript, None if unknown."""
        start_s = self._seconds_at(start)
        end_s = self._seconds_at(end)
        if start_s is not None and end_s is not None and end_s < start_s:
            return start_s, None
        return start_s, end_s

    def _seconds_at(self, character: int) -> float | None:
        """Return the seconds of a character, estimated between the known times around it."""
        right_index = bisect_right(self._characters, character)
        if right_index == 0:
            return None
        left_character = self._characters[right_index - 1]
        left_s = self._seconds[right_index - 1]
        if left_character == character:
            return left_s
        if right_index == len(self._characters):
            return None
        right_character = self._characters[right_index]
        right_s = self._seconds[right_index]
        if right_s < left_s:
            return None  # the clock starts anew
        self.estimated_count += 1
        share = (character - left_character) / (right_character - left_character)
        return round(left_s + share * (right_s - left_s), 3)
