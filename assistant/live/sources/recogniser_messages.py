"""Parses the messages of speech recognisers.

WhisperLive and its Kit, Deepgram, AssemblyAI, RealtimeSTT.

One parser for all: the fields of a message show which recogniser sent it. Text under a known unit
replaces the earlier text; every session has its own units.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from assistant.live.live_lines import Line, LineCut

SILENCE_SPEAKER = -2  # the speaker of a pause in WhisperLiveKit


class Unreadable(ValueError):
    """A message that is no JSON object, or lacks a field that its kind always has."""


@dataclass
class Messages:
    """Reads the messages of one session."""

    source: str
    session: int = 1
    finished_count: int = 0  # sentences of a recogniser that does not number them

    def read(self, message: str | bytes) -> list[Line]:
        """Return the lines of a message, none if it is empty or has only a state.

        Raises: Unreadable.
        """
        if not message.strip():
            return []
        try:
            fields = json.loads(message)
            return self._lines(fields) if isinstance(fields, Mapping) else []
        except (
            ValueError,
            TypeError,
            KeyError,
            IndexError,
            AttributeError,
            RecursionError,
        ) as error:
            raise Unreadable(f"{type(error).__name__}: {error}"[:200]) from error

    def _lines(self, fields: Mapping[str, Any]) -> list[Line]:
        """Return the lines of a message, by the recogniser that its fields show."""
        # Each recogniser has its own form of JSON.
        kind = fields.get("type")
        if "segments" in fields:
            return [self._line_of_whisperlive(segment) for segment in fields["segments"]]
        if "lines" in fields and kind is None:
            return self._lines_of_whisperlivekit(
                fields["lines"], fields.get("buffer_transcription") or ""
            )
        if kind == "Results":
            return self._lines_of_deepgram(fields)
        if kind == "Turn":
            return self._lines_of_assemblyai(fields)
        if kind in ("realtime", "fullSentence"):
            return [self._line_of_realtime_stt(fields["text"], is_final=kind == "fullSentence")]
        return []

    def _lines_of_assemblyai(self, fields: Mapping[str, Any]) -> list[Line]:
        if not fields["transcript"]:
            return []
        is_final = bool(fields["end_of_turn"])
        return [self._line(fields["turn_order"], fields["transcript"], final=is_final)]

    def _line_of_realtime_stt(self, text: str, *, is_final: bool) -> Line:
        # RealtimeSTT numbers no sentences: the count of finished ones is the unit.
        line = self._line(self.finished_count, text, final=is_final)
        if is_final:
            self.finished_count += 1
        return line

    def _line_of_whisperlive(self, segment: Mapping[str, Any]) -> Line:
        times = (float(segment["start"]), float(segment["end"]))
        is_final = bool(segment.get("completed", True))
        speaker = _speaker_label(segment.get("speaker"))
        unit = segment["start"]
        return self._line(
            unit, segment["text"], speaker, times, final=is_final, cut=LineCut.ANYWHERE
        )

    def _lines_of_whisperlivekit(
        self, turns: Sequence[Mapping[str, Any]], uncommitted: str
    ) -> list[Line]:
        """Return all lines: the last may still grow, and the buffer is its uncommitted end."""
        lines = []
        for number, turn in enumerate(turns):
            if turn.get("speaker") == SILENCE_SPEAKER or not turn.get("text"):
                continue
            is_last_turn = number == len(turns) - 1
            text = turn["text"]
            if is_last_turn:
                text = f"{text} {uncommitted}"
            speaker = _speaker_label(turn.get("speaker"))
            times = (_clock_seconds(turn.get("start")), _clock_seconds(turn.get("end")))
            is_final = not is_last_turn
            lines.append(
                self._line(number, text, speaker, times, final=is_final, cut=LineCut.ANYWHERE)
            )
        return lines

    def _lines_of_deepgram(self, fields: Mapping[str, Any]) -> list[Line]:
        """Return the lines of a message, a final one cut at each change of the speaker.

        The first part of a final message replaces the interim text.
        """
        # The recogniser's best guess comes first.
        best_alternative = fields["channel"]["alternatives"][0]
        start = float(fields["start"])
        is_final = bool(fields["is_final"])
        words = best_alternative.get("words") or []
        if not best_alternative["transcript"]:
            return []
        has_speakers = bool(words) and "speaker" in words[0]
        if not is_final or not has_speakers:
            times = (start, start + float(fields["duration"]))
            text = best_alternative["transcript"]
            return [self._line(start, text, None, times, final=is_final, cut=LineCut.ANYWHERE)]
        lines = []
        # Words of one speaker that follow each other are a turn.
        words_by_turn = groupby(words, key=lambda word: word.get("speaker"))
        for number, (speaker, words_of_turn) in enumerate(words_by_turn):
            turn_words = list(words_of_turn)
            # The first turn has the unit of the interim text.
            unit = f"{start}/{number}" if number else start
            text = " ".join(word.get("punctuated_word") or word["word"] for word in turn_words)
            times = (float(turn_words[0]["start"]), float(turn_words[-1]["end"]))
            label = _speaker_label(speaker)
            lines.append(self._line(unit, text, label, times, cut=LineCut.ANYWHERE))
        return lines

    def _line(
        self,
        unit: object,
        text: str,
        speaker: str | None = None,
        times: tuple[float | None, float | None] = (None, None),
        *,
        final: bool = True,
        cut: LineCut = LineCut.WHOLE,
    ) -> Line:
        words = " ".join(text.split())
        return Line(
            self.source, f"{self.session}:{unit}", words, speaker, *times, final=final, cut=cut
        )


def _speaker_label(speaker: object) -> str | None:
    """Return the label of a speaker; a bare number becomes ``Speaker 1``."""
    if speaker is None or speaker == "":
        return None
    if isinstance(speaker, int) or str(speaker).isdecimal():
        return f"Speaker {speaker}"
    return str(speaker)


def _clock_seconds(written_time: object) -> float | None:
    """Return the seconds of ``0:01:02`` or of a number, None without either."""
    if isinstance(written_time, (int, float)):
        return float(written_time)
    if not written_time:
        return None
    total_s = 0.0
    for digits in str(written_time).split(":"):
        total_s = total_s * 60 + float(digits or 0)
    return total_s
