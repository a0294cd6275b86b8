"""Pairs for the "same claim" head.

A verified statement and a sentence that makes the same claim (1) or does not (0).

They come from fact-checks, tweets that Snopes checked, sentence similarity and unlabelled debates.
No debate link, no annotated debate and no claim that is measured on is read. The digest of a
claim's id puts it into one part (train, dev or test), and no pair of a part has a statement of a
later part on either side.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from training.edits import claim_edits
from training.shared.loaders import Pair, normal, rows, training_claims, word_rarity, words
from training.shared.sentence_vectors import Vectors

PARTS = ("train", "dev", "test")
KINDS = (*claim_edits.BREAKING, *claim_edits.KEEPING, "longer", "speech", "bare")
EVERYWHERE = frozenset(
    {"narrower", "topic", "prediction", "denied", "fillers", "longer", "speech", "bare"}
)
EITHER_WAY = frozenset(
    {
        "rounding",
        "reworded",
        "figure",
        "year",
        "person",
        "place",
        "direction",
        "quantifier",
        "negation",
    }
)
_VERDICT = re.compile(
    r"\b(rat(?:e|ed|ing)|false|true|wrong|inaccurate|mislead\w*|exaggerat\w*|claim\w*|evidence|fact-?check\w*|PolitiFact|"
    r"debunk\w*|incorrect|misstat\w*|overstat\w*|not|no|never|n't|if|whether|question)\b|n't\b|\?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Source:
    """What pairs are drawn from: claims of one part, whose statements have rows in ``vectors``."""

    claims: list[dict[str, Any]]
    others: list[str]  # statements of the same and of earlier parts
    spoken: list[str]  # sentences of debates that nobody linked
    vectors: Vectors
    rarity: dict[str, float]


def part_of(claim: str) -> str:
    """Return the part of a claim's id: 4 % dev, 4 % test, the rest train."""
    share = int(hashlib.sha256(claim.encode()).hexdigest()[:8], 16) % 100
    return "train" if share < 92 else "dev" if share < 96 else "test"


def unlinked_sentences(data: Path, *, seed: int, count: int) -> list[str]:
    """Return sentences of eight words or more from the debates of 2019 and 2020 that are in no linked debate."""
    linked = {normal(row["text"]) for row in rows(data / "debates" / "transcripts.jsonl.gz")}
    texts = [
        row["text"] for row in rows(data / "checkworthy" / "debates_2019_2020_unlabelled.jsonl.gz")
    ]
    fresh = sorted(
        {
            text
            for text in texts
            if len(text.split()) >= 8 and "\\" not in text and normal(text) not in linked
        }
    )
    return random.Random(seed).sample(fresh, min(count, len(fresh)))


def sources(data: Path, work: Path, *, seed: int) -> dict[str, Source]:
    """Return what the pairs of each part are drawn from; SBERT vectors are kept in ``work``."""
    claims = training_claims(data)
    heard = unlinked_sentences(data, seed=seed, count=6000)
    statements = [claim["statement"] for claim in claims]
    vectors = Vectors([*statements, *heard], work)
    rarity = word_rarity(statements)
    by_part = {part: [claim for claim in claims if part_of(claim["id"]) == part] for part in PARTS}
    made = {}
    earlier = []
    for i, part in enumerate(PARTS):
        earlier = earlier + [claim["statement"] for claim in by_part[part]]
        spoken = [text for j, text in enumerate(heard) if min(j % 20, 2) == (2, 0, 1)[i]]
        made[part] = Source(by_part[part], sorted(set(earlier)), spoken, vectors, rarity)
    return made


def edited(
    claims: Sequence[dict[str, Any]], heard: Sequence[str], *, seed: int, held_out: bool = False
) -> list[Pair]:
    """Return for each claim up to two keeping and two breaking edits.

    The pair's ``source`` is the kind.
    """
    rng = random.Random(seed)
    pairs = []
    keeping = (*claim_edits.KEEPING, "longer", "speech", "bare")
    for claim in claims:
        statement = claim["statement"]
        for kind, text in _first(
            2, keeping, rng, lambda k, s=statement: _kept(s, k, rng, heard, held_out)
        ):
            pairs.append(Pair(statement, text, 1, kind))
        for kind, text in _first(
            2,
            claim_edits.BREAKING,
            rng,
            lambda k, s=statement: claim_edits.broken(s, k, rng, held_out=held_out),
        ):
            if (
                not held_out
            ):  # another person must not become a pronoun: that would be the claim again
                text = claim_edits.noisy(text, rng, heard, names=kind != "person")
            pairs.append(Pair(statement, text, 0, kind))
    return pairs if held_out else [_turned_round(pair, rng) for pair in pairs]


def _turned_round(pair: Pair, rng: random.Random) -> Pair:
    """Return some pairs with their sides changed, where the edit is one both ways.

    The statement may be the rounded.
    """
    if pair.source not in EITHER_WAY or rng.random() < 0.75:
        return pair
    return pair._replace(premise=pair.hypothesis, hypothesis=pair.premise)


def _kept(
    statement: str, kind: str, rng: random.Random, others: Sequence[str], held_out: bool
) -> str | None:
    text = claim_edits.kept(statement, kind, rng, others, held_out=held_out)
    if text is None or held_out or kind in ("longer", "speech", "bare"):
        return text
    return claim_edits.noisy(text, rng, others)


def _first(
    count: int, kinds: Iterable[str], rng: random.Random, make: Any
) -> list[tuple[str, str]]:
    """Return the first ``count`` edits that can be made, in random order, the choosy kinds rather first."""
    edits: list[tuple[str, str]] = []
    for kind in sorted(kinds, key=lambda kind: rng.random() + 0.5 * (kind in EVERYWHERE)):
        text = make(kind) if len(edits) < count else None
        if text:
            edits.append((kind, text))
    return edits


def from_articles(source: Source, *, seed: int) -> list[Pair]:
    """Return sentences of a claim's own article.

    Those that restate it, and one that is only on the same matter.
    """
    rng = random.Random(seed)
    pairs = []
    for claim in source.claims:
        apart: list[str] = []
        close: list[tuple[float, str]] = []
        for sentence in sentences(claim["article"][:6000]):
            share, figures_agree = overlap(claim["statement"], sentence, source.rarity)
            if (
                0.55 <= share < 0.999
                and figures_agree
                and not _turned(claim["statement"], sentence)
            ):
                close.append((share, sentence))
            elif 0.08 < share < 0.3:
                apart.append(sentence)
        pairs += [
            Pair(claim["statement"], text, 1, "restated")
            for _, text in sorted(close, reverse=True)[:2]
        ]
        pairs += [
            Pair(claim["statement"], text, 0, "own article")
            for text in rng.sample(apart, min(1, len(apart)))
        ]
        title = re.sub(r"[‘’]", "'", claim["title"])
        share, figures_agree = overlap(claim["statement"], title, source.rarity)
        if 0.5 <= share < 0.999 and figures_agree and not _turned(claim["statement"], title):
            pairs.append(Pair(claim["statement"], title, 1, "title"))
    return pairs


def sentences(text: str) -> list[str]:
    """Return the sentences of six to 45 words that a text's full stops part."""
    parts = re.split(r"(?<=[.!?])[\"”]?\s+", text)
    return [sentence for sentence in parts if 6 <= len(sentence.split()) <= 45]


def overlap(statement: str, text: str, rarity: dict[str, float]) -> tuple[float, bool]:
    """Return the share of the statement's words, by rarity, that a text has, and whether it has all its figures."""
    wanted = _bag(statement)
    present = _bag(text)
    weight = {word: rarity.get(word, 5.0) for word in wanted}
    share = sum(weight[word] for word in wanted & present) / (sum(weight.values()) or 1.0)
    return share, {word for word in wanted if word[0].isdigit()} <= present


@lru_cache(maxsize=8)
def _bag(text: str) -> frozenset[str]:
    return frozenset(words(text))


def _turned(statement: str, text: str) -> bool:
    """Return whether a text judges, denies or asks where the statement does not."""
    return bool(
        {m[0].lower() for m in _VERDICT.finditer(text)}
        - {m[0].lower() for m in _VERDICT.finditer(statement)}
    )


def neighbours(source: Source, *, seed: int) -> list[Pair]:
    """Return statements near each other.

    The same claim (cosine .88, same figures), or one of the hardest others.

    Others have a cosine of .45 to .77 and have other figures, or share less than half of the
    words.
    """
    rng = random.Random(seed)
    pairs = []
    texts = [claim["statement"] for claim in source.claims]
    matrix = source.vectors.of(source.others).numpy()
    for start in range(0, len(texts), 500):
        part = texts[start : start + 500]
        cosines = source.vectors.of(part).numpy() @ matrix.T
        for text, row in zip(part, cosines, strict=True):
            order = np.argsort(-row, kind="stable")[1:15]
            same = [
                i for i in order if row[i] >= 0.88 and _alike(text, source.others[i], source.rarity)
            ]
            pairs += [
                Pair(text, source.others[i], 1, "repeated")
                for i in same
                if source.others[i] != text
            ][:1]
            hard = [
                i
                for i in order
                if 0.45 <= row[i] <= 0.77 and _unlike(text, source.others[i], source.rarity)
            ]
            pairs += [
                Pair(text, source.others[i], 0, "neighbour")
                for i in rng.sample(hard[:6], min(1, len(hard)))
            ]
    return pairs


def _alike(first: str, second: str, rarity: dict[str, float]) -> bool:
    return (
        not _turned(first, second)
        and overlap(first, second, rarity)[1]
        and overlap(second, first, rarity)[1]
    )


def _unlike(first: str, second: str, rarity: dict[str, float]) -> bool:
    share, same_figures = overlap(first, second, rarity)
    return share < 0.5 or not same_figures


def spoken(source: Source, *, seed: int) -> list[Pair]:
    """Return sentences of unlinked debates with a claim on the same matter (cosine below .6) and with a far one."""
    rng = random.Random(seed)
    pairs = []
    texts = [claim["statement"] for claim in source.claims]
    cosines = source.vectors.of(source.spoken).numpy() @ source.vectors.of(texts).numpy().T
    for sentence, row in zip(source.spoken, cosines, strict=True):
        order = [i for i in np.argsort(-row, kind="stable")[:5] if row[i] < 0.6]
        chosen = [rng.choice(order)] if order else []
        if rng.random() < 0.3:
            chosen.append(rng.randrange(len(texts)))
        pairs += [Pair(texts[i], sentence, 0, "spoken") for i in chosen]
    return pairs


def tweets(data: Path, *, seed: int) -> list[Pair]:
    """Return tweets of CheckThat! 2022 2A with the Snopes claim they make, and with another of a similar subject.

    Tweets of the 2020 test set are left out. The other claim shares a rare word with the tweet and
    little with its own.
    """
    folder = data / "checkthat2a"
    rng = random.Random(seed)
    tested = {normal(row["text"]) for row in rows(folder / "ct20_test_tweets.jsonl.gz")}
    texts = {row["id"]: tweet(row["text"]) for row in rows(folder / "ct22_train_dev_tweets.jsonl.gz")
             if normal(row["text"]) not in tested}  # fmt: skip
    claims = {row["vclaim_id"]: row["vclaim"] for row in rows(folder / "ct22_vclaims.jsonl.gz")}
    rarity = word_rarity(list(claims.values()))
    by_word = defaultdict(list)
    for claim, text in claims.items():
        for word in set(words(text)):
            by_word[word].append(claim)
    pairs = []
    for row in rows(folder / "ct22_train_qrels.jsonl.gz"):
        if row["qid"] in texts and row["did"] in claims:
            text = texts[row["qid"]]
            own = claims[row["did"]]
            pairs.append(Pair(own, text, 1, "tweet"))
            rare = sorted(
                {w for w in words(text) if 2 <= len(by_word[w]) <= 400}, key=lambda w: -rarity[w]
            )[:6]
            near = [
                c
                for word in rare
                for c in by_word[word]
                if overlap(own, claims[c], rarity)[0] < 0.3
            ]
            pairs += [
                Pair(claims[c], text, 0, "other tweet") for c in rng.sample(near, min(2, len(near)))
            ]
    return pairs


def tweet(text: str) -> str:
    """Return a tweet without addresses, pictures and its author's line."""
    text = re.sub(r"(https?://|pic\.twitter\.com/)\S+", "", text)
    return " ".join(re.sub(r"\s+— [^—]*\(@\w+\)[^—]*$", "", text).split())


def similar(data: Path) -> list[Pair]:
    """Return pairs of STS-B's training part: 1 at 4.5 of 5 or more, 0 from 1.5 to 3.2."""
    scored = [
        (row["s1"], row["s2"], row["score"]) for row in rows(data / "sts" / "stsb_train.jsonl.gz")
    ]
    usable = [(a, b, score) for a, b, score in scored if len(a.split()) >= 7 and a != b]
    return [Pair(a, b, 1, "similar") for a, b, s in usable if s >= 4.5] + [
        Pair(a, b, 0, "less similar") for a, b, s in usable if 1.5 <= s <= 3.2
    ]


def training_pairs(data: Path, source: Source, *, seed: int, rounds: int) -> list[Pair]:
    """Return the training pairs in order.

    In each round other edits and other noise on the natural pairs.

    Few whole sentences of debates are among them: they are never the claim, and a sentence that
    sounds like speech must not be taken for that reason alone to make no claim. So both labels get
    the same noise of speech instead.
    """
    natural = from_articles(source, seed=seed)
    outside = tweets(data, seed=seed) + similar(data)
    order: list[Pair] = []
    for i in range(rounds):
        rng = random.Random(seed + i)
        near = [*natural, *neighbours(source, seed=seed + i)]
        heard = [
            p._replace(hypothesis=claim_edits.noisy(p.hypothesis, rng, source.spoken)) for p in near
        ]
        part = [
            *outside,
            *edited(source.claims, source.spoken, seed=seed + i),
            *heard,
            *spoken(source, seed=seed + i)[::10],
        ]
        rng.shuffle(part)
        order += part
    return order


def development_pairs(source: Source, *, seed: int) -> list[Pair]:
    """Return the pairs of a held-out part.

    Edits with held-out wordings, articles, neighbours, debates.
    """
    made = edited(source.claims, source.spoken, seed=seed, held_out=True) + from_articles(
        source, seed=seed
    )
    return made + neighbours(source, seed=seed) + spoken(source, seed=seed)
