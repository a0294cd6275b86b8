"""The table of transcript formats: name, label, extensions, sniffer and reader of each.

A new format is one module with ``sniff`` and ``parse`` and one row here. Upload fields, samples,
refusals and docs/reference/transcript-formats.md take their lists from this table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.transcription.recording_formats import EXTENSIONS as EXTENSIONS_OF_SOUND
from assistant.transcripts import (
    annotation_tiers,
    bracket_times,
    docx,
    email_message,
    html,
    opendocument,
    pdf,
    plain,
    recordings,
    refusals,
    rich_text,
    scc,
    speech_xml,
    srt,
    subtitle_files,
    tables,
    timed_lines,
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
    json_rows,
    json_text,
    openai_api,
    paper_edit,
    podcast,
    revai,
    speechmatics,
    turns,
    whisper,
    whisperx,
)
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource


@dataclass(frozen=True, slots=True)
class TranscriptFormat:
    """One format. The extensions are the usual ones; the bytes alone decide the format of a file.

    ``label`` is shown to users. ``sniff`` is quick, never raises and is sure. ``parse`` raises
    MalformedTranscript with the place and the remedy. A rare format is left out of the short list
    of extensions.
    """

    name: str
    label: str
    extensions: str
    sniff: Callable[[RawSource], bool]
    parse: Callable[[RawSource], ParsedTranscript]
    is_rare: bool = False


# In the order in which they are tried: binary containers, captions and JSON by their marks,
# tables, pages, plain text.
TRANSCRIPT_FORMATS: list[TranscriptFormat] = [
    TranscriptFormat(
        "sound", "recording", EXTENSIONS_OF_SOUND, recordings.sniff, recordings.refuse
    ),
    TranscriptFormat("docx", "Word document", "docx", docx.sniff, docx.parse),
    TranscriptFormat(
        "xlsx", "Excel workbook", "xlsx", tables.sniff_workbook, tables.parse_workbook
    ),
    TranscriptFormat(
        "odt", "OpenDocument text", "odt fodt", opendocument.sniff, opendocument.parse
    ),
    TranscriptFormat("rtf", "RTF document", "rtf", rich_text.sniff, rich_text.parse),
    TranscriptFormat("pdf", "PDF", "pdf", pdf.sniff, pdf.parse),
    TranscriptFormat(
        "message",
        "e-mail or saved web page",
        "eml mhtml mht",
        email_message.sniff,
        email_message.parse,
    ),
    TranscriptFormat("webvtt", "WebVTT", "vtt", webvtt.sniff, webvtt.parse),
    TranscriptFormat("scc", "SCC captions", "scc", scc.sniff, scc.parse),
    TranscriptFormat("ttml", "TTML", "ttml dfxp xml", ttml.sniff, ttml.parse),
    TranscriptFormat(
        "elan",
        "ELAN",
        "eaf",
        annotation_tiers.sniff_elan,
        annotation_tiers.parse_elan,
        is_rare=True,
    ),
    TranscriptFormat(
        "exmaralda",
        "EXMARaLDA",
        "exb",
        annotation_tiers.sniff_exmaralda,
        annotation_tiers.parse_exmaralda,
        is_rare=True,
    ),
    TranscriptFormat(
        "speech-xml",
        "Hansard, TEI or Transcriber XML",
        "xml trs",
        speech_xml.sniff,
        speech_xml.parse,
        is_rare=True,
    ),
    TranscriptFormat(
        "textgrid",
        "Praat TextGrid",
        "textgrid TextGrid",
        annotation_tiers.sniff_text_grid,
        annotation_tiers.parse_text_grid,
        is_rare=True,
    ),
    TranscriptFormat(
        "chat",
        "CHAT",
        "cha",
        annotation_tiers.sniff_chat,
        annotation_tiers.parse_chat,
        is_rare=True,
    ),
    TranscriptFormat(
        "ass", "ASS or SSA", "ass ssa", subtitle_files.sniff_ass, subtitle_files.parse_ass
    ),
    TranscriptFormat(
        "microdvd",
        "MicroDVD",
        "sub",
        subtitle_files.sniff_microdvd,
        subtitle_files.parse_microdvd,
        is_rare=True,
    ),
    TranscriptFormat(
        "mpl2", "MPL2", "mpl", subtitle_files.sniff_mpl2, subtitle_files.parse_mpl2, is_rare=True
    ),
    TranscriptFormat(
        "sami", "SAMI", "smi", subtitle_files.sniff_sami, subtitle_files.parse_sami, is_rare=True
    ),
    TranscriptFormat(
        "subviewer",
        "SubViewer",
        "sub",
        timed_lines.sniff_subviewer,
        timed_lines.parse_subviewer,
        is_rare=True,
    ),
    TranscriptFormat("sbv", "SBV", "sbv", timed_lines.sniff_sbv, timed_lines.parse),
    TranscriptFormat(
        "spruce",
        "Spruce STL",
        "stl",
        timed_lines.sniff_spruce,
        timed_lines.parse_spruce,
        is_rare=True,
    ),
    TranscriptFormat(
        "avid",
        "Avid or Encore captions",
        "txt",
        timed_lines.sniff_avid,
        timed_lines.parse_avid,
        is_rare=True,
    ),
    TranscriptFormat(
        "ccextractor",
        "CCExtractor text",
        "txt ttxt",
        timed_lines.sniff_ccextractor,
        timed_lines.parse_ccextractor,
        is_rare=True,
    ),
    TranscriptFormat(
        "console",
        "lines with times in brackets",
        "txt",
        timed_lines.sniff_console,
        timed_lines.parse,
        is_rare=True,
    ),
    TranscriptFormat(
        "lrc", "LRC", "lrc", bracket_times.sniff_lrc, bracket_times.parse_lrc, is_rare=True
    ),
    TranscriptFormat(
        "qt-text",
        "QuickTime text",
        "txt",
        bracket_times.sniff_quicktime,
        bracket_times.parse_quicktime,
        is_rare=True,
    ),
    TranscriptFormat("srt", "SRT", "srt", srt.sniff, srt.parse),
    TranscriptFormat(
        "youtube-json3", "YouTube json3", "json json3", youtube_json3.sniff, youtube_json3.parse
    ),
    TranscriptFormat("whisperx", "WhisperX", "json", whisperx.sniff, whisperx.parse),
    TranscriptFormat("whisper", "Whisper", "json", whisper.sniff, whisper.parse),
    TranscriptFormat("openai", "OpenAI transcription", "json", openai_api.sniff, openai_api.parse),
    TranscriptFormat("assemblyai", "AssemblyAI", "json", assemblyai.sniff, assemblyai.parse),
    TranscriptFormat("deepgram", "Deepgram", "json", deepgram.sniff, deepgram.parse),
    TranscriptFormat("revai", "Rev.ai", "json", revai.sniff, revai.parse),
    TranscriptFormat("aws", "AWS Transcribe", "json", aws.sniff, aws.parse),
    TranscriptFormat(
        "speechmatics", "Speechmatics", "json", speechmatics.sniff, speechmatics.parse
    ),
    TranscriptFormat("ibm", "IBM Watson", "json", ibm.sniff, ibm.parse),
    TranscriptFormat("google", "Google Speech-to-Text", "json", google.sniff, google.parse),
    TranscriptFormat("azure", "Azure Speech", "json", azure.sniff, azure.parse),
    TranscriptFormat("elevenlabs", "ElevenLabs Scribe", "json", elevenlabs.sniff, elevenlabs.parse),
    TranscriptFormat("podcast", "Podcast 2.0", "json", podcast.sniff, podcast.parse),
    TranscriptFormat(
        "paper-edit", "digital paper edit", "json", paper_edit.sniff, paper_edit.parse
    ),
    TranscriptFormat("turns", "list of turns in JSON", "json jsonl", turns.sniff, turns.parse),
    TranscriptFormat("rows", "list of rows in JSON", "json", json_rows.sniff, json_rows.parse),
    TranscriptFormat("json-text", "text in JSON", "json", json_text.sniff, json_text.parse),
    TranscriptFormat(
        "json", "JSON of another kind", "json", refusals.looks_like_json, refusals.refuse_json
    ),
    TranscriptFormat("html", "web page", "html htm", html.sniff, html.parse),
    TranscriptFormat("table", "CSV or TSV", "csv tsv", tables.sniff, tables.parse),
    TranscriptFormat("text", "plain text", "txt", plain.sniff, plain.parse),
]
EXTENSIONS = tuple(
    dict.fromkeys(extension for form in TRANSCRIPT_FORMATS for extension in form.extensions.split())
)
# One extension per usual format, as shown to users
USUAL_EXTENSIONS = ", ".join(
    dict.fromkeys(
        form.extensions.split()[0] for form in reversed(TRANSCRIPT_FORMATS) if not form.is_rare
    )
)
# The words shown to users, by format name
LABELS = {form.name: form.label for form in TRANSCRIPT_FORMATS}


def recognised_format(source: RawSource) -> TranscriptFormat:
    """Return the format of a file. Raises UnknownFormat, which says what the file is instead."""
    if not refusals.is_refused(source):
        for form in TRANSCRIPT_FORMATS:
            if form.sniff(source):
                return form
    raise refusals.refusal(source, readable=USUAL_EXTENSIONS)
