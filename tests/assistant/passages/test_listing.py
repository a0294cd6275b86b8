"""Positions in the list: which passages are listed, and which are grouped below them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    Decision,
    Passage,
    RatingClass,
    SpeakerRole,
    Strength,
    Tier,
)
from assistant.passages import listing
from tests.assistant.made_up_passages import MATCHES, checked_passages, report_of, sentence_with


@given(checked_passages())
def test_ranks_of_listed_passages_count_from_one(passages_and_sentences):
    placements = listing.arranged(*passages_and_sentences)
    ranks = sorted(p.rank for p in placements if p.rank is not None)

    assert ranks == list(range(1, len(ranks) + 1))


@given(checked_passages())
def test_every_matched_passage_is_listed_or_grouped_below_exactly_one(passages_and_sentences):
    _, sentences = passages_and_sentences
    by_number = {checked.sentence.number: checked for checked in sentences}
    placements = listing.arranged(*passages_and_sentences)
    listed = [p for p in placements if p.rank is not None]

    for placement in placements:
        has_match = any(by_number[n].matches for n in placement.passage.sentences)
        number = placement.passage.number
        listed_above = [above.passage.number for above in listed if number in above.folded]
        positions = len(listed_above) + (placement.rank is not None)
        assert positions == int(has_match)
        assert [placement.folded_into] == (listed_above or [None])


@given(checked_passages())
def test_a_passage_has_the_tier_of_its_best_ranked_sentence(passages_and_sentences):
    _, sentences = passages_and_sentences
    by_number = {checked.sentence.number: checked for checked in sentences}

    for placement in listing.arranged(*passages_and_sentences):
        matched = [by_number[n] for n in placement.passage.sentences if by_number[n].matches]
        best = min(matched, key=lambda checked: checked.rank, default=None)
        assert placement.best == (best and best.sentence.number)
        assert placement.tier == (best and best.tier)


@given(checked_passages())
def test_grouped_passages_share_speaker_and_first_claim_with_a_better_one(passages_and_sentences):
    _, sentences = passages_and_sentences
    by_number = {checked.sentence.number: checked for checked in sentences}
    by_passage = {p.passage.number: p for p in listing.arranged(*passages_and_sentences)}

    for listed in by_passage.values():
        for number in listed.folded:
            best = by_number[listed.best]
            grouped_best = by_number[by_passage[number].best]
            assert grouped_best.sentence.speaker == best.sentence.speaker
            assert grouped_best.matches[0].claim == best.matches[0].claim
            assert best.rank < grouped_best.rank
            restated = (best.restates, grouped_best.restates)
            assert grouped_best.sentence.number == restated[0] or listed.best == restated[1]


@given(checked_passages())
def test_listed_passages_are_in_the_order_of_their_best_sentences(passages_and_sentences):
    _, sentences = passages_and_sentences
    by_number = {checked.sentence.number: checked for checked in sentences}
    placements = listing.arranged(*passages_and_sentences)
    listed = sorted((p for p in placements if p.rank), key=lambda placement: placement.rank)
    best_ranks = [by_number[placement.best].rank for placement in listed]

    assert best_ranks == sorted(best_ranks)


def half_true(number: int, score: float = 2.0, **fields) -> CheckedSentence:
    """Return a sentence that matches a half-true claim only, which has no rank for its tier."""
    claim = replace(MATCHES[1].claim, rating_class=RatingClass.MIXTURE)
    match = replace(MATCHES[1], claim=claim, score=score)
    return replace(sentence_with(number, match, **fields), tier=None, score=-9.0)


def test_a_half_true_match_is_listed_by_its_score_and_keeps_no_rank():
    sentences = [half_true(1, score=0.5), sentence_with(2, MATCHES[0]), half_true(3, score=2.0)]

    placements = listing.arranged(listing.singles(sentences), sentences)

    assert [placement.listed for placement in placements] == [3, 2, 1]
    assert [placement.rank for placement in placements] == [None, 1, None]
    assert [placement.tier for placement in placements] == [None, Tier.LIKELY, None]
    assert [placement.best for placement in placements] == [1, 2, 3]


def test_strong_matches_come_before_others_with_higher_scores():
    """Whatever their rating; good and possible ones stay in the order of their scores."""
    possible = half_true(1, score=2.0)
    good = half_true(2, score=1.5)
    strong = half_true(3, score=-1.5)
    strengths = (Strength.POSSIBLE, Strength.GOOD, Strength.STRONG)
    sentences = []
    for checked, strength in zip((possible, good, strong), strengths, strict=True):
        match = replace(checked.matches[0], strength=strength)
        sentences.append(replace(checked, matches=(match,)))

    placements = listing.arranged(listing.singles(sentences), sentences)

    assert [placement.listed for placement in placements] == [2, 3, 1]
    assert [placement.rank for placement in placements] == [None, None, None]


def test_a_strong_match_behind_the_first_does_not_move_a_row():
    """The row shows the strength of the first match."""
    sentences = []
    for number, later_strength in ((1, Strength.POSSIBLE), (2, Strength.STRONG)):
        checked = half_true(number, score=2.0 - number)
        first_match = replace(checked.matches[0], strength=Strength.GOOD)
        later_match = replace(checked.matches[0], score=-2.0, strength=later_strength)
        sentences.append(replace(checked, matches=(first_match, later_match)))

    placements = listing.arranged(listing.singles(sentences), sentences)

    assert [placement.listed for placement in placements] == [1, 2]


def test_a_half_true_match_is_skipped_as_in_the_paper():
    sentences = [half_true(1), sentence_with(2, MATCHES[0])]

    placements = listing.arranged(listing.singles(sentences), sentences, skips_mixed=True)

    assert [placement.listed for placement in placements] == [None, 1]
    assert [placement.rank for placement in placements] == [None, 1]


def test_the_rank_is_the_same_whether_half_true_matches_are_listed_or_skipped():
    passages = [Passage(1, (1, 2)), Passage(2, (3,)), Passage(3, (4,))]
    sentences = [
        half_true(1),
        sentence_with(2, MATCHES[0]),
        half_true(3),
        sentence_with(4, MATCHES[0], restates=2),
    ]

    listed = listing.arranged(passages, sentences)
    skipped = listing.arranged(passages, sentences, skips_mixed=True)

    assert [p.rank for p in listed] == [p.rank for p in skipped] == [1, None, None]


def test_the_report_of_the_published_method_skips_half_true_matches_unless_asked_for_them():
    report = report_of([Passage(1, (1,))], [half_true(1)])
    settings = {**report.manifest.settings, "ranker": listing.PUBLISHED_RANKER}
    published = replace(report, manifest=replace(report.manifest, settings=settings))

    assert len(report.rows()) == 1
    assert listing.rearranged(published).rows() == ()
    assert len(listing.with_mixed(published, listing.MIXED_LISTED).rows()) == 1
    assert listing.with_mixed(report, listing.MIXED_SKIPPED).rows() == ()


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("Mayor Buttigieg --", listing.ADDRESS_ONLY),
        ("Did the tunnel open in 1994?", listing.QUESTION_ONLY),
        ("Ann Roe speaks at a rally near the tunnel that opened in 1994.", listing.CAPTION_ONLY),
        ("The tunnel opened in 1994.", ""),
    ],
)
def test_a_question_a_form_of_address_or_a_caption_is_left_out_of_the_list(text, aside):
    sentences = [sentence_with(1, MATCHES[0], text=text)]

    (placement,) = listing.arranged(listing.singles(sentences), sentences)

    assert placement.aside == aside
    assert placement.listed == (None if aside else 1)
    assert (placement.rank, placement.best, placement.tier) == (1, 1, Tier.LIKELY)


def test_a_question_that_a_person_decided_on_is_listed():
    decided = replace(MATCHES[0], decision=Decision("confirm", by="Ada Quill"))
    sentences = [sentence_with(1, decided, text="Did the tunnel open in 1994?")]

    (placement,) = listing.arranged(listing.singles(sentences), sentences)

    assert placement.listed == 1


def test_a_passage_is_listed_for_its_statement_beside_a_question():
    sentences = [
        sentence_with(1, MATCHES[0], text="Did the tunnel open in 1994?"),
        sentence_with(2, MATCHES[0], text="The tunnel opened in 1994."),
    ]

    (placement,) = listing.arranged([Passage(1, (1, 2))], sentences)

    assert (placement.listed, placement.best, placement.aside) == (1, 2, "")


@pytest.mark.parametrize(
    ("role", "aside"),
    [
        (SpeakerRole.MODERATOR, listing.ASKING_SPEAKER),
        (SpeakerRole.AUDIENCE, listing.ASKING_SPEAKER),
        (SpeakerRole.CANDIDATE, ""),
        (SpeakerRole.OTHER, ""),
    ],
)
@pytest.mark.parametrize("speaker", ["MODERATOR", "RIVERA"])
def test_a_role_that_a_person_chose_decides(speaker, role, aside):
    spoken = sentence_with(1, MATCHES[0], text="The tunnel opened in 1994.")
    spoken = replace(spoken, sentence=replace(spoken.sentence, speaker=speaker))

    (placement,) = listing.arranged(
        listing.singles([spoken]), [spoken], chosen_roles={speaker: role}
    )

    assert placement.aside == aside


def test_a_moderator_is_left_out_of_the_list():
    moderator = sentence_with(1, MATCHES[0], text="The tunnel opened in 1994.")
    moderator = replace(moderator, sentence=replace(moderator.sentence, speaker="MODERATOR"))

    (placement,) = listing.arranged(listing.singles([moderator]), [moderator])

    assert placement.aside == listing.ASKING_SPEAKER


def test_a_match_that_a_person_confirmed_is_listed_without_a_tier():
    confirmed = replace(MATCHES[0], tier=None, decision=Decision("confirm", by="Ada Quill"))
    added = replace(sentence_with(1, confirmed), tier=None)

    (listed,) = report_of([Passage(1, (1,))], [added]).rows()

    assert listed.rank == 1
    assert listed.best == 1
    assert listed.tier is None


def test_rearranged_follows_matches_that_were_added_and_left_out():
    """A decision adds a match to another passage, and an order leaves one out."""
    passages = [Passage(1, (1,)), Passage(2, (2,))]
    report = report_of(passages, [sentence_with(1, MATCHES[0]), sentence_with(2)])
    changed = replace(report, sentences=(sentence_with(1), sentence_with(2, MATCHES[1])))

    assert [placement.passage.number for placement in report.rows()] == [1]
    rearranged = listing.rearranged(changed)
    assert [placement.passage.number for placement in rearranged.rows()] == [2]


def test_rearranged_leaves_an_unchanged_report_as_it_is():
    passages = [Passage(1, (1,)), Passage(2, (2,))]
    report = report_of(passages, [sentence_with(1, MATCHES[0]), sentence_with(2)])

    assert listing.rearranged(report) == report


def test_a_report_without_passages_gets_one_per_sentence():
    report = replace(report_of([], [sentence_with(1, MATCHES[0]), sentence_with(2)]), passages=())

    placements = listing.rearranged(report).passages

    assert [placement.passage.sentences for placement in placements] == [(1,), (2,)]


def test_a_passage_that_differs_from_the_claim_is_listed_separately():
    """The fact-check settles another year differently, and two wrong years differently, too."""
    other_year = replace(MATCHES[0], against=("years",))
    agreement = {"numbers": Agreement.SAME, "names": Agreement.DIFFERENT}
    other_name = replace(MATCHES[0], agreement=agreement)
    matches = [MATCHES[0], other_year, MATCHES[0], other_name]
    sentences = [
        sentence_with(number, match, restates=1 if number > 1 else None)
        for number, match in enumerate(matches, 1)
    ]

    placements = listing.arranged(listing.singles(sentences), sentences)

    assert [placement.rank for placement in placements] == [1, 2, None, 3]
    assert [placement.folded for placement in placements] == [(3,), (), (), ()]


def test_passages_that_only_share_a_fact_check_are_listed_separately():
    sentences = [sentence_with(1, MATCHES[0]), sentence_with(2, MATCHES[0])]

    placements = listing.arranged(listing.singles(sentences), sentences)

    assert [placement.rank for placement in placements] == [1, 2]


def test_two_restatements_of_a_sentence_that_was_decided_alone_stay_separate():
    """They were not compared with each other."""
    decided = replace(MATCHES[0], decision=Decision("confirm", by="Ada Quill"))
    sentences = [
        sentence_with(1, decided),
        sentence_with(2, MATCHES[0], restates=1),
        sentence_with(3, MATCHES[0], restates=1),
    ]

    placements = listing.arranged(listing.singles(sentences), sentences)

    assert [placement.rank for placement in placements] == [1, 2, 3]


def test_overlapping_segments_of_one_utterance_are_grouped():
    sentences = [
        sentence_with(1, MATCHES[0], text="we built the bridge in nineteen ninety four"),
        sentence_with(2, MATCHES[0], text="bridge in nineteen ninety four and it stands"),
    ]

    placements = listing.arranged(listing.singles(sentences), sentences)

    assert [placement.folded for placement in placements] == [(2,), ()]
