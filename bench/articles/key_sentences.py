"""Do key sentences link a claim and its article? 150 pairs read by eye, as in section 4.7 of the MTM paper.

``python -m bench.articles.key_sentences --data DIR --work DIR`` writes ``sheet.tsv`` for a reader who does not know the
systems: the first three sentences of all of them, pooled and shuffled. Labels come back as ``item<TAB>label`` (y or n);
``python -m bench.articles.key_sentences --data DIR --work DIR --labels TSV`` keeps them with ids and offsets, without
text, in ``bench/labels/key_sentences.tsv``, and prints the table. With neither a sheet nor new labels, ``--table``
reads those.

Pairs: 75 held-out statements that their article does not quote verbatim, and 75 sentences of CheckThat! 2B dev with an
article that is linked to them; articles of more than 20 sentences.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.articles.mtm import key_sentences, load
from features.articles.mtm.model import Mtm
from features.bm25 import BM25
from training.mtm.queries import Articles, Query, debate_sentences, drawn, politifact, statements, tweeted
from training.shared.loaders import rows
from training.shared.sentence_vectors import sentence_vectors

MODELS = Path(__file__).resolve().parents[2] / "models"
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


def pairs(data: Path, work: Path) -> list[Pair]:
    """Return the pairs that are read, drawn by chance: statements first, then debate sentences."""
    pool = politifact(data, work)
    titles = {row["id"]: row["title"] for row in rows(data / "politifact" / "claims.jsonl.gz")}
    kinds = statements(data, pool, tweeted(data, work)), debate_sentences(data, pool)
    found = []
    for queries in kinds:
        long = [q for q in queries if q.part == "test" and len(pool.articles.rows(q.articles[0])) > LONG]
        found += [_pair(pool.articles, titles, query) for query in drawn(long, OF_EACH, seed=SEED)]
    return found


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
    asked, *pieces = mtm.pieces([pair.query.text, *pair.sentences])
    residuals = mtm.space.residuals(asked, pieces)
    return key_sentences.score(residuals, mtm.memory[:0]).combined


def _rouge_scores(mtm: Mtm, pair: Pair) -> Scores:
    """The harmonic mean of the precision and recall of ROUGE-2 that the first transformer predicts."""
    asked, *pieces = mtm.pieces([pair.query.text, *pair.sentences])
    predicted = mtm.rouge([asked] * len(pieces), pieces)
    return 2 * predicted.prod(axis=1) / predicted.sum(axis=1)


def _sbert_scores(pair: Pair) -> Scores:
    vectors = sentence_vectors([pair.query.text, *pair.sentences]).astype(np.float32)
    return vectors[1:] @ vectors[0]


def first_three(scores: Scores) -> list[int]:
    """Return the places of the three best sentences, best first; of equal ones the earlier."""
    return np.argsort(-scores, kind="stable")[:FIRST].tolist()


def choices(found: Sequence[Pair], mtm: Mtm) -> dict[str, list[list[int]]]:
    """Return the first three sentences of every pair by every system."""
    return {name: [first_three(score(pair)) for pair in found] for name, score in systems(mtm).items()}


def pooled(found: Sequence[Pair], chosen: Mapping[str, Sequence[Sequence[int]]]) -> list[list[int]]:
    """Return of each pair the sentences that any system chose, shuffled: whose they are cannot be seen."""
    rng = random.Random(SEED)
    pools = []
    for row in range(len(found)):
        places = sorted({place for three in chosen.values() for place in three[row]})
        rng.shuffle(places)
        pools.append(places)
    return pools


def write_sheet(path: Path, found: Sequence[Pair], pools: Sequence[Sequence[int]]) -> None:
    """Write the sheet to read, pairs in an order by chance."""
    order = random.Random(SEED + 1).sample(range(len(found)), len(found))
    lines = [HEAD]
    for row in order:
        lines.append(f"\n# CLAIM: {_flat(found[row].query.text)}\n# ARTICLE: {_flat(found[row].title)}\n")
        for number, place in enumerate(pools[row]):
            lines.append(f"{item(row, number)}\t{_flat(found[row].sentences[place])}\n")
    path.write_text("".join(lines), encoding="utf-8")


def item(row: int, number: int) -> str:
    """Return the name of an item of the sheet: its pair and its place among those pooled."""
    return f"{row:03d}-{number:02d}"


def _flat(text: str) -> str:
    return " ".join(text.split())


def keep_labels(path: Path, found: Sequence[Pair], pools: Sequence[Sequence[int]], returned: Mapping[str, str]) -> None:
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
                writer.writerow((*found[row].key(place), label))


def read_labels(path: Path) -> dict[Key, bool]:
    """Return whether each sentence that was read is a key sentence."""
    with path.open(encoding="utf-8", newline="") as lines:
        found = csv.DictReader(lines, delimiter="\t")
        return {(r["query"], r["article"], int(r["start"]), int(r["end"])): r["label"] == "y" for r in found}


def right(
    found: Sequence[Pair], chosen: Sequence[Sequence[int]], labels: Mapping[Key, bool]
) -> tuple[NDArray[np.bool_], int]:
    """Return whether each of the first three is a key sentence, (n, 3), and how many nobody has read (a no)."""
    keys = [[pair.key(place) for place in places] for pair, places in zip(found, chosen, strict=True)]
    unread = sum(key not in labels for three in keys for key in three)
    return np.array([[labels.get(key, False) for key in three] for three in keys]), unread


def row_of(name: str, said: NDArray[np.bool_], rival: NDArray[np.bool_]) -> dict[str, object]:
    """Return one system's line, with 95 % intervals of its difference from SBERT-nearest over the pairs."""
    line: dict[str, object] = {"system": name, "one of 3": round(float(said.any(axis=1).mean()), 3)}
    line |= {f"P@{k}": round(float(said[:, :k].mean()), 3) for k in range(1, FIRST + 1)}
    line |= {"right at rank " + str(k): round(float(said[:, k - 1].mean()), 3) for k in range(2, FIRST + 1)}
    for what, mine, other in (
        ("one of 3", said.any(axis=1), rival.any(axis=1)),
        ("P@1", said[:, 0], rival[:, 0]),
    ):
        low, high = paired(mine.astype(float) - other.astype(float))
        line[f"{what} against SBERT"] = f"{mine.mean() - other.mean():+.3f} ({low:+.3f} to {high:+.3f})"
    return line


def paired(differences: Scores, *, rounds: int = 10_000) -> tuple[float, float]:
    """Return the 95 % interval of the mean of paired differences, drawn again by bootstrap."""
    rng = np.random.default_rng(SEED)
    means = differences[rng.integers(0, len(differences), (rounds, len(differences)))].mean(axis=1)
    return tuple(np.quantile(means, (0.025, 0.975)).tolist())


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the sheet, or print the table of its labels."""
    parser = argparse.ArgumentParser(prog="python -m bench.articles.key_sentences", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("build/mtm"))
    parser.add_argument("--models", type=Path, default=MODELS)
    parser.add_argument("--labels", type=Path, help="labels of the sheet, to be kept")
    parser.add_argument("--table", action="store_true", help="print the table of the labels that are kept")
    args = parser.parse_args(arguments)
    found = pairs(args.data, args.work)
    chosen = choices(found, load(args.models))
    pools = pooled(found, chosen)
    if not args.labels and not args.table:
        write_sheet(args.work / "sheet.tsv", found, pools)
        print(f"{sum(map(len, pools))} sentences of {len(found)} pairs are in {args.work / 'sheet.tsv'}")
        return
    if args.labels:
        lines = [line.split("\t") for line in args.labels.read_text("utf-8").splitlines() if "\t" in line]
        keep_labels(LABELS, found, pools, {line[0].strip(): line[1].strip() for line in lines})
    labels = read_labels(LABELS)
    rival, _ = right(found, chosen["SBERT-nearest"], labels)
    for name, places in chosen.items():
        said, unread = right(found, places, labels)
        print(row_of(name, said, rival), f"unread {unread}" if unread else "")


if __name__ == "__main__":
    main()
