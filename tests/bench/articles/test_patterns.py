"""Patterns in words: what is typical of one, what is left out, and what the page says."""

from __future__ import annotations

import numpy as np

from bench.articles import patterns as bench


def sentences() -> list[bench.Sentence]:
    made_sentences = []
    for article in range(30):
        made_sentences.append(
            bench.Sentence(("we", "rate", "this", "claim", "false"), article, 0, 0.1, 0.9)
        )
        made_sentences.append(
            bench.Sentence(("the", "senator", "said", "in", "a", "statement"), article, 1, 0.2, 0.3)
        )
    return made_sentences


def test_words_that_tell_a_pattern_from_the_others():
    """The verdict's words belong to the one, the speaker's to the other."""
    first_words, second = bench.typical(sentences(), (1,), 2)

    assert {word for word, _ in first_words} == {"we", "rate", "this", "claim", "false"}
    assert ("said", 30) in second


def test_a_run_of_few_articles_is_left_out():
    """Twenty times in one article is somebody's sentence, not a manner of writing."""
    lone = [bench.Sentence(("very", "private", "words"), 99, 0, 0.1, 0.1)] * 20

    typical_words = bench.typical(sentences() + lone, (1, 2), 2)

    assert not {"private", "very private"} & {
        text for typical_list in typical_words for text, _ in typical_list
    }


def test_phrases_are_not_repeated_inside_each_other():
    """The longer one or the shorter one, whichever tells more, not both.

    No bare function words.
    """
    counted_phrases = [
        ("rate this claim", 9),
        ("rate this", 9),
        ("in a", 8),
        ("we rate this claim", 7),
        ("said in", 5),
    ]

    distinct_phrases = bench.distinct(counted_phrases)

    assert distinct_phrases == [("rate this claim", 9), ("said in", 5)]


def test_log_odds_are_0_for_the_same_share():
    """As often inside as outside: no sign either way; more inside is positive."""
    assert abs(bench.log_odds(50, 1000, 100, 2000)) < 1e-9
    assert bench.log_odds(80, 1000, 100, 2000) > 2 > 0 > bench.log_odds(10, 1000, 100, 2000)


def test_the_page_counts_and_places():
    """The commonest pattern first, with words, places in percent and the tenths of key sentences."""
    reading = bench.Reading(sentences(), np.array([5] + [0] * 8 + [15]))
    results = [
        {
            "number": n,
            "sentences": 30 - n,
            "place": rank,
            "words": [{"text": "rate", "count": 3}],
            "phrases": [],
        }
        for n, rank in ((0, 0.9), (1, None))
    ]

    text = bench.page(results, reading, 40)

    assert "| 0 | 30 | 90% | rate 3 |  |" in text
    assert text.index("| 0 | 30") < text.index("| 1 | 29")
    assert "25.0%" in text
    assert "75.0%" in text
