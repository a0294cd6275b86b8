"""TTML: hostile and broken XML is refused in one line; HTML is not taken for it."""

from __future__ import annotations

import pytest

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import ttml
from tests.assistant.transcripts.reading import parse, source

BOMB = """<?xml version="1.0"?>
<!DOCTYPE tt [
 <!ENTITY a "ha">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
 <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="2s">&c;</p></div></body></tt>
"""


def test_an_xml_bomb_is_refused_unread() -> None:
    """The error names the file and says what to do; no entity is expanded."""
    with pytest.raises(
        MalformedTranscript,
        match=r"^bomb\.ttml: the XML defines its own entities, .* SRT or WebVTT\.$",
    ):
        parse(BOMB, "bomb.ttml")


def test_an_external_entity_is_refused() -> None:
    """No file of this computer is read into a transcript."""
    text = '<!DOCTYPE tt [<!ENTITY x SYSTEM "file:///etc/hostname">]><tt xmlns="a"><body><p begin="1s">&x;</p></body></tt>'
    with pytest.raises(MalformedTranscript, match="entities"):
        parse(text, "external.ttml")


def test_broken_xml_is_refused_with_its_line() -> None:
    """The file breaks off in a paragraph."""
    with pytest.raises(MalformedTranscript, match=r"^cut\.ttml:3: the XML is broken"):
        parse('<tt xmlns="a">\n<body><div>\n<p begin="1s" end="2s">Hello</', "cut.ttml")


def test_html_is_not_taken() -> None:
    """A page about <tt> is a page."""
    assert not ttml.sniff(source("<!doctype html><html><body><tt>Hello</tt></body></html>"))


def test_entities_of_xml_itself_are_text() -> None:
    """Ampersands and angle brackets come out unescaped."""
    parsed = parse(
        '<tt xmlns="a"><body><p begin="1s" end="2s">R&amp;D &lt;b&gt;</p></body></tt>', "a.ttml"
    )
    assert [piece.text for piece in parsed.pieces] == ["R&D <b>"]


def test_a_file_in_utf_16_is_read() -> None:
    """The encoding is the one that the XML declares."""
    text = '<?xml version="1.0" encoding="UTF-16"?><tt xmlns="a"><body><p begin="1s" end="2s">Café</p></body></tt>'
    assert [piece.text for piece in parse(text.encode("utf-16"), "a.ttml").pieces] == ["Café"]
