"""The pipeline of a check on one screen.

A transcript and verified claims go in, a report comes out.

The app, the command line, live monitoring and the benches all call it; the steps are in
``assistant/check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from assistant.check import (
    candidates,
    checkworthiness,
    loaded_models,
    pair_features,
    report_manifest,
    report_warnings,
)
from assistant.check.candidates import Candidates
from assistant.check.index_opening import as_index, build_index, open_index
from assistant.check.match_building import Matcher
from assistant.check.preview import OnFirstLook, early_look, first_look
from assistant.check.progress import Progress, cancellable
from assistant.check.ranker_inputs import Ints, Spoken
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import Passage, Report, Transcript, VerifiedClaim
from assistant.core.settings import EMBEDDED, Profile, load_profile
from assistant.passages.listing import arranged
from assistant.passages.splitting import passages
from features.models.batching import one_blas_thread
from features.models.model_spec import Floats
from features.models.profile_models import Encoders
from features.similarity.context_window import FINISHED, LIVE, Texts, window_vectors

__all__ = ["build_index", "check", "open_index"]


class Worthy(NamedTuple):
    """The n check-worthy sentences of a transcript.

    Their ``places`` in it and what the models read in them.

    ``passages`` are those of the whole transcript. ``encoded``: SBERT vectors (n, d), and BERTScore's token states of
    each. ``windows``: each sentence with its context; ``of_windows`` (n, d): their vectors; ``context``: their states.
    """

    passages: tuple[Passage, ...]
    places: Ints
    spoken: Spoken
    encoded: pair_features.Encoded
    windows: list[Texts]
    of_windows: Floats
    context: pair_features.Context


@loaded_models.missing_models_reported()
@one_blas_thread()
def check(
    transcript: Transcript,
    claims: ClaimIndex | ClaimStore | Iterable[VerifiedClaim],
    profile: Profile | str = EMBEDDED,
    *,
    as_of_event: bool = False,
    ranker: str | None = None,
    windows: Sequence[Texts] | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
    on_first_look: OnFirstLook | None = None,
) -> Report:
    """Return every sentence of a transcript, those that a published fact-check can settle ranked first.

    ``claims``: an index, a store (its index is opened, or made), or a few claims. ``as_of_event`` keeps only what was
    checked before the event. ``windows``: each sentence with its context, where the transcript is not the whole event
    but what is to be checked of it (live); by default the context comes from the transcript. ``progress`` is called
    with (stage, done, total); ``on_first_look`` in the first part of the check with the sentences that may match, of a
    long transcript twice.

    Raises: SettingsError for ``as_of_event`` without an event date; Cancelled; ModelUnavailable;
    ClaimIndexError.
    """
    progress = cancellable(progress, cancelled)
    loaded = loaded_models.load(
        load_profile(profile) if isinstance(profile, str) else profile, ranker
    )
    index = as_index(claims, loaded.encoders, progress=progress)
    allowed = candidates.checked_before(index, transcript.event_date) if as_of_event else None
    progress("looking for check-worthy sentences", 0, len(transcript))
    worthiness = loaded.checkworthiness.score([sent.text for sent in transcript])
    early_look(on_first_look, transcript, worthiness, index, loaded, allowed)
    worthy = _worthy(transcript, worthiness, loaded, windows)
    look = partial(_look, on_first_look, transcript, worthy, index, loaded)
    near, X, alone = _compared(worthy, index, loaded.encoders, allowed, progress, look)
    context = worthy.context
    inputs, ranking = loaded.rank(
        worthy.spoken, index, near, X, alone=alone, context=context, progress=progress
    )
    matcher = Matcher(index, worthy.spoken, worthy.encoded[0], inputs, ranking, loaded)
    sentences = matcher.sentences(transcript, worthiness, worthy.places)
    used = report_manifest.of_check(
        loaded, index, as_of_event=as_of_event, window=FINISHED if windows is None else LIVE
    )
    warned = report_warnings.of_check(transcript, index, loaded)
    return Report(transcript, sentences, used, warned, arranged(worthy.passages, sentences))


def _look(
    told: OnFirstLook | None,
    transcript: Transcript,
    worthy: Worthy,
    index: ClaimIndex,
    loaded: loaded_models.Models,
    near: Candidates,
    X: Floats,
) -> None:
    """Call ``told``, if any, with the sentences that may match, by what they find without their context."""
    if told is not None:
        told(first_look(transcript, worthy.places, worthy.spoken, index, near, X, loaded))


def _worthy(
    transcript: Transcript,
    worthiness: Floats,
    loaded: loaded_models.Models,
    windows: Sequence[Texts] | None,
) -> Worthy:
    """Return the check-worthy sentences.

    ``windows``: of the sentences of a burst, which need not follow one another:
        each is a passage of its own, and all are searched for, since what is dropped was sifted out before.
    """
    texts = [sent.text for sent in transcript]
    around = FINISHED.each(texts) if windows is None else windows
    distinct = list(dict.fromkeys((*texts, *chain.from_iterable(around))))
    vectors, states = loaded.encoders.read(distinct)
    row = {text: place for place, text in enumerate(distinct)}
    rows = [row[text] for text in texts]
    if windows is None:
        found = passages(transcript.sentences, vectors[rows], worthiness)
        kept = checkworthiness.kept(transcript, worthiness, found, loaded.worthiness_threshold)
    else:
        found = tuple(Passage(number, (sent.number,)) for number, sent in enumerate(transcript, 1))
        kept = np.arange(len(transcript))
    contexts = [around[place] for place in kept]
    before = [(LIVE.of(texts, place) if windows is None else windows[place])[:-1] for place in kept]
    spoken = Spoken.of(transcript, worthiness, kept, before)
    encoded = vectors[rows][kept], [states[rows[place]] for place in kept]
    of_windows = window_vectors(contexts, distinct, vectors, list(map(len, states)))
    beside = [
        [states[row[text]] for text in context if text != texts[place]]
        for context, place in zip(contexts, kept, strict=True)
    ]
    return Worthy(
        found,
        kept,
        spoken,
        encoded,
        contexts,
        of_windows,
        pair_features.Context(encoded[1], beside),
    )


def _compared(
    worthy: Worthy,
    index: ClaimIndex,
    encoders: Encoders,
    allowed: candidates.Mask | None,
    progress: Progress,
    look: Callable[[Candidates, Floats], None],
) -> tuple[Candidates, Floats, Ints]:
    """Return the candidates of each sentence (n, k), their measures but NLI's (n, k, 19), and how many of them the
    sentence alone finds (n,); its context finds the others. ``look`` is called with what the
    sentences alone find.
    """
    texts = worthy.spoken.texts
    encoded = worthy.encoded
    progress("searching the fact-checks", 0, len(texts))
    near = candidates.search(texts, encoded[0], index, allowed=allowed)
    X = pair_features.measure_without_nli(
        texts, index, encoders, near, encoded=encoded, progress=progress
    )
    look(near, X)
    progress("searching with the context", 0, len(texts))
    alone = (near >= 0).sum(axis=1)
    near = candidates.widen(near, worthy.windows, worthy.of_windows, index, allowed=allowed)
    X = pair_features.measure_further(
        texts, index, encoders, near, X, alone=alone, encoded=encoded, progress=progress
    )
    return near, X, alone
