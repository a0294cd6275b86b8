"""Markdown shows the words of a report, with no backslash that a dialect would show."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from assistant.reports.markdown_form import shown

# All dialects know a backslash before these.
ESCAPABLE = set("\\`*_{}[]()#+-.!>")
SIGNS = "\\`*_{}[]()<>#+-.!|~=:&^$\"'@/; a1b\t"
RENDERER = MarkdownIt("commonmark")


def seen(markdown: str) -> str:
    """Return the text that a reader sees."""
    rendered = RENDERER.render(markdown)
    return html.unescape(re.sub(r"<[^>]+>", "", rendered)).strip()


@pytest.mark.parametrize(
    "text",
    [
        "00:00:01",
        "reviewed: nobody",
        "check-worthy, 1.5 (or so)!",
        "a & b = c / d",
        'it\'s "so" @checkers',
        "$5 > 3 < 4",
        "事実確認センター | Fact",
        "f(x) + y - z",
        "-- and --> then",
    ],
)
def test_signs_that_mean_nothing_stand_as_they_are(text):
    assert "\\" not in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "=Bus fares fell by 30 percent & <b>nobody</b> paid | more *than* before --> really.",
        "Bus fares [did not] fall_at_all",
        "Fact_Check*Centre",
        "- no list",
        "+ no list",
        "12. no list",
        "12) no list",
        "# no heading",
        "no heading #",
        "> no quotation",
        "----",
        "====",
        "&amp; and &#36;",
        "![no](picture)",
        "<!-- no comment -->",
        "<https://example.org>",
        "a \\ b \\* c",
        "`code`",
        "~~struck~~ out",
        ":smile:",
        "{{ template }} {: .class}",
    ],
)
def test_the_words_are_shown(text):
    assert seen(shown(text)) == text


@given(st.text(SIGNS, max_size=30))
def test_any_signs_are_shown(text):
    line = " ".join(text.split())

    assert seen(shown(text)) == line
    assert seen(f"x {shown(text)}") == f"x {line}".strip()


@given(st.text(SIGNS, max_size=30))
def test_a_backslash_is_before_a_sign_that_all_dialects_escape(text):
    assert set(re.findall(r"\\(.)", shown(text))) <= ESCAPABLE
