"""Loaders of the data folder for training, which leave out everything that is measured on.

They know file names and fields of the data folder and which of its rows a training script may see,
and no model. Every loader leaves out the seven annotated debates, and the verified claims that
they or the development queries of CheckThat! 2021 2B point to, so that a measure is never trained
on the pairs it is judged by.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from assistant.core.errors import LecternError

SEVEN_DEBATES = frozenset(
    {
        "20170803_Trump_WV",
        "20170822_Trump_phoenix",
        "20180426_Trump_Fox_Friends",
        "20180525_Trump_Naval",
        "20180612_Trump_Singapore",
        "20180615_Trump_lawn",
        "20180628_Trump_NorthDakota",
    }
)
LABELS = ("entailment", "neutral", "contradiction")
FEVER_LABELS = {"SUPPORTS": "entailment", "NOT ENOUGH INFO": "neutral", "REFUTES": "contradiction"}


class Pair(NamedTuple):
    """A premise, a hypothesis, the index of their relation in ``LABELS``, and the set the pair comes from."""

    premise: str
    hypothesis: str
    label: int
    source: str


class DataFolderError(LecternError):
    """The data folder lacks a file, or a file is not what it should be."""


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file, gzip'd or not.

    Raises: DataFolderError if it is not there.
    """
    if not path.is_file():
        raise DataFolderError(
            "no such file.", where=str(path), remedy="Give the data folder with --data."
        )
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        yield from lines


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON lines."""
    return (json.loads(line) for line in read_lines(path) if line.strip())


def table(path: Path) -> Iterator[list[str]]:
    """Yield the rows of a TSV file without quoting."""
    return csv.reader(read_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE)


def debate_of(query: str) -> str:
    """Return the debate that a CheckThat! 2B query id such as ``20170822_Trump_phoenix_0204`` belongs to."""
    return query.rsplit("_", 1)[0]


def held_out_claims(data: Path) -> frozenset[str]:
    """Return the ids of all claims that the seven debates or 2B's development queries are judged on."""
    claims = set()
    with open(data / "assisting" / "pairs.tsv", encoding="utf-8", newline="") as lines:
        for pair in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            claims.add(pair["claim"])
    for _, _, claim, _ in table(data / "checkthat2b" / "dev_qrels.tsv.gz"):
        claims.add(claim)
    for link in rows(data / "debates" / "links.jsonl.gz"):
        if link["debate"] in SEVEN_DEBATES:
            claims.add(link["claim"])
    return frozenset(claims)


def training_claims(data: Path) -> list[dict[str, Any]]:
    """Return the verified claims a training script may read.

    No held-out one, no duplicate, no flip-o-meter entry.
    """
    held_out = held_out_claims(data)
    claims = []
    for claim in rows(data / "politifact" / "claims.jsonl.gz"):
        is_flip_rating = "Fl" in claim["rating"][-5:]
        if claim["id"] not in held_out and not claim.get("duplicate_of") and not is_flip_rating:
            claims.append(claim)
    return claims


def nli_pairs(path: Path, source: str) -> list[Pair]:
    """Return the pairs of a file with premise, hypothesis and label.

    Pairs without a gold label are skipped.
    """
    pairs = []
    for record in rows(path):
        relation = record["label"].lower()
        if relation in LABELS:
            label = LABELS.index(relation)
            pairs.append(Pair(record["premise"], record["hypothesis"], label, source))
    return pairs


def fever_pairs(path: Path, *, seed: int, sentences: int = 2) -> list[Pair]:
    """Return evidence-claim pairs of FEVER.

    Claims without evidence get that of a claim about the same name.

    Where no other claim shares a capitalised word, the claim is left out: unrelated evidence would
    be too easy.
    """
    rng = random.Random(seed)
    claims = list(rows(path))
    evidence_by_name: dict[str, list[str]] = defaultdict(list)
    for claim in claims:
        for name in names(claim["claim"]):
            evidence_by_name[name].extend(claim["evidence"][:1])
    pairs = []
    for claim in claims:
        text = claim["claim"]
        evidence = claim["evidence"][:sentences] or _borrowed(text, evidence_by_name, rng)
        if evidence:
            premise = detokenised(" ".join(evidence))
            label = LABELS.index(FEVER_LABELS[claim["label"]])
            pairs.append(Pair(premise, text, label, "fever"))
    return pairs


def names(text: str) -> list[str]:
    """Return the words of a text with a capital letter, four letters or more."""
    return re.findall(r"\b[A-Z][a-z]{3,}\b", text)


def _borrowed(claim: str, by_name: dict[str, list[str]], rng: random.Random) -> list[str]:
    candidates = [evidence for name in names(claim) for evidence in by_name[name]]
    return [rng.choice(candidates)] if candidates else []


def detokenised(text: str) -> str:
    """Return text with the Penn Treebank's brackets, quotes and spaces before punctuation put right."""
    for token, sign in (
        ("-LRB-", "("),
        ("-RRB-", ")"),
        ("-LSB-", "["),
        ("-RSB-", "]"),
        ("``", '"'),
        ("''", '"'),
    ):
        text = text.replace(token, sign)
    text = re.sub(r" ([.,;:!?)\]%]|'s\b|n't\b)", r"\1", text).replace(" -- ", " - ")
    return re.sub(r"([(\[]) ", r"\1", text)


class Triple(NamedTuple):
    """A text, another that means the same or follows from it, and one that it contradicts (or "")."""

    anchor: str
    positive: str
    negative: str
    source: str


def nli_triples(pairs: list[Pair]) -> list[Triple]:
    """Return every entailment as anchor and positive, with a contradiction of the same premise where there is one."""
    contradicting: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        if LABELS[pair.label] == "contradiction":
            contradicting[pair.premise].append(pair.hypothesis)
    triples = []
    for pair in pairs:
        if LABELS[pair.label] == "entailment":
            against = contradicting[pair.premise]
            negative = against[len(triples) % len(against)] if against else ""
            triples.append(Triple(pair.premise, pair.hypothesis, negative, pair.source))
    return triples


def word_rarity(texts: list[str]) -> dict[str, float]:
    """Return for each word the logarithm of the number of texts over those that have it."""
    counts = Counter(word for text in texts for word in set(words(text)))
    return {word: math.log(len(texts) / count) for word, count in counts.items()}


def words(text: str) -> list[str]:
    """Return the lower-case words and numbers of a text."""
    return re.findall(r"[a-z]+|\d[\d,.]*\d|\d", text.lower())


def query_sets(data: Path, part: str) -> tuple[list[tuple[str, str]], dict[str, set[str]]]:
    """Return (id, text) queries and relevant claims of CheckThat! 2B ``train`` or ``dev``.

    Queries of the seven debates are left out of ``train``.
    """
    folder = data / "checkthat2b"
    queries = []
    for query_id, text, *_ in table(folder / f"{part}_queries.tsv.gz"):
        if part == "dev" or debate_of(query_id) not in SEVEN_DEBATES:
            queries.append((query_id, text))
    relevant: dict[str, set[str]] = defaultdict(set)
    for query_id, _, claim, _ in table(folder / f"{part}_qrels.tsv.gz"):
        relevant[query_id].add(claim)
    return queries, relevant


DEBATES_ALSO_LINKED = frozenset(
    {"2012-10-22.txt", "2016-09-26.txt", "2016-10-09.txt", "2016-10-19.txt"}
)
CHECKWORTHY_TESTS = {
    "claimbuster_groundtruth": "claimbuster_groundtruth.jsonl.gz",
    "checkthat2024_devtest": "ct24_task1_en_dev-test.jsonl.gz",
    "checkthat2024_test": "ct24_task1_en_test_gold.jsonl.gz",
}


class Labelled(NamedTuple):
    """A sentence, whether it is check-worthy, and the debate file it comes from ("" if unknown)."""

    text: str
    worthy: bool
    file: str


def checkworthy_test(data: Path, name: str) -> list[Labelled]:
    """Return a test set of check-worthiness.

    ClaimBuster's CFS and CheckThat!'s Yes are check-worthy.
    """
    sentences = []
    for record in rows(data / "checkworthy" / CHECKWORTHY_TESTS[name]):
        is_worthy = record["label"] in ("CFS", "Yes")
        sentences.append(Labelled(record["text"], is_worthy, record.get("file", "")))
    return sentences


def checkworthy_training(data: Path) -> list[Labelled]:
    """Return ClaimBuster's crowdsourced sentences without linked debates and test texts."""
    test_texts = set()
    for name in CHECKWORTHY_TESTS:
        test_texts.update(normal(sentence.text) for sentence in checkworthy_test(data, name))
    sentences = []
    for record in rows(data / "checkworthy" / "claimbuster_crowdsourced.jsonl.gz"):
        is_test_text = normal(record["text"]) in test_texts
        if record["file"] not in DEBATES_ALSO_LINKED and not is_test_text:
            sentences.append(Labelled(record["text"], record["label"] == "CFS", record["file"]))
    return sentences


def normal(text: str) -> str:
    """Return a text for comparison: lower case, everything but letters and digits one space."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def linked_sentences(data: Path) -> list[tuple[str, int, str, str]]:
    """Return (debate, line, text, category) of every sentence of the sixty-three debates, the seven left out.

    The category is that of its link to a fact-check, ``CLEAN`` where it says the claim by itself,
    "" for none.
    """
    categories = {}
    for link in rows(data / "debates" / "links.jsonl.gz"):
        categories[link["debate"], link["line"]] = link["category"]
    sentences = []
    for sentence in rows(data / "debates" / "transcripts.jsonl.gz"):
        debate = sentence["debate"]
        line = sentence["line"]
        if debate not in SEVEN_DEBATES:
            sentences.append((debate, line, sentence["text"], categories.get((debate, line), "")))
    return sentences
