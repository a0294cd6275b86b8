"""WebVTT (.vtt): cues of browsers, YouTube, Zoom, Teams and live streams.

Headers, NOTE, STYLE and REGION blocks are no speech; ``<v Name>`` names the speaker of the text up
to the next one; joined stream segments are shifted by their X-TIMESTAMP-MAP so that time runs on
from the first segment.
"""

from __future__ import annotations

import html
import re

from assistant.transcripts import caption_speech
from assistant.transcripts.cues import (
    CueBlock,
    SourceLine,
    blocks,
    paragraphs,
    seconds,
    span,
    without_markup,
)
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

_NO_SPEECH = re.compile(r"^(?:NOTE|STYLE|REGION)(?:\s|:|$)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?(?:\s([^<>]*))?>", re.IGNORECASE)
_LANGUAGE = re.compile(r"^Language:\s*(\S{1,40})", re.IGNORECASE)
_MPEGTS = re.compile(r"MPEGTS:(\d{1,15})")
_LOCAL = re.compile(r"LOCAL:([\d:.]+)")
_IDENTIFIER = re.compile(
    r"^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}(?:/[\d-]+)?|[\d-]+,[\d-]+)$", re.IGNORECASE
)
TICKS_PER_S = 90_000


def sniff(source: RawSource) -> bool:
    """Return whether the text begins with WEBVTT, after blank lines."""
    return source.head.startswith("WEBVTT")


def parse(source: RawSource) -> Parsed:
    """Return the speech of every cue in file order.

    Each warning begins with the name of the source.
    """
    reader = _WebVttReader(source.name)
    for block in blocks(source.text, named=True):
        reader.take(block)
    return caption_speech.read_cues(
        reader.cues, source.name, reader.warnings, language=reader.language
    )


class _WebVttReader:
    """The cues read so far, and what the headers above the next one say."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.language = ""
        self.cues: list[Piece] = []
        self.warnings: list[str] = []
        self.first_offset: float | None = None
        self.shift = 0.0

    def take(self, block: CueBlock) -> None:
        """Read one block: its cue, then the headers and comments that follow it."""
        groups = paragraphs(block.rows, strict=block.timed)
        if block.timed:
            self._cue(block, [row for _, row in groups.pop(0)])
        for group in groups:
            while group and not group[0][1].strip():
                group = group[1:]
            if group:
                self._between(group)

    def _cue(self, block: CueBlock, text: list[str]) -> None:
        start, end, wrong = span(block.start, block.end, f"{self.name}:{block.line}")
        self.warnings += wrong
        start, end = (
            None if time is None else round(time + self.shift, 3) for time in (start, end)
        )
        for i, (speaker, spoken) in enumerate(_voices("\n".join(text))):
            self.cues.append(Piece(without_markup(spoken), block.line, speaker, start, end, i > 0))

    def _between(self, group: list[SourceLine]) -> None:
        """Read a header, a comment, a style, or text that lost its timing line."""
        line, first = group[0]
        if first.startswith("WEBVTT"):
            self._header([row for _, row in group])
        elif not _NO_SPEECH.match(first.strip()) and not (
            len(group) == 1 and _IDENTIFIER.match(first.strip())
        ):
            self.warnings.append(
                f"{self.name}:{line}: text without a timing line; it was kept without times"
            )
            self.cues.append(Piece(without_markup("\n".join(row for _, row in group)), line))

    def _header(self, header: list[str]) -> None:
        for row in header:
            if language := _LANGUAGE.match(row):
                self.language = language[1]
            if row.startswith("X-TIMESTAMP-MAP"):
                self._shift_by(row)

    def _shift_by(self, timestamp_map: str) -> None:
        """Shift what follows so that it continues the first segment's clock."""
        ticks = _MPEGTS.search(timestamp_map)
        local = _LOCAL.search(timestamp_map)
        offset = (int(ticks[1]) / TICKS_PER_S if ticks else 0.0) - (
            seconds(local[1]) or 0.0 if local else 0.0
        )
        if self.first_offset is None:
            self.first_offset = offset
        self.shift = offset - self.first_offset


def _voices(text: str) -> list[tuple[str | None, str]]:
    """Return the text of a cue cut at its voice tags, each part with the name its tag gives."""
    lead, *parts = _VOICE.split(text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    named = [(html.unescape(name or "").strip() or None, spoken) for name, spoken in pairs]
    return [(None, lead), *named] if lead.strip() or not named else named
