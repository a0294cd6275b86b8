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
from features.articles.article_relation import candidates
from features.articles.evidence import EvidenceScorer
from features.articles.rating_sentences import readable
from features.models.model_spec import Floats
from training.edits import claim_edits
from training.edits.same_claim import part_of
from training.entailment import mixture as nli_mixture
from training.evidence.articles import politihop, sentences, unmarked
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
    rows: NDArray[np.floating]
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
    seen = {
        normal(pair.hypothesis)
        for pair in nli_mixture.mixture(data, rounds=3, seed=17)
        if pair.source == "fever"
    }
    files = {
        part: list(rows(data / "nli" / f"fever_claim_evidence_{part}.jsonl.gz"))
        for part in ("eval", "test")
    }
    fresh = {
        part: [row for row in of_part if normal(row["claim"]) not in seen]
        for part, of_part in files.items()
    }
    known = {normal(row["claim"]) for row in files["eval"]}
    made = _fever(fresh["eval"], seed)
    tested = [row for row in fresh["test"] if normal(row["claim"]) not in known]
    return {
        "train": made[: -len(made) // 6],
        "dev": made[-len(made) // 6 :],
        "test": _fever(tested, seed, beside=0),
    }


def _fever(claims: Sequence[dict[str, Any]], seed: int, *, beside: int = BESIDE) -> list[Raw]:
    """Return rows as cases in a drawn order, with up to ``beside`` sentences of claims about the same names.

    A claim without evidence has one to three of them; without any it is left out, as in
    ``training.shared.loaders.fever_pairs``.
    """
    rng = random.Random(seed)
    by_name: dict[str, list[str]] = defaultdict(list)
    for row in claims:
        for name in names(row["claim"]):
            by_name[name].extend(row["evidence"][:1])
    made = []
    for row in claims:
        evidence = row["evidence"][: MOST - BESIDE]
        others = sorted(
            {text for name in names(row["claim"]) for text in by_name[name]} - set(row["evidence"])
        )
        drawn = rng.sample(
            others, min(len(others), rng.randint(0, beside) if evidence else rng.randint(1, BESIDE))
        )
        label = OF_ENTAILMENT[FEVER_LABELS[row["label"]]]
        if evidence or drawn:
            made.append(mixed(row["claim"], evidence, drawn, label, "fever", rng))
    rng.shuffle(made)
    return made


def mixed(
    wording: str, evidence: Sequence[str], others: Sequence[str], label: int, source: str, rng: Any
) -> Raw:
    """Return a case whose evidence is mixed, in its order, with other sentences."""
    texts = [detokenised(text) for text in (*evidence, *others)]
    order = rng.sample(range(len(texts)), len(texts))
    chain = tuple(order.index(i) for i in range(len(evidence)))
    return Raw(wording, tuple(texts[i] for i in order), label, chain, source)


def wice(data: Path, *, seed: int) -> list[Raw]:
    """Return WiCE's training part.

    Partly supported claims, whose marked sentences are evidence and settle nothing.
    """
    rng = random.Random(seed)
    cases = []
    for row in rows(data / "fever_like" / "wice_claim_nst_train.jsonl.gz"):
        marked = row["supporting_sentences"][0][: MOST - BESIDE]
        rest = [
            text
            for i, text in enumerate(row["evidence"])
            if i not in marked and len(text.split()) >= 6
        ]
        evidence = [row["evidence"][i] for i in marked]
        others = rng.sample(rest, min(BESIDE, len(rest)))
        if evidence:
            cases.append(mixed(row["claim"], evidence, others, NOT_ENOUGH, "wice", rng))
    return cases


def entailment(data: Path, *, count: int, seed: int) -> list[Raw]:
    """Return pairs of MultiNLI that the cross-encoder was not trained on, one sentence each."""
    pairs = nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "nli")
    drawn = random.Random(seed).sample(pairs, min(count, len(pairs)))
    return [
        Raw(p.hypothesis, (p.premise,), OF_ENTAILMENT[LABELS[p.label]], (0,), "nli")
        for p in drawn
        if p.premise
    ]


@dataclass(frozen=True, eq=False)
class Article:
    """An article with its vectors.

    Shapes: claim (d,), rows (n, d); ``evidence``: chains that people marked.
    """

    claim: str
    texts: tuple[str, ...]
    vector: Floats
    rows: NDArray[np.floating]
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
    places = readable(article.texts)
    if not places:
        return []
    vectors = np.asarray(article.rows, np.float32)
    decides = scorer.scores(article.vector, vectors, article.texts)
    chosen = candidates(places, decides, vectors @ vector)
    cases = []
    for marked in (article.evidence if wording is None else ()) or ((),):
        chain = tuple(chosen.index(i) for i in marked if i in chosen)
        raw = Raw(
            text, tuple(article.texts[i] for i in chosen), article.label, chain, article.source
        )
        cases.append(Case(raw, vector, article.rows[chosen], decides[chosen]))
    return cases


def politihop_articles(
    data: Path, part: str, vectors: Callable[[list[str]], LookUp], *, whole: bool
) -> list[Article]:
    """Return PolitiHop's statements with their articles, the relation that of the rating.

    ``vectors`` gives the look-up of the texts' vectors. ``whole``: the articles of the database, closing summary
    included, where they are there; their chains are unknown.
    """
    database = rows(data / "politifact" / "claims.jsonl.gz") if whole else ()
    bodies = {normal(row["statement"]): row["article"] for row in database}
    statements = politihop(data, part)
    for i, one in enumerate(statements):
        if of_rating(one.rating) is None:
            raise ValueError(
                f"PolitiHop {part}: rating {one.rating!r}; expected one of {sorted(OF_RATING)}"
            )
        if body := bodies.get(normal(one.claim)):
            statements[i] = replace(one, texts=sentences(body), chains=())
    look_up = vectors([text for one in statements for text in (one.claim, *one.texts)])
    return [
        Article(
            one.claim,
            one.texts,
            look_up([one.claim])[0],
            look_up(list(one.texts)),
            of_rating(one.rating),
            one.chains,
            "politihop",
        )
        for one in statements
    ]


def politifact(data: Path, index: ClaimIndex, *, count: int) -> dict[str, list[Article]]:
    """Return articles of the database whose sentences are indexed.

    Train, dev and test, parted by claim.

    They come in the order of a digest of their ids, so that an index with more articles changes
    nothing of those it had. Left out: what a debate is linked to or judged against, and all of
    PolitiHop.
    """
    linked = {row["claim"] for row in rows(data / "debates" / "links.jsonl.gz")}
    marked = [*politihop(data, "train"), *politihop(data, "valid")]
    places = {claim: i for i, claim in enumerate(index.ids)}
    usable = [
        row
        for row in training_claims(data)
        if row["id"] not in linked and index.bodies_ready[places[row["id"]]]
    ]
    usable.sort(key=lambda row: hashlib.sha256(f"relation {row['id']}".encode()).digest())
    articles: dict[str, list[Article]] = {"train": [], "dev": [], "test": []}
    for row in unmarked(usable, marked):
        label = of_rating(row["rating"])
        part = part_of(row["id"])
        if label is not None and (part != "train" or len(articles["train"]) < count):
            articles[part].append(indexed(index, places[row["id"]], label))
    return articles


def indexed(index: ClaimIndex, place: int, label: int) -> Article:
    """Return an article of the index."""
    body = index.claim(place).body
    texts = tuple(body[start:end] for start, end in index.body_spans(place))
    vector = index.statement_vectors[place]
    rows_ = index.body_vectors(place).astype(np.float16)
    return Article(index.statements[place], texts, vector, rows_, label, id=index.ids[place])


def neighbours(
    articles: Sequence[Article], count: int, *, seed: int
) -> Iterator[tuple[str, Floats, Article]]:
    """Yield up to ``count`` statements, vectors included, with an article on a like matter, which settles them not."""
    rng = random.Random(seed)
    vectors = np.stack([article.vector for article in articles])
    for i in rng.sample(range(len(articles)), min(count, len(articles))):
        near = vectors @ vectors[i]
        order = [j for j in np.argsort(-near, kind="stable")[1:60].tolist() if near[j] < TOO_NEAR][
            NEIGHBOURS
        ]
        if order:
            other = replace(articles[rng.choice(order)], source="neighbour", label=NOT_ENOUGH)
            yield articles[i].claim, articles[i].vector, other


def denied(articles: Iterable[Article], count: int, *, seed: int) -> Iterator[tuple[str, Article]]:
    """Yield up to ``count`` denials of claims that their articles settle, with these, the relation turned round."""
    rng = random.Random(seed)
    made = 0
    for article in articles:
        text = (
            claim_edits.broken(article.claim, "negation", rng)
            if article.label != NOT_ENOUGH
            else None
        )
        if text:
            yield (
                text,
                replace(
                    article,
                    source="denied",
                    label=REFUTES if article.label == SUPPORTS else SUPPORTS,
                ),
            )
            made += 1
        if made == count:
            return


def linked(data: Path, index: ClaimIndex) -> list[tuple[str, Article]]:
    """Return sentences of the sixty-three debates that say by themselves what a claim says, with its article."""
    places = {claim: i for i, claim in enumerate(index.ids)}
    pairs = []
    for row in rows(data / "debates" / "links.jsonl.gz"):
        if row["in_seven"] or row["category"] not in SAY_IT:
            continue
        label = of_rating(index.ratings[places[row["claim"]]])
        if label is not None and index.bodies_ready[places[row["claim"]]]:
            pairs.append(
                (
                    row["sentence"],
                    replace(indexed(index, places[row["claim"]], label), source="linked"),
                )
            )
    return pairs


def strangers(
    pairs: Sequence[tuple[str, Article]], vectors: Floats, index: ClaimIndex, *, seed: int
) -> Iterator[tuple[int, Article]]:
    """Yield for each sentence its place and the article of a claim on a like matter that is not the linked one.

    ``vectors`` (n, d): the sentences' SBERT vectors. Such an article settles the sentence not.
    """
    rng = random.Random(seed)
    ready = np.flatnonzero(index.bodies_ready)
    near = vectors @ index.statement_vectors[ready].T
    for i, (_, article) in enumerate(pairs):
        order = ready[np.argsort(-near[i], kind="stable")[:20]].tolist()
        others = [
            j
            for j in order
            if index.statement_vectors[j] @ article.vector < TOO_NEAR and len(index.claim(j).body)
        ]
        if others:
            yield i, replace(indexed(index, rng.choice(others), NOT_ENOUGH), source="stranger")
