"""Turns the bytes of a file into text: finds the encoding and repairs damaged characters.

Knows no transcript format. A warning reports everything that is guessed or repaired.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from assistant.core.clean_text import fewer_marks
from assistant.core.errors import TranscriptError

MAX_BYTES = (
    100_000_000  # two hours of word-by-word JSON are 30 MB; no transcript is larger than this
)
SAMPLE_BYTES = 200_000  # what the guess of an unknown encoding looks at

_BOMS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\x00-\x08\x0e-\x1b\x1f\x7f]"
)
_LOST_CHARACTER = "\ufffd"
_LOST_APOSTROPHE = re.compile(
    rf"(?<=\w){_LOST_CHARACTER}(?=(?:t|s|m|re|ve|ll|d|all|em)\b)|(?<=[sO]){_LOST_CHARACTER}(?=[\sA-Z])",
    re.I,
)
_LOST_OPENING = re.compile(rf"(?:(?<=^)|(?<=[\s(])){_LOST_CHARACTER}(?=\w)", re.M)
_LOST_DASH = re.compile(rf"(?<=\s){_LOST_CHARACTER}(?=\s)")
_LOST_CLOSING = re.compile(rf"(?<=[.,!?]){_LOST_CHARACTER}(?=\s|$)", re.M)
_LOST_REPAIRS = [
    (_LOST_APOSTROPHE, "’"),
    (_LOST_DASH, "–"),
    (_LOST_OPENING, "“"),
    (_LOST_CLOSING, "”"),
]


@dataclass(frozen=True)
class RawSource:
    """A file as it came, and its text where it has one.

    ``text`` is "" for a binary file; it has line feeds only, no invisible characters, and is normalised to NFC.
    ``warnings`` says what was guessed or repaired on the way.
    """

    name: str
    data: bytes

    @cached_property
    def _decoded(self) -> tuple[str, list[str]]:
        text, guesses = _decode(self.data)
        text, repairs = _repair(_normalise(text))
        return text, guesses + repairs

    @property
    def text(self) -> str:
        return self._decoded[0]

    @property
    def warnings(self) -> list[str]:
        return self._decoded[1]

    @cached_property
    def head(self) -> str:
        """The first 4,000 characters without leading white space: what most sniffers need."""
        return self.text[:6000].lstrip()[:4000]

    @cached_property
    def digest(self) -> str:
        """The sha256 of the bytes."""
        return sha256(self.data).hexdigest()


def load(path: str | Path) -> RawSource:
    """Return the file at ``path``. Raises TranscriptError if it cannot be read or is too large."""
    path = Path(path)
    try:
        check_size(path.stat().st_size, path.name)
        return RawSource(path.name, path.read_bytes())
    except OSError as error:
        reason = error.strerror or str(error)
        raise TranscriptError(
            f"cannot be read: {reason}.", where=str(path), remedy="Check the path."
        ) from error


def check_size(size: int, name: str) -> None:
    """Raise TranscriptError if so many bytes cannot be a transcript."""
    if size > MAX_BYTES:
        raise TranscriptError(
            f"is {size / 1e6:.0f} MB; no more than {MAX_BYTES / 1e6:.0f} MB are read.",
            where=name,
            remedy="Export the text alone, or cut the file in parts.",
        )


def _decode(data: bytes) -> tuple[str, list[str]]:
    """Return text and warnings: byte order mark, UTF-8, UTF-16 without mark, then a guess.

    "" for a binary file.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            text = data.decode(encoding, "replace")
            damaged = text.count(_LOST_CHARACTER)
            return text, [f"{damaged} places are not valid {encoding.upper()}"] if damaged else []
    wide = _utf16_without_mark(data)
    if wide:
        return data.decode(wide, "replace"), [
            f"no byte order mark; read as {wide.upper()} by its zero bytes"
        ]
    if _is_binary(data):
        return "", []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        return _guess_encoding(data, error)


def _utf16_without_mark(data: bytes) -> str | None:
    """Return the byte order if every second byte is nearly always zero, as in UTF-16 of Latin script."""
    sample = data[:SAMPLE_BYTES]
    pairs = len(sample) // 2
    if pairs < 2:
        return None
    even = sample[0 : 2 * pairs : 2].count(0) / pairs
    odd = sample[1 : 2 * pairs : 2].count(0) / pairs
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > 0.4 and odd < 0.05 else None


def _is_binary(data: bytes) -> bool:
    """Whether zero bytes or many control characters show that this is no text."""
    sample = data[:SAMPLE_BYTES]
    if sample.startswith((b"%PDF-", b"PK\x03\x04", b"PK\x05\x06")):
        return True
    return b"\0" in sample or len(_CONTROL.findall(sample)) > len(sample) / 50


def _guess_encoding(data: bytes, error: UnicodeDecodeError) -> tuple[str, list[str]]:
    """Return text in the likeliest encoding of bytes that are not valid UTF-8."""
    text = data.decode("utf-8", "replace")
    damaged = text.count(_LOST_CHARACTER)
    longer = sum(1 for byte in data if byte > 0xBF)  # first bytes of longer characters
    if damaged * 10 <= longer or error.reason == "unexpected end of data":
        return text, [
            f"{damaged} places are not valid UTF-8 (the first at byte {error.start}); read as UTF-8"
        ]
    encoding = "cp1252"  # Windows in the West: right wherever accents and curly quotes are rare among ASCII
    if longer > 0.15 * len(data):  # letters, not the quotes and dashes below
        from charset_normalizer import from_bytes

        start = max(0, error.start - SAMPLE_BYTES // 2)
        best = from_bytes(data[start : start + SAMPLE_BYTES], cp_exclusion=["utf_7"]).best()
        encoding = best.encoding if best else encoding
    return data.decode(encoding, "replace"), [f"the encoding is not given; read as {encoding}"]


def _normalise(text: str) -> str:
    """Return the text in NFC with line feeds and plain spaces, without characters that cannot be seen."""
    text = _SPACES.sub(" ", _BREAKS.sub("\n", text))
    return unicodedata.normalize("NFC", fewer_marks(_INVISIBLE.sub("", text)))


def _repair(text: str) -> tuple[str, list[str]]:
    """Return the text with mojibake undone and lost apostrophes put back, and warnings."""
    import ftfy

    warnings = []
    if not text.isascii() and ftfy.is_bad(text):
        fixed = _normalise(ftfy.fix_encoding(text))
        if fixed != text:
            warnings.append(
                "characters were garbled by a wrong encoding (as in donâ€™t) and have been repaired"
            )
            text = fixed
    lost = text.count(_LOST_CHARACTER)
    if lost:
        for pattern, character in _LOST_REPAIRS:
            text = pattern.sub(character, text)
        left = text.count(_LOST_CHARACTER)
        warnings.append(
            f"{lost} characters were lost in an earlier conversion (\ufffd); {lost - left} put back as ’, quotes or –"
            + (f", {left} left as they are" if left else "")
        )
    return text, warnings
