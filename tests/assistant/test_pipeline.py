"""From transcript to report, with the models that ship."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from importlib.metadata import PackageNotFoundError, distribution

import pytest

from assistant import pipeline
from assistant.check import loaded_models
from assistant.check.preview import EARLY_SENTENCES
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import (
    RatingClass,
    Sentence,
    Source,
    Tier,
    Transcript,
    VerifiedClaim,
)
from assistant.core.errors import Cancelled, ModelUnavailable, SettingsError
from assistant.core.settings import EMBEDDED, LARGE
from assistant.report.view import ReportView
from assistant.reports import json_form as report_json
from features.models import mpnet_package, onnx_mpnet, reranker
from features.models.model_spec import ModelSpec
from features.models.weight_packages import MPNET_PACKAGE, copied_folder
from features.similarity.catalogue import COLUMN, NAMES
from features.similarity.context_window import FINISHED

TUNNEL = VerifiedClaim(
    id="c1",
    statement="The Channel Tunnel between England and France opened in 1994.",
    title="When the Channel Tunnel opened",
    body=(
        "A radio host said the Channel Tunnel between England and France opened in 1994.\n"
        "The Queen and President Mitterrand opened it on 6 May 1994. The first trains ran that year.\n"
        "We rate this claim True."
    ),
    claimant="Ana Rivera",
    claim_date=date(2019, 3, 1),
    rating="True",
    rating_class=RatingClass.TRUE,
    review_date=date(2019, 3, 4),
    publisher="Lectern sample desk",
    url="https://example.org/samples/c1",
)
CLAIMS = (
    TUNNEL,
    replace(
        TUNNEL,
        id="c2",
        statement="Mount Everest is the highest mountain above sea level.",
        title="How high Everest is",
        body="Everest stands 8,849 metres above sea level. No mountain is higher. We rate this claim True.",
        review_date=date(2025, 1, 5),
    ),
    VerifiedClaim(
        id="c3",
        statement="Water boils at 100 degrees Celsius at sea level.",
        publisher="P",
        rating="True",
    ),
)
TEXTS = (
    "Good evening, and thank you all for coming.",
    "The tunnel under the Channel between England and France has been open since 1994.",
    "Our city spent four million dollars on 12 new school buses in 2021.",
    "Everest is the highest mountain in the world.",
)


@pytest.fixture(scope="module")
def index() -> ClaimIndex:
    return ClaimIndex.in_memory(CLAIMS, loaded_models.encoders(EMBEDDED))


@pytest.fixture(scope="module")
def report(index):
    return pipeline.check(transcript(), index, replace(EMBEDDED, check_worthiness=0.0))


def transcript(texts=TEXTS, event: date | None = date(2024, 9, 10)) -> Transcript:
    sentences = tuple(Sentence(i, i, text, "RIVERA") for i, text in enumerate(texts, 1))
    return Transcript("City debate", event, Source("debate.txt", "plain text", "0" * 64), sentences)


def best(checked):
    return (checked.matches or (checked.nearest,))[0]


def test_repeated_claims_come_first(report):
    """The two sentences that repeat checked claims are ranked before those that do not, each with its claim first."""
    first_matches = {s.sentence.number: best(s).claim.id for s in report.ranked()[:2]}

    assert first_matches == {2: "c1", 4: "c2"}


def test_every_sentence_is_in_the_report_and_ranks_run_from_one(report):
    """Reading order is kept; kept sentences are ranked without a gap."""
    assert [s.sentence.number for s in report.sentences] == [1, 2, 3, 4]
    assert [s.rank for s in report.ranked()] == [1, 2, 3, 4]


def test_dropped_sentences_stay_with_their_reason(index):
    """What is not check-worthy is dropped with a reason and without rank, score or tier."""
    report = pipeline.check(transcript(), index, EMBEDDED)

    greeting = report.sentences[0]
    assert not greeting.kept
    assert greeting.dropped_reason
    assert greeting.rank is None
    assert greeting.score is None
    assert greeting.tier is None


def test_contributions_sum_to_the_score_of_the_match(report):
    """The reasons for a rank add up."""
    shown = [m for s in report.sentences for m in (*s.matches, *([s.nearest] if s.nearest else []))]

    assert shown
    for match in shown:
        assert pytest.approx(sum(match.contributions.values()), abs=1e-4) == match.score


def test_all_19_measures_are_there_and_each_says_something(report):
    """Every measure is finite, and none is a constant over the matches of a report."""
    shown = [m for s in report.sentences for m in (*s.matches, *([s.nearest] if s.nearest else []))]

    assert all(len(NAMES) == len(m.measures) for m in shown)
    for name in NAMES:
        assert len({round(m.measures[COLUMN[name]], 4) for m in shown}) > 1, name


def test_key_sentences_are_verbatim(report):
    """A key sentence is a stretch of the article, with its place."""
    match = best(report.sentences[1])

    assert match.key_sentences
    for key in match.key_sentences:
        assert match.claim.body[key.start : key.end] == key.text


def test_as_of_the_event_forgets_later_checks(index):
    """What was checked on or after the day of the event cannot be found."""
    profile = replace(EMBEDDED, check_worthiness=0.0)
    event = date(2019, 3, 4)

    report = pipeline.check(transcript(event=event), index, profile, as_of_event=True)

    assert [m for s in report.sentences for m in (*s.matches, s.nearest) if m] == []
    assert {s.tier for s in report.sentences} == {None}


def test_as_of_the_event_needs_a_date(index):
    """Without an event date the switch is refused, not ignored."""
    with pytest.raises(SettingsError, match="date"):
        pipeline.check(transcript(event=None), index, as_of_event=True)


def test_the_same_input_gives_the_same_bytes(index, report):
    """A second run writes the same report."""
    again = pipeline.check(transcript(), index, replace(EMBEDDED, check_worthiness=0.0))

    assert report_json.render(ReportView(report)) == report_json.render(ReportView(again))


def test_a_sentence_does_not_depend_on_the_others(index, report):
    """Checked alone, a sentence has the same measures."""
    alone = pipeline.check(transcript(TEXTS[1:2]), index, replace(EMBEDDED, check_worthiness=0.0))

    assert best(report.sentences[1]).measures == pytest.approx(
        best(alone.sentences[0]).measures, abs=1e-5
    )


def test_a_search_reads_the_context_of_a_sentence(index, monkeypatch):
    """Dropped sentences are part of it; a given context replaces it."""
    contexts = []
    search_context = pipeline.candidates.search_context

    def noting(alone, windows, *more, **named):
        contexts.append(windows)
        return search_context(alone, windows, *more, **named)

    monkeypatch.setattr(pipeline.candidates, "search_context", noting)
    one_kept = replace(EMBEDDED, check_worthiness=0.5)

    finished = pipeline.check(transcript(), index, one_kept)
    live = pipeline.check(transcript(TEXTS[1:2]), index, one_kept, windows=[("Before.", TEXTS[1])])

    kept_places = [
        text_index for text_index, checked in enumerate(finished.sentences) if checked.kept
    ]
    assert 0 < len(kept_places) < len(TEXTS)
    assert [
        [FINISHED.of(TEXTS, text_index) for text_index in kept_places],
        [("Before.", TEXTS[1])],
    ] == contexts
    names = [f"searched_with_sentences_{side}" for side in ("before", "after")]
    assert [[run.manifest.settings[name] for name in names] for run in (finished, live)] == [
        [2, 2],
        [2, 0],
    ]


@pytest.mark.parametrize("ranker", ["lectern", "ranksvm-max-skip"])
def test_both_rankers_are_there_by_name(index, ranker):
    """The published method can be chosen beside ours."""
    report = pipeline.check(
        transcript(), index, replace(EMBEDDED, check_worthiness=0.0), ranker=ranker
    )

    assert ranker == report.manifest.settings["ranker"]
    assert {s.sentence.number for s in report.ranked()[:2]} == {2, 4}


@pytest.mark.parametrize(
    ("ranker", "has_strength"), [("lectern", True), ("ranksvm-max-skip", False)]
)
def test_only_a_ranker_with_log_odds_gives_strengths(index, ranker, has_strength):
    """Every match in the list has one then, and no match below it."""
    matches = []
    for checked in pipeline.check(transcript(), index, ranker=ranker).sentences:
        matches += [*checked.matches, *filter(None, [checked.nearest])]
    listed = [match for match in matches if match.tier]
    below = [match for match in matches if not match.tier]

    assert {match.strength is not None for match in listed} == {has_strength}
    assert {match.strength for match in below} <= {None}


def test_statements_alone_are_enough():
    """A feed without titles and articles can be searched; nothing is missing from the report."""
    bare = [
        VerifiedClaim(id=c.id, statement=c.statement, rating="True", publisher="P") for c in CLAIMS
    ]

    report = pipeline.check(transcript(), bare, replace(EMBEDDED, check_worthiness=0.0))

    assert {s.sentence.number for s in report.ranked()[:2]} == {2, 4}
    assert best(report.sentences[1]).key_sentences == ()


def test_one_sentence_and_no_worthy_sentence_are_fine(index):
    """The smallest transcripts give a report."""
    short_report = pipeline.check(transcript(TEXTS[1:2]), index)
    none = pipeline.check(transcript(TEXTS[:1]), index, replace(EMBEDDED, check_worthiness=1.01))

    assert len(short_report.sentences) == 1
    assert none.counts()["check_worthy"] == 0


@pytest.mark.slow
def test_a_sentence_of_ten_thousand_words_is_read(index):
    """A text far longer than the models' window neither fails nor is lost."""
    long = "The tunnel between England and France opened in 1994 and " * 1000

    report = pipeline.check(transcript((long,)), index, replace(EMBEDDED, check_worthiness=0.0))

    assert long == report.sentences[0].sentence.text


def test_an_old_database_is_told(index):
    """The warnings say that the database is older than the event."""
    report = pipeline.check(transcript(event=date(2025, 1, 15)), index)

    assert any("5 Jan 2025, 10 days before this event" in w for w in report.warnings)


def test_a_check_can_be_stopped(index):
    """Cancelling ends the work."""
    with pytest.raises(Cancelled):
        pipeline.check(transcript(), index, cancelled=lambda: True)


def test_short_sentences_are_never_likely(index):
    """Under five words there is too little to be sure of."""
    report = pipeline.check(
        transcript(("Everest is highest.",)), index, replace(EMBEDDED, check_worthiness=0.0)
    )

    assert report.sentences[0].tier is not Tier.LIKELY


def test_the_cross_encoder_reads_a_half_true_claim_alone():
    """Such a claim lifts no sentence, but it is listed, and a contradiction must count."""
    half_true = replace(
        TUNNEL,
        id="h1",
        statement="Since 2019, burglaries in Leeds have gone up by more than 50 percent.",
        title="Burglaries in Leeds",
        body="Burglaries in Leeds rose from 2019 on. We rate this claim Half True.",
        rating="Half True",
        rating_class=RatingClass.MIXTURE,
    )
    index = ClaimIndex.in_memory((*CLAIMS, half_true), loaded_models.encoders(EMBEDDED))
    said = ("Burglaries in Leeds have gone down by more than half since 2019.",)

    report = pipeline.check(transcript(said), index, replace(EMBEDDED, check_worthiness=0.0))

    (match,) = (m for m in report.sentences[0].matches if m.claim.id == "h1")
    columns = [COLUMN[name] for name in NAMES if name.startswith("nli")]
    assert sum(match.measures[column] for column in columns) == pytest.approx(1, abs=0.01)


def test_a_missing_model_is_told_in_one_line(index, tmp_path):
    """The user reads which model cannot be loaded and what to do, never a traceback."""
    profile = replace(EMBEDDED, nli=ModelSpec(str(tmp_path / "no-model")), check_worthiness=0.0)
    unworthy_settings = replace(EMBEDDED, check_worthiness=0.0)
    assert pipeline.check(transcript(), index, unworthy_settings)

    with pytest.raises(ModelUnavailable, match="no-model"):
        pipeline.check(transcript(), index, profile)


def is_large_installed() -> bool:
    """Return whether the base of the larger re-ranker is here: a package or a copy of it."""
    if copied_folder(MPNET_PACKAGE):
        return True
    try:
        distribution(f"{MPNET_PACKAGE}-001")
    except PackageNotFoundError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(not is_large_installed(), reason="needs `make large`")
def test_a_larger_re_ranker_reads_the_best_matches_again(index, report):
    """The best matches stay, their scores move, and the reasons still add up."""
    large_report = pipeline.check(transcript(), index, replace(LARGE, check_worthiness=0.0))

    embedded_matches = [best(checked) for checked in report.ranked()[:2]]
    large_matches = [best(checked) for checked in large_report.ranked()[:2]]
    assert [m.claim.id for m in large_matches] == [m.claim.id for m in embedded_matches]
    assert large_report.manifest.models["reranker"] != report.manifest.models["reranker"]
    for large_match, embedded_match in zip(large_matches, embedded_matches, strict=True):
        assert large_match.contributions["reread"] != embedded_match.contributions["reread"]
        assert sum(large_match.contributions.values()) == pytest.approx(large_match.score, abs=1e-4)
        assert large_match.strength


@pytest.fixture
def nothing_loaded():
    """Forget the larger re-ranker before and after, so that the next test loads it again."""
    loaders = (loaded_models.load, reranker.load_single, onnx_mpnet.low_rank_runner)
    for loader in loaders:
        loader.cache_clear()
    yield
    for loader in loaders:
        loader.cache_clear()


@pytest.mark.usefixtures("nothing_loaded")
def test_the_profile_large_without_its_packages_says_what_to_run(index, tmp_path, monkeypatch):
    """The error names the package and the command."""
    monkeypatch.setattr(mpnet_package, "MPNET_PACKAGE", "no-such-package-of-lectern")
    monkeypatch.delenv("LECTERN_MODELS", raising=False)
    monkeypatch.setenv("LECTERN_CACHE", str(tmp_path))

    with pytest.raises(ModelUnavailable, match=r"no-such-package-of-lectern-001.*make large"):
        pipeline.check(transcript(), index, LARGE)


def test_a_first_look_names_what_may_match_and_leaves_the_report_as_it_is(index, report):
    """It comes once, with verbatim sentences and statements, at most ten."""
    looks = []

    again = pipeline.check(
        transcript(), index, replace(EMBEDDED, check_worthiness=0.0), on_first_look=looks.append
    )

    assert again == report
    (look,) = looks
    assert 0 < len(look) <= 10
    assert all(
        glimpse.sentence in transcript().sentences and glimpse.statement in index.statements
        for glimpse in look
    )
    first_ranked = min((c for c in report.sentences if c.rank), key=lambda c: c.rank)
    assert first_ranked.sentence in [glimpse.sentence for glimpse in look]


class CorrectedStore:
    """A store in which every rating was corrected since it was indexed, but one claim is gone."""

    def __init__(self, gone):
        self.claims = {
            claim.id: replace(claim, rating="Corrected") for claim in CLAIMS if claim.id != gone
        }

    def many(self, ids):
        return {claim_id: self.claims[claim_id] for claim_id in ids if claim_id in self.claims}

    def fingerprints(self):
        return dict.fromkeys(self.claims, "new")


@pytest.mark.threat("local account")
def test_a_first_look_shows_the_ratings_of_the_store(index, monkeypatch):
    """A claim that the store does not have any more is not shown."""
    profile = replace(EMBEDDED, check_worthiness=0.0)
    looks = []
    pipeline.check(transcript(), index, profile, on_first_look=looks.append)
    statements = {glimpse.statement for glimpse in looks[0]}
    gone = next(claim for claim in CLAIMS if claim.statement in statements)
    monkeypatch.setattr(index, "stored_claims", CorrectedStore(gone.id))

    pipeline.check(transcript(), index, profile, on_first_look=looks.append)

    later_look = looks[1]
    assert {glimpse.rating for glimpse in later_look} <= {"Corrected"}
    assert {glimpse.statement for glimpse in later_look} == statements - {gone.statement}


def test_a_long_transcript_has_an_earlier_look_at_its_most_checkworthy_sentences(index):
    """It comes first, from a few sentences alone.

    The second look and the report are those without it.
    """
    short = transcript()
    numbers = range(1, 2 * EARLY_SENTENCES + 2)
    earlier_sentences = [short.sentences[number % len(short)] for number in numbers]
    long = replace(
        short,
        sentences=tuple(
            replace(s, number=n, line=n) for n, s in zip(numbers, earlier_sentences, strict=True)
        ),
    )
    profile = replace(EMBEDDED, check_worthiness=0.0)
    looks = []

    report = pipeline.check(long, index, profile, on_first_look=looks.append)

    early, later = looks
    assert 0 < len(early) <= 10
    assert len(later) <= 10
    assert {glimpse.statement for glimpse in early} <= set(index.statements)
    assert pipeline.check(long, index, profile) == report
