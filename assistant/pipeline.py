"""The one picture in code: a transcript and the fact-checks go in, a report comes out. Everything else calls this."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from assistant import __version__
from assistant.check import measures, models
from assistant.check.index_opening import as_index, build_index, open_index
from assistant.check.matches import Matcher
from assistant.check.measures import Measured
from assistant.check.models import Tools
from assistant.check.ranker_inputs import PairInputs, Spoken, pair_inputs
from assistant.check.rankers import Ranking
from assistant.check.tiers import Days, capped
from assistant.claims.index import ClaimIndex
from assistant.claims.store import ClaimStore
from assistant.ground.domain import CheckedSentence, Manifest, Report, Transcript, VerifiedClaim
from assistant.ground.errors import Cancelled, SettingsError
from assistant.ground.settings import EMBEDDED, Profile, load_profile
from features.window import FINISHED, LIVE, Window

__all__ = ["build_index", "check", "open_index"]
Progress = Callable[[str, int, int], None]
Floats = NDArray[np.floating]
Ints = NDArray[np.integer]
Mask = NDArray[np.bool_]
# What a reporter reads while it works.
STAGES = {
    "bm25": "comparing words",
    "sbert": "comparing meaning",
    "simcse": "comparing meaning",
    "bertscore": "comparing wording",
    "nli": "looking for agreement and contradiction",
}


@models.missing_models_told()
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
    checked before the event. ``windows``: each sentence with what was said before it, where the transcript is not all
    that was said (live); else the sentences around it in the transcript. ``progress`` is told (stage, done, total).

    Raises: SettingsError for ``as_of_event`` without an event date; Cancelled; ModelUnavailable; ClaimIndexError.
    """
    tell = _teller(progress, cancelled)
    held = models.build(load_profile(profile) if isinstance(profile, str) else profile, ranker)
    index = as_index(claims, held.encoders, progress=tell)
    worthiness, kept = _worthy(transcript, held, tell)
    spoken = _spoken(transcript, worthiness, kept)
    allowed = _checked_before(index, transcript.event_date) if as_of_event else None
    window = FINISHED if windows is None else LIVE
    around = window.each([sent.text for sent in transcript]) if windows is None else windows
    vectors, inputs, ranking = _matched(spoken, [around[i] for i in kept], index, held, allowed, tell)

    shown, nli = held.profile.matches_shown, held.encoders.nli
    matcher = Matcher(index, spoken, vectors, inputs, ranking, shown, held.explainers, held.relater, nli)
    ranks = {int(kept[place]): rank for rank, place in enumerate(ranking.order(), 1)}
    checked = tuple(_checked(transcript, worthiness, ranks, matcher, held))
    warnings = (*transcript.warnings, *_database_warnings(index, transcript.event_date))
    return Report(transcript, checked, _manifest(held, index, as_of_event, window), warnings)


def _checked(
    transcript: Transcript, worthiness: Floats, ranks: Mapping[int, int], matcher: Matcher, held: Tools
) -> Iterator[CheckedSentence]:
    """Yield every sentence in reading order. ``ranks``: those of the kept ones, by their place in the transcript."""
    places = {i: place for place, i in enumerate(sorted(ranks))}
    for i, (sent, worth) in enumerate(zip(transcript, worthiness.tolist(), strict=True)):
        if i in places:
            yield matcher.checked(sent, worth, places[i], ranks[i])
        else:
            reason = held.checkworthiness.dropped_reason(sent, worth, threshold=held.worthiness_threshold)
            yield CheckedSentence(sent, worth, False, reason)


def ranked(
    spoken: Spoken, index: ClaimIndex, held: Tools, candidates: Ints, measured: Measured, *, alone: Ints | None = None
) -> tuple[PairInputs, Ranking]:
    """Return the inputs of the measured pairs and their ranking, read again word for word for tiers and stances.

    ``alone``: as for ``pair_inputs``.
    """
    inputs = pair_inputs(spoken, index, candidates, measured, held.word_weights, alone=alone)
    scored = held.ranker.rank(inputs, thresholds=held.thresholds)
    return inputs, capped(scored, inputs, spoken.texts, index.statements, Days(spoken.event_day, index.claim_days))


def _worthy(transcript: Transcript, held: Tools, tell: Progress) -> tuple[Floats, Ints]:
    """Return the check-worthiness of every sentence (n,), and the places of those that are kept."""
    tell("looking for check-worthy sentences", 0, len(transcript))
    worthiness = held.checkworthiness.score([sent.text for sent in transcript])
    return worthiness, np.flatnonzero(worthiness >= held.worthiness_threshold)


def _spoken(transcript: Transcript, worthiness: Floats, kept: Ints) -> Spoken:
    return Spoken(
        texts=[transcript.sentences[i].text for i in kept],
        speakers=[transcript.sentences[i].speaker for i in kept],
        worthiness=worthiness[kept],
        event_day=transcript.event_date.toordinal() if transcript.event_date else 0,
    )


def _matched(
    spoken: Spoken, heard: Sequence[str], index: ClaimIndex, held: Tools, allowed: Mask | None, tell: Progress
) -> tuple[Floats, PairInputs, Ranking]:
    """Return the sentences' SBERT vectors (n, d), and the inputs and ranking of their pairs with the candidates that
    they, or what was ``heard`` around them, find."""
    tell("searching the fact-checks", 0, len(spoken.texts))
    encoded = held.encoders.read(spoken.texts)
    vectors = encoded[0]
    own = measures.candidates(spoken.texts, vectors, index, allowed=allowed)
    candidates = measures.widened(own, heard, held.encoders.sbert.encode(heard), index, allowed=allowed)
    measured = measures.measure(
        spoken.texts,
        index,
        held.encoders,
        candidates,
        nli_candidates=held.profile.nli_candidates,
        encoded=encoded,
        progress=lambda stage, done, total: tell(STAGES.get(stage, stage), done, total),
    )
    tell("ranking", 0, len(spoken.texts))
    return vectors, *ranked(spoken, index, held, candidates, measured, alone=(own >= 0).sum(axis=1))


def _teller(progress: Progress | None, cancelled: Callable[[], bool] | None) -> Progress:
    def tell(stage: str, done: int, total: int) -> None:
        if cancelled and cancelled():
            raise Cancelled("The check was stopped; nothing was kept.")
        if progress:
            progress(stage, done, total)

    return tell


def _checked_before(index: ClaimIndex, event: date | None) -> Mask:
    if event is None:
        raise SettingsError("`as of the event` needs the date of the event.", remedy="Give it (--date YYYY-MM-DD).")
    return (index.review_days > 0) & (index.review_days < event.toordinal())


def _manifest(held: Tools, index: ClaimIndex, as_of_event: bool, window: Window) -> Manifest:
    newest = _newest(index)
    thresholds = held.thresholds
    return Manifest(
        lectern=__version__,
        profile=held.profile.name,
        models=held.digests(),
        database={
            "claims": len(index),
            "newest_review_date": newest.isoformat() if newest else None,
            "digest": index.digest,
        },
        settings={
            "as_of_event": as_of_event,
            "ranker": held.ranker.name,
            "check_worthiness": round(held.worthiness_threshold, 6),
            "likely": round(thresholds.likely, 6),
            "possible": round(thresholds.possible, 6),
            "nli_candidates": held.profile.nli_candidates,
            "searched_with_sentences_before": window.before,
            "searched_with_sentences_after": window.after,
            "matches_shown": held.profile.matches_shown,
        },
    )


def _newest(index: ClaimIndex) -> date | None:
    latest = int(index.review_days.max(initial=0))
    return date.fromordinal(latest) if latest else None


def _database_warnings(index: ClaimIndex, event: date | None) -> Iterable[str]:
    newest = _newest(index)
    if newest and event and newest < event:
        gap = (event - newest).days
        yield (
            f"The newest fact-check is from {newest:%-d %b %Y}, {gap:,} day{'s' * (gap != 1)} before this event. "
            "Later claims cannot be found."
        )
    waiting = len(index) - int(index.bodies_ready.sum())
    if waiting:
        yield f"First look: {waiting:,} articles are still being read; their sentences are not compared yet."
