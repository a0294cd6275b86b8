"""SubRip (.srt): numbered cues between ``00:00:09,209 --> 00:00:12,312`` lines, and its variants.

A cue without a timing line, without a number, with a point for the comma, with a blank line
inside, or with an end before its start keeps its text. Every guess is a warning with its line.
"""

from __future__ import annotations

import re
from itertools import pairwise

from assistant.transcripts import caption_speech
from assistant.transcripts.cues import (
    CueBlock,
    checked_times,
    cue_blocks,
    is_cue_number,
    lines_by_paragraph,
    without_markup,
)
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

# The beginning of a timing line
_TIMING_START_PATTERN = re.compile(
    r"^[ \t]*\d{1,3}[:;] ?\d\d(?:[:;] ?\d\d(?:[.,:;]\d{1,3})?|[.,]\d{3})"
    r"[ \t]{0,4}(?:[-–—=]{0,3} ?-{0,2}>|[→⟶⇒➔➜])",
    re.MULTILINE,
)
# The speaker behind the times: "[Jane Doe]"
_BRACKETED_SPEAKER_PATTERN = re.compile(r"\[([^\[\]]+)\]$")
SNIFFED_CHARACTERS = 200_000


def sniff(source: RawSource) -> bool:
    """Return whether the text has a timing line and is not WebVTT."""
    if source.head.startswith("WEBVTT"):
        return False
    return _TIMING_START_PATTERN.search(source.text[:SNIFFED_CHARACTERS]) is not None


def parse(source: RawSource) -> ParsedTranscript:
    """Return the speech of every cue in file order.

    Each warning begins with the name of the source.
    """
    warnings: list[str] = []
    cues: list[SpeechPiece] = []
    cue_numbers: list[tuple[int, int]] = []  # each with its line
    for block in cue_blocks(source.text, has_named_cues=False):
        if is_cue_number(block.identifier):
            cue_numbers.append((block.line_number, int(block.identifier)))
        cues += _cues(block, source.name, warnings)
    for (_, previous_number), (line_number, cue_number) in pairwise(cue_numbers):
        starts_again = previous_number > 1 and cue_number <= 1
        if starts_again:
            warnings.append(
                f"{source.name}:{line_number}: the numbering starts again at {cue_number}; "
                "the file seems to hold several recordings, "
                "kept one after the other with their own times"
            )
    return caption_speech.read_cues(cues, source.name, warnings)


def _cues(block: CueBlock, file_name: str, warnings: list[str]) -> list[SpeechPiece]:
    """Return the cue of a timing line, then the cues below it that lack a timing line."""
    texts, untimed_cues = _texts_of_cues(block)
    cues = []
    if block.has_times:
        start, end, span_warnings = checked_times(
            block.start, block.end, f"{file_name}:{block.line_number}"
        )
        warnings += span_warnings
        # Some programs write the speaker behind the times: "00:01 --> 00:04 [Jane Doe]".
        bracket = _BRACKETED_SPEAKER_PATTERN.search(block.settings.rstrip())
        speaker = bracket[1].strip() if bracket else None
        text = without_markup("\n".join(texts))
        cues.append(SpeechPiece(text, block.line_number, speaker, start, end))
    elif any(text.strip() for text in texts):
        # The text above the first timing line
        untimed_cues.insert(0, (1, texts))
    for line_number, untimed_texts in untimed_cues:
        warnings.append(
            f"{file_name}:{line_number}: text without a timing line; it was kept without times"
        )
        cues.append(SpeechPiece(without_markup("\n".join(untimed_texts)), line_number))
    return cues


def _texts_of_cues(block: CueBlock) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the texts of a block's cue, and (line, texts) of each cue without a timing line.

    Such a cue is a paragraph that begins with the next number.
    """
    cue_texts: list[str] = []
    untimed_cues: list[tuple[int, list[str]]] = []
    next_number = 1
    if is_cue_number(block.identifier):
        next_number = int(block.identifier) + 1
    for index, paragraph in enumerate(lines_by_paragraph(block.lines, is_space_text=False)):
        texts = [line.text for line in paragraph]
        is_text_of_cue = index == 0 and block.has_times
        may_begin_cue = len(paragraph) > 1 and not is_text_of_cue
        if may_begin_cue and texts[0].strip() == str(next_number):
            number_line = paragraph[0]
            untimed_cues.append((number_line.number, texts[1:]))
            next_number += 1
        elif untimed_cues:
            _, last_cue_texts = untimed_cues[-1]
            last_cue_texts.extend(texts)
        else:
            cue_texts += texts
    return cue_texts, untimed_cues
