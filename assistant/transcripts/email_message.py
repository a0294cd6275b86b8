"""E-mails (EML) and web pages saved in one file (MHTML): the readable part, without headers.

The part is read as the page or text that it is. The subject is the title unless the page has one,
and the day of sending is the date only if nothing else gives one.
"""

from __future__ import annotations

import email
import re
from datetime import date
from email import policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import html, plain
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

MAX_MESSAGE_PARTS = 200
MAX_SEPARATORS = 3000  # lines that begin with two dashes
MAX_HEADER_CHARACTERS = 4000
MIN_HEADERS = 3

_HEADER_PATTERN = re.compile(r"^(?P<name>[A-Za-z][A-Za-z0-9-]{1,50}):\s")
_MESSAGE_HEADERS = frozenset(
    "from to subject date mime-version content-type message-id received return-path reply-to "
    "delivered-to cc sent content-transfer-encoding snapshot-content-location x-mailer".split()
)
_PROGRAM_HEADERS = frozenset("mime-version content-type message-id received return-path".split())
_CORRESPONDENCE_HEADERS = frozenset("from to subject date sent".split())
_REPLY_MARKS_PATTERN = re.compile(r"^(?:(?:fwd?|re|aw|wg)\s*:\s*)+", re.IGNORECASE)


def sniff(source: RawSource) -> bool:
    """Return whether the text begins with the headers of a message."""
    names = _header_names(source.head)
    if len(names) < MIN_HEADERS:
        return False
    first_name = names[0]
    # Mail servers put headers of their own first, such as "x-received".
    is_added_by_server = first_name.startswith(("x-", "arc-", "dkim-", "authentication-"))
    if first_name not in _MESSAGE_HEADERS and not is_added_by_server:
        return False
    is_written_by_program = not _PROGRAM_HEADERS.isdisjoint(names)
    correspondence_names = _CORRESPONDENCE_HEADERS.intersection(names)
    is_correspondence = "from" in names and len(correspondence_names) >= MIN_HEADERS
    return is_written_by_program or is_correspondence


def _header_names(head: str) -> list[str]:
    """Return the names of the headers before the first empty line, in lower case."""
    names = []
    for line in head[:MAX_HEADER_CHARACTERS].split("\n"):
        if not line.strip():
            break
        header = _HEADER_PATTERN.match(line)
        if header:
            names.append(header["name"].lower())
        elif not line.startswith((" ", "\t")):
            return []
    return names


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns in the readable part of a message."""
    is_nested = source.data.count(b"boundary=") > MAX_MESSAGE_PARTS
    if is_nested or source.data.count(b"\n--") > MAX_SEPARATORS:
        raise MalformedTranscript(
            "the message has too many parts. Lectern did not read the message.",
            where=source.name,
            remedy="Copy the text of the message into a .txt file.",
        )
    message = email.message_from_bytes(source.data.lstrip(), policy=policy.default)
    body = _longest_body(message, source.name)
    body_source = RawSource(source.name, body)
    is_page = html.sniff(body_source)
    parsed = html.parse(body_source) if is_page else plain.parse(body_source)
    parsed.warnings += body_source.warnings
    subject = _subject(message)
    if subject and not (is_page and parsed.title):
        parsed.title = subject
    if parsed.event_date is None:
        parsed.event_date = _sent_day(message)
    all_file_names = [_file_name(message_part) for message_part in message.walk()]
    attachments = [file_name for file_name in all_file_names if file_name]
    if attachments:
        shown_names = ", ".join(attachments[:5])
        parsed.warnings.append(
            f"attachments were left out: {shown_names}; if one is the transcript, give that file"
        )
    return parsed


def _longest_body(message: EmailMessage, file_name: str) -> bytes:
    """Return the page or the text with the most characters, in UTF-8, the page first."""
    pages = []
    texts = []
    for number, message_part in enumerate(message.walk()):
        if number > MAX_MESSAGE_PARTS:
            break
        if message_part.is_multipart() or _file_name(message_part):
            continue
        content_type = message_part.get_content_type()
        if content_type in ("text/html", "application/xhtml+xml"):
            pages.append(_decoded(message_part))
        elif content_type == "text/plain":
            texts.append(_decoded(message_part))
    longest_page = max(pages, key=len, default="")
    longest_text = max(texts, key=len, default="")
    # A message often has its text twice. The plain text is better: it has no marks of layout.
    is_saved_page = "snapshot-content-location" in message
    is_page_better = is_saved_page or not longest_text.strip()
    body = longest_text
    if is_page_better and longest_page.strip():
        body = longest_page
    if not body.strip():
        raise MalformedTranscript(
            "the message contains no text.",
            where=file_name,
            remedy="If the transcript is an attachment of this message, save it and use that file.",
        )
    return body.encode("utf-8", "replace")


def _decoded(message_part: EmailMessage) -> str:
    """Return the text of a part in its declared encoding, or in the likeliest."""
    payload = message_part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    charset = message_part.get_content_charset()
    if charset:
        try:
            return data.decode(charset, "replace")
        except LookupError:
            pass
    return RawSource("", data).text


def _file_name(message_part: EmailMessage) -> str:
    """Return the name of an attached file, "" for a part of the message itself."""
    if message_part.get_content_disposition() != "attachment":
        return ""
    return message_part.get_filename() or "a file without a name"


def _subject(message: EmailMessage) -> str:
    subject = " ".join(str(message.get("subject", "")).split())
    return _REPLY_MARKS_PATTERN.sub("", subject)


def _sent_day(message: EmailMessage) -> date | None:
    try:
        return parsedate_to_datetime(str(message.get("date", ""))).date()
    except (TypeError, ValueError, IndexError):
        return None
