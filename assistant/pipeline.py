"""The pipeline of a check on one screen: a transcript and verified claims go in, a report comes out.

The app, the command line, live monitoring and the benches all call it; the steps are in ``assistant/check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from assistant.check import candidates, manifest, measures, models, warnings
from assistant.check.index_opening import as_index, build_index, open_index
from assistant.check.matches import Matcher
from assistant.check.progress import Progress, cancellable
from assistant.check.ranker_inputs import Spoken
from assistant.claims.index import ClaimIndex
from assistant.claims.store import ClaimStore
from assistant.ground.domain import Report, Transcript, VerifiedClaim
from assistant.ground.settings import EMBEDDED, Profile, load_profile
from features.window import FINISHED, LIVE

__all__ = ["build_index", "check", "open_index"]


@models.missing_models_reported()
def check(
    transcript: Transcript,
    claims: ClaimIndex | ClaimStore | Iterable[VerifiedClaim],
    profile: Profile | str = EMBEDDED,
    *,
    as_of_event: bool = False,
    ranker: str | None = None,
    windows: Sequence[str] | None = None,
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Report:
    """Return every sentence of a transcript, those that a published fact-check can settle ranked first.

    ``claims``: an index, a store (its index is opened, or made), or a few claims. ``as_of_event`` keeps only what was
    checked before the event. ``windows``: each sentence with its context, where the transcript is not the whole event
    (live); by default the context comes from the transcript. ``progress`` is called with (stage, done, total).

    Raises: SettingsError for ``as_of_event`` without an event date; Cancelled; ModelUnavailable; ClaimIndexError.
    """
    progress = cancellable(progress, cancelled)
    loaded = models.load(load_profile(profile) if isinstance(profile, str) else profile, ranker)
    index, encoders = as_index(claims, loaded.encoders, progress=progress), loaded.encoders

    progress("looking for check-worthy sentences", 0, len(transcript))
    worthiness = loaded.checkworthiness.score([sent.text for sent in transcript])
    kept = np.flatnonzero(worthiness >= loaded.worthiness_threshold)
    spoken = Spoken.of(transcript, worthiness, kept)

    progress("searching the fact-checks", 0, len(kept))
    allowed = candidates.checked_before(index, transcript.event_date) if as_of_event else None
    window = FINISHED if windows is None else LIVE
    around = window.each([sent.text for sent in transcript]) if windows is None else windows
    contexts = [around[place] for place in kept]
    vectors, states = encoders.read(spoken.texts)
    alone = candidates.search(spoken.texts, vectors, index, allowed=allowed)
    claims_near = candidates.widen(alone, contexts, encoders.sbert.encode(contexts), index, allowed=allowed)

    measured = measures.measure(
        spoken.texts,
        index,
        encoders,
        claims_near,
        nli_candidates=loaded.profile.nli_candidates,
        encoded=(vectors, states),
        progress=progress,
    )
    progress("ranking", 0, len(kept))
    inputs, ranking = loaded.rank(spoken, index, claims_near, measured, alone=(alone >= 0).sum(axis=1))

    matcher = Matcher(index, spoken, vectors, inputs, ranking, loaded)
    return Report(
        transcript,
        matcher.sentences(transcript, worthiness, kept),
        manifest.of_check(loaded, index, as_of_event=as_of_event, window=window),
        warnings.of_check(transcript, index, loaded),
    )
