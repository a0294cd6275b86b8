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
from itertools import chain
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
        spans = self.spans[self.starts[article] : self.starts[article + 1]]
        return [body[start:end] for start, end in spans.tolist()]

    def rows(self, article: int) -> range:
        """Return the rows of an article's sentences among those of all articles."""
        return range(int(self.starts[article]), int(self.starts[article + 1]))

    def ids_of(self, sentence_number: int) -> list[int]:
        """Return the word pieces of a sentence."""
        return self.pieces[
            self.piece_starts[sentence_number] : self.piece_starts[sentence_number + 1]
        ].tolist()


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
        """Return the indices of the ``k`` best articles per query and their scores, (n, k) each."""
        no_scores = np.zeros((0, min(k, len(self.place))))
        best = [no_scores.astype(np.int64)]
        scores = [no_scores]
        for start in range(0, len(queries), 64):
            texts = [query.text for query in queries[start : start + 64]]
            all_scores = self.bm25.scores(texts)
            if k < all_scores.shape[1]:
                nearest = np.argpartition(-all_scores, k, axis=1)[:, :k]
            else:
                nearest = np.argsort(-all_scores, axis=1)
            # the nearest articles of each query, best first, (queries, k)
            nearest_scores = np.take_along_axis(all_scores, nearest, 1)
            by_score = np.argsort(-nearest_scores, axis=1, kind="stable")
            order = np.take_along_axis(nearest, by_score, 1)
            best.append(order)
            scores.append(np.take_along_axis(all_scores, order, axis=1))
        return np.concatenate(best), np.concatenate(scores)


@lru_cache(maxsize=1)
def tokenizer() -> Any:
    """Return the word-piece tokenizer of the embedded model, without special tokens, padding or truncation."""
    from tokenizers import Tokenizer

    word_piece_tokenizer = Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))
    word_piece_tokenizer.no_padding()
    word_piece_tokenizer.no_truncation()
    return word_piece_tokenizer


def word_pieces(texts: Sequence[str]) -> list[list[int]]:
    """Return the first ``LONGEST`` word pieces of each text."""
    encoded = tokenizer().encode_batch_fast(list(texts), add_special_tokens=False)
    return [encoding.ids[:LONGEST] for encoding in encoded]


def split_articles(ids: Sequence[str], bodies: Sequence[str], work: Path) -> Articles:
    """Return articles as sentences and word pieces, cached in ``work``."""

    def build() -> dict[str, NDArray]:
        spans_by_body = [article_spans(body) for body in bodies]
        all_spans = []
        texts = []
        for body, spans in zip(bodies, spans_by_body, strict=True):
            all_spans += spans
            texts += [body[start:end] for start, end in spans]
        pieces = word_pieces(texts)
        return {
            "spans": np.array(all_spans, np.int32).reshape(-1, 2),
            "starts": _starts(spans_by_body),
            "pieces": np.fromiter(chain.from_iterable(pieces), np.uint16),
            "piece_starts": _starts(pieces),
        }

    arrays = cached(work, "articles", (str(LONGEST), *ids, *bodies), build)
    return Articles(tuple(ids), tuple(bodies), **arrays)


def _starts(sequences: Iterable[Sequence[Any]]) -> Ints:
    return np.concatenate([[0], np.cumsum([len(sequence) for sequence in sequences])]).astype(
        np.int64
    )


def politifact(data: Path, work: Path) -> Pool:
    """Return the pool of all fact-checks with a rating of a claim's truth, without duplicates."""
    ids = []
    bodies = []
    for claim in rows(data / "politifact" / "claims.jsonl.gz"):
        if not claim.get("duplicate_of") and "Fl" not in claim["rating"][-5:]:
            ids.append(claim["id"])
            bodies.append(claim["article"])
    return Pool(split_articles(ids, bodies, work))


def tweeted(data: Path, work: Path) -> Pool:
    """Return the pool of the articles that the tweets of Vo and Lee point to."""
    articles = list(rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz"))
    ids = [str(article["aidx"]) for article in articles]
    bodies = ["\n".join(article["body"]) for article in articles]
    return Pool(split_articles(ids, bodies, work))


def statements(data: Path, pool: Pool, tweeted_pool: Pool) -> list[Query]:
    """Return every statement of ``training_claims`` with its own article.

    No test of those that quote it verbatim.

    Statements whose articles are tweeted about in dev or test are left out.
    """
    part_by_article = tweet_parts(data, tweeted_pool)
    tweeted_claims = set()
    for article in rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz"):
        if part_by_article[tweeted_pool.place[str(article["aidx"])]] != "train":
            tweeted_claims.add(normal(article["claim"]))
    queries = []
    for claim in training_claims(data):
        split_name = part_of(claim["id"])
        statement = normal(claim["statement"])
        if statement in tweeted_claims:
            continue
        if split_name == "train" or statement not in normal(claim["article"]):
            articles = (pool.place[claim["id"]],)
            queries.append(
                Query(claim["id"], claim["statement"], articles, "statement", split_name)
            )
    return queries


def debate_sentences(data: Path, pool: Pool) -> list[Query]:
    """Return the debate sentences of 2B: train and dev from its train, test from its dev."""
    held_out = held_out_claims(data)
    debate_queries = []
    for split in ("train", "dev"):
        queries, relevant = query_sets(data, split)
        for query_id, text in queries:
            debate = debate_of(query_id)
            split_name = debate_part(split, debate)
            claims = [claim for claim in relevant[query_id] if claim in pool.place]
            if split_name != "test":
                claims = [claim for claim in claims if claim not in held_out]
            articles = tuple(sorted(pool.place[claim] for claim in claims))
            learns_from_seven = split_name != "test" and debate in SEVEN_DEBATES
            if articles and not learns_from_seven:
                debate_queries.append(Query(query_id, text, articles, "debate", split_name))
    return debate_queries


def debate_part(split: str, debate: str) -> str:
    """Return the part of a debate of 2B's ``train`` or ``dev``."""
    if split == "dev":
        return "test"
    return "dev" if share(debate) < 20 else "train"


def tweets(data: Path, pool: Pool) -> list[Query]:
    """Return the tweets, the words read off their pictures included.

    60 % of the articles are train, 10 % dev.
    """
    folder = data / "mtm_twitter"
    articles_by_query: dict[int, list[int]] = defaultdict(list)
    for record in rows(folder / "politifact_qrels.jsonl.gz"):
        articles_by_query[record["qidx"]].append(pool.place[str(record["aidx"])])
    part_by_article = tweet_parts(data, pool)
    queries = []
    for record in rows(folder / "politifact_queries.jsonl.gz"):
        articles = articles_by_query[record["qidx"]]
        parts_of_articles = {part_by_article[article] for article in articles}
        words = " ".join([record["text_processed"], *record["ocr"]]).replace("@user", " ").split()
        text = " ".join(word for word in words if word != "url")
        split_name = parts_of_articles.pop() if len(parts_of_articles) == 1 else ""
        if split_name and text:
            article_indices = tuple(sorted(articles))
            queries.append(Query(str(record["qidx"]), text, article_indices, "tweet", split_name))
    return queries


def tweet_parts(data: Path, pool: Pool) -> list[str]:
    """Return the part of each tweeted article, (m,).

    One that measuring turns on elsewhere is never learnt from.
    """
    held_out = held_out_claims(data)
    held_out_statements = set()
    for claim in rows(data / "politifact" / "claims.jsonl.gz"):
        if claim["id"] in held_out:
            held_out_statements.add(normal(claim["statement"]))
    part_by_article = [""] * len(pool.articles.ids)
    for article in rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz"):
        url_share = share(article["url"])
        if url_share >= 70 or normal(article["claim"]) in held_out_statements:
            split_name = "test"
        else:
            split_name = "train" if url_share < 60 else "dev"
        part_by_article[pool.place[str(article["aidx"])]] = split_name
    return part_by_article


def share(name: str) -> int:
    """Return a number from 0 to 99 that follows from the name alone."""
    return int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % 100


def drawn(queries: Sequence[Query], count: int, *, seed: int) -> list[Query]:
    """Return at most ``count`` of the queries, drawn by chance, in their order."""
    if len(queries) <= count:
        return list(queries)
    drawn_indices = sorted(random.Random(seed).sample(range(len(queries)), count))
    return [queries[i] for i in drawn_indices]
