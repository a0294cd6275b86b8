"""The 19 similarity measures between an input sentence and a verified claim, in their order.

Source: Shaar et al., Assisting the Human Fact-Checkers, section 4, in the column order of the
published code, except that the best of the four article sentences comes first (the published code
sorts them ascending).
"""

from __future__ import annotations

from typing import NamedTuple


class Measure(NamedTuple):
    """A column: its name, the family that computes it, the claim's field, and its meaning."""

    name: str
    family: str
    field: str
    meaning: str


def _embedding(family: str, label: str) -> list[Measure]:
    body = ("best", "second", "third", "fourth")
    return [
        Measure(f"{family}_statement", family, "statement", f"{label} cosine with the statement"),
        Measure(f"{family}_title", family, "title", f"{label} cosine with the title"),
        *(
            Measure(
                f"{family}_body_{i}",
                family,
                "body",
                f"{label} cosine with the {nth} article sentence",
            )
            for i, nth in enumerate(body, 1)
        ),
    ]


MEASURES: tuple[Measure, ...] = (
    Measure("bertscore", "bertscore", "statement", "BERTScore F1 with the statement"),
    Measure(
        "nli_entailment", "nli", "statement", "probability that the statement entails the sentence"
    ),
    Measure(
        "nli_neutral", "nli", "statement", "probability that the statement leaves the sentence open"
    ),
    Measure(
        "nli_contradiction",
        "nli",
        "statement",
        "probability that the statement contradicts the sentence",
    ),
    *_embedding("simcse", "SimCSE"),
    *_embedding("sbert", "SBERT"),
    Measure("bm25_statement", "bm25", "statement", "BM25 of the statement"),
    Measure("bm25_title", "bm25", "title", "BM25 of the title"),
    Measure("bm25_body", "bm25", "body", "BM25 of the article"),
)

NAMES: tuple[str, ...] = tuple(m.name for m in MEASURES)
FAMILIES: tuple[str, ...] = ("bm25", "nli", "bertscore", "sbert", "simcse")
COLUMN: dict[str, int] = {name: i for i, name in enumerate(NAMES)}
BODY_SENTENCES = 4
