"""Scenarist closed captions (.scc, CEA-608).

The library ttconv decodes the three modes. This module undoes the build-up of rows.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import caption_speech
from assistant.transcripts.cues import tidy_lines
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

# Codes of roll-up and paint-on captions; all other files are pop-on.
_ROLLS_OR_PAINTS_PATTERN = re.compile(r"\b(?:9425|9426|94a7|9429)\b", re.IGNORECASE)


def sniff(source: RawSource) -> bool:
    """Return whether the text begins with the format's name."""
    return source.head.startswith("Scenarist_SCC")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the speech of every caption.

    Raises MalformedTranscript if ttconv cannot decode the codes.
    """
    from ttconv.scc.reader import to_model  # half a second to import

    # Its warnings are about the look of captions.
    logging.getLogger("ttconv").setLevel(logging.ERROR)
    text = "\n".join(row.strip() for row in source.text.lstrip().splitlines())
    try:
        document = to_model(text)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        raise MalformedTranscript(
            f"the caption codes cannot be decoded ({error}).",
            where=source.name,
            remedy="Export the captions as SRT or WebVTT.",
        ) from error
    steps = list(_caption_steps(document))
    if _ROLLS_OR_PAINTS_PATTERN.search(text):
        steps = list(_without_shown_rows(_completed_steps(steps)))
    return caption_speech.read_cues(steps, source.name)


def _caption_steps(document: Any) -> Iterator[SpeechPiece]:
    """Yield every paragraph of the decoded document that has text, numbered from 1."""
    body = document.get_body()
    if body is None:
        return
    line = 0
    for element in body.dfs_iterator():
        if type(element).__name__ != "P":
            continue
        text = _text(element)
        if text:
            line += 1
            yield SpeechPiece(
                text, line, None, _seconds(element.get_begin()), _seconds(element.get_end())
            )


def _seconds(time: Any) -> float | None:
    return None if time is None else round(float(time), 3)


def _text(paragraph: Any) -> str:
    texts = []
    for element in paragraph.dfs_iterator():
        kind = type(element).__name__
        if kind == "Br":
            texts.append("\n")
        elif kind == "Text":
            texts.append(element.get_text())
    return tidy_lines("".join(texts))


def _completed_steps(caption_steps: list[SpeechPiece]) -> Iterator[SpeechPiece]:
    """Yield the last step of each caption, with the start of its first step.

    Paint-on and roll-up captions grow letter by letter.
    """
    start: float | None = None
    for caption_step, next_caption_step in zip_longest(caption_steps, caption_steps[1:]):
        if start is None:
            start = caption_step.start
        is_unfinished = next_caption_step is not None and _grows(
            caption_step.text, next_caption_step.text
        )
        if is_unfinished:
            continue
        yield replace(caption_step, start=start)
        start = None


def _grows(text: str, next_text: str) -> bool:
    return next_text.startswith(text) and len(next_text) > len(text)


def _without_shown_rows(screens: Iterable[SpeechPiece]) -> Iterator[SpeechPiece]:
    """Yield each screen without the rows that were already on the previous screen."""
    shown_rows: list[str] = []
    previous_end: float | None = None
    for screen in screens:
        screen_rows = screen.text.split("\n")
        new_rows = screen_rows
        if screen.start == previous_end:
            new_rows = [row for row in screen_rows if row not in shown_rows]
        shown_rows = screen_rows
        previous_end = screen.end
        if new_rows:
            yield replace(screen, text="\n".join(new_rows))
