"""The formats that Lectern reads, in the order in which they are tried; which one a file is, its bytes decide.

A new format is one module with ``sniff`` and ``parse`` and one row here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.transcripts import docx, html, pdf, plain, refusals, scc, srt, tables, ttml, webvtt, youtube_json3
from assistant.transcripts.asr import (
    assemblyai,
    aws,
    azure,
    deepgram,
    elevenlabs,
    google,
    ibm,
    openai_api,
    paper_edit,
    podcast,
    revai,
    speechmatics,
    turns,
    whisper,
    whisperx,
)
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed


@dataclass(frozen=True, slots=True)
class Format:
    """One row: a short name, what people call it, and the two functions of its module.

    ``sniff`` is quick, never raises and is sure; ``parse`` raises MalformedTranscript with the place and the remedy.
    """

    name: str
    label: str
    sniff: Callable[[RawSource], bool]
    parse: Callable[[RawSource], Parsed]


# Binary containers first, then captions and JSON by their marks, then tables and pages, plain text last.
FORMATS: list[Format] = [
    Format("docx", "Word document", docx.sniff, docx.parse),
    Format("xlsx", "Excel workbook", tables.sniff_workbook, tables.parse_workbook),
    Format("pdf", "PDF", pdf.sniff, pdf.parse),
    Format("webvtt", "WebVTT", webvtt.sniff, webvtt.parse),
    Format("scc", "SCC captions", scc.sniff, scc.parse),
    Format("ttml", "TTML", ttml.sniff, ttml.parse),
    Format("srt", "SRT", srt.sniff, srt.parse),
    Format("youtube-json3", "YouTube json3", youtube_json3.sniff, youtube_json3.parse),
    Format("whisperx", "WhisperX", whisperx.sniff, whisperx.parse),
    Format("whisper", "Whisper", whisper.sniff, whisper.parse),
    Format("openai", "OpenAI transcription", openai_api.sniff, openai_api.parse),
    Format("assemblyai", "AssemblyAI", assemblyai.sniff, assemblyai.parse),
    Format("deepgram", "Deepgram", deepgram.sniff, deepgram.parse),
    Format("revai", "Rev.ai", revai.sniff, revai.parse),
    Format("aws", "AWS Transcribe", aws.sniff, aws.parse),
    Format("speechmatics", "Speechmatics", speechmatics.sniff, speechmatics.parse),
    Format("ibm", "IBM Watson", ibm.sniff, ibm.parse),
    Format("google", "Google Speech-to-Text", google.sniff, google.parse),
    Format("azure", "Azure Speech", azure.sniff, azure.parse),
    Format("elevenlabs", "ElevenLabs Scribe", elevenlabs.sniff, elevenlabs.parse),
    Format("podcast", "Podcast 2.0", podcast.sniff, podcast.parse),
    Format("paper-edit", "digital paper edit", paper_edit.sniff, paper_edit.parse),
    Format("turns", "list of turns in JSON", turns.sniff, turns.parse),
    Format("json", "JSON", refusals.looks_like_json, refusals.refuse_json),  # knows no schema: says what is wrong
    Format("html", "web page", html.sniff, html.parse),
    Format("table", "CSV or TSV", tables.sniff, tables.parse),
    Format("text", "plain text", plain.sniff, plain.parse),
]


def recognised(source: RawSource) -> Format:
    """Return the format of a file. Raises UnknownFormat, which says what the file is instead."""
    if not refusals.is_refused(source):
        for form in FORMATS:
            if form.sniff(source):
                return form
    raise refusals.refused(source)
