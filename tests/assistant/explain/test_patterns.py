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
        vectors = self.space.means(
            self.pieces(["taxes fell", "no evidence found taxes fell", "spokesman pointed"])
        )
        self.memory = vectors[1:] - vectors[0]

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
    evidence_sentence = "No evidence found taxes fell."
    pointed = "A spokesman pointed."
    example_claims = [
        claim(1, evidence_sentence, pointed, "Taxes fell.", "False."),
        claim(2, pointed, evidence_sentence, evidence_sentence),
        claim(3, evidence_sentence, year=2010),
        claim(4),
    ]
    return ClaimIndex.in_memory(example_claims, encoders)


def test_the_file_is_read_most_sentences_first(tmp_path):
    """Words and phrases with their counts; a pattern without words is one too."""
    (tmp_path / patterns.FILE).write_text(json.dumps(TABLE))

    learnt_patterns = patterns.load_patterns(tmp_path)

    assert (
        Pattern(1, 40, 0.25, (("evidence", 12),), (("there is no evidence", 7),))
        == learnt_patterns.patterns[0]
    )
    assert [pattern.number for pattern in learnt_patterns.patterns] == [1, 0]
    assert tuple(TABLE["tenths"]) == learnt_patterns.tenths


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"tenths": 3, "patterns": []}', '{"tenths": [], "patterns": [1]}']
)
def test_a_file_that_is_none_of_ours_says_nothing(tmp_path, text):
    """The page then says that there are no patterns; it does not fall."""
    assert patterns.load_patterns(tmp_path) is None
    (tmp_path / patterns.FILE).write_text(text)
    assert patterns.load_patterns(tmp_path) is None


def test_the_nearest_sentences_of_each_pattern_are_found(index):
    """Verbatim, one an article, the newest articles first where they are equally near."""
    examples = patterns.examples(index, Mtm())

    assert examples.keys() == {0, 1}
    assert {example.text for example in examples[0]} == {"No evidence found taxes fell."}
    assert sorted(index.ids[example.claim] for example in examples[0]) == ["c1", "c2", "c3"]
    assert sorted(index.ids[example.claim] for example in examples[1]) == ["c1", "c2"]
    distances = [example.distance for example in examples[0]]
    assert sorted(distances) == distances


def test_only_the_newest_articles_are_read(index):
    """And no more sentences of each pattern than asked for."""
    progress_steps = []
    examples = patterns.examples(
        index,
        Mtm(),
        articles=2,
        each=1,
        progress=lambda done, total: progress_steps.append((done, total)),
    )

    assert [len(claim_examples) for claim_examples in examples.values()] == [1, 1]
    assert {"c1", "c2"} >= {
        index.ids[example.claim]
        for claim_examples in examples.values()
        for example in claim_examples
    }
    assert progress_steps == [(0, 2), (1, 2)]


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
