"""Repeats that stand in no list: sentences that surely make a claim, although the check dropped them or shows no match.

A list is what a reporter has time for: it drops what is hardly worth checking and what is only somewhat like a claim.
A count asks how often a claim was made, so each sentence is compared with all statements, and what is near is read as
the matches of a list are (``same_claim``).
"""

from __future__ import annotations

import numpy as np

from assistant.archive import same_claim
from assistant.archive.store import Unlisted, found_in
from assistant.check.ranker_inputs import LIFTING
from assistant.claims.index import ClaimIndex
from assistant.ground.domain import Report, Stance
from features.models import Encoders
from features.spec import Floats

NEAREST, LEAST = 3, 0.5  # statements that are read for a sentence, and their cosine


def unlisted(report: Report, vectors: Floats, index: ClaimIndex, encoders: Encoders) -> list[Unlisted]:
    """Return what surely makes a claim and is not in the list of a report, nor its opposite there.

    A passage makes a claim once, by its surest sentence. Half-true claims are left out, as they are in a list.
    ``vectors`` (n, d): the SBERT vectors of all sentences of the transcript.
    """
    near, texts = near_unlisted(report, vectors, index), [sent.text for sent in report.transcript]
    statements = [index.statements[claim] for _, claim in near]
    chances = same_claim.chances(statements, [texts[row] for row, _ in near], encoders)
    passages, best = _passages(report), dict[tuple[int, str], Unlisted]()
    for (row, claim), statement, chance in zip(near, statements, chances, strict=True):
        number, claim_id = report.sentences[row].sentence.number, index.ids[claim]
        key = passages[number], claim_id
        if chance is not None and chance >= max(same_claim.AT_LEAST, best[key].chance if key in best else 0):
            best[key] = Unlisted(number, claim_id, statement, chance)
    return list(best.values())


def near_unlisted(report: Report, vectors: Floats, index: ClaimIndex) -> list[tuple[int, int]]:
    """Return the pairs to read: the row of a sentence, and the position of a fact-check near it, not in the list."""
    passages = _passages(report)
    known = {(passages[sent.number], match.claim.id) for sent, match in found_in(report)}
    known |= {
        (passages[checked.sentence.number], match.claim.id)
        for checked in report.sentences
        for match in checked.matches
        if match.stance is Stance.CONTRADICTS
    }
    nearest = index.nearest(vectors, "statement", NEAREST, np.ones(len(index), bool))
    pairs = []
    for row, (checked, claims) in enumerate(zip(report.sentences, nearest, strict=True)):
        for claim in claims[index.statement_vectors[claims] @ vectors[row] >= LEAST].tolist():
            key = passages[checked.sentence.number], index.ids[claim]
            if index.rating_classes[claim] in LIFTING and key not in known:
                pairs.append((row, claim))
    return pairs


def _passages(report: Report) -> dict[int, int]:
    """Return the number of the passage of each sentence, by the sentence's number."""
    return {number: p.passage.number for p in report.passages for number in p.passage.sentences}
