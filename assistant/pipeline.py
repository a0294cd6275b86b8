"""The pipeline of a check on one screen: a transcript and verified claims go in, a report comes out.

The app, the command line, live monitoring and the benches all call it; the steps are in ``assistant/check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from assistant.check import candidates, checkworthiness, manifest, measures, models, warnings
from assistant.check.first_look import OnFirstLook, first_look
from assistant.check.index_opening import as_index, build_index, open_index
from assistant.check.matches import Matcher
from assistant.check.progress import Progress, cancellable
from assistant.check.ranker_inputs import Spoken
from assistant.claims.index import ClaimIndex
from assistant.claims.store import ClaimStore
from assistant.ground.domain import Passage, Report, Transcript, VerifiedClaim
from assistant.ground.passages import arranged
from assistant.ground.settings import EMBEDDED, Profile, load_profile
from assistant.transcripts.passages import passages
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
    on_first_look: OnFirstLook | None = None,
) -> Report:
    """Return every sentence of a transcript, those that a published fact-check can settle ranked first.

    ``claims``: an index, a store (its index is opened, or made), or a few claims. ``as_of_event`` keeps only what was
    checked before the event. ``windows``: each sentence with its context, where the transcript is not the whole event
    (live); by default the context comes from the transcript. ``progress`` is called with (stage, done, total);
    ``on_first_look`` once, in the first part of the check, with the sentences that may match.

    Raises: SettingsError for ``as_of_event`` without an event date; Cancelled; ModelUnavailable; ClaimIndexError.
    """
    progress = cancellable(progress, cancelled)
    loaded = models.load(load_profile(profile) if isinstance(profile, str) else profile, ranker)
    index, encoders = as_index(claims, loaded.encoders, progress=progress), loaded.encoders

    progress("looking for check-worthy sentences", 0, len(transcript))
    texts = [sent.text for sent in transcript]
    worthiness, (vectors, states) = loaded.checkworthiness.score(texts), encoders.read(texts)
    if windows is None:
        found = passages(transcript.sentences, vectors, worthiness)
    else:  # the sentences of a burst need not follow one another
        found = tuple(Passage(number, (sent.number,)) for number, sent in enumerate(transcript, 1))
    kept = checkworthiness.kept(transcript, worthiness, found, loaded.worthiness_threshold)
    spoken = Spoken.of(transcript, worthiness, kept)
    vectors, states = vectors[kept], [states[place] for place in kept]

    progress("searching the fact-checks", 0, len(kept))
    allowed = candidates.checked_before(index, transcript.event_date) if as_of_event else None
    window = FINISHED if windows is None else LIVE
    around = window.each(texts) if windows is None else windows
    contexts = [around[place] for place in kept]
    alone = candidates.search(spoken.texts, vectors, index, allowed=allowed)
    encoded, of_itself = (vectors, states), (alone >= 0).sum(axis=1)
    X = measures.measure_without_nli(spoken.texts, index, encoders, alone, encoded=encoded, progress=progress)
    if on_first_look is not None:
        on_first_look(first_look(transcript, kept, spoken, index, alone, X, loaded))

    progress("searching with the context", 0, len(kept))
    claims_near = candidates.widen(alone, contexts, encoders.sbert.encode(contexts), index, allowed=allowed)
    X = measures.measure_further(
        spoken.texts, index, encoders, claims_near, X, alone=of_itself, encoded=encoded, progress=progress
    )
    inputs, ranking = loaded.rank(spoken, index, claims_near, X, alone=of_itself, progress=progress)

    matcher = Matcher(index, spoken, vectors, inputs, ranking, loaded)
    sentences = matcher.sentences(transcript, worthiness, kept)
    return Report(
        transcript,
        sentences,
        manifest.of_check(loaded, index, as_of_event=as_of_event, window=window),
        warnings.of_check(transcript, index, loaded),
        arranged(found, sentences),
    )
