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


def politihop(data: Path, split: str) -> list[Article]:
    """Return the statements of PolitiHop ``train``, or those of ``valid`` that are not in train too."""
    articles = _statements(data, split)
    if split == "valid":
        trained = _statements(data, "train").keys()
        articles = {
            statement: article
            for statement, article in articles.items()
            if statement not in trained
        }
    return [article for article in articles.values() if article.target.any()]


def _statements(data: Path, split: str) -> dict[str, Article]:
    articles: dict[str, Article] = {}
    for record in rows(data / "fever_like" / f"politihop_{split}.jsonl.gz"):
        key = normal(record["statement"])
        texts = tuple(record["ruling_sentences"])
        marked = chain(record["annotated_evidence"])
        if key not in articles:
            unmarked_target = np.zeros(len(texts), np.float32)
            rating = record.get("politifact_label", "")
            claim = record["statement"].strip()
            articles[key] = Article(claim, texts, unmarked_target, "politihop", rating)
        article = articles[key]
        articles[key] = replace(article, chains=(*article.chains, tuple(marked)))
        article.target[marked] = 1
    return articles


def chain(annotated: dict[str, list[str]]) -> list[int]:
    """Return the indices of an ``annotated_evidence``, whose entries may hold several.

    ``10,15``.
    """
    indices = set()
    for entries in annotated.values():
        for entry in entries:
            indices.update(int(number) for number in re.findall(r"\d+", entry))
    return sorted(indices)


def sentences(body: str) -> tuple[str, ...]:
    """Return the sentences of an article as the product splits it."""
    return tuple(body[start:end] for start, end in article_spans(body))


def whole(articles: Sequence[Article], claims: Iterable[dict[str, Any]]) -> dict[int, Article]:
    """Return whole articles, closing summaries included, by index in ``articles``."""
    claims_by_statement: dict[str, list[dict[str, Any]]] = {}
    for claim in claims:
        claims_by_statement.setdefault(normal(claim["statement"]), []).append(claim)
    aligned: dict[int, Article] = {}
    for i, article in enumerate(articles):
        for claim in claims_by_statement.get(normal(article.claim), []):
            whole_article = _aligned(article, sentences(claim["article"]))
            if whole_article is not None:
                aligned[i] = whole_article
    return aligned


def _aligned(article: Article, texts: tuple[str, ...]) -> Article | None:
    """Return the article with other sentences, None if a marked sentence is not among them."""
    annotated_texts = [normal(text) for text in article.texts]
    annotated = list(zip(annotated_texts, article.target, strict=True))
    target = np.full(len(texts), UNKNOWN, np.float32)
    aligned_texts: set[str] = set()
    for i, sentence in enumerate(texts[: body_end(texts)]):
        text = normal(sentence)
        for annotated_text, value in annotated:
            if _same_sentence(text, annotated_text):
                target[i] = max(target[i], value)
                aligned_texts.add(annotated_text)
    if any(value > 0 and text not in aligned_texts for text, value in annotated):
        return None
    return replace(article, texts=texts, target=target, source="politihop whole")


def _same_sentence(text: str, other: str) -> bool:
    if text == other:
        return True
    if len(text) > 20 and text in other:
        return True
    return len(other) > 20 and other in text


def unmarked(
    claims: Iterable[dict[str, Any]], marked: Sequence[Article]
) -> Iterator[dict[str, Any]]:
    """Yield the claims that share neither statement nor text with any of the ``marked`` articles."""
    statements = {normal(article.claim) for article in marked}
    beginnings = set()
    for article in marked:
        for text in article.texts:
            beginnings.add(_words(text)[:BEGINNING])
    for claim in claims:
        if normal(claim["statement"]) in statements:
            continue
        words = _words(claim["article"])
        windows = {words[i : i + BEGINNING] for i in range(len(words) - BEGINNING + 1)}
        if len(windows & beginnings) < SHARED:
            yield claim


def _words(text: str) -> tuple[str, ...]:
    return tuple(normal(text).split())
