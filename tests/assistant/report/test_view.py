"""The report view: groups, matches and related passages of a report."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from assistant.core.domain import CheckedSentence, Decision, Passage, RatingClass, Tier
from assistant.passages import listing
from assistant.report.view import ReportView
from tests.assistant import made_up
from tests.assistant.made_up_passages import (
    CLAIMS,
    MATCHES,
    checked_passages,
    report_of,
    sentence_with,
)


def numbers(passages) -> list[int]:
    return [passage.number for passage in passages]


@given(checked_passages())
def test_a_listed_passage_has_each_fact_check_of_its_sentences_once(passages_and_sentences):
    for group in ReportView(report_of(*passages_and_sentences)).groups:
        claim_ids = [match.claim.id for _, match in group.listed.matches]
        expected = {m.claim.id for checked in group.listed.sentences for m in checked.matches}
        assert sorted(claim_ids) == sorted(expected)


@given(checked_passages())
def test_the_matches_of_the_best_sentence_come_first(passages_and_sentences):
    for group in ReportView(report_of(*passages_and_sentences)).groups:
        best_matches = group.listed.best.matches
        first_matches = group.listed.matches[: len(best_matches)]
        assert [match.claim.id for _, match in first_matches] == [m.claim.id for m in best_matches]


@given(checked_passages())
def test_every_match_comes_with_its_own_sentence(passages_and_sentences):
    for group in ReportView(report_of(*passages_and_sentences)).groups:
        assert all(match in checked.matches for checked, match in group.listed.matches)


@given(checked_passages())
def test_every_sentence_of_a_group_leads_to_it(passages_and_sentences):
    view = ReportView(report_of(*passages_and_sentences))

    for group in view.groups:
        for passage in group.passages:
            for checked in passage.sentences:
                assert view.group_of(checked.sentence.number) is group
                assert view.passage_of(checked.sentence.number) is passage


def test_a_sentence_of_no_passage_has_neither_passage_nor_group():
    view = ReportView(report_of([Passage(1, (1,))], [sentence_with(1), sentence_with(2)]))

    assert view.passage_of(2) is None
    assert view.group_of(2) is None
    assert view.sentence(2) is view.report.sentences[1]


def test_a_number_outside_the_report_has_no_sentence():
    view = ReportView(report_of([], [sentence_with(1)]))

    assert view.sentence(7) is None
    assert view.sentence(None) is None


def test_a_confirmed_match_represents_the_same_fact_check_in_its_passage():
    """The same suggestion at another sentence does not hide what a person confirmed."""
    confirmed = replace(MATCHES[0], decision=Decision("confirm", by="Ada Quill"))
    sentences = [sentence_with(1, MATCHES[0]), sentence_with(2, confirmed)]
    view = ReportView(report_of([Passage(1, (1, 2))], sentences))

    (group,) = view.groups

    assert list(group.listed.matches) == [(sentences[1], confirmed)]
    assert view.listed_matches == {(2, "claim-0")}


def test_a_statement_without_a_final_decision_is_undecided():
    put_off = replace(MATCHES[1], decision=Decision("later", by="Ada Quill"))
    rejected = replace(MATCHES[2], decision=Decision("reject", by="Ada Quill"))
    view = ReportView(
        report_of([Passage(1, (1,))], [sentence_with(1, MATCHES[0], put_off, rejected)])
    )

    assert view.matches == (MATCHES[0], put_off, rejected)
    assert view.undecided == view.groups
    assert view.groups[0].verdict == ""


def test_a_statement_is_decided_if_its_shown_match_is_or_if_a_match_of_its_passage_is_confirmed():
    rejected = replace(MATCHES[0], decision=Decision("reject", by="Ada Quill"))
    confirmed = replace(MATCHES[2], decision=Decision("confirm", by="Ada Quill"))

    def undecided_count(*matches_by_sentence) -> int:
        sentences = [sentence_with(n, *matches) for n, matches in enumerate(matches_by_sentence, 1)]
        numbers = tuple(checked.sentence.number for checked in sentences)
        return len(ReportView(report_of([Passage(1, numbers)], sentences)).undecided)

    assert undecided_count([rejected, MATCHES[1]]) == 1
    assert undecided_count([rejected]) == 0
    assert undecided_count([rejected, MATCHES[1], confirmed]) == 0
    assert undecided_count([MATCHES[0]], [confirmed]) == 0


def test_related_passages_are_those_without_any_match():
    """A sentence on the topic in a listed passage is not left out of the list."""
    on_topic = replace(sentence_with(1), on_topic=True)
    second = replace(on_topic, sentence=made_up.sentence(2, "Two."))
    sentences = [on_topic, second, sentence_with(3, MATCHES[0]), sentence_with(4)]
    passages = [Passage(1, (1,)), Passage(2, (2, 3)), Passage(3, (4,))]

    assert numbers(ReportView(report_of(passages, sentences)).related) == [1]


def test_a_mixed_rating_is_counted_below_the_list():
    """If the list skips mixed ratings, such a passage is neither listed nor related."""
    claim = replace(CLAIMS[0], rating="Half True", rating_class=RatingClass.MIXTURE)
    half_true = replace(MATCHES[0], tier=Tier.POSSIBLE, claim=claim)
    third = made_up.sentence(3, "Sentence 3.")
    sentences = [
        sentence_with(1, MATCHES[1]),
        replace(sentence_with(2, half_true), tier=None),
        CheckedSentence(third, 0.9, True, None, 3, -3.0, None, (), half_true, True),
    ]
    report = report_of(listing.singles(sentences), sentences)
    skipping = ReportView(listing.with_mixed(report, listing.MIXED_SKIPPED))

    assert numbers(skipping.mixed) == [2]
    assert numbers(skipping.related) == [3]
    assert skipping.half_true_count == ReportView(report).half_true_count == 1
    assert numbers(ReportView(report).mixed) == []


def test_passages_left_aside_are_neither_listed_nor_unmatched():
    question = sentence_with(1, MATCHES[0], text="Did the tunnel open in 1994?")
    view = ReportView(report_of(listing.singles([question]), [question]))

    assert numbers(view.aside) == [1]
    assert (view.groups, view.related, view.unmatched) == ((), (), ())


def test_sentences_below_the_threshold_of_the_check_are_not_unmatched():
    """They were searched because another sentence of their passage is check-worthy."""
    sentences = [
        replace(sentence_with(n), check_worthiness=worth, tier=None)
        for n, worth in enumerate((0.02, 0.9), 1)
    ]
    report = report_of([Passage(1, (1, 2))], sentences)
    manifest = replace(report.manifest, settings={"check_worthiness": 0.027})

    unmatched = ReportView(replace(report, manifest=manifest)).unmatched

    assert [checked.sentence.number for checked in unmatched] == [2]


def test_unmatched_sentences_are_kept_ones_in_passages_without_a_match():
    dropped = replace(sentence_with(4), kept=False, rank=None)
    sentences = [sentence_with(1, MATCHES[0]), sentence_with(2), sentence_with(3), dropped]
    passages = [Passage(1, (1, 2)), Passage(2, (3,)), Passage(3, (4,))]

    unmatched = ReportView(report_of(passages, sentences)).unmatched

    assert [checked.sentence.number for checked in unmatched] == [3]


def test_overlapping_passages_are_no_repeats():
    """Text without punctuation is cut into overlapping segments; the same words later are a repeat."""
    texts = {
        1: "we bought it from russia in eighteen sixty seven",
        2: "russia in eighteen sixty seven for seven million",
        4: "russia in eighteen sixty seven for seven million",
    }
    sentences = [
        sentence_with(1, MATCHES[0], text=texts[1]),
        sentence_with(2, MATCHES[0], text=texts[2]),
        sentence_with(3, text="and that was it"),
        sentence_with(4, MATCHES[0], text=texts[4], restates=2),
    ]

    (group,) = ReportView(report_of(listing.singles(sentences), sentences)).groups

    assert numbers(group.passages) == [1, 2, 4]
    assert numbers(group.repeats) == [4]


def test_a_title_is_the_file_name_if_the_transcript_has_none():
    report = made_up.report()
    untitled = replace(report, transcript=replace(report.transcript, title=""))

    assert ReportView(untitled).title == report.transcript.source.name
