"""Queries of MTM and the articles that are about them, as sentences and word pieces, parted for training and tests.

Queries are statements of fact-checks, sentences of debates and tweets; each belongs to one of the
parts train, dev and test. A statement belongs to the part of its claim
(``training.edits.same_claim.part_of``). What the seven debates or the 2B development queries are
judged by, and what the tweets of dev and test are about, is no statement to learn from; a
statement that its article quotes verbatim is no test. A debate sentence of 2B train is dev where
its debate's digest says so, else train; all of 2B dev is test. A tweet belongs to the part of its
article.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.claims.index_segment import article_spans
from features.models.weight_files import embedded_folder
from features.similarity.bm25 import BM25
from training.edits.same_claim import part_of
from training.shared.debates import cached
from training.shared.loaders import (
    SEVEN_DEBATES,
    debate_of,
    held_out_claims,
    normal,
    query_sets,
    rows,
    training_claims,
)

LONGEST = 64  # word pieces kept of a sentence
CANDIDATES = 50  # K1
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Query:
    """A text and the places of the articles that are about it.

    ``kind``: statement, debate or tweet.
    """

    id: str
    text: str
    articles: tuple[int, ...]
    kind: str
    part: str


@dataclass(frozen=True, eq=False)
class Articles:
    """Articles by place: ``ids`` (m,), ``bodies``, the spans of their sentences and the word pieces of those."""

    ids: tuple[str, ...]
    bodies: tuple[str, ...]
    spans: NDArray[np.int32]  # (s, 2)
    starts: Ints  # (m + 1,) rows of ``spans``
    pieces: NDArray[np.uint16]
    piece_starts: Ints  # (s + 1,)

    def sentences(self, article: int) -> list[str]:
        """Return the sentences of an article, verbatim."""
        body = self.bodies[article]
        return [
            body[a:b]
            for a, b in self.spans[self.starts[article] : self.starts[article + 1]].tolist()
        ]

    def rows(self, article: int) -> range:
        """Return the rows of an article's sentences among those of all articles."""
        return range(int(self.starts[article]), int(self.starts[article + 1]))

    def ids_of(self, row: int) -> list[int]:
        """Return the word pieces of a sentence."""
        return self.pieces[self.piece_starts[row] : self.piece_starts[row + 1]].tolist()


@dataclass(eq=False)
class Pool:
    """Articles that queries of one kind search, and BM25's candidates among them."""

    articles: Articles
    place: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.place = {name: i for i, name in enumerate(self.articles.ids)}

    @cached_property
    def bm25(self) -> BM25:
        return BM25.of(self.articles.bodies)

    def candidates(
        self, queries: Sequence[Query], *, k: int = CANDIDATES
    ) -> tuple[Ints, NDArray[np.float64]]:
        """Return for each query the places of the ``k`` best articles and their scores, (n, k) each, best first."""
        none = np.zeros((0, min(k, len(self.place))))
        best = [none.astype(np.int64)]
        scores = [none]
        for start in range(0, len(queries), 64):
            all_scores = self.bm25.scores([query.text for query in queries[start : start + 64]])
            near = (
                np.argpartition(-all_scores, k, axis=1)[:, :k]
                if k < all_scores.shape[1]
                else np.argsort(-all_scores, axis=1)
            )
            order = np.take_along_axis(
                near, np.argsort(-np.take_along_axis(all_scores, near, 1), axis=1, kind="stable"), 1
            )
            best.append(order)
            scores.append(np.take_along_axis(all_scores, order, axis=1))
        return np.concatenate(best), np.concatenate(scores)


@lru_cache(maxsize=1)
def tokenizer() -> Any:
    """Return the word-piece tokenizer of the embedded model, without special tokens, padding or truncation."""
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made


def word_pieces(texts: Sequence[str]) -> list[list[int]]:
    """Return the first ``LONGEST`` word pieces of each text."""
    return [
        entry.ids[:LONGEST]
        for entry in tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)
    ]


def split_articles(ids: Sequence[str], bodies: Sequence[str], work: Path) -> Articles:
    """Return articles as sentences and word pieces, kept in ``work`` for the next run."""

    def build() -> dict[str, NDArray]:
        spans = [article_spans(body) for body in bodies]
        texts = [
            body[a:b] for body, spans_of in zip(bodies, spans, strict=True) for a, b in spans_of
        ]
        pieces = word_pieces(texts)
        return {
            "spans": np.array([span for spans_of in spans for span in spans_of], np.int32).reshape(
                -1, 2
            ),
            "starts": _starts(spans),
            "pieces": np.fromiter((piece for row in pieces for piece in row), np.uint16),
            "piece_starts": _starts(pieces),
        }

    arrays = cached(work, "articles", (str(LONGEST), *ids, *bodies), build)
    return Articles(tuple(ids), tuple(bodies), **arrays)


def _starts(parts: Iterable[Sequence[Any]]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)


def politifact(data: Path, work: Path) -> Pool:
    """Return the pool of all fact-checks with a rating of a claim's truth, whole duplicates left out."""
    claims = [
        row
        for row in rows(data / "politifact" / "claims.jsonl.gz")
        if not row.get("duplicate_of") and "Fl" not in row["rating"][-5:]
    ]
    return Pool(
        split_articles([row["id"] for row in claims], [row["article"] for row in claims], work)
    )


def tweeted(data: Path, work: Path) -> Pool:
    """Return the pool of the articles that the tweets of Vo and Lee point to."""
    articles = list(rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz"))
    return Pool(
        split_articles(
            [str(row["aidx"]) for row in articles],
            ["\n".join(row["body"]) for row in articles],
            work,
        )
    )


def statements(data: Path, pool: Pool, tweeted_pool: Pool) -> list[Query]:
    """Return every statement of ``training_claims`` with its own article.

    No test of those that quote it verbatim.

    Statements whose articles are tweeted about in dev or test are left out.
    """
    parts = tweet_parts(data, tweeted_pool)
    tweeted_about = {
        normal(row["claim"])
        for row in rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz")
        if parts[tweeted_pool.place[str(row["aidx"])]] != "train"
    }
    made = []
    for row in training_claims(data):
        part = part_of(row["id"])
        statement = normal(row["statement"])
        if statement not in tweeted_about and (
            part == "train" or statement not in normal(row["article"])
        ):
            made.append(
                Query(row["id"], row["statement"], (pool.place[row["id"]],), "statement", part)
            )
    return made


def debate_sentences(data: Path, pool: Pool) -> list[Query]:
    """Return the debate sentences of 2B: train and dev from its train, test from its dev."""
    held_out = held_out_claims(data)
    made = []
    for split in ("train", "dev"):
        queries, relevant = query_sets(data, split)
        for qid, text in queries:
            places = tuple(sorted(pool.place[c] for c in relevant[qid] if c in pool.place))
            part = debate_part(split, debate_of(qid))
            if part != "test":
                places = tuple(
                    place for place in places if pool.articles.ids[place] not in held_out
                )
            if places and not (part != "test" and debate_of(qid) in SEVEN_DEBATES):
                made.append(Query(qid, text, places, "debate", part))
    return made


def debate_part(split: str, debate: str) -> str:
    """Return the part of a debate of 2B's ``train`` or ``dev``."""
    return "test" if split == "dev" else "dev" if share(debate) < 20 else "train"


def tweets(data: Path, pool: Pool) -> list[Query]:
    """Return the tweets, the words read off their pictures included.

    60 % of the articles are train, 10 % dev.
    """
    folder = data / "mtm_twitter"
    about: dict[int, list[int]] = defaultdict(list)
    for row in rows(folder / "politifact_qrels.jsonl.gz"):
        about[row["qidx"]].append(pool.place[str(row["aidx"])])
    parts = tweet_parts(data, pool)
    made = []
    for row in rows(folder / "politifact_queries.jsonl.gz"):
        of = {parts[place] for place in about[row["qidx"]]}
        words = " ".join([row["text_processed"], *row["ocr"]]).replace("@user", " ").split()
        text = " ".join(word for word in words if word != "url")
        if len(of) == 1 and (part := of.pop()) and text:
            made.append(
                Query(str(row["qidx"]), text, tuple(sorted(about[row["qidx"]])), "tweet", part)
            )
    return made


def tweet_parts(data: Path, pool: Pool) -> list[str]:
    """Return the part of each tweeted article, (m,).

    One that measuring turns on elsewhere is never learnt from.
    """
    held_out = held_out_claims(data)
    judged = {
        normal(row["statement"])
        for row in rows(data / "politifact" / "claims.jsonl.gz")
        if row["id"] in held_out
    }
    parts = [""] * len(pool.articles.ids)
    for row in rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz"):
        drawn = share(row["url"])
        part = "train" if drawn < 60 else "dev" if drawn < 70 else "test"
        parts[pool.place[str(row["aidx"])]] = "test" if normal(row["claim"]) in judged else part
    return parts


def share(name: str) -> int:
    """Return a number from 0 to 99 that follows from the name alone."""
    return int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % 100


def drawn(queries: Sequence[Query], count: int, *, seed: int) -> list[Query]:
    """Return at most ``count`` of the queries, drawn by chance, in their order."""
    if len(queries) <= count:
        return list(queries)
    chosen = sorted(random.Random(seed).sample(range(len(queries)), count))
    return [queries[i] for i in chosen]
