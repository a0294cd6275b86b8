"""Words of strangers cannot mention, format or link."""

from __future__ import annotations

import re

import pytest

from assistant.alerts.harmless_text import harmless, link_host, plain_line, web_link

JOINER = "\u2060"
# Active texts of Slack, Teams, Matrix and mail programs, each by a pattern that it must not match.
ATTACKS = [
    ("hello @channel", r"@channel"),
    ("<!channel> look", r"<!channel>"),
    ("<!subteam^S1|desk>", r"<!subteam"),
    ("<@U012AB3CD>", r"<@U"),
    ("<https://evil.example|bank>", r"<https|evil\.example"),
    ("[bank](https://evil.example)", r"\]\(|https://"),
    ("https://evil.example/x", r"https?://|evil\.example"),
    ("www.evil.example", r"www\.evil"),
    ("evil。example", "evil。example"),
    ("mailto:ann@evil.example", r"mailto:ann|ann@evil"),
    ("javascript:alert(1)", r"javascript:alert"),
    ("@room wake up", r"@room"),
    ("@ann:evil.example", r"@ann"),
    ("#news:evil.example", r"#news"),
    ("!abc:evil.example", r"!abc"),
    ("*bold* _it_ ~gone~ `code`", r"\*bold|_it|~gone|`code"),
    ("<at>Ann</at>", r"<at>|</at>"),
    ("{{DATE(2026-01-01)}}", r"\{\{DATE"),
    ("&lt;!here&gt;", r"&lt;"),
    ("＠channel", "＠channel"),
]


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(("text", "active"), ATTACKS)
def test_words_of_strangers_neither_mention_nor_format_nor_link(text, active):
    shown = harmless(text)

    assert re.search(active, shown) is None
    assert shown.replace(JOINER, "") == text


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "text",
    ["@\u2060channel", "@\u200bchannel", "\u202e@channel", "a\x00b", "\U000e0041a", "\ud800a"],
)
def test_invisible_characters_of_strangers_are_left_out(text):
    shown = plain_line(text)

    assert not set(shown) & set("\u2060\u200b\u202e\x00\U000e0041\ud800")


@pytest.mark.threat("publisher")
def test_a_text_of_several_lines_is_one_line():
    assert plain_line("one\r\nBcc: ann@example.org\u2028\ttwo") == "one Bcc: ann@example.org two"


@pytest.mark.parametrize("text", ["It rose by 3.5 percent, from 2:1 to 4:1.", "“No.” — Rivera"])
def test_a_sentence_without_active_signs_stays_readable(text):
    assert harmless(text).replace(JOINER, "") == text


def test_a_long_text_is_cut():
    assert plain_line("word " * 100, limit=20) == "word word word word…"


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://gazette.example/a?b=1#c", "https://gazette.example/a?b=1#c"),
        ("https://gazette.example/a b", "https://gazette.example/a%20b"),
        ("https://gazette.example/<x>|y", "https://gazette.example/%3Cx%3E%7Cy"),
        ("https://gazette.example/\nBcc:", "https://gazette.example/%0ABcc:"),
        ("https://gazette.example/zażółć", "https://gazette.example/za%C5%BC%C3%B3%C5%82%C4%87"),
        ("javascript:alert(1)", ""),
        ("file:///etc/passwd", ""),
        ("https://", ""),
        ("https://[::1", ""),
        ("", ""),
        ("https://gazette.example/" + "x" * 3000, ""),
    ],
)
def test_only_web_addresses_become_links(address, link):
    assert web_link(address) == link


def test_a_link_is_shown_by_its_host():
    assert link_host("https://ann:pw@gazette.example:8443/x") == "gazette.example"
