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
from assistant.core.files import shown_path
from assistant.core.replacement import require_regular_file

# Two hours of word-by-word JSON are 30 MB. No transcript is larger than this.
MAX_BYTES = 100_000_000
SAMPLE_BYTES = 200_000  # searched to guess an unknown encoding
MIN_CHARACTERS_PER_CONTROL = 50  # a text with more control characters is binary
MIN_ZERO_SHARE = 0.4
MAX_OTHER_ZERO_SHARE = 0.05
LAST_CONTINUATION_BYTE = 0xBF
MIN_LETTER_SHARE = 0.15  # more than curly quotes and dashes make up
_CONTAINER_MARKS = (b"%PDF-", b"PK\x03\x04", b"PK\x05\x06")

# Byte order marks
_BOMS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
# Control characters that no text has
_CONTROL_CHARACTER_PATTERN = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
# The times of a line of CHAT, between two control characters
_CHAT_BULLET_PATTERN = re.compile(rb"\x15\d{1,9}_\d{1,9}\x15")
# Line breaks besides the line feed
_LINE_BREAK_PATTERN = re.compile("\r\n|[\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029]")
# Spaces besides the plain space
_UNUSUAL_SPACE_PATTERN = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
# Soft hyphens, direction marks and other invisible characters
_INVISIBLE_CHARACTER_PATTERN = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\x00-\x08\x0e-\x1b\x1f\x7f]"
)
# A capital with an accent, or a sign, where no capital stands: inside a word, before a small
# letter of a word in small letters, alone
_ODD_CAPITAL_PATTERN = re.compile(
    r"(?<=[a-z])[À-ÞŽŠŒŸ](?![A-ZÀ-Þ])|(?<![^\W_])[Ò-Õ](?=[a-z])|(?<=\s)[Ð-ÕÉ](?=\s)|(?<=[a-z])[É](?=\W)"
)
_ACCENTED_CHARACTER_PATTERN = re.compile(r"[\u0080-\u00bf\u00c0-\u024f\u2000-\u2122]")
_GARBLED_TWICE_PATTERN = re.compile(r"[^\x00-\x7f]{2,}")
_LOST_CHARACTER = "\ufffd"
_LOST_APOSTROPHE_PATTERN = re.compile(
    rf"(?<=\w){_LOST_CHARACTER}(?=(?:t|s|m|re|ve|ll|d|all|em)\b)"
    rf"|(?<=[sO]){_LOST_CHARACTER}(?=[\sA-Z])",
    re.I,
)
_LOST_OPENING_PATTERN = re.compile(rf"(?:(?<=^)|(?<=[\s(])){_LOST_CHARACTER}(?=\w)", re.M)
_LOST_DASH_PATTERN = re.compile(rf"(?<=\s){_LOST_CHARACTER}(?=\s)")
_LOST_CLOSING_PATTERN = re.compile(rf"(?<=[.,!?]){_LOST_CHARACTER}(?=\s|$)", re.M)
# Characters that are put back for lost ones, in this order
_LOST_REPAIRS = [
    (_LOST_APOSTROPHE_PATTERN, "’"),
    (_LOST_DASH_PATTERN, "–"),
    (_LOST_OPENING_PATTERN, "“"),
    (_LOST_CLOSING_PATTERN, "”"),
]


@dataclass(frozen=True, slots=True)
class LabelChoices:
    """Words that a person has accepted as speaker labels, and words that only look like labels."""

    accepted: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


NO_CHOICES = LabelChoices()


@dataclass(frozen=True)
class RawSource:
    """A file as it came, and its text, which is "" for a binary file.

    The text has line feeds only, no invisible characters, and is normalised to NFC. ``warnings``
    lists the guesses and repairs. ``accepted_labels`` are words that a person has accepted as
    speaker labels, ``refused_labels`` words that only look like labels.
    """

    name: str
    data: bytes
    accepted_labels: tuple[str, ...] = ()
    refused_labels: tuple[str, ...] = ()

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
        """The first 4,000 characters without leading white space, enough for most sniffers."""
        return self.text[:6000].lstrip()[:4000]

    @cached_property
    def digest(self) -> str:
        """The sha256 of the bytes."""
        return sha256(self.data).hexdigest()


def load(path: str | Path) -> RawSource:
    """Return the file at ``path``. Raises TranscriptError if it cannot be read or is too large."""
    path = Path(path)
    require_regular_file(path, TranscriptError)
    try:
        file_name = shown_path(path.name)
        check_size(path.stat().st_size, file_name)
        return RawSource(file_name, path.read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TranscriptError(
            f"cannot be read: {reason}.", where=str(path), remedy="Check the path."
        ) from error


def check_size(byte_count: int, file_name: str) -> None:
    """Raise TranscriptError if so many bytes cannot be a transcript."""
    if byte_count > MAX_BYTES:
        raise TranscriptError(
            f"is {byte_count / 1e6:.0f} MB in size, but Lectern reads at most {MAX_BYTES / 1e6:.0f} MB.",
            where=file_name,
            remedy="Export only the text, or split the file into parts.",
        )


def _decode(data: bytes) -> tuple[str, list[str]]:
    """Return the text, "" for a binary file, and warnings.

    A byte order mark decides, else UTF-8, else UTF-16 without a mark, else a guess.
    """
    for byte_order_mark, encoding in _BOMS:
        if data.startswith(byte_order_mark):
            text = data.decode(encoding, "replace")
            lost_count = text.count(_LOST_CHARACTER)
            if lost_count:
                return text, [f"{lost_count} places are not valid {encoding.upper()}"]
            return text, []
    utf16_encoding = _utf16_without_mark(data)
    if utf16_encoding:
        warning = f"no byte order mark; read as {utf16_encoding.upper()} by its zero bytes"
        return data.decode(utf16_encoding, "replace"), [warning]
    if _is_binary(data):
        return "", []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        return _guess_encoding(data, error)


def _utf16_without_mark(data: bytes) -> str | None:
    """Return the byte order if nearly every second byte is zero, as in UTF-16 of Latin script."""
    sample = data[:SAMPLE_BYTES]
    pair_count = len(sample) // 2
    if pair_count < 2:
        return None
    # The first and the second byte of each pair
    first_bytes = sample[0 : 2 * pair_count : 2]
    second_bytes = sample[1 : 2 * pair_count : 2]
    # The shares of zeros: the high byte of Latin letters is zero.
    first_zero_share = first_bytes.count(0) / pair_count
    second_zero_share = second_bytes.count(0) / pair_count
    if second_zero_share > MIN_ZERO_SHARE and first_zero_share < MAX_OTHER_ZERO_SHARE:
        return "utf-16-le"
    if first_zero_share > MIN_ZERO_SHARE and second_zero_share < MAX_OTHER_ZERO_SHARE:
        return "utf-16-be"
    return None


def _is_binary(data: bytes) -> bool:
    """Return whether a mark, zero bytes or many control characters show that this is no text."""
    sample = data[:SAMPLE_BYTES]
    if sample.startswith(_CONTAINER_MARKS) or b"\0" in sample:
        return True
    control_character_count = len(_CONTROL_CHARACTER_PATTERN.findall(sample))
    # A line of the format CHAT has two of them around its times.
    count_in_chat_lines = 2 * len(_CHAT_BULLET_PATTERN.findall(sample))
    max_count_in_text = len(sample) / MIN_CHARACTERS_PER_CONTROL
    return control_character_count - count_in_chat_lines > max_count_in_text


_ENCODING_WORDS = {
    "cp1252": "Western European (Windows-1252)",
    "mac_roman": "Western European (Mac)",
    "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
}


def _guess_encoding(data: bytes, error: UnicodeDecodeError) -> tuple[str, list[str]]:
    """Return text in the likeliest encoding of bytes that are not valid UTF-8."""
    text = data.decode("utf-8", "replace")
    lost_count = text.count(_LOST_CHARACTER)
    # Bytes that begin a character of several bytes in UTF-8, and are letters in 8-bit encodings.
    lead_byte_count = sum(1 for byte in data if byte > LAST_CONTINUATION_BYTE)
    is_mostly_utf8 = lost_count * 10 <= lead_byte_count
    if is_mostly_utf8 or error.reason == "unexpected end of data":
        warning = f"{lost_count} places are not valid UTF-8 (the first at byte {error.start})"
        return text, [f"{warning}; read as UTF-8"]
    # Western Windows is right if accents and curly quotes are rare among ASCII.
    encoding = "cp1252"
    if _is_mac_roman(data):
        encoding = "mac_roman"
    if lead_byte_count > MIN_LETTER_SHARE * len(data):
        from charset_normalizer import from_bytes

        start = max(0, error.start - SAMPLE_BYTES // 2)
        sample = data[start : start + SAMPLE_BYTES]
        best_guess = from_bytes(sample, cp_exclusion=["utf_7"]).best()
        if best_guess:
            encoding = best_guess.encoding
    return data.decode(encoding, "replace"), [
        f"the file doesn’t name its encoding; its letters were read as {_ENCODING_WORDS.get(encoding, encoding)}"
    ]


def _is_mac_roman(data: bytes) -> bool:
    """Return whether bytes make sense as Mac Roman and not as Western Windows.

    Read as Western Windows, curly quotes of Mac Roman are capitals with accents inside or behind
    words: "itÕs", "cafŽ".
    """
    # In a text that is decoded wrongly, accented capitals stand inside words.
    windows_text = data[:SAMPLE_BYTES].decode("cp1252", "replace")
    odd_capital_count = len(_ODD_CAPITAL_PATTERN.findall(windows_text))
    accent_count = len(_ACCENTED_CHARACTER_PATTERN.findall(windows_text))
    are_half_of_accents_odd = 2 * odd_capital_count >= accent_count
    if odd_capital_count == 0 or not are_half_of_accents_odd:
        return False
    mac_text = data[:SAMPLE_BYTES].decode("mac_roman")
    return len(_ODD_CAPITAL_PATTERN.findall(mac_text)) < odd_capital_count


def _normalise(text: str) -> str:
    """Return the text in NFC with line feeds and plain spaces, without invisible characters."""
    text = _LINE_BREAK_PATTERN.sub("\n", text)
    text = _UNUSUAL_SPACE_PATTERN.sub(" ", text)
    text = _INVISIBLE_CHARACTER_PATTERN.sub("", text)
    return unicodedata.normalize("NFC", fewer_marks(text))


def _without_mac_misreading(match: re.Match[str]) -> str:
    """Return characters as they were before a Mac garbled them, unchanged if none did.

    UTF-8 was read as Windows-1252, written by a Mac, and its file read as Windows-1252 again:
    "cafÌ©", "it‰Ûªs". Few other characters are UTF-8 after that.
    """
    text = match.group()
    is_word = text.islower() and text.isalpha()  # such as "blåøyd"
    if is_word:
        return text
    # The two wrong readings are undone, the last one first.
    try:
        text_misread_once = text.encode("cp1252").decode("mac_roman")
        return text_misread_once.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text


def _repair(text: str) -> tuple[str, list[str]]:
    """Return the text with mojibake undone and lost apostrophes put back, and warnings."""
    import ftfy

    warnings = []
    fixed_text = (
        text if text.isascii() else _GARBLED_TWICE_PATTERN.sub(_without_mac_misreading, text)
    )
    if not fixed_text.isascii() and ftfy.is_bad(fixed_text):
        fixed_text = ftfy.fix_encoding(fixed_text)
    fixed_text = _normalise(fixed_text)
    if fixed_text != text:
        text = fixed_text
        warnings.append(
            "characters were garbled by a wrong encoding (as in donâ€™t) and have been repaired"
        )
    lost_count = text.count(_LOST_CHARACTER)
    if lost_count:
        for pattern, character in _LOST_REPAIRS:
            text = pattern.sub(character, text)
        unrepaired_count = text.count(_LOST_CHARACTER)
        warning = (
            f"{lost_count} characters were lost in an earlier conversion ({_LOST_CHARACTER}); "
            f"{lost_count - unrepaired_count} put back as ’, quotes or –"
        )
        if unrepaired_count:
            warning += f", {unrepaired_count} left as they are"
        warnings.append(warning)
    return text, warnings
