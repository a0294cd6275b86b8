"""The pipeline of a check on one screen.

A transcript and verified claims go in, a report comes out.

The app, the command line, live monitoring and the benches all call it; the steps are in
``assistant/check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from assistant.check import (
    candidates,
    loaded_models,
    pair_features,
    ranking_steps,
    report_manifest,
    report_warnings,
)
from assistant.check.index_opening import as_index, build_index, open_index
from assistant.check.match_building import MatchBuilder
from assistant.check.pairs import Mask, Pairs
from assistant.check.preview import OnFirstLook, early_look, first_look
from assistant.check.progress import Progress, cancellable
from assistant.check.ranker_inputs import add_inputs
from assistant.check.sentence_selection import (
    SelectedSentences,
    select_all_live,
    select_from_transcript,
)
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import Report, Transcript, VerifiedClaim
from assistant.core.settings import EMBEDDED, Profile, load_profile
from assistant.passages.listing import arranged
from features.models.batching import one_blas_thread
from features.models.profile_models import Encoders
from features.similarity.context_window import FINISHED, LIVE, Texts

__all__ = ["build_index", "check", "open_index"]


@loaded_models.missing_models_reported()
@one_blas_thread()
def check(  # noqa: PLR0913
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
    """Return every sentence of a transcript, ranked by how likely a fact-check covers it.

    ``claims``: an index, a store (its index is opened, or built), or a few claims. ``as_of_event``
    uses only fact-checks from before the event. ``windows``: each sentence with its context, for a
    transcript that holds only the sentences to be checked of a live event; by default the context
    comes from the transcript. ``progress`` is called with (stage, done, total); ``on_first_look``
    early in the check with the sentences that may match, of a long transcript twice.

    Raises: SettingsError for ``as_of_event`` without an event date; Cancelled; ModelUnavailable;
    ClaimIndexError.
    """
    progress = cancellable(progress, cancelled)
    if isinstance(profile, str):
        profile = load_profile(profile)
    models = loaded_models.load(profile, ranker)
    index = as_index(claims, models.encoders, progress=progress)
    allowed = candidates.checked_before(index, transcript.event_date) if as_of_event else None

    # 1. Select the check-worthy sentences.
    progress("looking for check-worthy sentences", 0, len(transcript))
    worthiness = models.checkworthiness.score([sentence.text for sentence in transcript])
    early_look(on_first_look, transcript, worthiness, index, models, allowed)
    if windows is None:
        selected = select_from_transcript(transcript, worthiness, models)
    else:
        selected = select_all_live(transcript, worthiness, windows, models)
    spoken = selected.spoken

    # 2. Search candidates and compare them: by the sentences alone, which is enough for a preview,
    # then by their context, for what the sentences alone do not find.
    pairs = _find_by_sentence(selected, index, models.encoders, allowed, progress)
    if on_first_look is not None:
        positions = selected.positions
        on_first_look(first_look(transcript, positions, spoken, index, pairs, models))
    pairs = _find_further_by_context(pairs, selected, index, models.encoders, allowed, progress)

    # 3. Compute the ranker inputs: cheap ones for all pairs, costly ones where they matter.
    pairs = add_inputs(pairs, spoken, index, models.word_weights)
    pairs = ranking_steps.add_costly_inputs(
        pairs, spoken, index, models, context=selected.context, progress=progress
    )

    # 4. Rank sentences and matches.
    progress("ranking", 0, pairs.sentence_count)
    ranking = models.ranker.rank(pairs, thresholds=models.thresholds)

    # 5. Re-rank those that come near the list.
    ranking = ranking_steps.rerank(ranking, pairs, spoken, index, models, progress)

    # 6. Assign tiers and build the matches.
    ranking = ranking_steps.assign_tiers(ranking, pairs, spoken, index)
    matcher = MatchBuilder(index, spoken, selected.encoded[0], pairs, ranking, models)
    sentences = matcher.sentences(transcript, worthiness, selected.positions)
    manifest = report_manifest.of_check(
        models, index, as_of_event=as_of_event, window=FINISHED if windows is None else LIVE
    )
    warnings = report_warnings.of_check(transcript, index, models)
    listed = arranged(selected.passages, sentences)
    return Report(transcript, sentences, manifest, warnings, listed)


def _find_by_sentence(
    selected: SelectedSentences,
    index: ClaimIndex,
    encoders: Encoders,
    allowed: Mask | None,
    progress: Progress,
) -> Pairs:
    """Return the candidates that each sentence finds alone, compared with it."""
    texts = selected.spoken.texts
    progress("searching the fact-checks", 0, len(texts))
    pairs = candidates.search(texts, selected.encoded[0], index, allowed=allowed)
    return pair_features.compare(
        pairs, texts, index, encoders, encoded=selected.encoded, progress=progress
    )


def _find_further_by_context(
    pairs: Pairs,
    selected: SelectedSentences,
    index: ClaimIndex,
    encoders: Encoders,
    allowed: Mask | None,
    progress: Progress,
) -> Pairs:
    """Return the pairs and those that only the context finds, compared with the sentence, too."""
    texts = selected.spoken.texts
    progress("searching with the context", 0, len(texts))
    further = candidates.search_context(
        pairs, selected.windows, selected.window_vectors, index, allowed=allowed
    )
    further = pair_features.compare(
        further, texts, index, encoders, encoded=selected.encoded, progress=progress
    )
    return pairs.joined(further)
