"""Parses captions that are still being written: plain lines, ``NAME: text``, SRT and WebVTT cues.

Also ccextractor's ttxt, and the ``begin end text`` lines of whisper_streaming. Text in, lines out;
knows neither files nor sockets. Times, tags, labels and rolling captions are read by the readers
of transcripts.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from assistant.live.live_lines import Line, LineCut
from assistant.live.sources.recent_cues import RecentCue, RecentCues
from assistant.transcripts.caption_speech import EarlierSpeech
from assistant.transcripts.cues import CueTiming, checked_times, timing_at, without_markup
from assistant.transcripts.speaker_labels import label_at, split_at_chevrons
from assistant.transcripts.speech_pieces import SpeechPiece
from assistant.transcripts.timestamps import TimeKind, seconds_of, span_at, time_at
from assistant.transcripts.webvtt import is_identifier, texts_by_voice

# whisper_streaming: 1200 3400 text (milliseconds)
_WHISPER_STREAMING_PATTERN = re.compile(
    r"^(?P<start_ms>\d{1,9}) (?P<end_ms>\d{1,9})  ?(?P<text>\S.*)$"
)
# ccextractor's ttxt: 00:00:01,200|00:00:03,400|POP|CC1|text
_TTXT_PATTERN = re.compile(
    r"^(?P<start>\d\d:\d\d:\d\d[,.]\d{3})\|(?P<end>\d\d:\d\d:\d\d[,.]\d{3})\|"
    r"[^|]{1,8}\|(?:[^|]{1,8}\|)?(?P<text>.*)$"
)
# The archive of UCLA: 20240304211405.200|20240304211407.400|CC1|text
_UCLA_PATTERN = re.compile(
    r"^\d{14}\.\d{3}\|\d{14}\.\d{3}\|[^|]{1,8}\|(?:[^|]{1,8}\|)?(?P<text>.*)$"
)
_CUE_NUMBER_PATTERN = re.compile(r"^\d{1,7}$")
_HEADER_OR_NOTE_PATTERN = re.compile(
    r"^(?:WEBVTT|NOTE|STYLE|REGION|X-TIMESTAMP-MAP|Kind:|Language:)"
)
# The settings of a cue: align:start position:0%, X1:117
_CUE_SETTINGS_PATTERN = re.compile(r"^(?:[A-Za-z]\w*:\S+(?:\s+|$))*$")
_Times = tuple[float | None, float | None]  # start and end in seconds
_NO_TIMES: _Times = (None, None)


@dataclass
class OpenCue:
    """A cue that may get more lines. ``line_key`` names where it begins in its source."""

    line_key: str
    start: float | None
    end: float | None
    identifier: str = ""
    text_lines: list[str] = field(default_factory=list)


@dataclass
class Captions:
    """Takes lines in their order. ``speaker`` spoke last: a label applies until the next one.

    ``is_burst``: more lines are at hand. Their cues are read together, by ``catch_up`` at the latest.
    ``held_line`` has the key and the text of a line that may be the identifier of the next cue.
    """

    source: str
    speaker: str | None = None
    open_cue: OpenCue | None = None
    held_line: tuple[str, str] | None = None
    has_timed_cues: bool = False  # cues have come
    is_skipping: bool = False  # inside a NOTE, STYLE or header block
    recent_cues: RecentCues | None = None
    is_burst: bool = False
    clock: Callable[[], float] = time.monotonic

    @property
    def is_open(self) -> bool:
        """Return whether the next line may belong to the lines before it."""
        return self.open_cue is not None or self.held_line is not None

    def feed(self, line_key: str, line: str) -> list[Line]:
        """Return the units that a line completes, and earlier ones that now read differently.

        ``line_key`` names where the line begins and is never reused.
        """
        line = line.lstrip("\ufeff").rstrip("\r\n")
        # An empty line ends a cue or a note.
        if not line:
            self.is_skipping = False
            return self.flush() if self.is_open else []
        # "00:00:01.000 --> 00:00:04.000", and the text of the cue below it
        timing = timing_at(line)
        if timing:
            return self._begin_cue(line_key, timing)
        if self.open_cue is not None:
            self.open_cue.text_lines.append(line)  # a line of one space belongs to a cue
            return []
        if not line.strip():
            self.is_skipping = False
            return self.flush()
        # "WEBVTT" or "NOTE ...", and the lines below it
        if self.is_skipping or _HEADER_OR_NOTE_PATTERN.match(line):
            self.has_timed_cues = self.has_timed_cues or line.startswith("WEBVTT")
            self.is_skipping = True
            return []
        # The name or number of a cue, above its times
        is_name_of_cue = self.has_timed_cues and is_identifier(line.strip())
        if is_name_of_cue or _CUE_NUMBER_PATTERN.match(line.strip()):
            return []
        # Any other line may be the name of a cue, too: the next line decides.
        if self.has_timed_cues and self.held_line is None:
            self.held_line = (line_key, line)
            return []
        return self._read_held_line() + self._read_line_outside_cue(line_key, line)

    def _read_held_line(self) -> list[Line]:
        """Return the units of a held line that is no identifier."""
        held_line = self.held_line
        self.held_line = None
        return self._read_line_outside_cue(*held_line) if held_line else []

    def preview(self, line_key: str, line: str = "") -> list[Line]:
        """Return the units of the open cue, or of an unfinished line, as they are so far."""
        # A copy reads the unfinished text, so that nothing changes here.
        copied_cues = self.recent_cues.copy() if self.recent_cues else None
        draft = replace(self, recent_cues=copied_cues)
        if self.open_cue:
            lines = draft.flush()
            own_key = self.open_cue.line_key
        else:
            lines = draft.feed(line_key, line)
            own_key = line_key
        # A later turn of a cue has its number behind the key: "120/1".
        own_lines = [line for line in lines if line.unit.partition("/")[0] == own_key]
        return [replace(line, final=False, seq=None) for line in own_lines if line.text]

    def flush(self) -> list[Line]:
        """Return the open cue, or a held line, and close it."""
        cue = self.open_cue
        self.open_cue = None
        if cue is None:
            return self._read_held_line()
        text_rows = list(cue.text_lines)
        if len(text_rows) > 1 and _CUE_NUMBER_PATTERN.match(text_rows[-1].strip()):
            text_rows.pop()  # the number of the next cue, where the blank line is missing
        text = "\n".join(text_rows)
        times = (cue.start, cue.end)
        return self._add_recent_cue(cue.line_key, text, times, LineCut.AUTO, cue.identifier)

    def catch_up(self) -> list[Line]:
        """Return the units of a burst that were not read yet, and end the burst."""
        self.is_burst = False
        return self._read_recent()

    def read_text(self, line_key: str, text: str) -> list[Line]:
        """Return the units of text whose lines may end within a sentence."""
        return self._turn_lines(line_key, text, _NO_TIMES)

    def _begin_cue(self, line_key: str, timing: CueTiming) -> list[Line]:
        """Open a cue and return the one before it."""
        # The line above the times, which was held back, names the cue. In SRT, whose times have a
        # comma, it is only a number.
        identifier = ""
        is_srt = "," in timing.start
        if self.held_line and not is_srt:
            _, line_above = self.held_line
            identifier = line_above.strip()
            self.held_line = None
        finished_lines = self.flush()
        start, end, _ = checked_times(timing.start, timing.end, self.source)
        self.open_cue = OpenCue(line_key, start, end, identifier)
        if not _CUE_SETTINGS_PATTERN.match(timing.settings):
            self.open_cue.text_lines.append(timing.settings)  # text right behind the times
        self.has_timed_cues = True
        self.is_skipping = False
        return finished_lines

    def _read_line_outside_cue(self, line_key: str, line: str) -> list[Line]:
        """Return the units of a line outside a cue, by the first format that fits."""
        # Lines of ccextractor: 00:00:01,200|00:00:03,400|POP|text
        ttxt_line = _TTXT_PATTERN.match(line)
        if ttxt_line:
            times = (seconds_of(ttxt_line["start"]), seconds_of(ttxt_line["end"]))
            return self._add_recent_cue(line_key, ttxt_line["text"], times, LineCut.AUTO)
        # Lines of the archive of UCLA, whose times are dates
        ucla_line = _UCLA_PATTERN.match(line)
        if ucla_line:
            return self._add_recent_cue(line_key, ucla_line["text"], _NO_TIMES, LineCut.AUTO)
        # Lines of whisper_streaming: 1200 3400 text
        whisper_line = _WHISPER_STREAMING_PATTERN.match(line)
        if whisper_line and int(whisper_line["start_ms"]) <= int(whisper_line["end_ms"]):
            start_s = int(whisper_line["start_ms"]) / 1000
            end_s = int(whisper_line["end_ms"]) / 1000
            return self._turn_lines(line_key, whisper_line["text"], (start_s, end_s))
        if line.lstrip().startswith("["):
            return self._read_line_with_bracket(line_key, line)
        return self._add_recent_cue(line_key, line, _NO_TIMES, LineCut.WHOLE)

    def _read_line_with_bracket(self, line_key: str, line: str) -> list[Line]:
        """Return the units of a line that may begin with times in brackets."""
        span = span_at(line)
        if span:
            times = (span.start.seconds, span.stop.seconds)
            return self._add_recent_cue(line_key, line[span.end :], times, LineCut.AUTO)
        clock = time_at(line)
        if clock:
            # A time of day is no offset from the start of the recording.
            is_time_of_day = clock.kind is TimeKind.TIME_OF_DAY
            start_s = None if is_time_of_day else clock.seconds
            return self._add_recent_cue(line_key, line[clock.end :], (start_s, None), LineCut.WHOLE)
        return self._add_recent_cue(line_key, line, _NO_TIMES, LineCut.WHOLE)

    def _add_recent_cue(
        self, line_key: str, text: str, times: _Times, cut: LineCut, identifier: str = ""
    ) -> list[Line]:
        """Return what a cue or line adds to the latest ones, and changes in them."""
        changed_lines: list[Line] = []
        # Lines that are cut into sentences by other rules are not read together with those before.
        if self.recent_cues is None or self.recent_cues.cut is not cut:
            changed_lines = self._read_recent()
            self.recent_cues = RecentCues(self.source, cut, EarlierSpeech(self.speaker))
        # One piece per voice of the text
        pieces = _voiced_pieces(text, times)
        cue = RecentCue(line_key, pieces, self.clock(), identifier)
        changed_lines += self.recent_cues.add(cue, more_follow=self.is_burst)
        if not self.is_burst:
            self.speaker = self.recent_cues.speaker()
        return changed_lines

    def _read_recent(self) -> list[Line]:
        """Return the changes by cues that were not read yet, and note who spoke last."""
        if self.recent_cues is None or not self.recent_cues.unread_count:
            return []
        changed_lines = self.recent_cues.read_again()
        self.speaker = self.recent_cues.speaker()
        return changed_lines

    def _turn_lines(self, line_key: str, text: str, times: _Times) -> list[Line]:
        """Return one unit per turn of text that is cut anywhere: ``>>`` begins one.

        A label counts only behind it, since the first words may be the middle of a sentence:
        "debate: 90 minutes".
        """
        lines = self._read_recent()
        for number, (is_new_turn, turn_text) in enumerate(split_at_chevrons(text)):
            label = label_at(turn_text) if is_new_turn else None
            if is_new_turn:
                self.speaker = None
            if label and label.is_sure:
                self.speaker = label.speaker
                turn_text = turn_text[label.end :].strip()
            if turn_text:
                unit = f"{line_key}/{number}" if number else line_key
                line = Line(self.source, unit, turn_text, self.speaker, *times)
                lines.append(replace(line, cut=LineCut.ANYWHERE))
        return lines


def _voiced_pieces(text: str, times: _Times) -> Sequence[SpeechPiece]:
    """Return the text of a cue without tags, divided at the voices in it."""
    pieces = []
    for index, (speaker, spoken) in enumerate(texts_by_voice(text)):
        piece = SpeechPiece(without_markup(spoken), 0, speaker, *times, starts_turn=index > 0)
        pieces.append(piece)
    return pieces
