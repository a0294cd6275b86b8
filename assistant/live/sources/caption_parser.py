"""Parses captions that are still being written: plain lines, ``NAME.

Text``, SRT and WebVTT cues, ccextractor's ttxt, and the ``begin end text`` lines of
whisper_streaming. Text in, lines out; knows neither files nor sockets.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from assistant.live.live_lines import Line, LineCut
from assistant.transcripts.cues import seconds, without_markup
from assistant.transcripts.speaker_labels import chevrons, label_at

_CUE_TIMING = re.compile(
    r"^\s*((?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3})\s*-{1,2}>\s*((?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3})"
)
_WHISPER_STREAMING = re.compile(r"^(\d{1,9}) (\d{1,9})  ?(\S.*)$")
_TTXT = re.compile(
    r"^(\d\d:\d\d:\d\d[,.]\d{3})\|(\d\d:\d\d:\d\d[,.]\d{3})\|[^|]{1,8}\|(?:[^|]{1,8}\|)?(.*)$"
)
_UCLA = re.compile(r"^(\d{14}\.\d{3})\|(\d{14}\.\d{3})\|[^|]{1,8}\|(?:[^|]{1,8}\|)?(.*)$")
_VOICE_TAG = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^\s<>][^<>]*)>", re.IGNORECASE)
_CUE_NUMBER = re.compile(r"^\d{1,7}$")
_HEADER_OR_NOTE = re.compile(r"^(?:WEBVTT|NOTE|STYLE|REGION|X-TIMESTAMP-MAP|Kind:|Language:)")


@dataclass
class OpenCue:
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
    cue: OpenCue | None = None
    timed: bool = False  # cues have come
    skipping: bool = False  # inside a NOTE, STYLE or header block

    def feed(self, line_key: str, line: str) -> list[Line]:
        """Return the units that a line completes.

        ``line_key`` names where the line begins and is never reused.
        """
        line = line.lstrip("\ufeff").rstrip("\r\n")
        timing = _CUE_TIMING.match(line)
        if timing:
            done = self.flush()
            start, end = (seconds(stamp) for stamp in timing.groups())
            self.cue = OpenCue(line_key, start, end)
            self.timed = True
            self.skipping = False
            return done
        if not line.strip():
            self.skipping = False
            return self.flush()
        if self.cue is not None:
            self.cue.rows.append(line)
            return []
        if self.skipping or _HEADER_OR_NOTE.match(line):
            self.skipping = True
            return []
        return [] if _CUE_NUMBER.match(line.strip()) else self._row(line_key, line)

    def flush(self, *, final: bool = True) -> list[Line]:
        """Return the open cue and close it.

        With ``final=False`` return it as it is so far, left open.
        """
        cue = self.cue
        if final:
            self.cue = None
        if cue is None:
            return []
        text_lines = list(cue.rows)
        if (
            final
            and text_lines
            and _CUE_NUMBER.match(text_lines[-1].strip())
            and len(text_lines) > 1
        ):
            text_lines.pop()  # the number of the next cue, where the blank line is missing
        text = "\n".join(text_lines)
        voice = _VOICE_TAG.search(text)
        if voice:
            self.speaker = voice[1].strip()
        return self._lines(
            cue.place,
            without_markup(text).replace("\n", " "),
            (cue.start, cue.end),
            LineCut.AUTO,
            final,
        )

    def said(self, line_key: str, text: str) -> list[Line]:
        """Return the units of text whose lines may end within a sentence."""
        return self._lines(line_key, text, (None, None), LineCut.ANYWHERE, True)

    def _row(self, line_key: str, line: str) -> list[Line]:
        """Return the units of a line outside a cue, by the first format that fits."""
        if match := _TTXT.match(line):
            start = seconds(match[1])
            end = seconds(match[2])
            return self._lines(line_key, match[3], (start, end), LineCut.AUTO, True)
        if match := _UCLA.match(line):
            return self._lines(line_key, match[3], (None, None), LineCut.AUTO, True)
        match = _WHISPER_STREAMING.match(line)
        if match and int(match[1]) <= int(match[2]):
            times = int(match[1]) / 1000, int(match[2]) / 1000
            return self._lines(line_key, match[3], times, LineCut.ANYWHERE, True)
        return self._lines(line_key, line, (None, None), LineCut.WHOLE, True)

    def _lines(
        self,
        line_key: str,
        text: str,
        times: tuple[float | None, float | None],
        cut: LineCut,
        final: bool,
    ) -> list[Line]:
        """Return one unit per turn.

        ``>>`` begins one, and so does a label that is sure on its own.
        """
        units: list[Line] = []
        for number, (is_new_turn, turn_text) in enumerate(chevrons(text)):
            # Where text is cut anywhere, its first words may be the middle of a sentence: "debate:
            # 90 minutes".
            label = label_at(turn_text) if is_new_turn or cut is not LineCut.ANYWHERE else None
            speaker = None if is_new_turn else self.speaker
            if label and label.sure:
                speaker = label.speaker
                turn_text = turn_text[label.end :].strip()
            if final:
                self.speaker = speaker
            if turn_text:
                unit = line_key if number == 0 else f"{line_key}/{number}"
                units.append(
                    Line(self.source, unit, turn_text, speaker, *times, final=final, cut=cut)
                )
        return units
