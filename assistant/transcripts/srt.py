"""SubRip (.srt): numbered cues between ``00:00:09,209 --> 00:00:12,312`` lines, with every deviation that occurs.

A cue without a timing line, without a number, with a point for the comma, with a blank line
inside, or with an end before its start keeps its text; what had to be guessed is a warning with
its line.
"""

from __future__ import annotations

import re
from itertools import pairwise

from assistant.transcripts import caption_speech
from assistant.transcripts.cues import CueBlock, blocks, is_number, paragraphs, span, without_markup
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

_TIMING = re.compile(r"^[ \t]*\d{1,3}:\d\d:\d\d(?:[.,]\d{1,3})?\s*-{1,2}>", re.MULTILINE)
_SPEAKER = re.compile(r"\[([^\[\]]+)\]$")


def sniff(source: RawSource) -> bool:
    """Return whether the text has a timing line and is not WebVTT."""
    return (
        not source.head.startswith("WEBVTT") and _TIMING.search(source.text[:200_000]) is not None
    )


def parse(source: RawSource) -> Parsed:
    """Return the speech of every cue in file order.

    Each warning begins with the name of the source.
    """
    warnings: list[str] = []
    cues: list[Piece] = []
    numbers: list[tuple[int, int]] = []
    for block in blocks(source.text, named=False):
        if is_number(block.name):
            numbers.append((block.line, int(block.name)))
        cues += _cues(block, source.name, warnings)
    warnings += [
        f"{source.name}:{line}: the numbering starts again at {now}; the file seems to hold several recordings, "
        "kept one after the other with their own times"
        for (_, before), (line, now) in pairwise(numbers)
        if now <= 1 < before
    ]
    return caption_speech.read_cues(cues, source.name, warnings)


def _cues(block: CueBlock, name: str, warnings: list[str]) -> list[Piece]:
    """Return the cue of one timing line, then those below it that have a number but no timing line."""
    rows, orphans = _split(block)
    cues = []
    if block.timed:
        start, end, wrong = span(block.start, block.end, f"{name}:{block.line}")
        warnings += wrong
        speaker = _SPEAKER.search(block.rest.rstrip())
        cues.append(
            Piece(
                without_markup("\n".join(rows)),
                block.line,
                speaker[1].strip() if speaker else None,
                start,
                end,
            )
        )
    elif any(row.strip() for row in rows):
        orphans.insert(0, (1, rows))
    for line, below in orphans:
        warnings.append(f"{name}:{line}: text without a timing line; it was kept without times")
        cues.append(Piece(without_markup("\n".join(below)), line))
    return cues


def _split(block: CueBlock) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the rows of the cue, and (line, rows) of each numbered paragraph below it that lacks a timing line."""
    rows: list[str] = []
    orphans: list[tuple[int, list[str]]] = []
    following = int(block.name) + 1 if is_number(block.name) else 1
    for i, group in enumerate(paragraphs(block.rows, strict=False)):
        numbered = (
            len(group) > 1 and group[0][1].strip() == str(following) and (i > 0 or not block.timed)
        )
        if numbered:
            orphans.append((group[0][0], [row for _, row in group[1:]]))
            following += 1
        elif orphans:
            orphans[-1][1].extend(row for _, row in group)
        else:
            rows += [row for _, row in group]
    return rows, orphans
