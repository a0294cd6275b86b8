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
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
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
    if share < 92:
        return "train"
    if share < 96:
        return "dev"
    return "test"


def unlinked_sentences(data: Path, *, seed: int, count: int) -> list[str]:
    """Return sentences of eight words or more from the debates of 2019 and 2020 that are in no linked debate."""
    transcripts = rows(data / "debates" / "transcripts.jsonl.gz")
    linked_texts = {normal(sentence["text"]) for sentence in transcripts}
    unlinked_texts = set()
    for sentence in rows(data / "checkworthy" / "debates_2019_2020_unlabelled.jsonl.gz"):
        text = sentence["text"]
        if len(text.split()) >= 8 and "\\" not in text and normal(text) not in linked_texts:
            unlinked_texts.add(text)
    rng = random.Random(seed)
    return rng.sample(sorted(unlinked_texts), min(count, len(unlinked_texts)))


def sources(data: Path, work: Path, *, seed: int) -> dict[str, Source]:
    """Return the sources of the pairs of each split; SBERT vectors are cached in ``work``."""
    claims = training_claims(data)
    debate_sentences = unlinked_sentences(data, seed=seed, count=6000)
    statements = [claim["statement"] for claim in claims]
    vectors = Vectors([*statements, *debate_sentences], work)
    rarity = word_rarity(statements)
    # sentences of debates by index modulo 20: 0 to dev, 1 to test, all others to train
    split_remainder = {"train": 2, "dev": 0, "test": 1}
    source_by_split = {}
    earlier_statements: list[str] = []
    for split in PARTS:
        split_claims = [claim for claim in claims if part_of(claim["id"]) == split]
        earlier_statements += [claim["statement"] for claim in split_claims]
        spoken_sentences = [
            text
            for i, text in enumerate(debate_sentences)
            if min(i % 20, 2) == split_remainder[split]
        ]
        others = sorted(set(earlier_statements))
        source_by_split[split] = Source(split_claims, others, spoken_sentences, vectors, rarity)
    return source_by_split


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
        keep = partial(_kept, statement, rng=rng, other_sentences=heard, held_out=held_out)
        for kind, text in _first_edits(2, keeping, rng, keep):
            pairs.append(Pair(statement, text, 1, kind))
        break_claim = partial(claim_edits.broken, statement, rng=rng, held_out=held_out)
        for kind, text in _first_edits(2, claim_edits.BREAKING, rng, break_claim):
            if not held_out:
                # Another person must not become a pronoun: that would be the claim again.
                text = claim_edits.noisy(text, rng, heard, names=kind != "person")
            pairs.append(Pair(statement, text, 0, kind))
    if held_out:
        return pairs
    return [_turned_round(pair, rng) for pair in pairs]


def _turned_round(pair: Pair, rng: random.Random) -> Pair:
    """Return some pairs with their sides changed, where the edit is one both ways.

    The statement may be the rounded.
    """
    if pair.source not in EITHER_WAY or rng.random() < 0.75:
        return pair
    return pair._replace(premise=pair.hypothesis, hypothesis=pair.premise)


def _kept(
    statement: str, kind: str, rng: random.Random, other_sentences: Sequence[str], held_out: bool
) -> str | None:
    text = claim_edits.kept(statement, kind, rng, other_sentences, held_out=held_out)
    if text is None or held_out or kind in ("longer", "speech", "bare"):
        return text
    return claim_edits.noisy(text, rng, other_sentences)


def _first_edits(
    count: int, kinds: Iterable[str], rng: random.Random, make_edit: Callable[[str], str | None]
) -> list[tuple[str, str]]:
    """Return the first ``count`` possible edits, in random order, selective kinds rather early."""
    edits: list[tuple[str, str]] = []
    for kind in sorted(kinds, key=lambda kind: rng.random() + 0.5 * (kind in EVERYWHERE)):
        text = make_edit(kind) if len(edits) < count else None
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
        statement = claim["statement"]
        unrelated: list[str] = []
        restatements: list[tuple[float, str]] = []
        for sentence in sentences(claim["article"][:6000]):
            share, figures_agree = overlap(statement, sentence, source.rarity)
            similar_words = 0.55 <= share < 0.999 and figures_agree
            if similar_words and not _turned(statement, sentence):
                restatements.append((share, sentence))
            elif 0.08 < share < 0.3:
                unrelated.append(sentence)
        for _, text in sorted(restatements, reverse=True)[:2]:
            pairs.append(Pair(statement, text, 1, "restated"))
        for text in rng.sample(unrelated, min(1, len(unrelated))):
            pairs.append(Pair(statement, text, 0, "own article"))
        title = re.sub(r"[‘’]", "'", claim["title"])
        share, figures_agree = overlap(statement, title, source.rarity)
        if 0.5 <= share < 0.999 and figures_agree and not _turned(statement, title):
            pairs.append(Pair(statement, title, 1, "title"))
    return pairs


def sentences(text: str) -> list[str]:
    """Return the sentences of six to 45 words that a text's full stops part."""
    pieces = re.split(r"(?<=[.!?])[\"”]?\s+", text)
    return [sentence for sentence in pieces if 6 <= len(sentence.split()) <= 45]


def overlap(statement: str, text: str, rarity: dict[str, float]) -> tuple[float, bool]:
    """Return the share of a statement's words in a text, by rarity, and whether all figures are."""
    statement_words = _bag(statement)
    text_words = _bag(text)
    weight = {word: rarity.get(word, 5.0) for word in statement_words}
    shared_weight = sum(weight[word] for word in statement_words & text_words)
    share = shared_weight / (sum(weight.values()) or 1.0)
    figures = {word for word in statement_words if word[0].isdigit()}
    return share, figures <= text_words


@lru_cache(maxsize=8)
def _bag(text: str) -> frozenset[str]:
    return frozenset(words(text))


def _turned(statement: str, text: str) -> bool:
    """Return whether a text judges, denies or asks in words that the statement lacks."""
    statement_words = {match[0].lower() for match in _VERDICT.finditer(statement)}
    text_words = {match[0].lower() for match in _VERDICT.finditer(text)}
    return not text_words <= statement_words


def neighbours(source: Source, *, seed: int) -> list[Pair]:
    """Return statements near each other.

    The same claim (cosine .88, same figures), or one of the hardest others.

    Others have a cosine of .45 to .77 and have other figures, or share less than half of the
    words.
    """
    rng = random.Random(seed)
    pairs = []
    others = source.others
    texts = [claim["statement"] for claim in source.claims]
    matrix = source.vectors.of(others).numpy()
    for start in range(0, len(texts), 500):
        block = texts[start : start + 500]
        # cosines of a block of statements with all others, (block, n)
        block_cosines = source.vectors.of(block).numpy() @ matrix.T
        for text, cosines in zip(block, block_cosines, strict=True):
            nearest = np.argsort(-cosines, kind="stable")[1:15]
            repeated = []
            different = []
            for i in nearest:
                if cosines[i] >= 0.88 and _alike(text, others[i], source.rarity):
                    repeated.append(i)
                if 0.45 <= cosines[i] <= 0.77 and _unlike(text, others[i], source.rarity):
                    different.append(i)
            for i in [i for i in repeated if others[i] != text][:1]:
                pairs.append(Pair(text, others[i], 1, "repeated"))
            for i in rng.sample(different[:6], min(1, len(different))):
                pairs.append(Pair(text, others[i], 0, "neighbour"))
    return pairs


def _alike(first_text: str, second_text: str, rarity: dict[str, float]) -> bool:
    return (
        not _turned(first_text, second_text)
        and overlap(first_text, second_text, rarity)[1]
        and overlap(second_text, first_text, rarity)[1]
    )


def _unlike(first_text: str, second_text: str, rarity: dict[str, float]) -> bool:
    share, same_figures = overlap(first_text, second_text, rarity)
    return share < 0.5 or not same_figures


def spoken(source: Source, *, seed: int) -> list[Pair]:
    """Return debate sentences with a claim on the same subject (cosine below .6) and a far one."""
    rng = random.Random(seed)
    pairs = []
    texts = [claim["statement"] for claim in source.claims]
    sentence_vectors = source.vectors.of(source.spoken).numpy()
    # cosines of sentences with statements, (sentences, statements)
    all_cosines = sentence_vectors @ source.vectors.of(texts).numpy().T
    for sentence, cosines in zip(source.spoken, all_cosines, strict=True):
        nearest = [i for i in np.argsort(-cosines, kind="stable")[:5] if cosines[i] < 0.6]
        claim_indices = [rng.choice(nearest)] if nearest else []
        if rng.random() < 0.3:
            claim_indices.append(rng.randrange(len(texts)))
        for i in claim_indices:
            pairs.append(Pair(texts[i], sentence, 0, "spoken"))
    return pairs


def tweets(data: Path, *, seed: int) -> list[Pair]:  # noqa: C901
    """Return tweets of CheckThat! 2022 2A with the Snopes claim they make, and with another of a similar subject.

    Tweets of the 2020 test set are left out. The other claim shares a rare word with the tweet and
    little with its own.
    """
    folder = data / "checkthat2a"
    rng = random.Random(seed)
    tested = {normal(record["text"]) for record in rows(folder / "ct20_test_tweets.jsonl.gz")}
    texts = {}
    for record in rows(folder / "ct22_train_dev_tweets.jsonl.gz"):
        if normal(record["text"]) not in tested:
            texts[record["id"]] = tweet(record["text"])
    claims = {
        record["vclaim_id"]: record["vclaim"] for record in rows(folder / "ct22_vclaims.jsonl.gz")
    }
    rarity = word_rarity(list(claims.values()))
    claims_by_word = defaultdict(list)
    for claim, text in claims.items():
        for word in set(words(text)):
            claims_by_word[word].append(claim)
    pairs = []
    for record in rows(folder / "ct22_train_qrels.jsonl.gz"):
        if record["qid"] not in texts or record["did"] not in claims:
            continue
        text = texts[record["qid"]]
        statement = claims[record["did"]]
        pairs.append(Pair(statement, text, 1, "tweet"))
        usable_words = {word for word in words(text) if 2 <= len(claims_by_word[word]) <= 400}
        rarest = sorted(usable_words, key=lambda word: -rarity[word])[:6]
        similar_claims = []
        for word in rarest:
            for claim in claims_by_word[word]:
                if overlap(statement, claims[claim], rarity)[0] < 0.3:
                    similar_claims.append(claim)
        for claim in rng.sample(similar_claims, min(2, len(similar_claims))):
            pairs.append(Pair(claims[claim], text, 0, "other tweet"))
    return pairs


def tweet(text: str) -> str:
    """Return a tweet without addresses, pictures and its author's line."""
    text = re.sub(r"(https?://|pic\.twitter\.com/)\S+", "", text)
    return " ".join(re.sub(r"\s+— [^—]*\(@\w+\)[^—]*$", "", text).split())


def similar(data: Path) -> list[Pair]:
    """Return pairs of STS-B's training split: 1 at 4.5 of 5 or more, 0 from 1.5 to 3.2."""
    same_meaning = []
    different_meaning = []
    for record in rows(data / "sts" / "stsb_train.jsonl.gz"):
        premise = record["s1"]
        hypothesis = record["s2"]
        if len(premise.split()) < 7 or premise == hypothesis:
            continue
        if record["score"] >= 4.5:
            same_meaning.append(Pair(premise, hypothesis, 1, "similar"))
        elif 1.5 <= record["score"] <= 3.2:
            different_meaning.append(Pair(premise, hypothesis, 0, "less similar"))
    return same_meaning + different_meaning


def training_pairs(data: Path, source: Source, *, seed: int, rounds: int) -> list[Pair]:
    """Return the training pairs in order.

    In each round other edits and other noise on the natural pairs.

    Few whole sentences of debates are among them: they are never the claim, and a sentence that
    sounds like speech must not be taken for that reason alone to make no claim. So both labels get
    the same noise of speech instead.
    """
    article_pairs = from_articles(source, seed=seed)
    outside = tweets(data, seed=seed) + similar(data)
    order: list[Pair] = []
    for i in range(rounds):
        rng = random.Random(seed + i)
        natural = [*article_pairs, *neighbours(source, seed=seed + i)]
        noisy_pairs = []
        for pair in natural:
            noisy_text = claim_edits.noisy(pair.hypothesis, rng, source.spoken)
            noisy_pairs.append(pair._replace(hypothesis=noisy_text))
        round_pairs = [
            *outside,
            *edited(source.claims, source.spoken, seed=seed + i),
            *noisy_pairs,
            *spoken(source, seed=seed + i)[::10],
        ]
        rng.shuffle(round_pairs)
        order += round_pairs
    return order


def development_pairs(source: Source, *, seed: int) -> list[Pair]:
    """Return the pairs of a held-out part.

    Edits with held-out wordings, articles, neighbours, debates.
    """
    return [
        *edited(source.claims, source.spoken, seed=seed, held_out=True),
        *from_articles(source, seed=seed),
        *neighbours(source, seed=seed),
        *spoken(source, seed=seed),
    ]
