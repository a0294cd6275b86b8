"""How reports say things."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.core.domain import (
    Agreement,
    Decision,
    Difference,
    KeySentence,
    RatingClass,
    Stance,
    Strength,
    Tier,
    Why,
)
from assistant.passages.listing import rearranged
from assistant.report import wording
from assistant.report.view import ReportView
from tests.assistant import made_up
from tests.assistant.ui import factory

EVENT = date(2024, 9, 10)


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (date(2024, 9, 10), "on the day of this debate"),
        (date(2024, 9, 9), "1 day before this debate"),
        (date(2024, 9, 12), "2 days after this debate"),
        (date(2024, 8, 20), "3 weeks before this debate"),
        (date(2023, 7, 10), "14 months before this debate"),
        (date(2018, 5, 21), "about 6 years before this debate"),
        (date(2018, 9, 10), "6 years before this debate"),
        (date(2019, 10, 20), "about 5 years before this debate"),
        (date(2020, 8, 20), "4 years before this debate"),
        (None, ""),
    ],
)
def test_gaps_in_words(other, expected):
    """As a person would say it."""
    assert wording.gap(EVENT, other) == expected


def test_the_sentence_that_decides_is_quoted_where_there_is_room_for_one():
    """Else the first; and the first beside it where there is room for two."""
    one_key, two = (
        KeySentence(i, 0, 1, str(i), 0.5, why)
        for i, why in enumerate(("debunking pattern", "other words"))
    )
    three = replace(two, index=2, why="repeats the claim, decides the rating")
    match = replace(made_up.match(), key_sentences=(one_key, two, three))

    assert wording.deciding_key_sentence(match) == three
    assert wording.quoted_key_sentences(match) == [one_key, three]
    assert wording.quoted_key_sentences(replace(match, key_sentences=(one_key, two))) == [one_key]
    assert wording.quoted_key_sentences(replace(match, key_sentences=(three, one_key))) == [three]
    assert wording.quoted_key_sentences(replace(match, key_sentences=())) == []


def test_reasons_have_their_signs():
    """Each reason has its sign; other words stay as they are."""
    key = KeySentence(0, 0, 1, "x", 0.5, "repeats the claim, decides the rating")

    assert wording.key_sentence_reasons(key) == "❝ repeats the claim, ⚖ decides the rating"
    assert wording.key_sentence_reasons(replace(key, why="in other words")) == "in other words"
    assert len(Why) == len(set(wording.REASON_SIGNS.values()))


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(872.9, "00:14:32"), (0, "00:00:00"), (36_000, "10:00:00"), (None, "")],
)
def test_times(seconds, expected):
    """Hours, minutes and seconds, nothing for an unknown time."""
    assert wording.clock(seconds) == expected


def test_a_rating_is_the_publishers():
    """Who, what, when."""
    assert (
        wording.rating_sentence(made_up.VCLAIM)
        == "Sample desk (invented) rated this claim True on 4 Mar 2019"
    )


def test_the_publisher_of_the_samples_is_shown_as_invented():
    """Nobody takes a sample for a published fact-check; other publishers keep their names."""
    real_claim = replace(made_up.VCLAIM, publisher="River Post")

    assert wording.publisher(made_up.VCLAIM) == "Sample desk (invented)"
    assert wording.publisher(real_claim) == "River Post"


def test_cautions_name_what_differs_and_a_check_that_came_later():
    """Other figures, no truth rating, checked after the event."""
    vclaim = replace(
        made_up.VCLAIM, rating_class=RatingClass.NOT_A_TRUTH_RATING, review_date=date(2024, 9, 12)
    )
    match = replace(
        made_up.match(vclaim), agreement={"numbers": Agreement.DIFFERENT, "names": Agreement.SAME}
    )

    assert wording.cautions(match, EVENT) == [
        "other numbers",
        "the rating is not about truth",
        "checked 2 days after this debate",
    ]


@pytest.mark.parametrize(
    ("stance", "tier", "expected"),
    [
        (Stance.CONTRADICTS, Tier.POSSIBLE, ["one of the two denies it or says the opposite"]),
        (Stance.UNCLEAR, Tier.POSSIBLE, ["may be another claim"]),
        (Stance.UNCLEAR, None, []),
        (Stance.REPEATS, Tier.LIKELY, []),
    ],
)
def test_a_shown_match_that_does_not_repeat_its_claim_says_so(stance, tier, expected):
    """Beside every rating, in every form of report.

    A candidate that is not shown as a match needs no doubt.
    """
    assert (
        wording.doubts(replace(made_up.match(), stance=stance, tier=tier, agreement={})) == expected
    )


def test_agreement_in_words():
    """Same, different, in one text only, each with its parts."""
    words = wording.agreement(made_up.match(), "The tunnel was open by 6 May 1994.")

    assert words == "Same: numbers, names. Only in one text: dates."


def test_a_kind_that_neither_text_has_is_not_missing():
    match = made_up.match(replace(made_up.VCLAIM, statement="Gas releases half as much as coal."))

    assert wording.agreement(match, "Gas releases half as much as coal does.") == (
        "Same: numbers, names."
    )


def test_signals_are_the_largest_contributions_in_words():
    """By size, whatever the sign, and without the start.

    An input that nobody knows has the words of its name.
    """
    values = {"numbers_shared": 0.1, "days_apart": -2.0, "own_input": 0.5, "base": 1.0}
    match = replace(made_up.match(), contributions=values)

    assert wording.signals(match) == [
        "time between the claim and the event -2.00",
        "own input +0.50",
        "same numbers +0.10",
    ]


def test_a_decision_in_words():
    """Who, when, why; parts that are missing leave no trace."""
    assert wording.decision_text(Decision("confirm")) == "Confirmed"
    assert wording.decision_text(
        Decision("reject", "other year", "Ada", "2024-09-11T09:30:00", "p. 2")
    ) == ("Rejected by Ada, 11 Sep 2024, 09:30: other year. p. 2")
    assert wording.decision_text(None) == "not reviewed"


@pytest.mark.parametrize(
    ("value", "said"), [(date(2018, 5, 21), "21 May 2018"), (date(2026, 11, 1), "1 Nov 2026")]
)
def test_dates_are_written_with_the_month_in_words(value, said):
    """No date can be misread as another."""
    assert wording.day(value) == said


@given(some.integers(0, 20000))
def test_a_gap_never_loses_its_unit(days):
    """Every distance has a number of at least one and a unit that agrees with it, but for no days at all."""
    number, unit = wording.duration(days).removeprefix("about ").split(" ")

    assert unit.endswith("s") == (number != "1")
    assert int(number) >= 1 or days == 0


def test_a_claim_without_rating_or_date_is_still_a_sentence():
    """What is unknown is called unknown."""
    bare = replace(
        made_up.VCLAIM, rating="", review_date=None, publisher="", claimant="", claim_date=None
    )

    assert (
        wording.rating_sentence(bare)
        == "An unnamed publisher checked this claim and gave no rating, date unknown"
    )
    assert wording.claimant_and_date(bare) == "Claimant not named, date of the claim unknown"


def test_an_old_database_is_told_with_the_days():
    """The first screen says how far the database ends before the event."""
    warning = wording.old_database(date(2021, 1, 29), EVENT)

    assert (
        warning
        == "Your newest fact-check is from 29 Jan 2021, 1,320 days before this debate. Later claims cannot be found."
    )


@pytest.mark.parametrize(("newest", "event"), [(EVENT, EVENT), (None, EVENT), (EVENT, None)])
def test_a_database_that_reaches_the_event_needs_no_warning(newest, event):
    """No warning without a reason."""
    assert wording.old_database(newest, event) == ""


def test_the_size_of_the_database_has_thousands_separators():
    """The line on the first screen, to the letter."""
    description = wording.database(93214, 61, date(2026, 11, 18))

    assert description == "93,214 fact-checks by 61 publishers, newest 18 Nov 2026"


@pytest.mark.parametrize(
    ("fact_checks", "notes", "expected"),
    [
        (138, 1, "138 fact-checks by 1 publisher, newest 18 Nov 2026, and 1 note of your own"),
        (0, 2, "No fact-checks in the database yet, and 2 notes of your own"),
    ],
)
def test_newsroom_notes_are_counted_apart(fact_checks, notes, expected):
    description = wording.database(fact_checks, 1, date(2026, 11, 18), notes)

    assert description == expected


def test_samples_and_notes_have_one_name_everywhere():
    """Counts and filters show stored names, cards show claims."""
    assert wording.shown_publisher("Lectern sample desk") == "Sample desk (invented)"
    assert wording.shown_publisher("own note") == "newsroom note"
    assert wording.shown_publisher("PolitiFact") == "PolitiFact"


def test_nothing_found_is_said_with_counts():
    """A debate that nothing settles is a result.

    How many sentences, against how many fact-checks.
    """
    report = factory.report(40, matched=False)

    summary = wording.nothing_found(ReportView(report))

    assert "25 check-worthy sentences, none close enough to any of 19,250 fact-checks." in summary


def test_coverage_counts_the_statements_by_strength():
    """The strongest first, and all sentences."""
    report = rearranged(factory.report(60))

    words = wording.coverage(ReportView(report))

    expected = "24 statements may already be fact-checked: 12 strong · 12 good (of 60 sentences)"
    assert words == expected


def with_verdicts(report, number, *verdicts):
    """Return a report with decisions on the first matches of a sentence."""
    sentences = []
    for checked in report.sentences:
        if checked.sentence.number == number:
            decided = [
                replace(match, decision=Decision(verdict, by="Ada"))
                for match, verdict in zip(checked.matches, verdicts, strict=False)
            ]
            checked = replace(checked, matches=(*decided, *checked.matches[len(decided) :]))
        sentences.append(checked)
    return rearranged(replace(report, sentences=tuple(sentences)))


def test_coverage_counts_rejected_statements_apart():
    """A statement whose second match is left is still one that may already be fact-checked."""
    with_second_left = with_verdicts(factory.report(60), 2, "reject")
    report = with_verdicts(with_second_left, 4, "reject")  # its only match

    words = wording.coverage(ReportView(report))

    assert words.startswith("23 statements may already be fact-checked: ")
    assert words.endswith(" · 1 rejected (of 60 sentences)")


def test_coverage_of_a_report_without_matches_counts_none():
    words = wording.coverage(ReportView(factory.report(60, matched=False)))

    assert words == "No statement matches a fact-check (of 60 sentences)"


@pytest.mark.threat("publisher")
def test_reports_say_at_how_many_other_addresses_the_text_stands():
    match = replace(made_up.match(), other_addresses=1_200)

    assert "the same text stands at 1,200 other addresses" in wording.cautions(match, None)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"strength": Strength.STRONG}, wording.Restatement.WHOLE),
        ({"strength": None, "tier": Tier.LIKELY}, wording.Restatement.WHOLE),
        ({"strength": Strength.GOOD, "tier": Tier.LIKELY}, wording.Restatement.WHOLE_OR_PART),
        ({"strength": Strength.POSSIBLE}, wording.Restatement.WHOLE_OR_PART),
        (
            {"strength": Strength.STRONG, "uncovered": (Difference("unchecked", "in Ohio"),)},
            wording.Restatement.DIFFERENT,
        ),
        ({"stance": Stance.UNCLEAR}, wording.Restatement.UNCLEAR),
        ({"stance": Stance.CONTRADICTS}, wording.Restatement.OPPOSITE),
    ],
)
def test_only_a_sure_match_without_differences_is_told_as_a_repetition(changes, expected):
    """A stance says only that no conflict was found."""
    match = replace(made_up.match(), agreement={}, stance=Stance.REPEATS)

    assert wording.restatement(replace(match, **changes)) is expected


def test_a_kind_with_a_named_difference_is_different():
    """Two numbers that are close, or one of several that both have, are not "the same numbers"."""
    match = replace(made_up.match(), uncovered=(Difference("figures", "16 percent", "15 percent"),))

    words = wording.agreement(match, "The tunnel was open by 6 May 1994.")
    assert words == "Same: names. Different: numbers. Only in one text: dates."


def test_the_intercept_is_the_last_contribution():
    """It is larger than most inputs, and the same for every match."""
    values = {"base": -4.9, "days_apart": -2.0, "same_claim": 0.5}
    match = replace(made_up.match(), contributions=values)

    assert [name for name, _ in wording.contributions(match)] == [
        "days_apart",
        "same_claim",
        "base",
    ]


def test_cautions_with_commas_and_semicolons_stay_apart_in_a_line():
    """Two cautions of three clauses are not read as three."""
    match = replace(made_up.match(), revised="the rating changed, twice")

    caution_line = wording.caution_line(match, date(2019, 3, 1))

    assert caution_line == "Caution: the rating changed, twice · checked 3 days after this debate"
    assert wording.caution_line(made_up.match(), None) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opened in 1994.", "“It opened in 1994.”"),
        ('"It opened in 1994."', "“It opened in 1994.”"),
        ("“It opened in 1994.”", "“It opened in 1994.”"),
        ('Says it "opened" in 1994.', "“Says it ‘opened’ in 1994.”"),
        ('"The three" own "more than half."', "“‘The three’ own ‘more than half.’”"),
        ('"We have been losing $500 billion a year.', "“We have been losing $500 billion a year.”"),
        ('A 12" pipe', '“A 12" pipe”'),
        ("", "“”"),
    ],
)
def test_no_quotation_marks_stand_in_the_same_marks(text, expected):
    assert wording.quoted(text) == expected
