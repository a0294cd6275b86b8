"""The patterns of MTM in words: makes ``docs/patterns.md`` and ``models/mtm-patterns.json``.

``python -m bench.articles.patterns --data DIR --work DIR [--out docs/patterns.md]``

It reads the articles of two thousand statements of train, drawn at random. A sentence belongs to
its nearest pattern if its residual is within the band of the memory. A pattern's words and phrases
are those that its sentences have more often than those of the others (log-odds with an informative
prior). A phrase occurs in at least ``ARTICLES`` articles: it is a manner of writing and nobody's
sentence. Neither the page nor the file contains a sentence.

Source of the log-odds: Monroe, Colaresi and Quinn, Fightin' Words, Political Analysis 2008,
equation (22).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.command import command, data_option, option, write_json
from bench.lexicon import lexicon
from features.articles.mtm import key_sentences, load
from features.articles.mtm.model import Mtm
from features.language.function_words import FUNCTION_WORDS
from training.mtm import pattern_memory as mtm_memory
from training.mtm.queries import Query, drawn, word_pieces
from training.mtm.samples import Library, library
from training.mtm.train import MODELS

COUNT = 2000
ARTICLES = 12
SEED = 17
WORDS = 10
PHRASES = 4
TENTHS = 10
LENGTHS = (2, 3, 4)  # words of a phrase
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


@dataclass(frozen=True)
class Sentence:
    """A sentence that a pattern is nearest to.

    Its words, its article, its distance, and its place (0 to 1).
    """

    words: tuple[str, ...]
    article: int
    pattern: int
    distance: float
    place: float


@dataclass(frozen=True)
class Reading:
    """The sentences of all patterns, and in which tenth of their articles key sentences stand, (10,)."""

    sentences: list[Sentence]
    tenths: NDArray[np.int64]


def read(
    library_: Library, mtm: Mtm, queries: Sequence[Query], band: tuple[float, float]
) -> Reading:
    """Return the sentences of the queries' articles whose residuals lie in the band, by pattern."""
    sentences = []
    tenths = np.zeros(TENTHS, np.int64)
    pieces_of = word_pieces([query.text for query in queries])
    articles = library_.politifact.articles
    for query, pieces in zip(queries, pieces_of, strict=True):
        place = query.articles[0]
        rows = articles.rows(place)
        texts = articles.sentences(place)
        residuals = mtm.space.residuals(pieces, [articles.ids_of(row) for row in rows])
        scores = key_sentences.score(residuals, mtm.memory, mtm.weights)
        for key in key_sentences.best_places(scores.combined, mtm.key):
            tenths[key * TENTHS // len(texts)] += 1
        _, distances = key_sentences.nearest_patterns(residuals, mtm.memory)
        for row in np.flatnonzero(mtm_memory.valid(residuals, *band)).tolist():
            words = tuple(_WORD.findall(texts[row].lower().replace("\u2019", "'")))
            pattern = int(scores.patterns[row])
            distance = float(distances[row])
            sentences.append(Sentence(words, place, pattern, distance, row / len(texts)))
    return Reading(sentences, tenths)


def grams(words: Sequence[str], lengths: Iterable[int]) -> set[str]:
    """Return the runs of words of some lengths, each once."""
    return {" ".join(words[i : i + n]) for n in lengths for i in range(len(words) - n + 1)}


def typical(
    sentences: Sequence[Sentence], lengths: Sequence[int], patterns: int
) -> list[list[tuple[str, int]]]:
    """Return the runs of words that set each pattern apart from the others, the most typical first, with counts."""
    inside: list[Counter[str]] = [Counter() for _ in range(patterns)]
    articles: dict[str, set[int]] = defaultdict(set)
    for sentence in sentences:
        for gram in grams(sentence.words, lengths):
            inside[sentence.pattern][gram] += 1
            articles[gram].add(sentence.article)
    whole = sum(inside, Counter())
    usable = {
        gram
        for gram, count in whole.items()
        if count >= ARTICLES and len(articles[gram]) >= ARTICLES
    }
    total = sum(whole.values())
    runs = []
    for own in inside:
        size = sum(own.values())
        scores = {
            gram: log_odds(own[gram], size, whole[gram], total)
            for gram in usable
            if own[gram] >= ARTICLES
        }
        runs.append(
            [
                (gram, own[gram])
                for gram in sorted(scores, key=lambda g: (-scores[g], g))
                if scores[gram] > 2
            ]
        )
    return runs


def log_odds(own: int, size: int, whole: int, total: int) -> float:
    """Return the z-score of a run's log-odds inside against outside, with the whole as prior of weight 500."""
    prior = 500 * whole / total
    weight = 500.0
    inside = own + prior
    outside = whole - own + prior
    odds = np.log(inside / (size + weight - inside)) - np.log(
        outside / (total - size + weight - outside)
    )
    return float(odds / np.sqrt(1 / inside + 1 / outside))


def described(mtm: Mtm, reading: Reading) -> list[dict[str, object]]:
    """Return the words and phrases of each pattern, how many sentences it has and their mean place."""
    count = len(mtm.memory)
    words = typical(reading.sentences, (1,), count)
    phrases = typical(reading.sentences, LENGTHS, count)
    made = []
    for pattern in range(count):
        mine = [sentence for sentence in reading.sentences if sentence.pattern == pattern]
        telling = [
            (word, n) for word, n in words[pattern] if word not in FUNCTION_WORDS and len(word) > 2
        ]
        made.append(
            {
                "number": pattern,
                "sentences": len(mine),
                "place": round(float(np.mean([one.place for one in mine])), 2) if mine else None,
                "words": [{"text": word, "count": n} for word, n in telling[:WORDS]],
                "phrases": [
                    {"text": text, "count": n} for text, n in distinct(phrases[pattern])[:PHRASES]
                ],
            }
        )
    return made


def distinct(phrases: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the phrases that neither contain nor are part of one before them, without bare function words."""
    kept: list[tuple[str, int]] = []
    for text, count in phrases:
        bare = all(word in FUNCTION_WORDS for word in text.split())
        if not bare and not any(
            f" {text} " in f" {other} " or f" {other} " in f" {text} " for other, _ in kept
        ):
            kept.append((text, count))
    return kept


def page(patterns: Sequence[dict], reading: Reading, read_of: int) -> str:
    """Return docs/patterns.md."""
    rows = []
    for one in sorted(patterns, key=lambda one: -one["sentences"]):
        words, phrases = (
            ", ".join(f"{entry['text']} {entry['count']}" for entry in one[name])
            for name in ("words", "phrases")
        )
        place = "" if one["place"] is None else f"{one['place']:.0%}"
        rows.append(f"| {one['number']} | {one['sentences']:,} | {place} | {words} | {phrases} |")
    keys = int(reading.tenths.sum())
    tenths = " | ".join(f"{share:.1%}" for share in reading.tenths / keys)
    return lexicon(__file__).page.format(
        statements=read_of, rows="\n".join(rows), keys=keys, tenths=tenths
    )


def measure(options: argparse.Namespace) -> dict[str, object]:
    """Write the page and the file, and return what the file holds."""
    articles = library(options.data, options.work)
    mtm = load(options.models)
    statements = drawn(articles.of("statement", "train"), COUNT, seed=SEED)
    scores = json.loads((options.models / "mtm.json").read_text("utf-8"))["scores"]
    reading = read(articles, mtm, statements, (scores["t_low"], scores["t_high"]))
    patterns = described(mtm, reading)
    options.out.write_text(page(patterns, reading, len(statements)), encoding="utf-8")
    report = {"tenths": reading.tenths.tolist(), "patterns": patterns}
    write_json(options.models / "mtm-patterns.json", report)
    return report


main = command(
    measure,
    data_option,
    option("--work", type=Path, default=Path("build/mtm")),
    option("--models", type=Path, default=MODELS),
    option("--out", type=Path, default=Path("docs/patterns.md")),
)

if __name__ == "__main__":
    sys.exit(main())
