"""Match strength: the step that scores and doubts give, in new reports and in older ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    Difference,
    Manifest,
    Match,
    Passage,
    RatingClass,
    Report,
    Strength,
    Tier,
)
from assistant.core.settings import RERANKERS
from assistant.passages.listing import arranged
from assistant.report import stored_reports
from assistant.report.measured_strength import (
    AS_OF_EVENT,
    MORNING_AFTER,
    NO_STRENGTH,
    StrengthThresholds,
    is_strong,
    measured_strength,
    share_in_tests,
    stored_strength,
    strength_of,
    with_strengths,
)
from features.models import onnx_mpnet, reranker
from features.models.weight_files import EMBEDDED_RERANKER, LARGE_RERANKER
from tests.assistant import made_up

ROOT = Path(__file__).parents[3]
SETTINGS = (MORNING_AFTER, AS_OF_EVENT)
THRESHOLDS = StrengthThresholds(strong=1.5, good=-1.0)
TEXT = "A sentence in other words than the statement."


def scored(log_odds: float, tier: Tier | None = Tier.LIKELY, **changes) -> Match:
    """A match whose log-odds come from two inputs."""
    sureness = {"base": -7.0, "bertscore": 7.0 + log_odds}
    return replace(made_up.match(), tier=tier, sureness=sureness, **changes)


def measured_report(match: Match, **models: str) -> Report:
    """A report of the ranker and the re-ranker that were measured, with one match."""
    report = made_up.report()
    first, *others = report.sentences
    sentences = (replace(first, matches=(match,), tier=match.tier), *others)
    made_with = {"ranker": "lectern 123", "reranker": measured_strength().reranker, **models}
    manifest = replace(report.manifest, models=made_with)
    passages = arranged([placement.passage for placement in report.passages], sentences)
    return replace(report, sentences=sentences, manifest=manifest, passages=passages)


@pytest.mark.parametrize(
    ("log_odds", "tier", "expected"),
    [
        (1.5, Tier.LIKELY, Strength.STRONG),
        (1.49, Tier.LIKELY, Strength.GOOD),
        (-1.0, Tier.POSSIBLE, Strength.GOOD),
        (-1.01, Tier.POSSIBLE, Strength.POSSIBLE),
        (9.0, None, None),
    ],
)
def test_a_strength_begins_at_its_threshold(log_odds, tier, expected):
    """A match below the list has none."""
    assert strength_of(scored(log_odds, tier), TEXT, THRESHOLDS) is expected


@pytest.mark.parametrize(
    "doubt",
    [
        {"against": ("denial",)},
        {"against": ("figures", "years")},
        {"agreement": {"numbers": Agreement.DIFFERENT}},
        {"agreement": {"names": Agreement.SAME, "dates": Agreement.DIFFERENT}},
    ],
)
def test_a_match_with_a_doubt_is_never_strong(doubt):
    """However high its log-odds are; it stays good."""
    assert strength_of(scored(9.0, **doubt), TEXT, THRESHOLDS) is Strength.GOOD


def test_a_likely_match_of_the_same_words_is_strong():
    """Whatever its log-odds are. Case, punctuation and the spelling of figures may differ."""
    statement = "We borrow 1 million dollars every minute."
    match = scored(-0.5, claim=replace(made_up.VCLAIM, statement=f'"{statement}"'))
    possible_match = replace(match, tier=Tier.POSSIBLE)
    doubtful_match = replace(match, against=("denial",))

    assert strength_of(match, "we borrow $1 million every minute", THRESHOLDS) is Strength.STRONG
    assert strength_of(match, "We borrow $2 million every minute.", THRESHOLDS) is Strength.GOOD
    assert strength_of(match, "We borrow 1 million dollars a minute.", THRESHOLDS) is Strength.GOOD
    assert strength_of(possible_match, statement, THRESHOLDS) is Strength.GOOD
    assert strength_of(doubtful_match, statement, THRESHOLDS) is Strength.GOOD


def test_a_match_without_an_open_part_is_strong_at_lower_log_odds():
    """A known part that one text lacks, or a doubt, asks for the higher threshold."""
    thresholds = THRESHOLDS._replace(whole=0.75)
    whole = scored(0.75)
    with_open_part = replace(whole, uncovered=(Difference("unchecked", "in Texas", ""),))
    with_last_difference = replace(whole, uncovered=(Difference("last", "in Texas", ""),))
    with_doubt = replace(whole, against=("denial",))

    assert strength_of(with_last_difference, TEXT, thresholds) is Strength.STRONG
    assert strength_of(whole, TEXT, thresholds) is Strength.STRONG
    assert strength_of(scored(0.74), TEXT, thresholds) is Strength.GOOD
    assert strength_of(with_open_part, TEXT, thresholds) is Strength.GOOD
    assert strength_of(with_doubt, TEXT, thresholds) is Strength.GOOD


def test_a_match_that_is_not_likely_is_never_strong():
    """Its tier may be held back by a setting or by the length of the sentence."""
    assert strength_of(scored(9.0, Tier.POSSIBLE), TEXT, THRESHOLDS) is Strength.GOOD


def test_without_log_odds_of_its_own_the_score_decides():
    """The ranker has no second score to decide the tier then."""
    match = replace(made_up.match(score=-0.5, tier=Tier.POSSIBLE), sureness={})

    assert strength_of(match, TEXT, THRESHOLDS) is Strength.GOOD


def test_a_sentence_has_the_highest_strength_of_its_matches():
    """Ratings and order make no difference."""
    half_true = replace(made_up.VCLAIM, rating_class=RatingClass.MIXTURE)
    matches = (
        replace(made_up.match(), strength=Strength.POSSIBLE),
        replace(made_up.match(half_true, rank=2), strength=Strength.STRONG),
    )
    checked = CheckedSentence(made_up.sentence(1, "It opened."), 0.9, True, matches=matches)

    assert checked.strength is Strength.STRONG


def test_a_sentence_without_matches_has_no_strength():
    """The published method gives none to its matches either."""
    checked = CheckedSentence(made_up.sentence(1, "It opened."), 0.9, True)
    unmeasured = replace(checked, matches=(made_up.match(),))

    assert [checked.strength, unmeasured.strength] == [None, None]


def test_a_passage_has_the_strength_of_its_best_sentence():
    """A sentence with a strong match is the best of its passage."""
    sentences = []
    for number, (tier, strength) in enumerate(
        [(Tier.LIKELY, Strength.GOOD), (None, Strength.STRONG), (None, Strength.POSSIBLE)], start=1
    ):
        match = replace(made_up.match(), strength=strength)
        spoken = made_up.sentence(number, f"It opened, for the {number}th time.")
        sentences.append(
            CheckedSentence(spoken, 0.9, True, rank=number, tier=tier, matches=(match,))
        )
    placements = arranged([Passage(1, (1, 2)), Passage(2, (2, 3))], sentences)

    assert [placement.strength for placement in placements] == [Strength.STRONG, Strength.STRONG]
    assert [placement.best for placement in placements] == [2, 2]


def test_rows_are_counted_by_strength():
    """Beside the counts by tier, which keep their meaning."""
    report = with_strengths(measured_report(scored(9.0)))
    counts = report.counts()

    assert {name: counts[name] for name in ("likely_rows", "strong_rows", "good_rows")} == {
        "likely_rows": 1,
        "strong_rows": 1,
        "good_rows": 0,
    }


def test_a_strength_is_stored_and_comes_back():
    """With its match, its sentence and its passage."""
    report = with_strengths(measured_report(scored(9.0)))
    stored = stored_reports.archive(report)
    table = json.loads(stored)

    assert table["sentences"][0]["strength"] == "strong"
    assert table["sentences"][0]["matches"][0]["strength"] == "strong"
    assert table["passages"][0]["strength"] == "strong"
    assert stored_reports.archive(stored_reports.load(stored)) == stored


def without_strengths(report: Report) -> bytes:
    """A report as it was stored before there were strengths."""
    table = json.loads(stored_reports.archive(report))
    for passage in table["passages"]:
        del passage["strength"]
    for sentence in table["sentences"]:
        del sentence["strength"]
        for match in [*sentence["matches"], *filter(None, [sentence["nearest"]])]:
            del match["strength"]
    return json.dumps(table).encode()


def test_an_older_report_gets_the_strengths_that_its_scores_give():
    """The ranker and the re-ranker are the measured ones, so the scores mean the same."""
    report = stored_reports.load(without_strengths(measured_report(scored(9.0))))

    assert report.sentences[0].strength is Strength.STRONG
    assert report.passages[0].strength is Strength.STRONG


@pytest.mark.parametrize(
    "models", [{"ranker": "ranksvm-max-skip 123"}, {"reranker": "another"}, {"reranker": ""}]
)
def test_a_report_of_other_models_has_tiers_only(models):
    """The meaning of its scores was not measured."""
    report = stored_reports.load(without_strengths(measured_report(scored(9.0), **models)))

    assert [report.sentences[0].tier, report.sentences[0].strength] == [Tier.LIKELY, None]


def test_a_report_without_models_has_tiers_only():
    """As the earliest ones, whose manifest names none."""
    report = measured_report(scored(9.0))
    manifest = Manifest("0.1", "embedded", {}, {}, {})

    assert with_strengths(replace(report, manifest=manifest)).sentences[0].strength is None


def test_the_file_names_the_re_ranker_that_ships():
    """Its thresholds divide the log-odds of these weights; other weights need new ones."""
    assert reranker.load().digest.startswith(measured_strength().reranker)


def test_the_file_of_the_larger_re_ranker_names_both():
    """Its digest needs no packages, because the digest of the base is known."""
    larger = SimpleNamespace(digest=onnx_mpnet.low_rank_digest(reranker.LARGE_WEIGHTS_FILE))
    joint = reranker.JointReranker(reranker.load(), larger)

    assert joint.digest.startswith(measured_strength(LARGE_RERANKER).reranker)


def test_the_share_in_tests_is_that_of_the_file(monkeypatch):
    """Strong by the settled ones, the others by all that are settled at least in part.

    Where the re-rankers differ, the smaller share counts.
    """
    step = {"rows": 40, "settled": [0.925, 0.8, 1.0], "in_part": [0.971, 0.9, 1.0]}
    better_step = {"rows": 40, "settled": [0.95, 0.8, 1.0], "in_part": [0.96, 0.9, 1.0]}
    measured = {}
    for name, strong_step in ((EMBEDDED_RERANKER, step), (LARGE_RERANKER, better_step)):
        figures = {"morning after": {"strong": strong_step, "good": step}}
        measured[name] = replace(measured_strength(), figures=figures)
    monkeypatch.setattr(
        "assistant.report.measured_strength.measured_strength", measured.__getitem__
    )

    assert [share_in_tests(strength) for strength in Strength] == [
        "In tests, 92 of 100 strong matches settled what was said.",
        "In tests, 97 of 100 good matches settled what was said or a part of it.",
        "",
    ]


def step_words(setting: str, strength: Strength, measure: str) -> str:
    """A share of the file as the documentation writes it."""
    return f"{measured_strength().figures[setting][strength][measure][0]:.0%}"


def test_the_page_of_results_has_the_figures_of_the_file():
    """Strong by the settled ones, good by all that are settled at least in part."""
    strong = [step_words(setting, Strength.STRONG, "settled") for setting in SETTINGS]
    good = [step_words(setting, Strength.GOOD, "in_part") for setting in SETTINGS]
    results = (ROOT / "docs" / "research" / "results.md").read_text("utf-8")

    assert f"**{strong[0]} / {strong[1]}**" in results
    assert f"**{good[0]} / {good[1]}**" in results


def test_strong_and_good_mean_on_the_other_half_as_much_as_promised():
    """Nine in ten settle the statement; two in three settle it or a part of it."""
    for name in RERANKERS:
        for steps in measured_strength(name).figures.values():
            assert steps[Strength.GOOD]["in_part"][0] >= 2 / 3
        assert measured_strength(name).figures[MORNING_AFTER][Strength.STRONG]["settled"][0] >= 0.9


@pytest.mark.parametrize(
    ("strength", "models", "expected"),
    [
        (Strength.GOOD, {}, "good"),
        (None, {"ranker": "ranksvm-max-skip 123"}, NO_STRENGTH),
        (None, {"reranker": "another"}, None),
        (None, {"ranker": ""}, None),
    ],
)
def test_a_stored_strength_says_whether_the_ranker_gives_any(strength, models, expected):
    report = measured_report(scored(9.0, strength=strength), **models)

    assert stored_strength(report.sentences[0].matches[0], report.manifest) == expected


@pytest.mark.parametrize(
    ("strength", "tier", "expected"),
    [
        ("strong", "likely", True),
        ("good", "likely", False),
        (NO_STRENGTH, "likely", True),
        (NO_STRENGTH, "possible", False),
        (None, "likely", False),
    ],
)
def test_likely_stands_for_strong_only_without_strengths(strength, tier, expected):
    assert is_strong(strength, tier) is expected


def test_a_row_is_counted_by_the_match_that_it_shows():
    """A stronger match further down the card does not make the row a strong one."""
    good = replace(made_up.match(), strength=Strength.GOOD)
    strong = replace(good, strength=Strength.STRONG)
    spoken = made_up.sentence(1, "It opened in 1994.")
    checked = CheckedSentence(spoken, 0.9, True, rank=1, tier=Tier.LIKELY, matches=(good, strong))
    report = replace(
        made_up.report(), sentences=(checked,), passages=arranged([Passage(1, (1,))], [checked])
    )

    counts = report.counts()

    assert (counts["strong_rows"], counts["good_rows"]) == (0, 1)
