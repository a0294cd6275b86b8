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
    name_spelling,
    ranking_steps,
    report_manifest,
    report_warnings,
    restatements,
    shown_claims,
)
from assistant.check.check_run import CheckRun
from assistant.check.index_opening import as_index, build_index, open_index
from assistant.check.match_building import MatchBuilder
from assistant.check.pairs import Mask, Pairs
from assistant.check.preview import (
    OnFirstLook,
    early_glimpses,
    glimpses,
    has_early_glimpses,
)
from assistant.check.progress import cancellable_progress
from assistant.check.ranker_inputs import add_inputs
from assistant.check.sentence_selection import (
    SelectedSentences,
    select_all_live,
    select_from_transcript,
)
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.claim_store import ClaimStore
from assistant.core.domain import CheckedPassage, Report, Transcript, VerifiedClaim
from assistant.core.progress_callback import Progress
from assistant.core.settings import EMBEDDED, Profile, load_profile
from assistant.passages.listing import rearranged
from features.models.batching import one_blas_thread
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
    comes from the transcript. ``progress`` is called with (stage, done, total). ``on_first_look``
    is called early in the check with the sentences that may match, twice for a long transcript.

    Raises: SettingsError for ``as_of_event`` without an event date; Cancelled; ModelUnavailable;
    ClaimIndexError.
    """
    progress = cancellable_progress(progress, cancelled)
    if isinstance(profile, str):
        profile = load_profile(profile)
    models = loaded_models.load(profile, ranker)
    index = as_index(claims, models.encoders, progress=progress)
    allowed = candidates.allowed_claims(index, transcript.event_date, as_of_event=as_of_event)

    # 1. Select the check-worthy sentences.
    progress("looking for check-worthy sentences", 0, len(transcript))
    worthiness = models.checkworthiness.score([sentence.text for sentence in transcript])
    if on_first_look is not None and has_early_glimpses(transcript):
        on_first_look(early_glimpses(transcript, worthiness, index, models, allowed))
    if windows is None:
        selected = select_from_transcript(transcript, worthiness, models)
    else:
        selected = select_all_live(transcript, worthiness, windows, models)
    run = CheckRun(selected.spoken, index, models, progress)

    # 2. Search candidates and compare them: by the sentences alone, which is enough for a preview,
    # then by their context, which finds further ones.
    pairs = _find_by_sentence(selected, run, allowed)
    if on_first_look is not None:
        on_first_look(glimpses(transcript, selected.positions, pairs, run))
    pairs = _find_further_by_context(pairs, selected, run, allowed)

    # 3. Compute the ranker inputs: cheap ones for all pairs, costly ones where they matter.
    pairs = add_inputs(pairs, selected.spoken, index, models.word_weights)
    pairs = ranking_steps.add_costly_inputs(pairs, run, context=selected.context)

    # 4. Rank sentences and matches.
    progress("ranking", 0, pairs.sentence_count)
    ranking = models.ranker.rank(pairs, thresholds=models.thresholds)

    # 5. Re-rank those that come near the list.
    ranking = ranking_steps.rerank(ranking, pairs, run)

    # 6. Assign tiers and build the matches.
    ranking = ranking_steps.assign_tiers(ranking, pairs, run)
    matcher = MatchBuilder(index, selected.spoken, selected.vectors, pairs, ranking, models)
    sentences = matcher.sentences(transcript, worthiness, selected.positions)
    sentences = restatements.with_restatements(sentences, models.encoders)
    sentences, missing_ids = shown_claims.with_stored_claims(sentences, index)
    context_window = FINISHED if windows is None else LIVE
    manifest = report_manifest.of_check(
        models, index, as_of_event=as_of_event, window=context_window
    )
    warnings = report_warnings.of_check(transcript, index, models)
    warnings += report_warnings.of_missing_claims(missing_ids)
    unlisted = tuple(CheckedPassage(passage) for passage in selected.passages)
    return rearranged(Report(transcript, sentences, manifest, warnings, unlisted))


def _find_by_sentence(selected: SelectedSentences, run: CheckRun, allowed: Mask | None) -> Pairs:
    """Return the candidates that each sentence finds alone, compared with it."""
    texts = selected.spoken.texts
    run.progress("searching the fact-checks", 0, len(texts))
    pairs = candidates.search(texts, selected.vectors, run.index, allowed=allowed)
    return _compare(pairs, selected, run)


def _find_further_by_context(
    pairs: Pairs, selected: SelectedSentences, run: CheckRun, allowed: Mask | None
) -> Pairs:
    """Return the pairs and those that only the context finds, compared with the sentence, too."""
    run.progress("searching with the context", 0, pairs.sentence_count)
    further = candidates.search_context(
        pairs, selected.windows, selected.window_vectors, run.index, allowed=allowed
    )
    return pairs.joined(_compare(further, selected, run))


def _compare(pairs: Pairs, selected: SelectedSentences, run: CheckRun) -> Pairs:
    """Return the pairs with their similarity features."""
    return name_spelling.compare(
        pairs,
        selected.spoken.texts,
        run.index,
        run.models,
        encoded=selected.encoded,
        progress=run.progress,
    )
