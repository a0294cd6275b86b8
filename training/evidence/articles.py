"""Articles of PolitiHop with the sentences that annotators marked as decisive, and the whole articles behind them.

A statement of PolitiHop is in several rows, one evidence chain each: here it is one article, whose
targets are the union of its chains. What is tested on (PolitiHop valid) is in no other part: its
three statements that are in train too are left out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index_segment import article_spans
from features.articles.rating_sentences import body_end
from training.shared.loaders import normal, rows

UNKNOWN = -1.0
BEGINNING = 8  # words by which a sentence is found in another text
SHARED = 3  # sentences that make two articles the same text


@dataclass(frozen=True, eq=False)
class Article:
    """A claim and the sentences of its article.

    ``target`` (n,): 1 decides, 0 does not, between weakly, -1 unknown.

    ``rating``: the publisher's; ``chains``: the sentences of each evidence chain that people marked.
    """

    claim: str
    texts: tuple[str, ...]
    target: NDArray[np.float32]
    source: str
    rating: str = ""
    chains: tuple[tuple[int, ...], ...] = ()


def politihop(data: Path, part: str) -> list[Article]:
    """Return the statements of PolitiHop ``train``, or those of ``valid`` that are not in train too."""
    articles = _statements(data, part)
    if part == "valid":
        trained = _statements(data, "train").keys()
        articles = {
            statement: article
            for statement, article in articles.items()
            if statement not in trained
        }
    return [article for article in articles.values() if article.target.any()]


def _statements(data: Path, part: str) -> dict[str, Article]:
    articles: dict[str, Article] = {}
    for row in rows(data / "fever_like" / f"politihop_{part}.jsonl.gz"):
        key = normal(row["statement"])
        texts = tuple(row["ruling_sentences"])
        marked = chain(row["annotated_evidence"])
        none = np.zeros(len(texts), np.float32)
        empty = Article(
            row["statement"].strip(), texts, none, "politihop", row.get("politifact_label", "")
        )
        articles[key] = replace(
            one := articles.get(key, empty), chains=(*one.chains, tuple(marked))
        )
        one.target[marked] = 1
    return articles


def chain(annotated: dict[str, list[str]]) -> list[int]:
    """Return the indices of an ``annotated_evidence``, whose entries may hold several.

    ``10,15``.
    """
    return sorted(
        {
            int(n)
            for entries in annotated.values()
            for entry in entries
            for n in re.findall(r"\d+", entry)
        }
    )


def sentences(body: str) -> tuple[str, ...]:
    """Return the sentences of an article as the product splits it."""
    return tuple(body[start:end] for start, end in article_spans(body))


def whole(articles: Sequence[Article], claims: Iterable[dict[str, Any]]) -> dict[int, Article]:
    """Return the whole articles of some of PolitiHop's, by their place in ``articles``, closing summaries included.

    A sentence has the target of PolitiHop's sentence that it holds or that holds it; one that
    PolitiHop left out, the summary above all, is unknown. Left out are articles that lost a
    decisive sentence on the way.
    """
    by_statement: dict[str, list[dict[str, Any]]] = {}
    for claim in claims:
        by_statement.setdefault(normal(claim["statement"]), []).append(claim)
    aligned: dict[int, Article] = {}
    for i, article in enumerate(articles):
        for claim in by_statement.get(normal(article.claim), []):
            made = _aligned(article, sentences(claim["article"]))
            if made is not None:
                aligned[i] = made
    return aligned


def _aligned(article: Article, texts: tuple[str, ...]) -> Article | None:
    marked = [
        (normal(text), target) for text, target in zip(article.texts, article.target, strict=True)
    ]
    target = np.full(len(texts), UNKNOWN, np.float32)
    seen: set[str] = set()
    for i, text in enumerate(texts[: body_end(texts)]):
        words = normal(text)
        for other, value in marked:
            if (
                words == other
                or (len(words) > 20 and words in other)
                or (len(other) > 20 and other in words)
            ):
                target[i] = max(target[i], value)
                seen.add(other)
    if any(value > 0 and words not in seen for words, value in marked):
        return None
    return replace(article, texts=texts, target=target, source="politihop whole")


def unmarked(
    claims: Iterable[dict[str, Any]], marked: Sequence[Article]
) -> Iterator[dict[str, Any]]:
    """Yield the claims that have neither the statement nor the text of any of the ``marked`` articles."""
    statements = {normal(article.claim) for article in marked}
    begun = {words[:BEGINNING] for article in marked for words in map(_words, article.texts)}
    for claim in claims:
        if normal(claim["statement"]) not in statements:
            words = _words(claim["article"])
            windows = {words[i : i + BEGINNING] for i in range(len(words) - BEGINNING + 1)}
            if len(windows & begun) < SHARED:
                yield claim


def _words(text: str) -> tuple[str, ...]:
    return tuple(normal(text).split())
