"""Cuts text into sentences with ``sentencex``, and repairs its errors on debates.

This module knows no file format and no claim. A line break always ends a sentence, so callers join
wrapped lines first. ``split`` works on any text, articles too; ``cut_pieces`` makes the sentences
of a transcript from the pieces of a reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import sentencex

from assistant.core.domain import Sentence
from assistant.transcripts.speech_pieces import Piece

CharacterSpan = tuple[int, int]  # characters, end excluded

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
_SPACED_WORD_PATTERN = re.compile(r"\S+")
_LETTER_PATTERN = re.compile(r"[^\W\d_]")


def split(text: str) -> list[CharacterSpan]:
    """Return the character span of each sentence, in order, without the white space around it.

    Together the spans have every character of ``text`` that is not white space.
    """
    boundaries = set(_library_ends(text))
    for pattern in _CUT_PATTERNS:
        boundaries.update(match.end() for match in pattern.finditer(text))
    spans: list[CharacterSpan] = []
    start = 0
    for boundary in sorted(boundaries):
        if boundary < len(text) and _is_joined(text, start, boundary):
            continue
        trimmed_start, trimmed_end = _trimmed(text, start, boundary)
        if trimmed_start < trimmed_end:
            spans.append((trimmed_start, trimmed_end))
        start = boundary
    return spans


def _library_ends(text: str) -> list[int]:
    """Return the ends of the segments that sentencex finds, the end of the text included."""
    ends = []
    position = 0
    for segment in sentencex.segment("en", text):
        position += len(segment)
        ends.append(position)
    return [*ends, len(text)]


def _is_joined(text: str, start: int, boundary: int) -> bool:
    """Return whether sentencex should not have set a boundary."""
    left = text[max(start, boundary - _CONTEXT_CHARACTERS) : boundary]
    right = text[boundary : boundary + _CONTEXT_CHARACTERS]
    left_text = left.rstrip()
    trailing_space = left[len(left_text) :]
    if "\n" in trailing_space:
        return False
    if right[:1].islower() and _first_letter_is_lower(text[start : start + _CONTEXT_CHARACTERS]):
        return False  # In a text without capitals, lower case means nothing.
    return any(
        left_pattern.search(left_text) and right_pattern.match(right)
        for left_pattern, right_pattern in _JOIN_PATTERNS
    )


def _first_letter_is_lower(text: str) -> bool:
    letter = _LETTER_PATTERN.search(text)
    return letter is not None and letter.group().islower()


def _trimmed(text: str, start: int, end: int) -> CharacterSpan:
    """Return a span without the white space at its ends."""
    untrimmed = text[start:end]
    leading_length = len(untrimmed) - len(untrimmed.lstrip())
    trailing_length = len(untrimmed) - len(untrimmed.rstrip())
    return start + leading_length, end - trailing_length


def cut_pieces(pieces: Sequence[Piece]) -> tuple[list[Sentence], list[str]]:
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
    run_start = 0  # character of the transcript
    for run in _pieces_by_speaker(pieces):
        text, piece_starts = _text_and_piece_starts(run)
        if is_unpunctuated:
            spans = _windows(text, (0, len(text)), piece_starts)
        else:
            spans = list(_sentence_spans(text, piece_starts))
        for start, end, is_window in spans:
            window_count += is_window
            piece = run[bisect_right(piece_starts, start) - 1]
            start_s, end_s = timeline.between(run_start + start, run_start + end)
            sentences.append(
                Sentence(
                    number=len(sentences) + 1,
                    line=piece.line,
                    text=" ".join(text[start:end].split()),
                    speaker=piece.speaker,
                    start=start_s,
                    end=end_s,
                )
            )
        run_start += len(text) + 1
    return sentences, _cut_warnings(is_unpunctuated, window_count, timeline.estimated_count)


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
        warnings.append(f"times inside a cue or turn, estimated from its length: {estimated_count}")
    return warnings


def _is_unpunctuated(pieces: Sequence[Piece]) -> bool:
    word_count = sum(len(piece.text.split()) for piece in pieces)
    stop_count = sum(
        len(_STOP_PATTERN.findall(piece.text)) + piece.text.count("\n") for piece in pieces
    )
    is_long = word_count >= MAX_WORDS_PER_STOP
    return is_long and stop_count * MAX_WORDS_PER_STOP < word_count


def _pieces_by_speaker(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield pieces that may share a sentence: one speaker, no new turn between them."""
    run: list[Piece] = []
    for piece in pieces:
        if run and (piece.starts_turn or piece.speaker != run[-1].speaker):
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _text_and_piece_starts(run: Sequence[Piece]) -> tuple[str, list[int]]:
    """Return the text of a run, and the character at which each piece begins in it."""
    piece_starts = []
    length = 0
    for piece in run:
        piece_starts.append(length)
        length += len(piece.text) + 1
    return " ".join(piece.text for piece in run), piece_starts


def _sentence_spans(text: str, piece_starts: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """Yield start and end of each sentence, and False.

    A sentence that is far too long is yielded as windows, with True.
    """
    for start, end in split(text):
        may_be_long = end - start > 2 * MAX_SENTENCE_WORDS
        if may_be_long and len(text[start:end].split()) > MAX_SENTENCE_WORDS:
            yield from _windows(text, (start, end), piece_starts)
        else:
            yield start, end, False


def _windows(
    text: str, text_span: CharacterSpan, piece_starts: Sequence[int]
) -> list[tuple[int, int, bool]]:
    """Return overlapping windows over the words of a span, each with True.

    Their ends move to the beginning of a piece that is near.
    """
    word_spans = [match.span() for match in _SPACED_WORD_PATTERN.finditer(text, *text_span)]
    if not word_spans:
        return []
    start_characters = set(piece_starts)
    piece_words = [
        index
        for index, (word_start, _) in enumerate(word_spans)
        if index > 0 and word_start in start_characters
    ]
    windows: list[tuple[int, int, bool]] = []
    begin = 0
    end = _moved_to_piece_start(WINDOW_WORDS, piece_words)
    # A short remainder joins the last window.
    while end + WINDOW_STEP // 2 < len(word_spans):
        windows.append((word_spans[begin][0], word_spans[end - 1][1], True))
        begin = _moved_to_piece_start(begin + WINDOW_STEP, piece_words)
        end = _moved_to_piece_start(begin + WINDOW_WORDS, piece_words)
    windows.append((word_spans[begin][0], word_spans[-1][1], True))
    return windows


def _moved_to_piece_start(word_index: int, piece_words: Sequence[int]) -> int:
    """Return the word nearest to a word that begins a piece, the word itself if none is near."""
    position = bisect_right(piece_words, word_index)
    neighbours = piece_words[max(position - 1, 0) : position + 1]
    nearest = min(neighbours, key=lambda index: abs(index - word_index), default=word_index)
    return nearest if abs(nearest - word_index) <= MAX_SNAP_WORDS else word_index


class _Timeline:
    """Times of characters: known at the ends of pieces, estimated between them."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.estimated_count = 0
        self._times: list[tuple[int, float]] = []  # character of the whole transcript, seconds
        piece_start = 0
        for piece in pieces:
            piece_end = piece_start + len(piece.text)
            if piece.start is not None:
                self._times.append((piece_start, piece.start))
            if piece.end is not None:
                self._times.append((piece_end, piece.end))
            piece_start = piece_end + 1

    def between(self, start: int, end: int) -> tuple[float | None, float | None]:
        """Return the seconds of two characters of the transcript, None if unknown."""
        start_s = self._at(start)
        end_s = self._at(end)
        if start_s is not None and end_s is not None and end_s < start_s:
            return start_s, None
        return start_s, end_s

    def _at(self, character: int) -> float | None:
        next_index = bisect_right(self._times, character, key=lambda known_time: known_time[0])
        if next_index == 0:
            return None
        left_character, left_s = self._times[next_index - 1]
        if left_character == character:
            return left_s
        if next_index == len(self._times):
            return None
        right_character, right_s = self._times[next_index]
        if right_s < left_s:
            return None  # the clock starts anew
        self.estimated_count += 1
        share = (character - left_character) / (right_character - left_character)
        return round(left_s + share * (right_s - left_s), 3)
