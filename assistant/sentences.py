"""Where sentences begin and end: splits running text with ``sentencex`` and repairs what debates make it miss.

Knows no file format and no claim. A line break always ends a sentence, so callers join wrapped lines first.
"""

from __future__ import annotations

import re

import sentencex

Span = tuple[int, int]  # characters, end excluded

_TITLES = (
    "Mr Mrs Ms Mx Messrs Dr Prof Sen Sens Rep Reps Gov Govs Lt Gen Col Maj Capt Cmdr Sgt Cpl Pvt Adm Brig Rev Hon "
    "Pres Supt Amb Atty Asst Dep Del Ald Msgr Fr St Mt Ft"
)
_NUMBERED = "No Nos Sec Secs Art Fig Ch Vol Pt Rep Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"


def _words(names: str) -> str:
    """Return a pattern for any of these words in title case or capitals."""
    return "|".join(f"{name}|{name.upper()}" for name in names.split())


# A border that sentencex sets is taken back where its left and its right side match one of these rows.
_JOINS = [
    (re.compile(left), re.compile(right))
    for left, right in [
        (rf"\b(?:{_words(_TITLES)})\.$", r"[“\"'(]?[A-Z]"),  # a title belongs to the name after it
        (rf"\b(?:{_words(_NUMBERED)}|[Aa]rt|[Pp]p?|[Cc]h)\.$", r"\d"),  # No. 1, Sec. 1325, Jan. 2017
        (r"\b(?:H\.R|S|[HS]\.(?:J\.|Con\.)?\s?Res|Pub\.\s?L|U\.S\.C)\.$", r"\d"),  # bills and statutes
        (r"(?i)(?:\b(?:vs?|approx|cf|viz|incl|est)|\be\.g|\bi\.e|\ba\.k\.a)\.$", r"\S"),  # never end a sentence
        (r"\b[ap]\.m\.$", r"(?:Eastern|Central|Mountain|Pacific|[ECMP][SD]?T\b|GMT|UTC)"),  # 9 p.m. Eastern
        (r"(?:\.{2,}|…|[“\"]…)$", r"[“\"'(]?[a-z]"),  # a pause, not an end
        (r"(?:\b[A-Za-z]\.|\b(?:etc|[Jj]r|[Ss]r|Inc|Corp|Co|Ltd|Bros|Dept|Univ)\.|\.D\.)$", r"[a-z]"),  # p.m. every day
        (r"(?:^|\s)\d{1,2}\.$", r"[a-z]"),  # 1. a wall and 2. a fence
        (r"^\s*\d{1,2}\.$", r"\S"),  # the number of a list entry stands alone
    ]
]
_CLOSERS = "”’\"')\\]"
# Borders that sentencex misses; each pattern ends where the next sentence begins.
_CUTS = [
    re.compile(pattern)
    for pattern in [
        r"\n+",
        # everyday words that sentencex holds for abbreviations (number, article, identity, Maine, Oregon, ...)
        r"\b(?:me|no|may|ill|art|miss|ok|okay|con|fed|fig|id|ark|arc|ore|pa|med|rep)\.[”’\"']?\s+(?=[“\"'(]?[A-Z])",
        r"\bOK\.[”’\"']?\s+(?=[“\"'(]?[A-Z])",
        # the pronoun is no initial after a word in lower case; a letter that numbers something is none either
        r"(?<=[a-z] )I\.\s+(?=[“\"'(]?[A-Z])",
        r"\b(?:Plan|Title|Part|Type|Class|Phase|Exhibit|Schedule|Appendix|Vitamin) [A-Z]\.\s+(?=[“\"'(]?[A-Z])",
        r"[.!?]\)\s+(?=[“\"']?[A-Z])",  # (the biggest in history.) They ...
        rf"[.!?…][{_CLOSERS}]*\s+(?=[\[(][^\])\n]{{1,60}}[\])]\s*(?:[“\"'\[(]?[A-Z]|$))",  # before a bracketed aside
        rf"(?:(?<=[.!?…])|(?<=[.!?…][{_CLOSERS}]))\s+[\[(][^\])\n]{{1,60}}[\])]\s+(?=[“\"']?[A-Z])",  # and after it
        # someone breaks in: a capitalised function word after a dash does not continue a sentence
        r"(?<=[a-z])\s?(?:--|—)\s+(?=(?:You|He|She|We|They|No|Yes|That|It|This|There|But|And|So|What|Why|How|Look)\b)",
    ]
]
_REACH = 40  # characters around a border that the patterns may look at: keeps the work linear
_LETTER = re.compile(r"[^\W\d_]")


def split(text: str) -> list[Span]:
    """Return the character span of each sentence, in order, without the white space around it.

    Together the spans hold every character of ``text`` that is not white space.
    """
    borders = sorted(set(_library_borders(text)) | {match.end() for cut in _CUTS for match in cut.finditer(text)})
    spans: list[Span] = []
    start = 0
    for border in borders:
        if border == len(text) or not _is_joined(text, start, border):
            spans.append((start, border))
            start = border
    return [span for span in (_trimmed(text, *span) for span in spans) if span[0] < span[1]]


def _library_borders(text: str) -> list[int]:
    """Return the ends of the segments that sentencex finds, the end of the text included."""
    ends, position = [], 0
    for segment in sentencex.segment("en", text):
        position += len(segment)
        ends.append(position)
    return [*ends, len(text)]


def _is_joined(text: str, start: int, border: int) -> bool:
    """Whether the border is one of those that sentencex should not have set."""
    left, right = text[max(start, border - _REACH) : border], text[border : border + _REACH]
    if "\n" in left[len(left.rstrip()) :]:
        return False
    left = left.rstrip()
    if right[:1].islower() and _first_letter_is_lower(text[start : start + _REACH]):
        return False  # a text without capitals: lower case says nothing
    return any(before.search(left) and after.match(right) for before, after in _JOINS)


def _first_letter_is_lower(text: str) -> bool:
    letter = _LETTER.search(text)
    return bool(letter) and letter.group().islower()


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
