"""WebVTT (.vtt): cues of browsers, YouTube, Zoom, Teams and live streams.

Headers, NOTE, STYLE and REGION blocks are not speech. ``<v Name>`` names the speaker of the text up
to the next name. Joined stream segments are shifted by their X-TIMESTAMP-MAP so that times
continue from the first segment.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile

from assistant.transcripts import caption_speech
from assistant.transcripts.cues import (
    CueBlock,
    SourceLine,
    checked_times,
    cue_blocks,
    lines_by_paragraph,
    without_markup,
)
from assistant.transcripts.speaker_labels import name_in_label, speaker_or_none
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import seconds_of

# The first line of a block that is not speech
_BLOCK_WITHOUT_SPEECH_PATTERN = re.compile(r"^(?:NOTE|STYLE|REGION)(?:\s|:|$)")
# <v Name>
_VOICE_TAG_PATTERN = re.compile(r"<v(?:\.[^\s<>]*)?(?:\s([^<>]*))?>", re.IGNORECASE)
# A field of the header
_LANGUAGE_PATTERN = re.compile(r"^Language:\s*(\S{1,40})", re.IGNORECASE)
# The two clocks of an X-TIMESTAMP-MAP
_MPEGTS_PATTERN = re.compile(r"MPEGTS:(\d{1,15})")
_LOCAL_PATTERN = re.compile(r"LOCAL:([\d:.]+)")
# An identifier whose cue is missing
_IDENTIFIER_PATTERN = re.compile(
    r"^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}(?:/[\d-]+)?|[\d-]+,[\d-]+)$", re.IGNORECASE
)
# A speaker in an identifier, maybe behind a number: 'Speaker 1', '3 - Jane Doe', '3 "Jane Doe" (99)'
_NAMED_IDENTIFIER_PATTERN = re.compile(
    r"^(?:\d+[\s:.–-]+)?\"?(?P<name>[^\W\d_][^\"():]*?)\"?(?:\s\(\d+\))?$"
)
MAX_IDENTIFIER_CHARACTERS = 80
MAX_BORDER_GAP_S = 0.1  # gap inside a cue that the border of segments divides
MIN_NAMED_SHARE = 0.8  # share of cues with a name, for identifiers to be speakers
TICKS_PER_S = 90_000


def sniff(source: RawSource) -> bool:
    """Return whether the text begins with WEBVTT, after blank lines."""
    return source.head.startswith("WEBVTT")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the speech of every cue in file order.

    Each warning begins with the name of the source.
    """
    all_blocks = list(cue_blocks(source.text, has_named_cues=True))
    identifiers = [block.identifier for block in all_blocks if block.has_times]
    reader = _WebVttReader(source.name, identified_speakers(identifiers))
    for block in all_blocks:
        reader.read_block(block)
    return caption_speech.read_cues(
        reader.whole_cues(), source.name, reader.warnings, language=reader.language
    )


class _WebVttReader:
    """The cues so far, and the language and time shift of the last header."""

    def __init__(self, file_name: str, speaker_by_identifier: dict[str, str]) -> None:
        self.file_name = file_name
        self.speaker_by_identifier = speaker_by_identifier
        self.language = ""
        self.cues: list[SpeechPiece] = []
        self.warnings: list[str] = []
        self.first_offset_s: float | None = None
        self.shift_s = 0.0
        self.segment_starts: set[int] = set()  # indexes of the first cues behind a header

    def read_block(self, block: CueBlock) -> None:
        """Read one block: its cue, then the headers and comments that follow it."""
        paragraphs = lines_by_paragraph(block.lines, is_space_text=block.has_times)
        if block.has_times:
            cue_lines = paragraphs.pop(0)
            cue_text = "\n".join(line.text for line in cue_lines)
            self._read_cue(block, cue_text)
        for paragraph in paragraphs:
            lines_from_first_text = list(dropwhile(_is_blank, paragraph))
            if lines_from_first_text:
                self._read_comment(lines_from_first_text)

    def _read_cue(self, block: CueBlock, text: str) -> None:
        start, end, warnings = checked_times(
            block.start, block.end, f"{self.file_name}:{block.line_number}"
        )
        self.warnings += warnings
        start = self._shifted(start)
        end = self._shifted(end)
        for index, (speaker, spoken) in enumerate(texts_by_voice(text)):
            starts_turn = index > 0
            speaker = speaker or self.speaker_by_identifier.get(block.identifier)
            piece = SpeechPiece(
                without_markup(spoken), block.line_number, speaker, start, end, starts_turn
            )
            self.cues.append(piece)

    def _shifted(self, time_s: float | None) -> float | None:
        return None if time_s is None else round(time_s + self.shift_s, 3)

    def _read_comment(self, lines: list[SourceLine]) -> None:
        """Read a header, a comment, a style, or text that lost its timing line."""
        first_line = lines[0]
        texts = [line.text for line in lines]
        if first_line.text.startswith("WEBVTT"):
            self._read_header(texts)
            return
        # "NOTE", "STYLE", or the identifier of a cue that is missing
        heading = first_line.text.strip()
        is_lone_identifier = len(texts) == 1 and is_identifier(heading)
        if is_lone_identifier or _BLOCK_WITHOUT_SPEECH_PATTERN.match(heading):
            return
        self.warnings.append(
            f"{self.file_name}:{first_line.number}: "
            "text without a timing line; it was kept without times"
        )
        self.cues.append(SpeechPiece(without_markup("\n".join(texts)), first_line.number))

    def whole_cues(self) -> list[SpeechPiece]:
        """Return the cues, each once: one across the border of segments is in both of them."""
        # A stream is cut into segments, and the file joins them.
        cues: list[SpeechPiece] = []
        for index, cue in enumerate(self.cues):
            begins_segment = index in self.segment_starts
            if begins_segment and cues and _is_second_half(cue, of_cue=cues[-1]):
                cues[-1] = replace(cues[-1], end=cue.end)
            else:
                cues.append(cue)
        return cues

    def _read_header(self, header: list[str]) -> None:
        self.segment_starts.add(len(self.cues))
        for text in header:
            language = _LANGUAGE_PATTERN.match(text)
            if language:
                self.language = language[1]
            if text.startswith("X-TIMESTAMP-MAP"):
                self._shift_by(text)

    def _shift_by(self, timestamp_map: str) -> None:
        """Shift the following cues so that they continue the first segment's clock.

        The map names one moment in two clocks: of the stream, in ticks, and of the segment.
        """
        stream_ticks = _MPEGTS_PATTERN.search(timestamp_map)
        segment_clock = _LOCAL_PATTERN.search(timestamp_map)
        stream_s = 0.0
        if stream_ticks:
            stream_s = int(stream_ticks[1]) / TICKS_PER_S
        segment_s = 0.0
        if segment_clock:
            segment_s = seconds_of(segment_clock[1]) or 0.0
        offset_s = stream_s - segment_s
        if self.first_offset_s is None:
            self.first_offset_s = offset_s
        self.shift_s = offset_s - self.first_offset_s


def _is_blank(line: SourceLine) -> bool:
    return not line.text.strip()


def _is_second_half(cue: SpeechPiece, *, of_cue: SpeechPiece) -> bool:
    """Return whether a cue is the second half of the one before it: same words, no gap."""
    if cue.text != of_cue.text or cue.speaker != of_cue.speaker:
        return False
    if of_cue.end is None or cue.start is None:
        return False
    return abs(cue.start - of_cue.end) <= MAX_BORDER_GAP_S


def identified_speakers(identifiers: Sequence[str]) -> dict[str, str]:
    """Return speakers by cue identifier, {} unless nearly every cue names one, and one twice."""
    speaker_by_identifier: dict[str, str] = {}
    for identifier in set(identifiers):
        match = _NAMED_IDENTIFIER_PATTERN.match(identifier[:MAX_IDENTIFIER_CHARACTERS])
        if match is None:
            continue
        speaker = speaker_or_none(name_in_label(match["name"]) or "")
        if speaker:
            speaker_by_identifier[identifier] = speaker
    # The speaker of each cue whose identifier names one
    speakers_of_cues = []
    for identifier in identifiers:
        if identifier in speaker_by_identifier:
            speakers_of_cues.append(speaker_by_identifier[identifier])
    is_speaker_repeated = len(set(speakers_of_cues)) < len(speakers_of_cues)
    are_most_named = len(speakers_of_cues) >= MIN_NAMED_SHARE * len(identifiers)
    if is_speaker_repeated and are_most_named:
        return speaker_by_identifier
    return {}


def is_identifier(line: str) -> bool:
    """Return whether a line is the number or identifier of a cue."""
    return bool(_IDENTIFIER_PATTERN.match(line))


def texts_by_voice(text: str) -> list[tuple[str | None, str]]:
    """Return the text of a cue divided at its voice tags, each part with the name in its tag."""
    # Names and texts take turns behind the text before the first tag.
    text_before_tags, *names_and_texts = _VOICE_TAG_PATTERN.split(text)
    names = names_and_texts[::2]
    texts = names_and_texts[1::2]
    speakers_and_texts: list[tuple[str | None, str]] = []
    for name, spoken in zip(names, texts, strict=True):
        speaker = html.unescape(name or "").strip() or None
        speakers_and_texts.append((speaker, spoken))
    if text_before_tags.strip() or not speakers_and_texts:
        return [(None, text_before_tags), *speakers_and_texts]
    return speakers_and_texts
