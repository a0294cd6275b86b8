"""Refusals of files that are not transcripts: the kind of file, and a remedy."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from assistant.core.errors import MalformedTranscript, UnknownFormat
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

MAX_UNPACKED_BYTES = 300_000_000  # all parts of a DOCX, XLSX or ODT together
MAX_UNPACKED_RATIO = 200  # unpacked to packed bytes, from a megabyte on
MIN_BOMB_BYTES = 1_000_000
MAGIC_BYTES = 80
MAX_SHOWN_KEYS = 6
MAX_SHOWN_KEY = 40

_WORD_REMEDY = "Save the document as .docx or .txt (Word, or: soffice --convert-to docx FILE)."
_IMAGE_REMEDY = "Use text recognition (OCR) on the image, and save the text as a file."
_TABLE_REMEDY = "Save the table as .xlsx or .csv."
_ARCHIVE_REMEDY = "Unpack the archive and use the transcript in it."
_EXPORT_REMEDY = "Export the transcript in one of these formats: {readable}."
_JSON_REMEDY = "Export the transcript as captions (SRT, WebVTT), text or a Word document."

# First bytes of files that are never transcripts, their kind, and the remedy
_BINARY_KINDS = [
    (re.compile(magic, re.DOTALL), what, remedy)
    for magic, what, remedy in [
        (rb".{3}STL\d\d\.01", "an EBU STL subtitle file", "Convert it to SRT."),
        (rb"\x89PNG\r\n", "a PNG image", _IMAGE_REMEDY),
        (rb"\xff\xd8\xff", "a JPEG image", _IMAGE_REMEDY),
        (rb"GIF8[79]a", "a GIF image", _IMAGE_REMEDY),
        (rb"BM.{4}\0\0\0\0", "a BMP image", _IMAGE_REMEDY),
        (rb"II\*\0|MM\0\*", "a TIFF image", _IMAGE_REMEDY),
        (rb"RIFF.{4}WEBP", "a WebP image", _IMAGE_REMEDY),
        (rb".{4}ftyp(?:heic|heif|avif|mif1)", "a HEIC image", _IMAGE_REMEDY),
        (rb"\x1f\x8b", "a gzip archive", _ARCHIVE_REMEDY),
        (rb"\xfd7zXZ\0", "an xz archive", _ARCHIVE_REMEDY),
        (rb"7z\xbc\xaf\x27\x1c", "a 7z archive", _ARCHIVE_REMEDY),
        (rb"Rar!\x1a\x07", "a RAR archive", _ARCHIVE_REMEDY),
        (rb"BZh[1-9]1AY", "a bzip2 archive", _ARCHIVE_REMEDY),
        (rb"SQLite format 3\0", "an SQLite database", _EXPORT_REMEDY),
        (rb"\x7fELF|MZ.{58}|\xcf\xfa\xed\xfe", "a program", _EXPORT_REMEDY),
        (rb"PAR1", "a Parquet table", "Save it as CSV."),
        (rb"%!PS", "a PostScript file", "Save it as PDF."),
    ]
]
# The first bytes of Office files before 2007
_OLE_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# Streams that tell these files apart
_OLE_STREAMS = [
    ("WordDocument", "an old Word document (.doc)", _WORD_REMEDY),
    ("Workbook", "an old Excel workbook (.xls)", _TABLE_REMEDY),
    ("__substg1.0", "an Outlook message (.msg)", "Save it as .eml or text."),
    ("PowerPoint Document", "an old PowerPoint file (.ppt)", _EXPORT_REMEDY),
]
# Beginnings of the media type in a ZIP archive
_ZIP_TYPES = [
    (
        "application/vnd.oasis.opendocument.spreadsheet",
        "an OpenDocument table (.ods)",
        _TABLE_REMEDY,
    ),
    ("application/vnd.oasis.opendocument", "an OpenDocument file", _EXPORT_REMEDY),
    ("application/epub+zip", "an EPUB book", _EXPORT_REMEDY),
]
# First characters of text files that are not read
_TEXT_STARTS = [
    (
        re.compile(r"#EXTM3U"),
        "a streaming playlist (M3U8)",
        "Give it to `live`, or a caption file to `check`.",
    ),
    (
        re.compile(r"<window\b[^<>]{0,300}>\s*<", re.IGNORECASE),
        "a RealText subtitle file",
        "Convert it to SRT.",
    ),
    (
        re.compile(r"From \S+ {1,2}(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) "),
        "a mailbox with several messages (MBOX)",
        "Save the message with the transcript as .eml.",
    ),
    (
        re.compile(r"BEGIN:V(?:CALENDAR|CARD)"),
        "a calendar or address file",
        _EXPORT_REMEDY,
    ),
    (re.compile(r"\\documentclass\b"), "a LaTeX document", "Give it as PDF or text."),
]
# First characters of XML and JSON
_MARKUP_STARTS = [
    (
        re.compile(r"<\?xml|<!DOCTYPE (?!html)\w|<[a-z]{1,40}(?::\w{1,40})? xmlns", re.I),
        "XML of a kind not known here",
        _EXPORT_REMEDY,
    ),
    (re.compile(r"\{\s*\"|\[\s*[\[{\"]"), "JSON of a shape not known here", _EXPORT_REMEDY),
]
# An object, or a list of objects, lists or texts
_JSON_START_PATTERN = re.compile(r"^\s*(?:\{\s*[\"}]|\[\s*[\[{\"\]])")


def refusal(source: RawSource, *, readable: str) -> UnknownFormat:
    """Return the error for a file that no reader takes, with its kind and the remedy.

    ``readable`` lists the formats.
    """
    kind, remedy = _kind(source)
    return UnknownFormat(
        f"is {kind}, which is not read.", where=source.name, remedy=remedy.format(readable=readable)
    )


def is_refused(source: RawSource) -> bool:
    """Return whether the first bytes are those of a kind that is never a transcript."""
    if _matching_kind(_BINARY_KINDS, source.data[:MAGIC_BYTES]):
        return True
    return _matching_kind(_TEXT_STARTS, source.head) is not None


def is_markup(source: RawSource) -> bool:
    """Return whether the text is XML or JSON, which is never plain text."""
    return _matching_kind(_MARKUP_STARTS, source.head) is not None


def _matching_kind(
    kinds: Sequence[tuple[re.Pattern, str, str]], head: str | bytes
) -> tuple[str, str] | None:
    """Return the kind and the remedy of the first pattern that the head of a file matches."""
    for pattern, kind, remedy in kinds:
        if pattern.match(head):
            return kind, remedy
    return None


def _kind(source: RawSource) -> tuple[str, str]:
    """Return the kind of a file, and the remedy."""
    binary_kind = _matching_kind(_BINARY_KINDS, source.data[:MAGIC_BYTES])
    if binary_kind:
        return binary_kind
    if source.data.startswith(_OLE_MARK):
        return _ole_kind(source.data)
    if source.data.startswith(b"PK"):
        return _zip_kind(source.data)
    text_kind = _matching_kind([*_TEXT_STARTS, *_MARKUP_STARTS], source.head)
    return text_kind or ("a binary file of a kind not known here", _EXPORT_REMEDY)


def _ole_kind(data: bytes) -> tuple[str, str]:
    for stream, kind, remedy in _OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            return kind, remedy
    return "an old Office file", _WORD_REMEDY


def _zip_kind(data: bytes) -> tuple[str, str]:
    mime_type = ""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
            if "mimetype" in names:
                mime_type = archive.read("mimetype")[:100].decode("ascii", "replace")
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError):
        return "a damaged ZIP archive", "Save or download it again."
    for type_start, kind, remedy in _ZIP_TYPES:
        if mime_type.startswith(type_start):
            return kind, remedy
    if any(name.startswith("ppt/") for name in names):
        return "a PowerPoint file (.pptx)", _EXPORT_REMEDY
    if any(name.endswith(".iwa") for name in names):
        return "an Apple Pages, Numbers or Keynote file", "Export it as .docx or .csv."
    return "a ZIP archive", _ARCHIVE_REMEDY


def has_archive_member(data: bytes, member: str) -> bool:
    """Return whether the bytes are a ZIP archive with a member of this name."""
    # A ZIP archive begins with these bytes.
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return member in archive.namelist()
    except (zipfile.BadZipFile, OSError, NotImplementedError):
        return False


def check_unpacked(source: RawSource) -> None:
    """Raise MalformedTranscript if a packed document unpacks to more than a document can have."""
    with zipfile.ZipFile(BytesIO(source.data)) as archive:
        unpacked_bytes = sum(member.file_size for member in archive.infolist())
    packed_bytes = len(source.data)
    max_bytes = max(MIN_BOMB_BYTES, MAX_UNPACKED_RATIO * packed_bytes)
    if unpacked_bytes > min(max_bytes, MAX_UNPACKED_BYTES):
        packed_mb = packed_bytes / 1e6
        unpacked_mb = unpacked_bytes / 1e6
        raise MalformedTranscript(
            f"unpacks from {packed_mb:.1f} MB to {unpacked_mb:.0f} MB, "
            "which looks like an archive bomb. "
            "Lectern did not read the document.",
            where=source.name,
            remedy="Open the document in its usual program and save it as plain text.",
        )


def looks_like_json(source: RawSource) -> bool:
    """Return whether the text begins like JSON. Readers of known schemas come first."""
    return _JSON_START_PATTERN.match(source.head) is not None


def refuse_json(source: RawSource) -> ParsedTranscript:
    """Raise MalformedTranscript for broken JSON, and UnknownFormat for an unknown schema."""
    try:
        data = json.loads(source.text.lstrip(), strict=False)
    except json.JSONDecodeError as error:
        reason = error.msg
        if reason == "Extra data":
            reason = "one JSON value follows another, as in JSON Lines"
        raise MalformedTranscript(
            f"the JSON is broken in column {error.colno} ({reason}).",
            where=f"{source.name}:{error.lineno}",
            remedy=f"Save the file again. {_JSON_REMEDY}",
        ) from error
    except (ValueError, RecursionError) as error:  # thousands of digits, or thousands of brackets
        raise MalformedTranscript(
            "isn't a transcript, because the JSON is nested too deeply "
            "or contains a very long number.",
            where=source.name,
            remedy=_JSON_REMEDY,
        ) from error
    contents = _keys(data) or "an empty value"
    raise UnknownFormat(
        f"this JSON contains no transcript in a known format, but {contents}.",
        where=source.name,
        remedy="If a speech recogniser made this file, export the transcript in another format. "
        f"{_JSON_REMEDY}",
    )


def _keys(data: Any) -> str:
    """Return the first keys of an object, or of the first object of a list, in words."""
    entry = data if isinstance(data, dict) else next(iter(data), None)
    if isinstance(entry, dict):
        key_texts = [" ".join(key.split())[:MAX_SHOWN_KEY] for key in list(entry)[:MAX_SHOWN_KEYS]]
        return f"the keys {', '.join(key_texts)}" if key_texts else ""
    return f"a list of {len(data)} rows without names" if data else ""
