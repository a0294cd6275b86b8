"""Subtitles that the library pysubs2 reads: ASS and SSA, MicroDVD, MPL2 and SAMI.

The names of actors in ASS and SSA are the speakers. Lines that draw shapes and comments of the
subtitler are not speech.
"""

from __future__ import annotations

import re
from typing import Any

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import caption_speech
from assistant.transcripts.cues import without_markup
from assistant.transcripts.speaker_labels import speaker_or_none
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

MILLISECONDS_PER_S = 1000
ASSUMED_FRAMES_PER_S = 25.0
MAX_SUBTITLE_CHARACTERS = 20_000_000  # a long film has 200,000

_ASS_HEAD_PATTERN = re.compile(r"\[Script Info\]|\[V4\+? Styles\]", re.IGNORECASE)
_MICRODVD_LINE_PATTERN = re.compile(r"\{\d{1,9}\}\{\d{0,9}\}")
# A setting of the look of a line: {y:b}
_MICRODVD_SETTING_PATTERN = re.compile(r"\{[a-zA-Z]:[^{}\n]{0,80}\}")
_MPL2_LINE_PATTERN = re.compile(r"\[\d{1,9}\]\s?\[\d{0,9}\]")
_SAMI_HEAD_PATTERN = re.compile(r"<SAMI\b", re.IGNORECASE)
_SAMI_TITLE_PATTERN = re.compile(r"<title>([^<>]{1,300})</title>", re.IGNORECASE)
_EXPORT_AS_SRT = "Export the subtitles as SRT or WebVTT."


def sniff_ass(source: RawSource) -> bool:
    """Return whether the text begins with a section of ASS or SSA."""
    return _ASS_HEAD_PATTERN.match(source.head) is not None


def sniff_microdvd(source: RawSource) -> bool:
    """Return whether the text begins with two numbers of frames in braces."""
    return _MICRODVD_LINE_PATTERN.match(source.head) is not None


def sniff_mpl2(source: RawSource) -> bool:
    """Return whether the text begins with two tenths of seconds in brackets."""
    return _MPL2_LINE_PATTERN.match(source.head) is not None


def sniff_sami(source: RawSource) -> bool:
    """Return whether the root of the text is SAMI."""
    return _SAMI_HEAD_PATTERN.match(source.head) is not None


def parse_ass(source: RawSource) -> ParsedTranscript:
    """Return the speech of every dialogue line, in the order of their times."""
    subtitles = _loaded_subtitles(source, "ass")
    subtitles.sort()
    parsed = _transcript_of_subtitles(subtitles, source.name)
    parsed.title = _known_title(subtitles.info.get("Title", ""))
    return parsed


def parse_microdvd(source: RawSource) -> ParsedTranscript:
    """Return the speech of every line; the first may give the number of frames in a second."""
    from pysubs2.exceptions import UnknownFPSError

    try:
        return _transcript_of_subtitles(_loaded_subtitles(source, "microdvd"), source.name)
    except UnknownFPSError:
        subtitles = _loaded_subtitles(source, "microdvd", fps=ASSUMED_FRAMES_PER_S)
    parsed = _transcript_of_subtitles(subtitles, source.name)
    parsed.warnings.append(
        "the file does not say how many frames a second has; times were counted with "
        f"{ASSUMED_FRAMES_PER_S:.0f}"
    )
    return parsed


def parse_mpl2(source: RawSource) -> ParsedTranscript:
    """Return the speech of every line."""
    return _transcript_of_subtitles(_loaded_subtitles(source, "mpl2"), source.name)


def parse_sami(source: RawSource) -> ParsedTranscript:
    """Return the speech of every paragraph with text."""
    parsed = _transcript_of_subtitles(_loaded_subtitles(source, "sami"), source.name)
    title = _SAMI_TITLE_PATTERN.search(source.head)
    if title:
        parsed.title = without_markup(title[1])
    return parsed


def _loaded_subtitles(source: RawSource, format_name: str, fps: float | None = None) -> Any:
    """Return the subtitles as pysubs2 reads them. Raises MalformedTranscript if it cannot."""
    from pysubs2 import SSAFile
    from pysubs2.exceptions import Pysubs2Error, UnknownFPSError

    if len(source.text) > MAX_SUBTITLE_CHARACTERS:
        raise MalformedTranscript(
            f"has {len(source.text)} characters, which is too many for subtitles. "
            "Lectern did not read the file.",
            where=source.name,
            remedy=_EXPORT_AS_SRT,
        )
    text = source.text.lstrip()
    if format_name == "microdvd":
        text = _MICRODVD_SETTING_PATTERN.sub("", text)
    try:
        return SSAFile.from_string(text, format_=format_name, fps=fps)
    except UnknownFPSError:
        raise
    except (Pysubs2Error, ValueError, KeyError, IndexError, OverflowError) as error:
        raise MalformedTranscript(
            f"the subtitles cannot be read ({error}).", where=source.name, remedy=_EXPORT_AS_SRT
        ) from error


def _transcript_of_subtitles(subtitles: Any, name: str) -> ParsedTranscript:
    cues = []
    for line, event in enumerate(subtitles, 1):
        if event.is_comment or event.is_drawing:
            continue
        text = without_markup(event.plaintext)
        if text:
            start = event.start / MILLISECONDS_PER_S
            end = event.end / MILLISECONDS_PER_S if event.end > event.start else None
            cues.append(SpeechPiece(text, line, speaker_or_none(event.name or ""), start, end))
    return caption_speech.read_cues(cues, name)


def _known_title(title: str) -> str:
    """Return a title unless it is the one that a program gives to every file."""
    is_default = title.strip().lower() in ("", "default aegisub file", "untitled", "<untitled>")
    return "" if is_default else title.strip()
