"""Reads pairs with the cross-encoder in turns, only those that can still change the report, and the best once more."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assistant.check.pair_features import read_pairs
from assistant.check.progress import Progress
from assistant.check.ranker_inputs import Ints, Mask, PairInputs, Spoken, with_readings
from assistant.claims.claim_index import ClaimIndex
from features.models.model_spec import Floats
from features.models.profile_models import Encoders
from features.models.reranker import Reranker, claim_text, spoken_text


def read_in_turns(
    spoken: Spoken,
    index: ClaimIndex,
    encoders: Encoders,
    inputs: PairInputs,
    unread: Mask,
    choose: Callable[[PairInputs, Mask], Mask],
    progress: Progress,
) -> PairInputs:
    """Return the inputs with what the cross-encoder says of the pairs that it reads.

    The others stay unknown.

    ``unread`` (p,): the pairs that it may read. ``choose(inputs, unread)`` names those to read next, none at the end.
    ``progress`` is told (nli, read so far, known to be needed so far).
    """
    labels = np.zeros((len(inputs), 3), np.float32)
    same = np.full(len(inputs), np.nan, np.float32)
    done = 0
    while unread.any() and (now := choose(inputs, unread)).any():
        pairs = np.flatnonzero(now)

        def told(stage: str, read: int, of: int, before: int = done) -> None:
            progress(stage, before + read, before + of)

        premises = [index.statements[i] for i in inputs.claim[pairs].tolist()]
        hypotheses = [spoken.texts[i] for i in inputs.sentence[pairs].tolist()]
        labels[pairs], same[pairs] = read_pairs(premises, hypotheses, encoders, told)
        inputs = with_readings(inputs, spoken.worthiness, labels, same)
        unread = unread & ~now
        done = done + len(pairs)
    return inputs


def reread(
    spoken: Spoken,
    index: ClaimIndex,
    reranker: Reranker,
    inputs: PairInputs,
    pairs: Ints,
    progress: Progress,
) -> Floats:
    """Return what the re-ranker says of some pairs (r,), read with what was said before.

    Log-odds (r, 2).
    """
    progress("reread", 0, len(pairs))
    before = spoken.before or [()] * len(spoken.texts)
    of_pairs = list(zip(inputs.sentence[pairs].tolist(), inputs.claim[pairs].tolist(), strict=True))
    return reranker.read(
        [claim_text(index.statements[claim], index.claimants[claim]) for _, claim in of_pairs],
        [
            spoken_text(spoken.texts[place], before[place], spoken.speakers[place])
            for place, _ in of_pairs
        ],
    )
