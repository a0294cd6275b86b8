"""Reads the web address in a cell or in markup, however it is written.

A formula, a link, an address without its scheme, a relative address: each gives the address that
is meant, and says what was changed. A text without an address gives none.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

WEB_SCHEMES = ("http://", "https://")
_HYPERLINK_FORMULA_PATTERN = re.compile(
    r'^=\s*hyperlink\s*\(\s*"(?P<address>(?:[^"]|"")*)"(?:\s*[,;]\s*"(?P<label>(?:[^"]|"")*)")?',
    re.I,
)
_TEXT_FORMULA_PATTERN = re.compile(r'^="(?P<text>(?:[^"]|"")*)"$')
_HREF_PATTERN = re.compile(
    r"""<a\b[^<>]{0,2000}?\bhref\s{0,20}=\s{0,20}["']?(?P<target>[^"'\s>]+)""", re.I
)
_ADDRESS_PATTERN = re.compile(r"https?://[^\s<>\"|\\^`{}]+", re.I)
_WITHOUT_SCHEME_PATTERN = re.compile(
    r"^(?:www\.[\w-]+\.[\w-]|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}/)\S*$", re.I
)
_CLOSING_MARKS = ".,;:!)]}'’”"


@dataclass(frozen=True, slots=True)
class ReadAddress:
    """A web address, "" if there is none, and what was changed to get it, "" if nothing was."""

    url: str = ""
    change: str = ""


def read_address(value: Any, base_url: str = "") -> ReadAddress:
    """Read the web address in a value; a relative one is completed by ``base_url``, if given."""
    text = "" if value is None else html.unescape(str(value)).strip()
    if not text or isinstance(value, (dict, list)):
        return ReadAddress()
    if _is_web_address(text):
        return ReadAddress(text)
    # The second argument of ``_repaired_address`` says how the address was found.
    # =HYPERLINK("https://example.org/1", "Fact-check")
    formula_match = _HYPERLINK_FORMULA_PATTERN.match(text)
    if formula_match:
        return _repaired_address(formula_match["address"], "taken out of a HYPERLINK formula")
    # <a href="https://example.org/1">Fact-check</a>
    link_match = _HREF_PATTERN.search(text)
    if link_match:
        return _repaired_address(link_match["target"], "taken out of a link", base_url)
    # //example.org/1
    if text.startswith("//"):
        return _repaired_address(f"https:{text}", "given its scheme")
    # www.example.org/1, but not me@example.org/1
    if _WITHOUT_SCHEME_PATTERN.match(text) and "@" not in text:
        return _repaired_address(f"https://{text}", "given its scheme")
    # See https://example.org/1.
    address_in_text = _ADDRESS_PATTERN.search(text)
    if address_in_text:
        return _repaired_address(_without_closing_marks(address_in_text[0]), "taken out of a text")
    # ../1
    begins_like_path = text[0] in "/.?"
    is_path = begins_like_path and " " not in text and not urlsplit(text).scheme
    if base_url and is_path:
        base_host = urlsplit(base_url).netloc
        return _repaired_address(urljoin(base_url, text), f"completed by {base_host}")
    return ReadAddress()


def is_link_formula(cell: str) -> bool:
    """Return whether a cell is a HYPERLINK formula of a spreadsheet."""
    return _HYPERLINK_FORMULA_PATTERN.match(cell.strip()) is not None


def formula_text(cell: str) -> str:
    """Return the text that a spreadsheet shows for a HYPERLINK formula or ``="text"``."""
    if not cell.lstrip().startswith("="):
        return cell
    formula = cell.strip()
    link_match = _HYPERLINK_FORMULA_PATTERN.match(formula)
    if link_match:
        return _unescape_quotes(link_match["label"] or link_match["address"])
    text_match = _TEXT_FORMULA_PATTERN.match(formula)
    return _unescape_quotes(text_match["text"]) if text_match else cell


def _unescape_quotes(text: str) -> str:
    """Return a text of a formula with its doubled quotation marks made single."""
    return text.replace('""', '"')


def _is_web_address(text: str) -> bool:
    """Return whether a text is the address of a web page and nothing else."""
    if not text.lower().startswith(WEB_SCHEMES) or any(letter.isspace() for letter in text):
        return False
    try:
        return bool(urlsplit(text).hostname)
    except ValueError:
        return False


def _repaired_address(text: str, change: str, base_url: str = "") -> ReadAddress:
    """Return a changed address, if it is one now."""
    url = text.strip().replace('""', '"')
    if base_url and not url.lower().startswith(WEB_SCHEMES):
        url = urljoin(base_url, url)
    return ReadAddress(url, change) if _is_web_address(url) else ReadAddress()


def _without_closing_marks(address: str) -> str:
    """Return an address without the punctuation of the text around it."""
    while address and address[-1] in _CLOSING_MARKS:
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address
