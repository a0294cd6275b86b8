"""The debate and the fact-checks of a reported export, with a match for each sentence."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

from assistant import transcripts
from assistant.claims.importers import read_rows
from assistant.core.domain import CheckedSentence, Report, Tier, VerifiedClaim
from assistant.passages.listing import arranged, singles
from tests.assistant import made_up

FOLDER = Path(__file__).parents[2] / "golden" / "reported_exports"


def claims() -> list[VerifiedClaim]:
    """Return the fact-checks, in the order of the sentences that they check."""
    return [row for row in read_rows(FOLDER / "claims.json", {}) if isinstance(row, VerifiedClaim)]


def report() -> Report:
    """Return a report in which each claim has its fact-check.

    The label of the last speaker tries to be a formula, and is read as a sentence.
    """
    data = (FOLDER / "debate.srt").read_bytes()
    transcript = transcripts.read_bytes(data, "debate.srt", event_date=date(2024, 9, 10))
    fact_checks = iter(claims())
    checked = []
    for sentence in transcript.sentences:
        if sentence.text.startswith("="):
            checked.append(CheckedSentence(sentence, 0.02, False, "no claim"))
            continue
        match = made_up.match(next(fact_checks))
        rank = len(checked) + 1
        checked.append(CheckedSentence(sentence, 0.9, True, None, rank, 1.5, Tier.LIKELY, (match,)))
    return replace(
        made_up.report(),
        transcript=transcript,
        sentences=tuple(checked),
        warnings=transcript.warnings,
        passages=arranged(singles(checked), checked),
    )
