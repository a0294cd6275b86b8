"""The debates of the data folder with their gold, folds and queries, and arrays cached by content.

Nothing that trains a model may contain what it is tested on, so that is settled here: ``others``
never returns one of the seven annotated debates, ``queries`` drops theirs, and folds are functions
of the names alone.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from features.similarity.context_window import FINISHED, Texts
from training.shared.code_digest import code_digest
from training.shared.loaders import SEVEN_DEBATES, DataFolderError, debate_of, normal, read_lines
from training.shared.loaders import rows as rows_in

SEVEN = tuple(sorted(SEVEN_DEBATES))
PAPER_CLAIMS = 16636  # the claims of the paper's database come first
FOLDS_OF_OTHERS = 7
# words of a sentence by which a debate is known, and how many of them two debates may share
LONG = 8
SHARED = 0.05
Qrels = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Pair:
    """A judged or linked pair.

    ``verdict`` and ``stance`` are the annotators' words, empty where they gave none.

    ``rows``: how many rows of the annotation contain it.
    """

    line: int
    claim: str
    verdict: str = ""
    stance: str = ""
    judged: bool = False
    linked: bool = False
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Debate:
    """One transcript with its gold.

    ``day`` is the event's ordinal; lines, texts, speakers and windows go together.

    ``windows``: each text with what was said around it; none where nothing is known of it.
    """

    name: str
    day: int
    lines: tuple[int, ...]
    texts: tuple[str, ...]
    speakers: tuple[str, ...]
    pairs: tuple[Pair, ...] = field(default=())
    windows: tuple[Texts, ...] = ()

    def item(self, line: int) -> str:
        """Return the id of a sentence across debates, as in CheckThat! 2021."""
        return f"{self.name}_{line:04d}"

    def only(self, is_chosen: Sequence[bool]) -> Debate:
        """Return the debate with some of its sentences, ``is_chosen`` (n,)."""
        return replace(
            self,
            lines=tuple(compress(self.lines, is_chosen)),
            texts=tuple(compress(self.texts, is_chosen)),
            speakers=tuple(compress(self.speakers, is_chosen)),
            windows=tuple(compress(self.windows, is_chosen)),
        )

    def thinned(self, one_in: int) -> Debate:
        """Return the debate with the sentences that have a pair, and one in ``one_in`` of all."""
        paired_lines = {pair.line for pair in self.pairs}
        is_chosen = []
        for i, line in enumerate(self.lines):
            is_chosen.append(i % one_in == 0 or line in paired_lines)
        return self.only(is_chosen)


def seven(folder: Path) -> list[Debate]:
    """Return the annotated debates, by date.

    A pair's verdict is true, false, unknown, not-claim, repeated or empty.
    """
    debates = []
    for name in SEVEN:
        sentences = list(rows_in(folder / "assisting" / f"{name}.jsonl.gz"))
        debates.append(_annotated(name, sentences))
    return debates


def _annotated(name: str, sentences: Sequence[Mapping[str, Any]]) -> Debate:
    judged_pairs = []
    for sentence in sentences:
        for pair in sentence["pairs"]:
            judged_pairs.append(
                Pair(
                    line=sentence["line"],
                    claim=pair["claim"],
                    verdict=pair.get("verdict", ""),
                    stance=pair.get("stance", ""),
                    judged=True,
                    linked=pair["claim"] in sentence["tkl_links"],
                    rows=pair.get("n_rows", 1),
                )
            )
    judged = {(pair.line, pair.claim) for pair in judged_pairs}
    linked_pairs = []
    for sentence in sentences:
        for claim in sentence["tkl_links"]:
            if (sentence["line"], claim) not in judged:
                linked_pairs.append(Pair(sentence["line"], claim, linked=True))
    return _debate(name, sentences, judged_pairs + linked_pairs)


def linked(folder: Path) -> list[Debate]:
    """Return the debates of a folder with transcripts.jsonl.gz and links.jsonl.gz, by name."""
    sentences_by_debate: dict[str, list[Mapping[str, Any]]] = {}
    for sentence in rows_in(folder / "transcripts.jsonl.gz"):
        sentences_by_debate.setdefault(sentence["debate"], []).append(sentence)
    pairs: dict[str, list[Pair]] = {}
    for link in rows_in(folder / "links.jsonl.gz"):
        pairs.setdefault(link["debate"], []).append(Pair(link["line"], link["claim"], linked=True))
    return [
        _debate(name, sentences_by_debate[name], pairs.get(name, []))
        for name in sorted(sentences_by_debate)
    ]


def others(folder: Path) -> list[Debate]:
    """Return the sixty-three debates of the data folder that are none of the seven, by name."""
    return [debate for debate in linked(folder / "debates") if debate.name not in SEVEN]


def unlinked(folder: Path) -> list[Debate]:
    """Return the debates of 2019 and 2020 that nobody linked, by name, without pairs.

    A debate that is a linked one under another name, which shows in its longer sentences, is left
    out.
    """
    linked_texts = set()
    for debate in linked(folder / "debates"):
        linked_texts.update(normal(text) for text in debate.texts if _is_long(text))
    sentences_by_title: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for sentence in rows_in(folder / "checkworthy" / "debates_2019_2020_unlabelled.jsonl.gz"):
        if "\\" in sentence["text"]:  # the signs of a broken encoding
            continue
        title = (sentence["time"], sentence["debate"])
        numbered = {**sentence, "line": int(sentence["id"])}
        sentences_by_title.setdefault(title, []).append(numbered)
    debates = []
    for (time, title), sentences in sentences_by_title.items():
        long_texts = [sentence["text"] for sentence in sentences if _is_long(sentence["text"])]
        shared = sum(normal(text) in linked_texts for text in long_texts)
        if not long_texts or shared > SHARED * len(long_texts):
            continue
        month, day, year = time.replace(",", "").split()[:3]
        event_date = datetime.strptime(f"{month[:3]} {day} {year}", "%b %d %Y")
        name = re.sub(r"\W+", "_", title).strip("_")
        debates.append(_debate(f"{event_date:%Y%m%d}_{name}", sentences, []))
    return sorted(debates, key=lambda debate: debate.name)


def _is_long(text: str) -> bool:
    return len(text.split()) >= LONG


def _debate(name: str, sentences: Sequence[Mapping[str, Any]], pairs: Sequence[Pair]) -> Debate:
    texts = tuple(sentence["text"] for sentence in sentences)
    return Debate(
        name,
        event_day(name),
        tuple(sentence["line"] for sentence in sentences),
        texts,
        tuple(sentence.get("speaker") or "" for sentence in sentences),
        tuple(pairs),
        tuple(FINISHED.each(texts)),
    )


def event_day(name: str) -> int:
    """Return the ordinal of the date that a debate's name begins with.

    Raises: DataFolderError.
    """
    try:
        return date(int(name[:4]), int(name[4:6]), int(name[6:8])).toordinal()
    except ValueError as error:
        raise DataFolderError(
            f"the debate {name!r} does not begin with a date, as in 20170803_Place."
        ) from error


def folds(debates: Sequence[Debate]) -> dict[str, int]:
    """Return the fold of each debate.

    One each for the seven, else the alphabetical place modulo 7.
    """
    names = sorted(debate.name for debate in debates)
    if set(names) <= set(SEVEN):
        return {name: name_index for name_index, name in enumerate(names)}
    return {name: name_index % FOLDS_OF_OTHERS for name_index, name in enumerate(names)}


def queries(folder: Path, split: str, *, seven_too: bool = False) -> tuple[dict[str, str], Qrels]:
    """Return queries and qrels of CheckThat! 2021 task 2B ``train`` or ``dev``, without the seven."""
    texts = read_queries(folder / f"{split}_queries.tsv.gz")
    qrels = read_qrels(folder / f"{split}_qrels.tsv.gz")
    if seven_too:
        return texts, qrels
    usable_texts = {qid: text for qid, text in texts.items() if debate_of(qid) not in SEVEN}
    usable_qrels = {qid: claims for qid, claims in qrels.items() if debate_of(qid) not in SEVEN}
    return usable_texts, usable_qrels


def read_queries(path: Path) -> dict[str, str]:
    """Return ``{qid: text}`` from a TSV without header."""
    records = [line.rstrip("\n").split("\t") for line in read_lines(path) if line.strip()]
    if any(len(record) != 2 for record in records):
        raise DataFolderError("expected two columns, id and text.", where=str(path))
    return dict(records)


def read_qrels(path: Path) -> Qrels:
    """Return ``{qid: {claim: relevance}}`` from a TSV without header."""
    from ranking.trec import MalformedTrec
    from ranking.trec import read_qrels as read

    try:
        return read(read_lines(path))
    except MalformedTrec as error:
        raise DataFolderError(f"{error}.", where=str(path)) from error


def cached(
    folder: Path,
    name: str,
    key: Iterable[str],
    build: Callable[[], Mapping[str, NDArray]],
    modules: Sequence[str] = (),
) -> dict[str, NDArray]:
    """Build arrays, or load them from ``folder`` if they were built before with the same key by the same code.

    The code is that of ``modules``, by default the module of ``build``, and of every module that
    they import.
    """
    code = code_digest(*(modules or (build.__module__,)))
    digest = hashlib.sha256()
    for key_part in (*key, code):
        digest.update(key_part.encode() + b"\0")
    path = folder / f"{name}-{digest.hexdigest()[:16]}.npz"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.stem}.{os.getpid()}.npz")
        np.savez(unfinished, **build())
        unfinished.replace(path)
    with np.load(path, allow_pickle=False) as arrays:
        return {entry: arrays[entry] for entry in arrays.files}
