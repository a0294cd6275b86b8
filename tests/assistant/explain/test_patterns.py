"""Patterns: what their file describes, and the nearest sentences of the database's articles."""

from __future__ import annotations

import json
from datetime import date
from types import SimpleNamespace

import numpy as np
import pytest

from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import VerifiedClaim
from assistant.explain import patterns
from assistant.explain.patterns import Pattern
from features.articles.mtm.key_sentences import StaticSpace

WORDS = ("taxes", "fell", "no", "evidence", "found", "spokesman", "pointed", "rents", "rose")
TABLE = {
    "tenths": [3, 1, 0, 0, 0, 0, 0, 0, 0, 2],
    "patterns": [
        {"number": 0, "sentences": 5, "place": None, "words": [], "phrases": []},
        {
            "number": 1,
            "sentences": 40,
            "place": 0.25,
            "words": [{"text": "evidence", "count": 12}],
            "phrases": [{"text": "there is no evidence", "count": 7}],
        },
    ],
}


class Mtm:
    """Words as axes of a space.

    The first pattern adds "no evidence found", the second "spokesman pointed".
    """

    space = StaticSpace(
        np.eye(len(WORDS) + 1, dtype=np.float32), np.ones(len(WORDS) + 1, np.float32)
    )

    def __init__(self):
        said = self.space.means(
            self.pieces(["taxes fell", "no evidence found taxes fell", "spokesman pointed"])
        )
        self.memory = said[1:] - said[0]

    def pieces(self, texts):
        return [
            [WORDS.index(w) if w in WORDS else len(WORDS) for w in t.lower().strip(".").split()]
            for t in texts
        ]


def claim(number: int, *body: str, year: int = 2020) -> VerifiedClaim:
    return VerifiedClaim(
        f"c{number}", "Taxes fell.", body="\n".join(body), review_date=date(year, 1, number)
    )


@pytest.fixture(scope="module")
def index(encoders):
    found = "No evidence found taxes fell."
    pointed = "A spokesman pointed."
    held = [
        claim(1, found, pointed, "Taxes fell.", "False."),
        claim(2, pointed, found, found),
        claim(3, found, year=2010),
        claim(4),
    ]
    return ClaimIndex.in_memory(held, encoders)


def test_the_file_is_read_most_sentences_first(tmp_path):
    """Words and phrases with their counts; a pattern without words is one too."""
    (tmp_path / patterns.FILE).write_text(json.dumps(TABLE))

    found = patterns.learnt(tmp_path)

    assert (
        Pattern(1, 40, 0.25, (("evidence", 12),), (("there is no evidence", 7),))
        == found.patterns[0]
    )
    assert [pattern.number for pattern in found.patterns] == [1, 0]
    assert tuple(TABLE["tenths"]) == found.tenths


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"tenths": 3, "patterns": []}', '{"tenths": [], "patterns": [1]}']
)
def test_a_file_that_is_none_of_ours_says_nothing(tmp_path, text):
    """The page then says that there are no patterns; it does not fall."""
    assert patterns.learnt(tmp_path) is None
    (tmp_path / patterns.FILE).write_text(text)
    assert patterns.learnt(tmp_path) is None


def test_the_nearest_sentences_of_each_pattern_are_found(index):
    """Verbatim, one an article, the newest articles first where they are equally near."""
    found = patterns.examples(index, Mtm())

    assert found.keys() == {0, 1}
    assert {example.text for example in found[0]} == {"No evidence found taxes fell."}
    assert sorted(index.ids[example.claim] for example in found[0]) == ["c1", "c2", "c3"]
    assert sorted(index.ids[example.claim] for example in found[1]) == ["c1", "c2"]
    distances = [example.distance for example in found[0]]
    assert sorted(distances) == distances


def test_only_the_newest_articles_are_read(index):
    """And no more sentences of each pattern than asked for."""
    told = []
    found = patterns.examples(
        index, Mtm(), articles=2, each=1, progress=lambda done, total: told.append((done, total))
    )

    assert [len(rows) for rows in found.values()] == [1, 1]
    assert {"c1", "c2"} >= {index.ids[example.claim] for rows in found.values() for example in rows}
    assert told == [(0, 2), (1, 2)]


def test_without_articles_or_patterns_nothing_is_found(encoders):
    """An empty answer, not an error."""
    bare = ClaimIndex.in_memory([claim(1)], encoders)
    none = SimpleNamespace(memory=np.zeros((0, 3), np.float32))

    assert patterns.examples(bare, Mtm()) == {}
    assert (
        patterns.examples(
            ClaimIndex.in_memory([claim(1, "No evidence found here.")], encoders), none
        )
        == {}
    )
