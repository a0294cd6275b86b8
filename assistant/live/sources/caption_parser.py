"""Parses captions that are still being written: plain lines, ``NAME.

Text``, SRT and WebVTT cues, ccextractor's ttxt, and the ``begin end text`` lines of
whisper_streaming. Text in, lines out; knows neither files nor sockets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from assistant.live.live_lines import Cut, Line
from assistant.transcripts.cues import seconds, without_markup
from assistant.transcripts.speaker_labels import chevrons, label_at

_TIMING = re.compile(
    r"^\s*((?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3})\s*-{1,2}>\s*((?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3})"
)
_STREAMING = re.compile(r"^(\d{1,9}) (\d{1,9})  ?(\S.*)$")
_TTXT = re.compile(
    r"^(\d\d:\d\d:\d\d[,.]\d{3})\|(\d\d:\d\d:\d\d[,.]\d{3})\|[^|]{1,8}\|(?:[^|]{1,8}\|)?(.*)$"
)
_UCLA = re.compile(r"^(\d{14}\.\d{3})\|(\d{14}\.\d{3})\|[^|]{1,8}\|(?:[^|]{1,8}\|)?(.*)$")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^\s<>][^<>]*)>", re.IGNORECASE)
_NUMBER = re.compile(r"^\d{1,7}$")
_NO_SPEECH = re.compile(r"^(?:WEBVTT|NOTE|STYLE|REGION|X-TIMESTAMP-MAP|Kind:|Language:)")


@dataclass
class Cue:
    """A cue that may get more lines. ``place``: where it begins in its source."""

    place: str
    start: float | None
    end: float | None
    rows: list[str] = field(default_factory=list)


@dataclass
class Captions:
    """Takes lines in their order. ``speaker`` spoke last: a label applies until the next one."""

    source: str
    speaker: str | None = None
    cue: Cue | None = None
    timed: bool = False  # cues have come
    skipping: bool = False  # inside a NOTE, STYLE or header block

    def feed(self, place: str, row: str) -> list[Line]:
        """Return the units that a line completes.

        ``place`` names where the line begins and is never reused.
        """
        row = row.lstrip("\ufeff").rstrip("\r\n")
        timing = _TIMING.match(row)
        if timing:
            done = self.flush()
            start, end = (seconds(stamp) for stamp in timing.groups())
            self.cue = Cue(place, start, end)
            self.timed = True
            self.skipping = False
            return done
        if not row.strip():
            self.skipping = False
            return self.flush()
        if self.cue is not None:
            self.cue.rows.append(row)
            return []
        if self.skipping or _NO_SPEECH.match(row):
            self.skipping = True
            return []
        return [] if _NUMBER.match(row.strip()) else self._row(place, row)

    def flush(self, *, final: bool = True) -> list[Line]:
        """Return the open cue and close it.

        With ``final=False`` return it as it is so far, left open.
        """
        cue = self.cue
        if final:
            self.cue = None
        if cue is None:
            return []
        rows = list(cue.rows)
        if final and rows and _NUMBER.match(rows[-1].strip()) and len(rows) > 1:
            rows.pop()  # the number of the next cue, where the blank line is missing
        text = "\n".join(rows)
        voice = _VOICE.search(text)
        if voice:
            self.speaker = voice[1].strip()
        return self._lines(
            cue.place,
            without_markup(text).replace("\n", " "),
            (cue.start, cue.end),
            Cut.AUTO,
            final,
        )

    def said(self, place: str, text: str) -> list[Line]:
        """Return the units of text whose lines may end within a sentence."""
        return self._lines(place, text, (None, None), Cut.ANYWHERE, True)

    def _row(self, place: str, row: str) -> list[Line]:
        """Return the units of a line outside a cue, by the first format that fits."""
        if match := _TTXT.match(row):
            start = seconds(match[1])
            end = seconds(match[2])
            return self._lines(place, match[3], (start, end), Cut.AUTO, True)
        if match := _UCLA.match(row):
            return self._lines(place, match[3], (None, None), Cut.AUTO, True)
        match = _STREAMING.match(row)
        if match and int(match[1]) <= int(match[2]):
            times = int(match[1]) / 1000, int(match[2]) / 1000
            return self._lines(place, match[3], times, Cut.ANYWHERE, True)
        return self._lines(place, row, (None, None), Cut.WHOLE, True)

    def _lines(
        self, place: str, text: str, times: tuple[float | None, float | None], cut: Cut, final: bool
    ) -> list[Line]:
        """Return one unit per turn.

        ``>>`` begins one, and so does a label that is sure on its own.
        """
        made: list[Line] = []
        for number, (marked, part) in enumerate(chevrons(text)):
            # Where text is cut anywhere, its first words may be the middle of a sentence: "debate:
            # 90 minutes".
            label = label_at(part) if marked or cut is not Cut.ANYWHERE else None
            speaker = None if marked else self.speaker
            if label and label.sure:
                speaker = label.speaker
                part = part[label.end :].strip()
            if final:
                self.speaker = speaker
            if part:
                unit = place if number == 0 else f"{place}/{number}"
                made.append(Line(self.source, unit, part, speaker, *times, final=final, cut=cut))
        return made
