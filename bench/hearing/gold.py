"""Are the sentences that the gold names found from sound, too, where the text of a sample debate finds them?

``python -m bench.hearing.gold [--debates NAME,NAME] [--minutes M] [--json FILE]``. A sample debate is read by voices of
espeak-ng, heard like any recording, and checked; beside it its text. *Found*: in the top quarter with the right claim
first. A sentence of the gold is found from sound if one that is heard in its time is. Expected: at least .85 of those
that the text finds. It is heard as in the product, with the terms of near fact-checks, and without them; no names are
given. How much of the loss is misheard words is shown by their number in a sentence.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant import pipeline, transcripts
from assistant.check import loaded_models
from assistant.check.index_opening import as_index
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.likely_terms import LikelyTerms
from assistant.core.domain import CheckedSentence, Report, Transcript
from assistant.core.settings import EMBEDDED
from assistant.transcription.transcriber import TranscriptionOptions
from bench.command import command, option, table
from bench.hearing.reading_aloud import RATE, Recording, Said, encode, read_aloud
from bench.hearing.words import errors
from bench.samples import DEBATES, QUARTER, judge, read_gold, sample_claims

MISHEARD = {"0": (0, 0), "1": (1, 1), "2": (2, 2), "3 and more": (3, float("inf"))}


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Print a row for each debate, and return the rows."""
    claims = sample_claims()
    index = as_index(claims, loaded_models.load(EMBEDDED, None).encoders)
    rows: list[dict[str, Any]] = []
    lost: list[tuple[int, bool]] = []
    for name in sorted(read_gold()):
        if options.debates in name:
            rows.append(_row(name, index, options.minutes * 60, lost))
            print(table(rows[-1:]), flush=True)
    by_number = [
        {"misheard words": name, **_shares(lost, *numbers)} for name, numbers in MISHEARD.items()
    ]
    print(table(by_number))
    return [*rows, *by_number]


def _shares(lost: Sequence[tuple[int, bool]], least: int, most: float) -> dict[str, Any]:
    found = [is_found for number, is_found in lost if least <= number <= most]
    return {"sentences": len(found), "found": sum(found), "share": sum(found) / max(len(found), 1)}


def _row(
    name: str, index: ClaimIndex, longest_s: float, lost: list[tuple[int, bool]]
) -> dict[str, Any]:
    """Return the figures of a debate.

    ``lost`` gets, of each sentence that the text finds, how many of its words are
    misheard with terms and whether it is found.
    """
    text = transcripts.read(DEBATES / name)
    recording = read_aloud(text.sentences, longest_s=longest_s)
    text = replace(text, sentences=tuple(said.sentence for said in recording.said))
    gold = {
        said: row
        for said, row in read_gold()[name].items()
        if any(said == s.text for s in text.sentences)
    }
    judged = judge(pipeline.check(text, index, EMBEDDED), gold)
    wanted = {
        j.sentence.sentence.number: j.claims
        for j in judged
        if j.relevant and j.in_quarter and j.right_first
    }
    row = {
        "debate": name,
        "minutes": len(recording.samples) / RATE / 60,
        "sentences": len(text.sentences),
    }
    row["found from text"] = len(wanted)
    for way, terms in {"terms": LikelyTerms(index), "none": None}.items():
        begun = time.process_time()
        heard = _heard(recording, name, terms)
        row[f"times real time, {way}"] = (
            len(recording.samples) / RATE / (time.process_time() - begun)
        )
        report = pipeline.check(
            replace(heard, title=text.title, event_date=text.event_date), index, EMBEDDED
        )
        found = [
            _found(report, each.start, each.end, wanted.get(each.sentence.number, ()))
            for each in recording.said
        ]
        if terms:
            lost += [
                (_misheard(heard, each), is_found)
                for each, is_found in zip(recording.said, found, strict=True)
                if each.sentence.number in wanted
            ]
        row[f"from sound, {way}"], row[f"share, {way}"] = (
            sum(found),
            sum(found) / max(len(wanted), 1),
        )
    return row


def _heard(recording: Recording, name: str, terms: LikelyTerms | None) -> Transcript:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{Path(name).stem}.wav"
        encode(recording.samples, path, codec="pcm_s16le")
        return transcripts.read(path, how=TranscriptionOptions(Path(folder), terms=terms))


def _found(report: Report, start: float, end: float, claims: tuple[str, ...]) -> bool:
    """Whether a sentence that is heard at this time is in the top quarter, with one of the claims first."""
    last = QUARTER * len(report.sentences)
    near = [checked for checked in report.sentences if start < _middle(checked) < end]
    return any(
        c.rank is not None and c.rank <= last and c.matches and c.matches[0].claim.id in claims
        for c in near
    )


def _misheard(heard: Transcript, said: Said) -> int:
    """Return how many words of a sentence are wrong or missing, or invented in its time."""
    words = [word for sent in heard.sentences for word in sent.words]
    there = " ".join(
        word.text for word in words if said.start < (word.start + word.end) / 2 < said.end
    )
    return errors(said.sentence.text, there)[0]


def _middle(checked: CheckedSentence) -> float:
    return ((checked.sentence.start or 0.0) + (checked.sentence.end or 0.0)) / 2


main = command(
    measure,
    option("--debates", default="", metavar="PART", help="only debates with this in their name"),
    option("--minutes", type=float, default=60.0, help="of each debate (default: all)"),
)

if __name__ == "__main__":
    sys.exit(main())
