"""Wordings beside the sentences that may settle them, each with its relation and, where people marked it, its evidence.

FEVER's claims are those that the cross-encoder never read: it learnt from 14,000 of them. Of
PolitiFact, no claim is read that a debate is linked to or judged against, nor any statement or
text of PolitiHop. A statement's relation is its rating's, a neighbour's article settles nothing,
and a denied statement turns the relation round.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.claims.claim_index import ClaimIndex
from features.articles.evidence import EvidenceScorer
from features.articles.rating_sentences import readable
from features.models.model_spec import Floats
from training.edits import claim_edits
from training.edits.same_claim import part_of
from training.entailment import mixture as nli_mixture
from training.evidence.articles import politihop, sentences, unmarked
from training.relation.article_relation import candidates
from training.shared.loaders import (
    FEVER_LABELS,
    LABELS,
    detokenised,
    names,
    nli_pairs,
    normal,
    rows,
    training_claims,
)

SUPPORTS, REFUTES, NOT_ENOUGH = range(3)
OF_RATING = {
    "true": SUPPORTS,
    "mostly-true": SUPPORTS,
    "half-true": NOT_ENOUGH,
    "barely-true": REFUTES,
    "mostly-false": REFUTES,
    "false": REFUTES,
    "pants-fire": REFUTES,
    "pants-on-fire": REFUTES,
}
OF_ENTAILMENT = {"entailment": SUPPORTS, "contradiction": REFUTES, "neutral": NOT_ENOUGH}
MOST = 8  # sentences of a case outside articles
BESIDE = 3  # sentences that are not evidence, at most, beside those that are
NEIGHBOURS = slice(3, 12)  # ranks of the statements whose articles settle nothing, by nearness
SAY_IT = ("CLEAN", "CLEAN_HARD")  # links whose sentence says the claim by itself
TOO_NEAR = 0.75  # cosine of two statements from which one article may settle both
LookUp = Callable[[list[str]], Floats]  # vectors of texts, (n, d)


class Raw(NamedTuple):
    """A wording and sentences as texts.

    ``chain``: places of the evidence in order, empty where nobody marked it.
    """

    wording: str
    texts: tuple[str, ...]
    label: int
    chain: tuple[int, ...]
    source: str


@dataclass(frozen=True, eq=False)
class Case:
    """A wording and the memory that the network chooses from.

    Shapes: vector (d,), rows (n, d), decides (n,).
    """

    raw: Raw
    vector: Floats
    sentence_vectors: NDArray[np.floating]
    decides: Floats


def of_rating(rating: str) -> int | None:
    """Return the relation that a publisher's rating means, by its place in ``RELATIONS``.

    None for another.
    """
    return OF_RATING.get(rating.strip().lower().replace(" ", "-"))


def fever(data: Path, *, seed: int) -> dict[str, list[Raw]]:
    """Return FEVER's claims with evidence that the cross-encoder never read.

    Train, dev and test, parted by claim.

    Test is the published file of that name, less the claims that are in the other one too.
    """
    seen_claims = set()
    for pair in nli_mixture.mixture(data, rounds=3, seed=17):
        if pair.source == "fever":
            seen_claims.add(normal(pair.hypothesis))
    eval_claims = list(rows(data / "nli" / "fever_claim_evidence_eval.jsonl.gz"))
    test_claims = list(rows(data / "nli" / "fever_claim_evidence_test.jsonl.gz"))
    eval_texts = {normal(claim["claim"]) for claim in eval_claims}
    fresh_eval = [claim for claim in eval_claims if normal(claim["claim"]) not in seen_claims]
    fresh_test = [
        claim for claim in test_claims if normal(claim["claim"]) not in seen_claims | eval_texts
    ]
    cases = _fever(fresh_eval, seed)
    dev_start = -len(cases) // 6
    return {
        "train": cases[:dev_start],
        "dev": cases[dev_start:],
        "test": _fever(fresh_test, seed, max_others=0),
    }


def _fever(claims: Sequence[dict[str, Any]], seed: int, *, max_others: int = BESIDE) -> list[Raw]:
    """Return claims as cases in random order, with up to ``max_others`` sentences about the same names."""
    rng = random.Random(seed)
    evidence_by_name: dict[str, list[str]] = defaultdict(list)
    for claim in claims:
        for name in names(claim["claim"]):
            evidence_by_name[name].extend(claim["evidence"][:1])
    cases = []
    for claim in claims:
        evidence = claim["evidence"][: MOST - BESIDE]
        same_names = set()
        for name in names(claim["claim"]):
            same_names.update(evidence_by_name[name])
        other_texts = sorted(same_names - set(claim["evidence"]))
        count = rng.randint(0, max_others) if evidence else rng.randint(1, BESIDE)
        drawn_texts = rng.sample(other_texts, min(len(other_texts), count))
        label = OF_ENTAILMENT[FEVER_LABELS[claim["label"]]]
        if evidence or drawn_texts:
            cases.append(mixed(claim["claim"], evidence, drawn_texts, label, "fever", rng))
    rng.shuffle(cases)
    return cases


def mixed(
    wording: str,
    evidence: Sequence[str],
    other_texts: Sequence[str],
    label: int,
    source: str,
    rng: Any,
) -> Raw:
    """Return a case whose evidence is mixed, in its order, with other sentences."""
    texts = [detokenised(text) for text in (*evidence, *other_texts)]
    order = rng.sample(range(len(texts)), len(texts))
    chain = tuple(order.index(i) for i in range(len(evidence)))
    return Raw(wording, tuple(texts[i] for i in order), label, chain, source)


def wice(data: Path, *, seed: int) -> list[Raw]:
    """Return WiCE's training part.

    Partly supported claims, whose marked sentences are evidence and settle nothing.
    """
    rng = random.Random(seed)
    cases = []
    for record in rows(data / "fever_like" / "wice_claim_nst_train.jsonl.gz"):
        marked = record["supporting_sentences"][0][: MOST - BESIDE]
        unmarked_texts = []
        for i, text in enumerate(record["evidence"]):
            if i not in marked and len(text.split()) >= 6:
                unmarked_texts.append(text)
        evidence = [record["evidence"][i] for i in marked]
        other_texts = rng.sample(unmarked_texts, min(BESIDE, len(unmarked_texts)))
        if evidence:
            cases.append(mixed(record["claim"], evidence, other_texts, NOT_ENOUGH, "wice", rng))
    return cases


def entailment(data: Path, *, count: int, seed: int) -> list[Raw]:
    """Return pairs of MultiNLI that the cross-encoder was not trained on, one sentence each."""
    pairs = nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "nli")
    drawn_pairs = random.Random(seed).sample(pairs, min(count, len(pairs)))
    return [
        Raw(pair.hypothesis, (pair.premise,), OF_ENTAILMENT[LABELS[pair.label]], (0,), "nli")
        for pair in drawn_pairs
        if pair.premise
    ]


@dataclass(frozen=True, eq=False)
class Article:
    """An article with its vectors.

    Shapes: claim (d,), rows (n, d); ``evidence``: chains that people marked.
    """

    claim: str
    texts: tuple[str, ...]
    vector: Floats
    sentence_vectors: NDArray[np.floating]
    label: int
    evidence: tuple[tuple[int, ...], ...] = ()
    source: str = "politifact"
    id: str = ""


def of_article(
    article: Article, scorer: EvidenceScorer, wording: tuple[str, Floats] | None = None
) -> list[Case]:
    """Return an article as cases, one for each of its chains, as the product reads it.

    None if nothing can be read.

    ``wording`` with its vector replaces the claim, for which alone the chains were marked.
    """
    text, vector = wording or (article.claim, article.vector)
    readable_indices = readable(article.texts)
    if not readable_indices:
        return []
    vectors = np.asarray(article.sentence_vectors, np.float32)
    decides = scorer.scores(article.vector, vectors, article.texts)
    sentence_indices = candidates(readable_indices, decides, vectors @ vector)
    texts = tuple(article.texts[i] for i in sentence_indices)
    chains = article.evidence if wording is None else ()
    cases = []
    for marked in chains or ((),):
        chain = tuple(sentence_indices.index(i) for i in marked if i in sentence_indices)
        raw = Raw(text, texts, article.label, chain, article.source)
        cases.append(
            Case(raw, vector, article.sentence_vectors[sentence_indices], decides[sentence_indices])
        )
    return cases


def politihop_articles(
    data: Path, split: str, vectors: Callable[[list[str]], LookUp], *, whole_articles: bool
) -> list[Article]:
    """Return PolitiHop's statements with their articles, the relation that of the rating.

    ``vectors`` gives the look-up of the texts' vectors. ``whole_articles``: the articles of the database, closing summary
    included, where they are there; their chains are unknown.
    """
    bodies = {}
    if whole_articles:
        for claim in rows(data / "politifact" / "claims.jsonl.gz"):
            bodies[normal(claim["statement"])] = claim["article"]
    statements = politihop(data, split)
    texts = []
    for i, statement in enumerate(statements):
        if of_rating(statement.rating) is None:
            raise ValueError(
                f"PolitiHop {split}: rating {statement.rating!r}; expected one of {sorted(OF_RATING)}"
            )
        body = bodies.get(normal(statement.claim))
        if body:
            statements[i] = replace(statement, texts=sentences(body), chains=())
        texts += [statements[i].claim, *statements[i].texts]
    look_up = vectors(texts)
    articles = []
    for statement in statements:
        articles.append(
            Article(
                claim=statement.claim,
                texts=statement.texts,
                vector=look_up([statement.claim])[0],
                sentence_vectors=look_up(list(statement.texts)),
                label=of_rating(statement.rating),
                evidence=statement.chains,
                source="politihop",
            )
        )
    return articles


def politifact(data: Path, index: ClaimIndex, *, count: int) -> dict[str, list[Article]]:
    """Return articles of the database whose sentences are indexed.

    Train, dev and test, parted by claim.

    They come in the order of a digest of their ids, so that an index with more articles changes
    nothing of those it had. Left out: what a debate is linked to or judged against, and all of
    PolitiHop.
    """
    linked = {link["claim"] for link in rows(data / "debates" / "links.jsonl.gz")}
    marked = [*politihop(data, "train"), *politihop(data, "valid")]
    claim_indices = {claim: i for i, claim in enumerate(index.ids)}
    usable = []
    for claim in training_claims(data):
        if claim["id"] not in linked and index.bodies_ready[claim_indices[claim["id"]]]:
            usable.append(claim)
    usable.sort(key=lambda claim: hashlib.sha256(f"relation {claim['id']}".encode()).digest())
    articles: dict[str, list[Article]] = {"train": [], "dev": [], "test": []}
    for claim in unmarked(usable, marked):
        label = of_rating(claim["rating"])
        split = part_of(claim["id"])
        if label is not None and (split != "train" or len(articles["train"]) < count):
            articles[split].append(indexed(index, claim_indices[claim["id"]], label))
    return articles


def indexed(index: ClaimIndex, claim_index: int, label: int) -> Article:
    """Return an article of the index."""
    body = index.claim(claim_index).body
    texts = tuple(body[start:end] for start, end in index.body_spans(claim_index))
    vector = index.statement_vectors[claim_index]
    rows_ = index.body_vectors(claim_index).astype(np.float16)
    return Article(
        index.statements[claim_index], texts, vector, rows_, label, id=index.ids[claim_index]
    )


def neighbours(
    articles: Sequence[Article], count: int, *, seed: int
) -> Iterator[tuple[str, Floats, Article]]:
    """Yield up to ``count`` statements and vectors with an article on a similar subject."""
    rng = random.Random(seed)
    vectors = np.stack([article.vector for article in articles])
    for i in rng.sample(range(len(articles)), min(count, len(articles))):
        cosines = vectors @ vectors[i]
        nearest = np.argsort(-cosines, kind="stable")[1:60].tolist()
        candidates = [j for j in nearest if cosines[j] < TOO_NEAR][NEIGHBOURS]
        if candidates:
            neighbour = articles[rng.choice(candidates)]
            labelled = replace(neighbour, source="neighbour", label=NOT_ENOUGH)
            yield articles[i].claim, articles[i].vector, labelled


def denied(articles: Iterable[Article], count: int, *, seed: int) -> Iterator[tuple[str, Article]]:
    """Yield up to ``count`` denials of settled claims with their articles, the relation reversed."""
    rng = random.Random(seed)
    denials = 0
    for article in articles:
        text = None
        if article.label != NOT_ENOUGH:
            text = claim_edits.broken(article.claim, "negation", rng)
        if text:
            label = REFUTES if article.label == SUPPORTS else SUPPORTS
            yield text, replace(article, source="denied", label=label)
            denials += 1
        if denials == count:
            return


def linked(data: Path, index: ClaimIndex) -> list[tuple[str, Article]]:
    """Return sentences of the sixty-three debates that state a claim, with its article."""
    claim_indices = {claim: i for i, claim in enumerate(index.ids)}
    pairs = []
    for link in rows(data / "debates" / "links.jsonl.gz"):
        if link["in_seven"] or link["category"] not in SAY_IT:
            continue
        claim_index = claim_indices[link["claim"]]
        label = of_rating(index.ratings[claim_index])
        if label is not None and index.bodies_ready[claim_index]:
            article = replace(indexed(index, claim_index, label), source="linked")
            pairs.append((link["sentence"], article))
    return pairs


def strangers(
    pairs: Sequence[tuple[str, Article]], vectors: Floats, index: ClaimIndex, *, seed: int
) -> Iterator[tuple[int, Article]]:
    """Yield for each sentence its index and the article of another claim on a similar subject."""
    rng = random.Random(seed)
    ready = np.flatnonzero(index.bodies_ready)
    cosines = vectors @ index.statement_vectors[ready].T
    for i, (_, article) in enumerate(pairs):
        nearest = ready[np.argsort(-cosines[i], kind="stable")[:20]].tolist()
        other_claims = []
        for j in nearest:
            too_near = index.statement_vectors[j] @ article.vector >= TOO_NEAR
            if not too_near and len(index.claim(j).body):
                other_claims.append(j)
        if other_claims:
            stranger = indexed(index, rng.choice(other_claims), NOT_ENOUGH)
            yield i, replace(stranger, source="stranger")
