"""Scenarist closed captions (.scc, CEA-608).

Ttconv decodes the three modes, the build-up of rows is undone here.
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
from assistant.transcripts.cues import tidy
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

_ROLLS_OR_PAINTS = re.compile(
    r"\b(?:9425|9426|94a7|9429)\b", re.IGNORECASE
)  # all other files are pop-on


def sniff(source: RawSource) -> bool:
    """Return whether the text begins with the format's name."""
    return source.head.startswith("Scenarist_SCC")


def parse(source: RawSource) -> Parsed:
    """Return the speech of every caption.

    Raises MalformedTranscript where ttconv cannot decode the codes.
    """
    from ttconv.scc.reader import to_model  # half a second to import

    logging.getLogger("ttconv").setLevel(
        logging.ERROR
    )  # its warnings are about the look of captions
    text = "\n".join(row.strip() for row in source.text.lstrip().splitlines())
    try:
        document = to_model(text)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
        what = f"the caption codes cannot be decoded: {error}."
        raise MalformedTranscript(
            what, where=source.name, remedy="Export the captions as SRT or WebVTT."
        ) from error
    steps = [replace(step, line=line) for line, step in enumerate(_caption_steps(document), 1)]
    screens = (
        _without_shown_rows(_completed_steps(steps)) if _ROLLS_OR_PAINTS.search(text) else steps
    )
    return caption_speech.read_cues(list(screens), source.name)


def _caption_steps(document: Any) -> Iterator[Piece]:
    """Yield every paragraph of the decoded document that has text."""
    body = document.get_body()
    for element in body.dfs_iterator() if body is not None else ():
        if type(element).__name__ == "P" and (text := _text(element)):
            begin, end = (
                None if t is None else round(float(t), 3)
                for t in (element.get_begin(), element.get_end())
            )
            yield Piece(text, 0, None, begin, end)


def _text(paragraph: Any) -> str:
    kinds = ((type(element).__name__, element) for element in paragraph.dfs_iterator())
    return tidy(
        "".join(
            "\n" if kind == "Br" else e.get_text() if kind == "Text" else "" for kind, e in kinds
        )
    )


def _completed_steps(steps: list[Piece]) -> Iterator[Piece]:
    """Of captions that grow letter by letter (paint-on, roll-up), yield the last step with the first step's start."""
    begin: float | None = None
    for step, following in zip_longest(steps, steps[1:]):
        begin = step.start if begin is None else begin
        if (
            following is not None
            and following.text.startswith(step.text)
            and len(following.text) > len(step.text)
        ):
            continue
        yield replace(step, start=begin)
        begin = None


def _without_shown_rows(screens: Iterable[Piece]) -> Iterator[Piece]:
    """Yield each screen without the rows that were already on the screen before it."""
    shown: list[str] = []
    ended: float | None = None
    for screen in screens:
        rows = screen.text.split("\n")
        new = [row for row in rows if row not in shown] if screen.start == ended else rows
        shown = rows
        ended = screen.end
        if new:
            yield replace(screen, text="\n".join(new))
