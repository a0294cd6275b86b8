"""Key sentences: do they link a claim and its article? 150 labelled pairs, as in section 4.7 of the MTM paper.

``python -m bench.articles.key_sentences --data DIR --work DIR`` writes ``sheet.tsv``, to be labelled without knowing
the systems: the first three sentences of all of them, pooled and shuffled. Labels come back as ``item<TAB>label`` (y or
n); ``--labels TSV`` keeps them with ids and offsets, without text, in ``bench/labels/key_sentences.tsv``, and prints
the table. ``--table`` prints it from the labels that are there, which four runs of a language model with a written
guide gave. Expected: one of three right for 87.3 % of the pairs by MTM, 88.0 % by SBERT-nearest.

Pairs: 75 held-out statements that their article does not quote verbatim, and 75 sentences of CheckThat! 2B dev with an
article that is linked to them; articles of more than 20 sentences.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.command import command, data_option, option, table
from features.articles.mtm import key_sentences, load
from features.articles.mtm.model import Mtm
from features.bm25 import BM25
from features.weights import MODELS
from training.evidence.scores import interval
from training.mtm.queries import Articles, Query, debate_sentences, drawn, politifact, statements, tweeted
from training.shared.loaders import rows as claim_rows
from training.shared.sentence_vectors import sentence_vectors

LABELS = Path(__file__).resolve().parents[1] / "labels" / "key_sentences.tsv"
OF_EACH, LONG, FIRST, SEED = 75, 20, 3, 17
Scores = NDArray[np.floating]
Key = tuple[str, str, int, int]  # query, article, start and end of the sentence
HEAD = """\
# For each claim: sentences of one fact-checking article, in no order. Is it a key sentence? Write y or n for each item
# into a file of two columns, item<TAB>label.
# A key sentence: a sentence from which a reader sees that the article is about this very claim, by naming or quoting it
# or saying in other words what is claimed or debunked.
"""


@dataclass(frozen=True)
class Pair:
    """A claim and an article of more than twenty sentences that is about it."""

    query: Query
    article: str
    title: str
    sentences: list[str]
    spans: list[tuple[int, int]]

    def key(self, place: int) -> Key:
        """Return what names a sentence without its text."""
        return self.query.id, self.article, *self.spans[place]


def draw(data: Path, work: Path) -> list[Pair]:
    """Return the labelled pairs, drawn at random: statements first, then debate sentences."""
    pool = politifact(data, work)
    titles = {row["id"]: row["title"] for row in claim_rows(data / "politifact" / "claims.jsonl.gz")}
    kinds = statements(data, pool, tweeted(data, work)), debate_sentences(data, pool)
    pairs: list[Pair] = []
    for queries in kinds:
        long = [q for q in queries if q.part == "test" and len(pool.articles.rows(q.articles[0])) > LONG]
        pairs += [_pair(pool.articles, titles, query) for query in drawn(long, OF_EACH, seed=SEED)]
    return pairs


def _pair(articles: Articles, titles: Mapping[str, str], query: Query) -> Pair:
    place = query.articles[0]
    span = articles.rows(place)
    spans = [(int(a), int(b)) for a, b in articles.spans[span.start : span.stop].tolist()]
    name = articles.ids[place]
    return Pair(query, name, titles[name], articles.sentences(place), spans)


def systems(mtm: Mtm) -> dict[str, Callable[[Pair], Scores]]:
    """Return what scores the sentences of a pair, by name."""
    return {
        "MTM": lambda pair: mtm.explain(pair.query.text, [pair.sentences], relevance=False)[0].scores,
        "MTM without patterns": lambda pair: _residual_scores(mtm, pair),
        "ROUGE-guided transformer": lambda pair: _rouge_scores(mtm, pair),
        "SBERT-nearest": _sbert_scores,
        "BM25": lambda pair: BM25.of(pair.sentences).scores([pair.query.text])[0],
    }


def _residual_scores(mtm: Mtm, pair: Pair) -> Scores:
    query, *pieces = mtm.pieces([pair.query.text, *pair.sentences])
    residuals = mtm.space.residuals(query, pieces)
    return key_sentences.score(residuals, mtm.memory[:0]).combined


def _rouge_scores(mtm: Mtm, pair: Pair) -> Scores:
    """The harmonic mean of the precision and recall of ROUGE-2 that the first transformer predicts."""
    query, *pieces = mtm.pieces([pair.query.text, *pair.sentences])
    predicted = mtm.rouge([query] * len(pieces), pieces)
    return 2 * predicted.prod(axis=1) / predicted.sum(axis=1)


def _sbert_scores(pair: Pair) -> Scores:
    vectors = sentence_vectors([pair.query.text, *pair.sentences]).astype(np.float32)
    return vectors[1:] @ vectors[0]


def first_three(scores: Scores) -> list[int]:
    """Return the places of the three best sentences, best first; of equal ones the earlier."""
    return np.argsort(-scores, kind="stable")[:FIRST].tolist()


def choices(pairs: Sequence[Pair], mtm: Mtm) -> dict[str, list[list[int]]]:
    """Return the first three sentences of every pair by every system."""
    return {name: [first_three(score(pair)) for pair in pairs] for name, score in systems(mtm).items()}


def pooled(pairs: Sequence[Pair], chosen: Mapping[str, Sequence[Sequence[int]]]) -> list[list[int]]:
    """Return for each pair the sentences that any system chose, shuffled, so that nothing shows which system it was."""
    rng = random.Random(SEED)
    pools = []
    for row in range(len(pairs)):
        places = sorted({place for three in chosen.values() for place in three[row]})
        rng.shuffle(places)
        pools.append(places)
    return pools


def write_sheet(path: Path, pairs: Sequence[Pair], pools: Sequence[Sequence[int]]) -> None:
    """Write the sheet to be labelled, pairs in random order."""
    order = random.Random(SEED + 1).sample(range(len(pairs)), len(pairs))
    lines = [HEAD]
    for row in order:
        lines.append(f"\n# CLAIM: {_flat(pairs[row].query.text)}\n# ARTICLE: {_flat(pairs[row].title)}\n")
        for number, place in enumerate(pools[row]):
            lines.append(f"{item(row, number)}\t{_flat(pairs[row].sentences[place])}\n")
    path.write_text("".join(lines), encoding="utf-8")


def item(row: int, number: int) -> str:
    """Return the name of an item of the sheet: its pair and its place among those pooled."""
    return f"{row:03d}-{number:02d}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def keep_labels(path: Path, pairs: Sequence[Pair], pools: Sequence[Sequence[int]], returned: Mapping[str, str]) -> None:
    """Write the labels with the ids and offsets that they belong to, and no text.

    Raises: ValueError for an item without y or n.
    """
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines, delimiter="\t", lineterminator="\n")
        writer.writerow(("query", "article", "start", "end", "label"))
        for row, places in enumerate(pools):
            for number, place in enumerate(places):
                label = returned.get(item(row, number), "")
                if label not in ("y", "n"):
                    raise ValueError(f"{item(row, number)} has the label {label!r}; expected y or n")
                writer.writerow((*pairs[row].key(place), label))


def read_labels(path: Path) -> dict[Key, bool]:
    """Return whether each labelled sentence is a key sentence."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return {(r["query"], r["article"], int(r["start"]), int(r["end"])): r["label"] == "y" for r in rows}


def right(
    pairs: Sequence[Pair], chosen: Sequence[Sequence[int]], labels: Mapping[Key, bool]
) -> tuple[NDArray[np.bool_], int]:
    """Return whether each of the first three is a key sentence, (n, 3), and how many have no label (counted as no)."""
    keys = [[pair.key(place) for place in places] for pair, places in zip(pairs, chosen, strict=True)]
    unread = sum(key not in labels for three in keys for key in three)
    return np.array([[labels.get(key, False) for key in three] for three in keys]), unread


def row_of(name: str, hits: NDArray[np.bool_], rival: NDArray[np.bool_]) -> dict[str, object]:
    """Return one system's row, with 95 % intervals of its difference from SBERT-nearest over the pairs."""
    line: dict[str, object] = {"system": name, "one of 3": round(float(hits.any(axis=1).mean()), 3)}
    line |= {f"P@{k}": round(float(hits[:, :k].mean()), 3) for k in range(1, FIRST + 1)}
    line |= {"right at rank " + str(k): round(float(hits[:, k - 1].mean()), 3) for k in range(2, FIRST + 1)}
    for what, mine, other in (("one of 3", hits.any(axis=1), rival.any(axis=1)), ("P@1", hits[:, 0], rival[:, 0])):
        low, high = interval(mine.astype(float) - other.astype(float))
        line[f"{what} against SBERT"] = f"{mine.mean() - other.mean():+.3f} ({low:+.3f} to {high:+.3f})"
    return line


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, object]]] | None:
    """Write the sheet, or print and return the table of its labels."""
    pairs = draw(options.data, options.work)
    chosen = choices(pairs, load(options.models))
    pools = pooled(pairs, chosen)
    if not options.labels and not options.table:
        write_sheet(options.work / "sheet.tsv", pairs, pools)
        print(f"{sum(map(len, pools))} sentences of {len(pairs)} pairs are in {options.work / 'sheet.tsv'}")
        return None
    if options.labels:
        lines = [line.split("\t") for line in options.labels.read_text("utf-8").splitlines() if "\t" in line]
        keep_labels(LABELS, pairs, pools, {line[0].strip(): line[1].strip() for line in lines})
    labels = read_labels(LABELS)
    rival, _ = right(pairs, chosen["SBERT-nearest"], labels)
    hits = {name: right(pairs, places, labels) for name, places in chosen.items()}
    rows = [row_of(name, key, rival) | {"unread": unread} for name, (key, unread) in hits.items()]
    print(table(rows))
    return {"rows": rows}


main = command(
    measure,
    data_option,
    option("--work", type=Path, default=Path("build/mtm")),
    option("--models", type=Path, default=MODELS),
    option("--labels", type=Path, help="labels of the sheet, to be kept"),
    option("--table", action="store_true", help="print the table of the labels that are kept"),
)

if __name__ == "__main__":
    sys.exit(main())
