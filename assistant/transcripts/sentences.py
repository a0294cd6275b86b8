"""Cuts text into sentences: splits with ``sentencex`` and repairs what debates make it miss.

Knows no file format and no claim. A line break always ends a sentence, so callers join wrapped lines first.
``split`` works on any text (articles too); ``cut`` makes the sentences of a transcript from the pieces of a reader.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

import sentencex

from assistant.core.domain import Sentence
from assistant.transcripts.speech_pieces import Piece

CharacterSpan = tuple[int, int]  # characters, end excluded

MAX_WORDS_PER_STOP = (
    60  # words: text with fewer full stops than one in so many is taken for unpunctuated
)
# what is scored in place of sentences where punctuation is missing
WINDOW_WORDS = 22
WINDOW_STEP = 11
MAX_SNAP_WORDS = 5  # how far the ends of a window move to meet the border of a cue
MAX_SENTENCE_WORDS = 150  # words: no sentence of a debate is longer; what is, lacks punctuation

_TITLES = (
    "Mr Mrs Ms Mx Messrs Dr Prof Sen Sens Rep Reps Gov Govs Lt Gen Col Maj Capt Cmdr Sgt Cpl Pvt Adm Brig Rev Hon "
    "Pres Supt Amb Atty Asst Dep Del Ald Msgr Fr St Mt Ft"
)
_NUMBERED_NOUNS = (
    "No Nos Sec Secs Art Fig Ch Vol Pt Rep Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
)


def _any_word(names: str) -> str:
    """Return a pattern for any of these words in title case or capitals."""
    return "|".join(f"{name}|{name.upper()}" for name in names.split())


# A border that sentencex sets is taken back where its left and its right side match one of these
# rows.
_JOIN_PATTERNS = [
    (re.compile(left), re.compile(right))
    for left, right in [
        (
            rf"\b(?:{_any_word(_TITLES)})\.$",
            r"[“\"'(]?[A-Z]",
        ),  # a title belongs to the name after it
        (
            rf"\b(?:{_any_word(_NUMBERED_NOUNS)}|[Aa]rt|[Pp]p?|[Cc]h)\.$",
            r"\d",
        ),  # No. 1, Sec. 1325, Jan. 2017
        (
            r"\b(?:H\.R|S|[HS]\.(?:J\.|Con\.)?\s?Res|Pub\.\s?L|U\.S\.C)\.$",
            r"\d",
        ),  # bills and statutes
        (
            r"(?i)(?:\b(?:vs?|approx|cf|viz|incl|est)|\be\.g|\bi\.e|\ba\.k\.a)\.$",
            r"\S",
        ),  # never end a sentence
        (
            r"\b[ap]\.m\.$",
            r"(?:Eastern|Central|Mountain|Pacific|[ECMP][SD]?T\b|GMT|UTC)",
        ),  # 9 p.m. Eastern
        (r"(?:\.{2,}|…|[“\"]…)$", r"[“\"'(]?[a-z]"),  # a pause, not an end
        (
            r"(?:\b[A-Za-z]\.|\b(?:etc|[Jj]r|[Ss]r|Inc|Corp|Co|Ltd|Bros|Dept|Univ)\.|\.D\.)$",
            r"[a-z]",
        ),  # p.m. every day
        (r"(?:^|\s)\d{1,2}\.$", r"[a-z]"),  # 1. a wall and 2. a fence
        (r"^\s*\d{1,2}\.$", r"\S"),  # the number of a list entry is no sentence
    ]
]
_CLOSERS = "”’\"')\\]"
# Borders that sentencex misses; each pattern ends where the next sentence begins.
_CUT_PATTERNS = [
    re.compile(pattern)
    for pattern in [
        r"\n+",
        # everyday words that sentencex takes for abbreviations (number, article, identity, Maine,
        # Oregon, ...)
        r"\b(?:me|no|may|ill|art|miss|ok|okay|con|fed|fig|id|ark|arc|ore|pa|med|rep)\.[”’\"']?\s+(?=[“\"'(]?[A-Z])",
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
_CONTEXT_CHARACTERS = (
    40  # characters around a border that the patterns may look at: keeps the work linear
)
_TERMINAL = re.compile(rf"[.!?…][{_CLOSERS}]*(?=\s|$)")
_WORD_PATTERN = re.compile(r"\S+")
_LETTER_PATTERN = re.compile(r"[^\W\d_]")


def split(text: str) -> list[CharacterSpan]:
    """Return the character span of each sentence, in order, without the white space around it.

    Together the spans have every character of ``text`` that is not white space.
    """
    borders = sorted(
        set(_library_ends(text))
        | {match.end() for cut in _CUT_PATTERNS for match in cut.finditer(text)}
    )
    spans: list[CharacterSpan] = []
    start = 0
    for border in borders:
        if border == len(text) or not _is_joined(text, start, border):
            spans.append((start, border))
            start = border
    return [span for span in (_trimmed(text, *span) for span in spans) if span[0] < span[1]]


def _library_ends(text: str) -> list[int]:
    """Return the ends of the segments that sentencex finds, the end of the text included."""
    ends = []
    position = 0
    for segment in sentencex.segment("en", text):
        position += len(segment)
        ends.append(position)
    return [*ends, len(text)]


def _is_joined(text: str, start: int, border: int) -> bool:
    """Whether the border is one of those that sentencex should not have set."""
    left = text[max(start, border - _CONTEXT_CHARACTERS) : border]
    right = text[border : border + _CONTEXT_CHARACTERS]
    if "\n" in left[len(left.rstrip()) :]:
        return False
    left = left.rstrip()
    if right[:1].islower() and _first_letter_is_lower(text[start : start + _CONTEXT_CHARACTERS]):
        return False  # a text without capitals: lower case says nothing
    return any(before.search(left) and after.match(right) for before, after in _JOIN_PATTERNS)


def _first_letter_is_lower(text: str) -> bool:
    letter = _LETTER_PATTERN.search(text)
    return letter is not None and letter.group().islower()


def _trimmed(text: str, start: int, end: int) -> CharacterSpan:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))


def cut_pieces(pieces: Sequence[Piece]) -> tuple[list[Sentence], list[str]]:
    """Return the sentences of a transcript, numbered from 1, and a warning for everything that was guessed.

    Pieces are joined until the speaker changes or a turn begins; a line break inside a piece ends
    a sentence. Times come from the pieces, between two known times by the share of characters.
    Where punctuation is missing, overlapping windows of words take the place of sentences.
    """
    pieces = [piece for piece in pieces if piece.text.strip()]
    timeline = _Timeline(pieces)
    bare = _is_unpunctuated(pieces)
    sentences: list[Sentence] = []
    windows = base = 0
    for run in _runs(pieces):
        text, borders = _joined(run)
        spans = (
            _windows(text, (0, len(text)), borders)
            if bare
            else list(_sentence_spans(text, borders))
        )
        windows += sum(longer for *_, longer in spans)
        for start, end, _ in spans:
            piece = run[bisect_right(borders, start) - 1]
            times = timeline.between(base + start, base + end)
            words = " ".join(text[start:end].split())
            sentences.append(Sentence(len(sentences) + 1, piece.line, words, piece.speaker, *times))
        base += len(text) + 1
    return sentences, _cut_warnings(bare, windows, timeline.estimated)


def _cut_warnings(bare: bool, windows: int, estimated: int) -> list[str]:
    warnings = []
    size = f"overlapping stretches of about {WINDOW_WORDS} words take the place of sentences"
    if bare:
        warnings.append(f"the text has hardly any punctuation; {size}")
    elif windows:
        warnings.append(
            f"passages of more than {MAX_SENTENCE_WORDS} words have no full stop; there {size}"
        )
    if estimated:
        warnings.append(f"times inside a cue or turn, estimated from its length: {estimated}")
    return warnings


def _is_unpunctuated(pieces: Sequence[Piece]) -> bool:
    words = sum(len(piece.text.split()) for piece in pieces)
    marks = sum(len(_TERMINAL.findall(piece.text)) + piece.text.count("\n") for piece in pieces)
    return words >= MAX_WORDS_PER_STOP and marks * MAX_WORDS_PER_STOP < words


def _runs(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield pieces that may share a sentence: one speaker, no new turn between them."""
    run: list[Piece] = []
    for piece in pieces:
        if run and (piece.starts_turn or piece.speaker != run[-1].speaker):
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _joined(run: Sequence[Piece]) -> tuple[str, list[int]]:
    """Return the text of a run and the character where each piece begins in it."""
    borders = []
    length = 0
    for piece in run:
        borders.append(length)
        length += len(piece.text) + 1
    return " ".join(piece.text for piece in run), borders


def _sentence_spans(text: str, borders: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """Yield the spans of sentences; one far too long is yielded in windows, marked by the flag."""
    for start, end in split(text):
        if (
            end - start > 2 * MAX_SENTENCE_WORDS
            and len(text[start:end].split()) > MAX_SENTENCE_WORDS
        ):
            yield from _windows(text, (start, end), borders)
        else:
            yield start, end, False


def _windows(text: str, span: CharacterSpan, borders: Sequence[int]) -> list[tuple[int, int, bool]]:
    """Return overlapping windows over the words of a span, their ends moved to borders of pieces that are near."""
    words = [match.span() for match in _WORD_PATTERN.finditer(text, *span)]
    begins = set(borders)
    free = [i for i in range(1, len(words)) if words[i][0] in begins]
    windows: list[tuple[int, int, bool]] = []
    first = 0
    while True:
        last = _snapped(first + WINDOW_WORDS, free)
        if last + WINDOW_STEP // 2 >= len(words):  # a short rest joins the last window
            return [*windows, (words[first][0], words[-1][1], True)] if words else []
        windows.append((words[first][0], words[last - 1][1], True))
        first = _snapped(first + WINDOW_STEP, free)


def _snapped(word: int, free: Sequence[int]) -> int:
    """Return the border nearest to a word, the word itself if none is near."""
    i = bisect_right(free, word)
    near = min(free[max(i - 1, 0) : i + 1], key=lambda border: abs(border - word), default=word)
    return near if abs(near - word) <= MAX_SNAP_WORDS else word


class _Timeline:
    """Times of characters: known at the ends of pieces, estimated between them."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.estimated = 0
        self._times: list[tuple[int, float]] = []  # character of the whole transcript, seconds
        place = 0
        for piece in pieces:
            if piece.start is not None:
                self._times.append((place, piece.start))
            if piece.end is not None:
                self._times.append((place + len(piece.text), piece.end))
            place += len(piece.text) + 1

    def between(self, start: int, end: int) -> tuple[float | None, float | None]:
        """Return when these characters of the transcript are said, in seconds, None where it is not known."""
        begin = self._at(start)
        finish = self._at(end)
        return begin, finish if begin is None or finish is None or finish >= begin else None

    def _at(self, place: int) -> float | None:
        after = bisect_right(self._times, place, key=lambda known: known[0])
        if after == 0:
            return None
        left_place, left = self._times[after - 1]
        if left_place == place:
            return left
        if after == len(self._times) or self._times[after][1] < left:
            return None  # after the last known time, or where the clock starts anew
        right_place, right = self._times[after]
        self.estimated += 1
        return round(left + (place - left_place) / (right_place - left_place) * (right - left), 3)
