"""Learning from the decisions of reviewers.

``python -m training.ranker.train --with-decisions FILE [--write]``.

FILE is ``decisions.jsonl`` of ``python -m assistant review export``, or its folder. The decided
pairs are measured again with the models of the profile against the claim index of the home folder
(or ``--index``); research data are not needed. The shipped ranker is moved towards the decisions
(``training.ranker.adapting``), and the report shows what would change for decisions on documents
that it did not learn from. Nothing is written unless ``--write`` is given.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from assistant import pipeline
from assistant.check import loaded_models, pair_features
from assistant.check.candidates import search
from assistant.check.loaded_models import Models
from assistant.check.pairs import Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_inputs
from assistant.check.rankers import LECTERN, PairsFirst, load
from assistant.claims.claim_index import ClaimIndex
from assistant.core import files, settings
from assistant.core.errors import ReviewError
from features.models.weight_files import MODELS
from training.ranker import decided_scores
from training.ranker.adapting import Reviewed, adapted, chosen, folds
from training.ranker.learners import file_of
from training.shared.command import status

FLAG = "--with-decisions"
VERDICTS = {"confirm": True, "reject": False}
FILE = f"ranker-{LECTERN}.json"
KEPT = "before"  # folder beside the new weights, with those they come from


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision on a sentence and a claim.

    ``document`` is the transcript, however often it was checked.
    """

    document: str
    number: int
    text: str
    speaker: str
    event_day: int
    claim: str
    confirmed: bool


class Reading(NamedTuple):
    """The documents as they were measured again, and how many decisions name a claim that the index does not have."""

    documents: list[Reviewed]
    unknown: int


def read(path: Path) -> list[Verdict]:
    """Return what was confirmed or rejected; what was put off or taken back is left out.

    Raises: ReviewError if the file is not there, or not what ``review export`` writes.
    """
    path = path / "decisions.jsonl" if path.is_dir() else path
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        remedy = "Write it with `python -m assistant review export --out DIR`."
        raise ReviewError("cannot be read.", where=str(path), remedy=remedy) from error
    verdicts = []
    for number, line in enumerate(lines, 1):
        try:
            verdicts += _verdict(json.loads(line))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            problem = f"is no decision ({type(error).__name__}: {error})."
            raise ReviewError(
                problem, where=f"{path}:{number}", remedy="Export the decisions again."
            ) from error
    return verdicts


def _verdict(record: dict[str, Any]) -> list[Verdict]:
    anchor = record["anchor"]
    decision = record["decision"]
    if not decision or decision["verdict"] not in VERDICTS:
        return []
    event_date = anchor["event_date"]
    day = date.fromisoformat(event_date).toordinal() if event_date else 0
    document = anchor["document"]
    if anchor["title"] and day:
        document = f"{anchor['title']} {event_date}"
    verdict = Verdict(
        document=document,
        number=anchor["number"],
        text=anchor["text"],
        speaker=anchor["speaker"],
        event_day=day,
        claim=anchor["claim_id"],
        confirmed=VERDICTS[decision["verdict"]],
    )
    return [verdict]


def measured(verdicts: Iterable[Verdict], index: ClaimIndex, loaded: Models) -> Reading:
    """Return the documents of the decisions, their sentences measured again with all candidates that they have now."""
    claim_indices = {claim: i for i, claim in enumerate(index.ids)}
    by_document: dict[str, list[Verdict]] = {}
    unknown = 0
    for verdict in verdicts:
        if verdict.claim in claim_indices:
            by_document.setdefault(verdict.document, []).append(verdict)
        else:
            unknown += 1
    documents = [
        _reviewed(name, document_verdicts, claim_indices, index, loaded)
        for name, document_verdicts in sorted(by_document.items())
    ]
    return Reading(documents, unknown)


def _reviewed(
    name: str,
    verdicts: list[Verdict],
    claim_indices: dict[str, int],
    index: ClaimIndex,
    loaded: Models,
) -> Reviewed:
    """Return a document of the verdicts, its sentences measured again."""
    by_sentence = {(verdict.number, verdict.text): verdict for verdict in verdicts}
    keys = sorted(by_sentence)
    sentences = [by_sentence[key] for key in keys]
    texts = tuple(sentence.text for sentence in sentences)
    speakers = [sentence.speaker or None for sentence in sentences]
    sentence_indices = {key: i for i, key in enumerate(keys)}
    confirmed_by_pair = {}
    for verdict in verdicts:
        sentence_index = sentence_indices[verdict.number, verdict.text]
        pair = (sentence_index, claim_indices[verdict.claim])
        confirmed_by_pair[pair] = verdict.confirmed
    worthiness = loaded.checkworthiness.score(texts)
    spoken = SpokenSentences(texts, speakers, worthiness, sentences[0].event_day)
    searched = search(texts, loaded.encoders.sbert.encode(texts), index)
    further = _decided_only(searched, confirmed_by_pair, len(index))
    inputs = pair_features.compare(searched.joined(further), texts, index, loaded.encoders)
    budget = loaded.profile.nli_candidates
    inputs = pair_features.cross_encode(
        inputs, texts, index, loaded.encoders, nli_candidates=budget
    )
    inputs = add_inputs(inputs, spoken, index, loaded.word_weights)
    pairs = zip(inputs.sentence_index.tolist(), inputs.claim_index.tolist(), strict=True)
    confirmed = [confirmed_by_pair.get(pair) for pair in pairs]
    return Reviewed(
        name=name,
        texts=texts,
        inputs=inputs,
        confirmed=np.array([value is True for value in confirmed], bool),
        rejected=np.array([value is False for value in confirmed], bool),
        found=np.isin(inputs.keys(len(index)), searched.keys(len(index))),
    )


def _decided_only(searched: Pairs, decided: Iterable[tuple[int, int]], claim_count: int) -> Pairs:
    """Return the decided pairs (sentence, claim) that the search did not find."""
    claims_by_sentence: list[list[int]] = [[] for _ in range(searched.sentence_count)]
    for sentence, claim in decided:
        claims_by_sentence[sentence].append(claim)
    pairs = Pairs.from_claims([np.array(claims, np.int32) for claims in claims_by_sentence])
    return pairs.only(~np.isin(pairs.keys(claim_count), searched.keys(claim_count)))


def held_out(
    documents: Sequence[Reviewed], ranker: PairsFirst
) -> list[tuple[Reviewed, PairsFirst]]:
    """Return each document with the ranker that learnt from the documents outside its fold.

    Raises: ReviewError if all decisions are on one document.
    """
    if len(documents) < 2:
        remedy = "Review another debate first."
        raise ReviewError(
            "all decisions are on one document, so none can be held out.", remedy=remedy
        )
    learnt_without = []
    for fold in folds(documents):
        training_documents = [document for document in documents if document not in fold]
        learnt = adapted(ranker, training_documents, chosen(ranker, training_documents))
        learnt_without += [(document, learnt) for document in fold]
    return sorted(learnt_without, key=lambda pair: pair[0].name)


def prior(folder: Path) -> PairsFirst:
    """Return the ranker to start from.

    The one in a folder or, if decisions moved it, the one that it was moved from.

    Raises: ModelUnavailable if there is none.
    """
    ranker = load(LECTERN, folder)
    card = json.loads((folder / FILE).read_text("utf-8"))["card"]
    if "moved" in card and (folder / KEPT / FILE).is_file():
        earlier = load(LECTERN, folder / KEPT)
        ranker = earlier if earlier.digest == card["moved"]["from"] else ranker
    if not isinstance(ranker, PairsFirst):
        raise TypeError("the ranker lectern learns on pairs")
    return ranker


def write(ranker: PairsFirst, origin: PairsFirst, card: dict[str, Any], folder: Path) -> Path:
    """Write a ranker over the one in a folder, which is kept in ``before/``; return the new file.

    ``origin`` is the ranker that it was moved from. Raises: ReviewError if the folder cannot be written.
    """
    path = folder / FILE
    earlier = folder / KEPT / FILE
    there = json.loads(path.read_text("utf-8"))
    card = {**there["card"], "moved": {"from": origin.digest, **card}}
    if there["digest"] == origin.digest:
        files.write(earlier, json.dumps(there, ensure_ascii=False) + "\n", error=ReviewError)
    files.write(path, file_of(card, ranker.to_json()), error=ReviewError)
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn from decisions, show what changes on held-out ones, and write the ranker if asked."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ranker.train", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        FLAG, type=Path, required=True, metavar="FILE", help="decisions.jsonl of `review export`"
    )
    parser.add_argument(
        "--index",
        type=Path,
        metavar="DIR",
        help="a finished claim index (default: the home folder's)",
    )
    parser.add_argument("--home", metavar="DIR", help="the home folder (default: LECTERN_HOME)")
    parser.add_argument("--profile", help="embedded, paper, or a TOML file")
    parser.add_argument(
        "--models",
        type=Path,
        default=MODELS,
        metavar="DIR",
        help="weights read and, with --write, kept",
    )
    parser.add_argument(
        "--write", action="store_true", help="switch to the ranker that learnt from all decisions"
    )
    options = parser.parse_args(arguments)
    return status(_tell, options)


def _tell(options: argparse.Namespace) -> None:
    for line in _learnt(options):
        print(line)


def _learnt(options: argparse.Namespace) -> Iterator[str]:
    """Do it, and yield the lines to print."""
    verdicts = read(options.with_decisions)
    origin = prior(options.models)
    current = settings.load(home=options.home, profile=options.profile)
    loaded = loaded_models.load(current.profile, LECTERN)
    index = (
        ClaimIndex.open(options.index, loaded.encoders)
        if options.index
        else pipeline.open_index(current)
    )
    reading = measured(verdicts, index, loaded)
    documents = reading.documents
    outcome = partial(decided_scores.outcome, statements=index.statements)
    compared = [
        (d, outcome(origin, d), outcome(learnt, d)) for d, learnt in held_out(documents, origin)
    ]
    scored = decided_scores.scores(compared)
    yield from decided_scores.lines(compared, scored, index.statements, unknown=reading.unknown)
    if not options.write:
        yield "Nothing was written. Switch with --write."
        return
    strength = chosen(origin, documents)
    card = {
        "toward": f"{sum(int(d.decided.sum()) for d in documents):,} decisions on {len(documents)} documents",
        "strength": strength._asdict(),
        "held-out decisions": scored,
    }
    path = write(adapted(origin, documents, strength), origin, card, options.models)
    yield f"Written: {path}; the ranker before it is in {path.parent / KEPT}. Checks from now on use the new one."
