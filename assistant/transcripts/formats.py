"""The table of transcript formats.

Name, words shown to users, extensions, how each is recognised, and its reader.

A new format is one module with ``sniff`` and ``parse`` and one row here; upload fields, samples,
refusals and docs/transcripts.md take their lists from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.transcription.recording_formats import EXTENSIONS as EXTENSIONS_OF_SOUND
from assistant.transcripts import (
    docx,
    html,
    pdf,
    plain,
    recordings,
    refusals,
    scc,
    srt,
    tables,
    ttml,
    webvtt,
    youtube_json3,
)
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
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource


@dataclass(frozen=True, slots=True)
class Format:
    """One row.

    ``extensions`` are what such files are usually called; the bytes alone decide what a file is.

    ``sniff`` is quick, never raises and is sure; ``parse`` raises MalformedTranscript with the place and the remedy.
    """

    name: str
    label: str
    extensions: str
    sniff: Callable[[RawSource], bool]
    parse: Callable[[RawSource], Parsed]


# In the order in which they are tried: binary containers, captions and JSON by their marks,
# tables, pages, plain text.
FORMATS: list[Format] = [
    Format("sound", "recording", EXTENSIONS_OF_SOUND, recordings.sniff, recordings.refuse),
    Format("docx", "Word document", "docx", docx.sniff, docx.parse),
    Format("xlsx", "Excel workbook", "xlsx", tables.sniff_workbook, tables.parse_workbook),
    Format("pdf", "PDF", "pdf", pdf.sniff, pdf.parse),
    Format("webvtt", "WebVTT", "vtt", webvtt.sniff, webvtt.parse),
    Format("scc", "SCC captions", "scc", scc.sniff, scc.parse),
    Format("ttml", "TTML", "ttml dfxp xml", ttml.sniff, ttml.parse),
    Format("srt", "SRT", "srt", srt.sniff, srt.parse),
    Format(
        "youtube-json3", "YouTube json3", "json json3", youtube_json3.sniff, youtube_json3.parse
    ),
    Format("whisperx", "WhisperX", "json", whisperx.sniff, whisperx.parse),
    Format("whisper", "Whisper", "json", whisper.sniff, whisper.parse),
    Format("openai", "OpenAI transcription", "json", openai_api.sniff, openai_api.parse),
    Format("assemblyai", "AssemblyAI", "json", assemblyai.sniff, assemblyai.parse),
    Format("deepgram", "Deepgram", "json", deepgram.sniff, deepgram.parse),
    Format("revai", "Rev.ai", "json", revai.sniff, revai.parse),
    Format("aws", "AWS Transcribe", "json", aws.sniff, aws.parse),
    Format("speechmatics", "Speechmatics", "json", speechmatics.sniff, speechmatics.parse),
    Format("ibm", "IBM Watson", "json", ibm.sniff, ibm.parse),
    Format("google", "Google Speech-to-Text", "json", google.sniff, google.parse),
    Format("azure", "Azure Speech", "json", azure.sniff, azure.parse),
    Format("elevenlabs", "ElevenLabs Scribe", "json", elevenlabs.sniff, elevenlabs.parse),
    Format("podcast", "Podcast 2.0", "json", podcast.sniff, podcast.parse),
    Format("paper-edit", "digital paper edit", "json", paper_edit.sniff, paper_edit.parse),
    Format("turns", "list of turns in JSON", "json", turns.sniff, turns.parse),
    Format("json", "JSON of another kind", "json", refusals.looks_like_json, refusals.refuse_json),
    Format("html", "web page", "html htm", html.sniff, html.parse),
    Format("table", "CSV or TSV", "csv tsv", tables.sniff, tables.parse),
    Format("text", "plain text", "txt", plain.sniff, plain.parse),
]
EXTENSIONS = tuple(
    dict.fromkeys(extension for form in FORMATS for extension in form.extensions.split())
)
USUAL = ", ".join(
    dict.fromkeys(form.extensions.split()[0] for form in reversed(FORMATS))
)  # one of each kind, for users
LABELS = {form.name: form.label for form in FORMATS}


def recognised(source: RawSource) -> Format:
    """Return the format of a file. Raises UnknownFormat, which says what the file is instead."""
    if not refusals.is_refused(source):
        for form in FORMATS:
            if form.sniff(source):
                return form
    raise refusals.refused(source, readable=USUAL)
