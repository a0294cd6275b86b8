"""Recognises what a page or an agency adds to a transcript: furniture, notices, the end of it.

A line counts as furniture only in a text whose speakers have labels: there, a notice between two
turns has no speaker.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from assistant.transcripts.nonspeech import is_bracketed_note_of_proceedings
from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.title_and_date import is_date
from assistant.transcripts.turn_openings import TurnOpening

MAX_NOTICE_CHARACTERS = 600
MAX_AUTHOR_WORDS = 40
MIN_PAGE_NUMBERS = 3  # lines that are only a number, for pages to be numbered
MAX_SKIPPED_PAGES = 4
MAX_LINES_BETWEEN_MARKS = 3  # from a page number to the date at the same page break
_RUN_ON_STOPS = ".?!…:;—–\"”’')]*"

# A line between turns that a page puts there
_FURNITURE_PATTERN = re.compile(
    r"""^\W*(?:
      (?:advertisements?|sponsored(?:\scontent)?|story\scontinues(?:\sbelow)?.*|continue\sreading.*|loading.*|skip\sad.*)
    | (?:read|see|watch|listen|view|learn|find\sout)\s(?:more|also|next|now|the\s(?:full\s)?(?:video|story|article|transcript))\b.{0,120}
    | (?:related|recommended|more\son\sthis|editors?[’']?s?\spicks?|most\s(?:read|popular|viewed))\b.{0,120}
    | (?:sign\sup|subscribe|register|log\sin)\b.{0,160}
    | (?:share|print|email|save|tweet|copy|cite)\b\s?(?:this|on|via|link|the)?\b.{0,40}
    | (?:photos?|image|picture|video|illustration|graphic)\s?(?:credit|by)?\s?:.{0,160}
    | (?:click|tap)\shere\b.{0,120}
    | (?:follow|like|join)\s(?:us|him|her|them|the\s\w+)\son\b.{0,120}
    | get\sthe\s(?:best|latest)\b.{0,160}
    | back\sto\stop | table\sof\scontents | permalink | comments?(?:\s?\(\d+\))?
    | \d{1,2}[.:]\d{2}\s?(?:[ap]\.?m\.?)
    | (?:vol(?:ume|\.)?)\s\d+\s?[:,].{0,80}
    )\W*$""",
    re.VERBOSE | re.IGNORECASE,
)
# A line that is only a number
_PAGE_NUMBER_PATTERN = re.compile(r"^\s*(?P<number>\d{1,5})\s*$")
# A line that says it counts a page: "--- Page 4 ---", "[Page: 4]"
_NAMED_PAGE_PATTERN = re.compile(r"^\W*_?page:?\s*\d{1,5}\W*$", re.IGNORECASE)
_ANY_NUMBER_PATTERN = re.compile(r"\d+")
# A line after which a page has nothing of the transcript
_END_OF_TRANSCRIPT_PATTERN = re.compile(
    r"""^\W*(?:
      [-–—]\s?30\s?[-–—] | \#{3,5} | ends
    | end\sof\s(?:the\s)?(?:transcript|debate|interview|recording|hearing|part|speech)\b.{0,40}
    | (?:more|top|latest|other|related|recommended)\s(?:from|on|in|stories|news|articles|coverage|headlines|posts|content|reading)\b.{0,80}
    | (?:comments|responses|replies|discussion)\s?(?:\(\d+\)|\d+)?
    | \d+\s(?:comments|responses|replies)
    | leave\sa\s(?:comment|reply)\b.{0,40} | join\sthe\s(?:conversation|discussion)\b.{0,40}
    | about\sthe\s(?:author|writer|reporter)s?\b.{0,40}
    | (?:you\s(?:may|might)\salso\slike|what\sto\sread\snext|trending|read\snext|up\snext)\b.{0,40}
    | (?:contact\sus|privacy\spolicy|terms\s(?:of\s(?:use|service)|and\sconditions))\b.{0,80}
    | (?:copyright|©|\(c\))\s.{0,300}
    | (?:tags|topics|filed\sunder|categories)\s?:.{0,160}
    )\W*$""",
    re.VERBOSE | re.IGNORECASE,
)
# A standing notice about the transcript
_TRANSCRIPT_NOTICE_PATTERN = re.compile(
    r"""\btranscripts?\b.{0,60}\b(?:are|is|was|were|may)\b.{0,40}\b(?:created|produced|provided|prepared|generated|edited|made|transcribed|final|contain)\b
    | \b(?:text|transcript|copy|file)\b.{0,20}\bmay\snot\sbe\s(?:in\sits\s)?(?:final|accurate|a\sverbatim)\b
    | \brush\s(?:transcript|deadline)\b
    | \baccuracy\sand\savailability\b.{0,40}\bmay\svary\b
    | \bauthoritative\srecord\b
    | \ball\srights\sreserved\b
    | \bterms\sof\suse\b
    | \b(?:lightly|edited)\b.{0,20}\bedited\sfor\s(?:length|clarity|brevity)\b
    | \bthis\s(?:interview|conversation|transcript)\s(?:has|have|was)\sbeen\s(?:lightly\s|slightly\s)?(?:edited|condensed)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# "Ann Roe is a staff writer at Harbor News."
_AUTHOR_NOTE_PATTERN = re.compile(
    r"^[A-Z][\w.’'-]+(?:\s[A-Z][\w.’'-]+){1,3},?\s(?:is|was|are)\s(?:an?|the|our)\b.{0,100}"
    r"\b(?:writer|reporter|editor|correspondent|journalist|columnist|producer|fellow|contributor)\b"
)
_CONTACT_NOTE_PATTERN = re.compile(
    r"\b(?:e-?mail|follow|reach|contact)\b.{0,40}(?:\bat\b|\bon\b|@)|\S@\S", re.IGNORECASE
)


def without_page_marks(lines: Sequence[NumberedLine]) -> tuple[list[NumberedLine], list[str]]:
    """Return lines without the page numbers, dates and heads at page breaks, and a warning.

    A document that was made from pages has them between the lines of the speech.
    """
    page_number_by_line_index = _page_number_by_line_index(lines)
    page_line_indexes = [
        index for index, line in enumerate(lines) if _NAMED_PAGE_PATTERN.match(line.text)
    ]
    marked_indexes = {*page_number_by_line_index, *page_line_indexes}
    if not marked_indexes:
        return list(lines), []
    marked_indexes |= _dates_near_page_numbers(lines, page_number_by_line_index)
    marked_indexes |= _running_head_indexes(lines, page_line_indexes)
    removed_indexes = _gap_indexes_inside_sentences(lines, page_line_indexes, marked_indexes)
    unmarked_lines = []
    for index, line in enumerate(lines):
        if index in removed_indexes:
            continue
        if index in marked_indexes:
            line = replace(line, text="")
        unmarked_lines.append(line)
    mark_count = len(marked_indexes)
    return unmarked_lines, [f"page numbers and dates at page breaks, left out: {mark_count}"]


def _page_number_by_line_index(lines: Sequence[NumberedLine]) -> dict[int, int]:
    """Return the lines that are only a number by their index, if they count pages."""
    number_by_index: dict[int, int] = {}
    for index, line in enumerate(lines):
        match = _PAGE_NUMBER_PATTERN.match(line.text)
        if match:
            number_by_index[index] = int(match["number"])
    # The numbers of pages rise by one each time; a few pages may have none.
    page_numbers = number_by_index.values()
    steps = [next_number - number for number, next_number in pairwise(page_numbers)]
    do_numbers_rise = all(1 <= step <= 1 + MAX_SKIPPED_PAGES for step in steps)
    if len(number_by_index) < MIN_PAGE_NUMBERS or not do_numbers_rise:
        return {}
    return number_by_index


def _dates_near_page_numbers(
    lines: Sequence[NumberedLine], page_number_by_line_index: Mapping[int, int]
) -> set[int]:
    """Return the lines with a date beside page numbers, if the same date comes again."""
    dated_indexes = set()
    for index in page_number_by_line_index:
        start = max(0, index - MAX_LINES_BETWEEN_MARKS)
        end = min(index + MAX_LINES_BETWEEN_MARKS + 1, len(lines))
        for neighbour_index in range(start, end):
            if is_date(lines[neighbour_index].text):
                dated_indexes.add(neighbour_index)
    # The date of a page header is on every page; a date that occurs once may be speech.
    text_by_index = {index: lines[index].text.strip() for index in dated_indexes}
    text_counts = Counter(text_by_index.values())
    return {index for index, text in text_by_index.items() if text_counts[text] > 1}


def _running_head_indexes(
    lines: Sequence[NumberedLine], page_line_indexes: Sequence[int]
) -> set[int]:
    """Return the heads of pages below lines that count pages: ``May 2, 2019  4 of 12``.

    A head has a number and comes again with another one.
    """
    indexes_by_shape: dict[str, set[int]] = defaultdict(set)
    for page_line_index in page_line_indexes:
        # A running head such as "Council meeting, page 3" comes within a few lines below the
        # number of a page.
        first_below = page_line_index + 1
        end = min(first_below + MAX_LINES_BETWEEN_MARKS, len(lines))
        for index in range(first_below, end):
            text = lines[index].text.strip()
            shape = _ANY_NUMBER_PATTERN.sub("#", text)
            has_number = shape != text
            if has_number:
                indexes_by_shape[shape].add(index)
    running_heads: set[int] = set()
    for indexes in indexes_by_shape.values():
        if len(indexes) > 1:
            running_heads |= indexes
    return running_heads


def _gap_indexes_inside_sentences(
    lines: Sequence[NumberedLine], page_line_indexes: Sequence[int], marked_indexes: Collection[int]
) -> set[int]:
    """Return the lines at page breaks inside a sentence, with the empty ones around them."""
    removed_indexes: set[int] = set()
    gap_end = 0
    for page_line_index in page_line_indexes:
        is_in_previous_gap = page_line_index < gap_end
        if is_in_previous_gap:
            continue
        gap_start = page_line_index
        while gap_start > 0 and _is_empty(lines, gap_start - 1, marked_indexes):
            gap_start -= 1
        gap_end = page_line_index
        while gap_end < len(lines) and _is_empty(lines, gap_end, marked_indexes):
            gap_end += 1
        text_above = lines[gap_start - 1].text.rstrip() if gap_start > 0 else ""
        ends_inside_sentence = text_above != "" and text_above[-1] not in _RUN_ON_STOPS
        if ends_inside_sentence:
            removed_indexes.update(range(gap_start, gap_end))
    return removed_indexes


def _is_empty(lines: Sequence[NumberedLine], index: int, marked_indexes: Collection[int]) -> bool:
    return index in marked_indexes or not lines[index].text.strip()


def is_furniture(line: NumberedLine) -> bool:
    """Return whether a line without a label is furniture of a page, or a notice."""
    text = line.text.strip()
    if len(text) > MAX_NOTICE_CHARACTERS:
        return False
    is_link = line.markup == "link" and 0 < len(text) <= line.markup_end
    ends_sentence = text.endswith(tuple('.?!”"'))
    if is_link and not ends_sentence:
        return True
    if is_bracketed_note_of_proceedings(text):
        return True
    return bool(_FURNITURE_PATTERN.match(text)) or is_notice(text) or _is_author_note(text)


def is_notice(text: str) -> bool:
    """Return whether a paragraph is a standing notice about the transcript."""
    return (
        len(text) <= MAX_NOTICE_CHARACTERS and _TRANSCRIPT_NOTICE_PATTERN.search(text) is not None
    )


def _is_author_note(text: str) -> bool:
    if len(text.split()) > MAX_AUTHOR_WORDS:
        return False
    return (
        _AUTHOR_NOTE_PATTERN.match(text) is not None
        and _CONTACT_NOTE_PATTERN.search(text) is not None
    )


def end_of_speech(lines: Sequence[NumberedLine], openings: Mapping[int, TurnOpening]) -> int:
    """Return the index of the line after which nothing is part of the transcript.

    An end mark counts only if no turn opens below it with a name that opened one above it.
    """
    if not openings:
        return len(lines)
    last_turn = _last_turn_of_known_speaker(openings)
    for index in range(last_turn + 1, len(lines)):
        text = lines[index].text.strip()
        if index not in openings and text and _END_OF_TRANSCRIPT_PATTERN.match(text):
            return index
    return len(lines)


def _last_turn_of_known_speaker(openings: Mapping[int, TurnOpening]) -> int:
    """Return the index of the last turn whose speaker is sure: in capitals, or one seen before."""
    earlier_names: set[str] = set()
    last_index = 0
    for index in sorted(openings):
        opening = openings[index]
        label = opening.label
        # "" for an opening without a name, such as a time
        name = label.name if label else ""
        is_sure = not name or name in earlier_names or (label is not None and label.is_sure)
        if is_sure and opening.kind != "doubtful":
            last_index = index
        earlier_names.add(name)
    return last_index
