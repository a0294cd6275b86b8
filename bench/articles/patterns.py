"""The patterns of MTM in words.

Makes ``docs/research/data/patterns.md`` and ``models/mtm-patterns.json``.

``python -m bench.articles.patterns --data DIR --work DIR [--out docs/research/data/patterns.md]``

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
        article = query.articles[0]
        sentence_numbers = articles.rows(article)
        texts = articles.sentences(article)
        residuals = mtm.space.residuals(
            pieces, [articles.ids_of(sentence_index) for sentence_index in sentence_numbers]
        )
        scores = key_sentences.score(residuals, mtm.memory, mtm.weights)
        for key in key_sentences.best_sentences(scores.combined, mtm.key):
            tenths[key * TENTHS // len(texts)] += 1
        _, distances = key_sentences.nearest_patterns(residuals, mtm.memory)
        for sentence_index in np.flatnonzero(mtm_memory.valid(residuals, *band)).tolist():
            words = tuple(_WORD.findall(texts[sentence_index].lower().replace("\u2019", "'")))
            pattern = int(scores.patterns[sentence_index])
            distance = float(distances[sentence_index])
            sentences.append(
                Sentence(words, article, pattern, distance, sentence_index / len(texts))
            )
    return Reading(sentences, tenths)


def grams(words: Sequence[str], lengths: Iterable[int]) -> set[str]:
    """Return the runs of words of some lengths, each once."""
    runs = set()
    for length in lengths:
        for start in range(len(words) - length + 1):
            runs.add(" ".join(words[start : start + length]))
    return runs


def typical(
    sentences: Sequence[Sentence], lengths: Sequence[int], patterns: int
) -> list[list[tuple[str, int]]]:
    """Return the runs of words that set each pattern apart, the most typical first, with counts."""
    counts_by_pattern: list[Counter[str]] = [Counter() for _ in range(patterns)]
    articles: dict[str, set[int]] = defaultdict(set)
    for sentence in sentences:
        for gram in grams(sentence.words, lengths):
            counts_by_pattern[sentence.pattern][gram] += 1
            articles[gram].add(sentence.article)
    all_counts = sum(counts_by_pattern, Counter())
    usable = set()
    for gram, count in all_counts.items():
        if count >= ARTICLES and len(articles[gram]) >= ARTICLES:
            usable.add(gram)
    total = sum(all_counts.values())
    typical_runs = []
    for counts in counts_by_pattern:
        size = sum(counts.values())
        scores = {}
        for gram in usable:
            if counts[gram] >= ARTICLES:
                scores[gram] = log_odds(counts[gram], size, all_counts[gram], total)
        by_score = sorted(scores, key=lambda gram: (-scores[gram], gram))
        typical_runs.append([(gram, counts[gram]) for gram in by_score if scores[gram] > 2])
    return typical_runs


def log_odds(count: int, size: int, all_count: int, total: int) -> float:
    """Return the z-score of a run's log-odds inside against outside, with a prior of weight 500.

    ``count`` of ``size`` runs are inside, ``all_count`` of ``total`` are anywhere.
    """
    weight = 500.0
    prior = 500 * all_count / total
    inside = count + prior
    outside = all_count - count + prior
    inside_odds = np.log(inside / (size + weight - inside))
    outside_odds = np.log(outside / (total - size + weight - outside))
    return float((inside_odds - outside_odds) / np.sqrt(1 / inside + 1 / outside))


def described(mtm: Mtm, reading: Reading) -> list[dict[str, object]]:
    """Return the words and phrases of each pattern, its number of sentences and their mean place."""
    pattern_count = len(mtm.memory)
    words = typical(reading.sentences, (1,), pattern_count)
    phrases = typical(reading.sentences, LENGTHS, pattern_count)
    descriptions = []
    for pattern in range(pattern_count):
        relative_places = []
        for sentence in reading.sentences:
            if sentence.pattern == pattern:
                relative_places.append(sentence.place)
        content_words = []
        for word, count in words[pattern]:
            if word not in FUNCTION_WORDS and len(word) > 2:
                content_words.append({"text": word, "count": count})
        distinct_phrases = distinct(phrases[pattern])[:PHRASES]
        descriptions.append(
            {
                "number": pattern,
                "sentences": len(relative_places),
                "place": round(float(np.mean(relative_places)), 2) if relative_places else None,
                "words": content_words[:WORDS],
                "phrases": [{"text": text, "count": count} for text, count in distinct_phrases],
            }
        )
    return descriptions


def distinct(phrases: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the phrases of more than function words that do not overlap with an earlier one."""
    distinct_phrases: list[tuple[str, int]] = []
    for text, count in phrases:
        if all(word in FUNCTION_WORDS for word in text.split()):
            continue
        if not any(_contains(text, earlier_phrase) for earlier_phrase, _ in distinct_phrases):
            distinct_phrases.append((text, count))
    return distinct_phrases


def _contains(text: str, other_phrase: str) -> bool:
    """Return whether one of two phrases contains the other."""
    return f" {text} " in f" {other_phrase} " or f" {other_phrase} " in f" {text} "


def page(patterns: Sequence[dict], reading: Reading, read_of: int) -> str:
    """Return docs/research/data/patterns.md."""
    lines = []
    for pattern in sorted(patterns, key=lambda pattern: -pattern["sentences"]):
        words = _counted(pattern["words"])
        phrases = _counted(pattern["phrases"])
        mean_place = "" if pattern["place"] is None else f"{pattern['place']:.0%}"
        sentences = f"{pattern['sentences']:,}"
        lines.append(f"| {pattern['number']} | {sentences} | {mean_place} | {words} | {phrases} |")
    keys = int(reading.tenths.sum())
    tenths = " | ".join(f"{share:.1%}" for share in reading.tenths / keys)
    return lexicon(__file__).page.format(
        statements=read_of, rows="\n".join(lines), keys=keys, tenths=tenths
    )


def _counted(runs: Sequence[dict]) -> str:
    return ", ".join(f"{run['text']} {run['count']}" for run in runs)


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
    option("--out", type=Path, default=Path("docs/research/data/patterns.md")),
)

if __name__ == "__main__":
    sys.exit(main())
