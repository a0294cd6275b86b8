"""Text behind times in brackets with a header of its own: LRC lyrics and QuickTime text.

A file that has only lines such as ``[00:12] Good evening`` is plain text.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.transcripts import caption_speech
from assistant.transcripts.cues import without_markup
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import time_at

MILLISECONDS_PER_OFFSET_S = 1000
MAX_REPEATS = 20  # times before one line of text

# A field of LRC: [ti:Harbor debate]
_LRC_FIELD_PATTERN = re.compile(
    r"\[(?P<key>ti|ar|al|au|by|la|re|ve|tool|length|offset|#) ?:(?P<value>[^\]\n]{0,200})\]", re.I
)
_LRC_LINE_PATTERN = re.compile(r"^\[\d{1,3}:\d\d[.:]\d{2,3}\]", re.MULTILINE)
# Times of words inside a line: <00:12.00>
_WORD_TIME_PATTERN = re.compile(r"<\d{1,3}:\d\d[.:]\d{2,3}>")
_QUICKTIME_HEAD_PATTERN = re.compile(r"\{QTtext\}", re.IGNORECASE)
_QUICKTIME_SETTING_PATTERN = re.compile(r"\{[^{}\n]*\}")


def sniff_lrc(source: RawSource) -> bool:
    """Return whether the text begins with a field of LRC and has lines with times."""
    is_headed = _LRC_FIELD_PATTERN.match(source.head) is not None
    return is_headed and _LRC_LINE_PATTERN.search(source.head) is not None


def sniff_quicktime(source: RawSource) -> bool:
    """Return whether the text begins with QuickTime's mark."""
    return _QUICKTIME_HEAD_PATTERN.match(source.head) is not None


def parse_lrc(source: RawSource) -> ParsedTranscript:
    """Return the speech of every line, in the order of times, with the title of the file."""
    # A field is a line such as [ti:Title]; "la" is the language, "offset" shifts all times.
    fields: dict[str, str] = {}
    for field in _LRC_FIELD_PATTERN.finditer(source.head):
        fields[field["key"].lower()] = field["value"].strip()
    text_without_fields = _LRC_FIELD_PATTERN.sub("", source.text)
    cues = _cues(_WORD_TIME_PATTERN.sub("", text_without_fields))
    shift_s = _offset_s(fields.get("offset", ""))
    shifted_cues = []
    for cue in cues:
        shifted_start_s = round((cue.start or 0.0) - shift_s, 3)
        shifted_cues.append(replace(cue, start=max(0.0, shifted_start_s)))
    shifted_cues.sort(key=lambda cue: cue.start or 0.0)
    parsed = caption_speech.read_cues(shifted_cues, source.name, language=fields.get("la", ""))
    parsed.title = fields.get("ti", "")
    return parsed


def parse_quicktime(source: RawSource) -> ParsedTranscript:
    """Return the speech behind every time; a time without text only ends the one before it."""
    return caption_speech.read_cues(
        _cues(_QUICKTIME_SETTING_PATTERN.sub("", source.text)), source.name
    )


def _offset_s(written: str) -> float:
    """Return the shift of all times in seconds; a positive one makes the text come earlier."""
    digits = written.lstrip("+-")
    if not digits.isdecimal() or len(digits) > 9:
        return 0.0
    sign = -1 if written.startswith("-") else 1
    return sign * int(digits) / MILLISECONDS_PER_OFFSET_S


def _cues(text: str) -> list[SpeechPiece]:
    """Return one cue for each time. Several times before a text repeat it."""
    # "[00:12.00][01:10.00]Good evening" is said twice.
    cues: list[SpeechPiece] = []
    starts: list[float] = []
    for number, line in enumerate(text.split("\n"), 1):
        line_starts: list[float] = []
        position = 0
        while line[position : position + 1] == "[" and len(line_starts) < MAX_REPEATS:
            timestamp = time_at(line, position)
            if timestamp is None:
                break
            line_starts.append(timestamp.seconds)
            position = timestamp.end
        starts = line_starts or starts
        spoken = without_markup(line[position:])
        if spoken and starts:
            cues += [SpeechPiece(spoken, number, None, start) for start in starts]
            # A further line without a time belongs to the last one.
            starts = starts[-1:]
    return cues
