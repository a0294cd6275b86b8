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
    debate_rows: list[dict[str, Any]] = []
    lost: list[tuple[int, bool]] = []
    for name in sorted(read_gold()):
        if options.debates in name:
            debate_rows.append(_row(name, index, options.minutes * 60, lost))
            print(table(debate_rows[-1:]), flush=True)
    by_number = [
        {"misheard words": name, **_shares(lost, *numbers)} for name, numbers in MISHEARD.items()
    ]
    print(table(by_number))
    return [*debate_rows, *by_number]


def _shares(
    lost: Sequence[tuple[int, bool]], min_misheard: int, max_misheard: float
) -> dict[str, Any]:
    is_found_in_range = []
    for number, is_found in lost:
        if min_misheard <= number <= max_misheard:
            is_found_in_range.append(is_found)
    return {
        "sentences": len(is_found_in_range),
        "found": sum(is_found_in_range),
        "share": sum(is_found_in_range) / max(len(is_found_in_range), 1),
    }


def _row(
    name: str, index: ClaimIndex, longest_s: float, lost: list[tuple[int, bool]]
) -> dict[str, Any]:
    """Return the figures of a debate.

    ``lost`` gets, of each sentence that the text finds, how many of its words are
    misheard with terms and whether it is found.
    """
    text = transcripts.read(DEBATES / name)
    recording = read_aloud(text.sentences, longest_s=longest_s)
    text = replace(
        text, sentences=tuple(spoken_sentence.sentence for spoken_sentence in recording.said)
    )
    gold = {
        spoken_sentence: figures
        for spoken_sentence, figures in read_gold()[name].items()
        if any(spoken_sentence == sentence.text for sentence in text.sentences)
    }
    judged = judge(pipeline.check(text, index, EMBEDDED), gold)
    claims_by_number = {}
    for j in judged:
        if j.relevant and j.in_quarter and j.right_first:
            claims_by_number[j.sentence.sentence.number] = j.claims
    figures = {
        "debate": name,
        "minutes": len(recording.samples) / RATE / 60,
        "sentences": len(text.sentences),
    }
    figures["found from text"] = len(claims_by_number)
    for terms_name, terms in {"terms": LikelyTerms(index), "none": None}.items():
        begun = time.process_time()
        heard = _heard(recording, name, terms)
        figures[f"times real time, {terms_name}"] = (
            len(recording.samples) / RATE / (time.process_time() - begun)
        )
        report = pipeline.check(
            replace(heard, title=text.title, event_date=text.event_date), index, EMBEDDED
        )
        is_found = []
        for each in recording.said:
            is_found.append(
                _found(report, each.start, each.end, claims_by_number.get(each.sentence.number, ()))
            )
        if terms:
            lost += [
                (_misheard(heard, each), is_found)
                for each, is_found in zip(recording.said, is_found, strict=True)
                if each.sentence.number in claims_by_number
            ]
        figures[f"from sound, {terms_name}"], figures[f"share, {terms_name}"] = (
            sum(is_found),
            sum(is_found) / max(len(claims_by_number), 1),
        )
    return figures


def _heard(recording: Recording, name: str, terms: LikelyTerms | None) -> Transcript:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{Path(name).stem}.wav"
        encode(recording.samples, path, codec="pcm_s16le")
        return transcripts.read(path, how=TranscriptionOptions(Path(folder), terms=terms))


def _found(report: Report, start: float, end: float, claims: tuple[str, ...]) -> bool:
    """Whether a sentence that is heard at this time is in the top quarter, with one of the claims first."""
    last_rank = QUARTER * len(report.sentences)
    overlapping = [checked for checked in report.sentences if start < _middle(checked) < end]
    return any(
        checked_sentence.rank is not None
        and checked_sentence.rank <= last_rank
        and checked_sentence.matches
        and checked_sentence.matches[0].claim.id in claims
        for checked_sentence in overlapping
    )


def _misheard(heard: Transcript, spoken_sentence: Said) -> int:
    """Return how many words of a sentence are wrong or missing, or invented in its time."""
    words = [word for sent in heard.sentences for word in sent.words]
    there = " ".join(
        word.text
        for word in words
        if spoken_sentence.start < (word.start + word.end) / 2 < spoken_sentence.end
    )
    return errors(spoken_sentence.sentence.text, there)[0]


def _middle(checked: CheckedSentence) -> float:
    return ((checked.sentence.start or 0.0) + (checked.sentence.end or 0.0)) / 2


main = command(
    measure,
    option("--debates", default="", metavar="PART", help="only debates with this in their name"),
    option("--minutes", type=float, default=60.0, help="of each debate (default: all)"),
)

if __name__ == "__main__":
    sys.exit(main())
