"""The docs, the errors and the help of the command line stay easy to read.

A limit is a ratchet. Lower it when the texts get better.
"""

from __future__ import annotations

import pytest

from tests import prose

SENTENCES = {
    "docs": prose.docs_sentences,
    "errors": prose.error_sentences,
    "help": prose.help_sentences,
}
LONGEST_MEAN_WORDS = {"docs": 12, "errors": 7, "help": 9}
MOST_LONG_PERCENT = {"docs": 1, "errors": 0, "help": 0}
MOST_SEMICOLON_PERCENT = {"docs": 0.3, "errors": 1, "help": 0}
MOST_WHAT_PERCENT = {"docs": 0.3, "errors": 0.3, "help": 0}
LEAST_YOU_PERCENT = {"docs": 12, "errors": 0, "help": 0}


@pytest.mark.parametrize("kind", SENTENCES)
def test_sentences_are_short_and_plain(kind):
    measured = prose.measure(SENTENCES[kind]())

    assert measured.words_per_sentence <= LONGEST_MEAN_WORDS[kind]
    assert measured.percent(measured.long) <= MOST_LONG_PERCENT[kind]
    assert measured.percent(measured.with_semicolon) <= MOST_SEMICOLON_PERCENT[kind]
    assert measured.percent(measured.what_as_noun) <= MOST_WHAT_PERCENT[kind]
    assert measured.percent(measured.with_you) >= LEAST_YOU_PERCENT[kind]


def test_every_argument_has_help():
    assert list(prose.arguments_without_help()) == []


def test_page_is_read_without_code_links_and_headings():
    page = (
        "# Title; of it\n\nOpen [a page](a;b.md). Then wait.\n\n```\ncode; here\n```\n\n"
        "- First item\n  goes on\n- Second item\n\n| a short cell | this cell has enough words to "
        "count as text |\n"
    )

    assert list(prose.page_sentences(page)) == [
        "Open a page.",
        "Then wait.",
        "First item goes on",
        "Second item",
        "this cell has enough words to count as text",
    ]


def test_counts_of_a_sentence():
    measured = prose.measure(["It shows what is kept; you see it.", "A plain sentence."])

    assert measured == prose.Prose(
        sentences=2, words=11, long=0, with_semicolon=1, what_as_noun=0, with_you=1
    )


@pytest.mark.parametrize(
    ("sentence", "is_counted"),
    [
        ("The list of what was found.", True),
        ("What stands below is counted.", True),
        ("What do you see?", False),
        ("Lectern asks you what to do.", False),
    ],
)
def test_what_as_a_noun(sentence, is_counted):
    assert prose.measure([sentence]).what_as_noun == int(is_counted)
