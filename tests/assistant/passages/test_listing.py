"""Rows of the list: which passages are rows, and what is folded below them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as some

from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    Decision,
    Passage,
    RatingClass,
    Report,
    Tier,
)
from assistant.passages import listing
from tests.assistant import made_up

CLAIMS = tuple(replace(made_up.VCLAIM, id=f"claim-{i}") for i in range(3))
MATCHES = tuple(made_up.match(claim) for claim in CLAIMS)


@some.composite
def checked(draw) -> tuple[list[Passage], list[CheckedSentence]]:
    """Passages of one to five sentences that belong to one speaker each, some of them with matches."""
    made = []
    sentences = []
    sizes = draw(some.lists(some.integers(1, 5), max_size=8))
    ranks = draw(some.permutations(range(1, sum(sizes) + 1)))
    for number, size in enumerate(sizes, 1):
        speaker = draw(some.sampled_from(["RIVERA", "OKAFOR", None]))
        first = len(sentences) + 1
        for n in range(first, first + size):
            matches = tuple(
                draw(
                    some.lists(
                        some.sampled_from(MATCHES), unique_by=lambda m: m.claim.id, max_size=2
                    )
                )
            )
            sent = made_up.sentence(n, f"Sentence {n}.", speaker)
            tier = Tier.LIKELY if matches else None
            sentences.append(
                CheckedSentence(sent, 0.9, True, None, ranks[n - 1], 1.0, tier, matches)
            )
        made.append(Passage(number, tuple(range(first, first + size))))
    return made, sentences


@given(checked())
def test_every_matched_passage_is_a_row_or_folded_below_exactly_one(given):
    """Of the same speaker and with the same first claim.

    Rows are numbered from 1, and stand above what they hold.
    """
    of_number = {c.sentence.number: c for c in given[1]}
    all_placed = {p.passage.number: p for p in listing.arranged(*given)}
    rows = [p for p in all_placed.values() if p.rank is not None]

    assert list(range(1, len(rows) + 1)) == sorted(row.rank for row in rows)
    for number, placed in all_placed.items():
        matched = [of_number[n] for n in placed.passage.sentences if of_number[n].matches]
        below = [row for row in rows if number in row.folded]
        assert (
            bool(matched)
            == (placed.best is not None)
            == ((placed.rank is not None) + len(below) == 1)
        )
        assert [placed.folded_into] == ([row.passage.number for row in below] or [None])
        if matched:
            best = min(matched, key=lambda c: c.rank)
            assert (best.sentence.number, best.tier) == (placed.best, placed.tier)
        for row in below:
            first = of_number[row.best]
            own = of_number[placed.best]
            assert (first.sentence.speaker, first.matches[0].claim) == (
                own.sentence.speaker,
                own.matches[0].claim,
            )
            assert first.rank < own.rank


@given(checked())
def test_rows_are_in_the_order_of_their_best_sentences(given):
    """A passage has the place of its best sentence."""
    of_number = {c.sentence.number: c for c in given[1]}
    rows = sorted((p for p in listing.arranged(*given) if p.rank), key=lambda p: p.rank)

    assert sorted(of_number[row.best].rank for row in rows) == [
        of_number[row.best].rank for row in rows
    ]


@given(checked())
def test_a_row_shows_each_fact_check_once(given):
    """Every fact-check that matches one of its sentences, those of the best sentence first."""
    report = report_of(*given)
    of_passage = listing.said(report)
    for row in report.rows():
        sentences = of_passage[row.passage.number]
        pairs = listing.claims(row, sentences)
        best = next(c for c in sentences if c.sentence.number == row.best)

        ids = [match.claim.id for _, match in pairs]
        assert len(set(ids)) == len(ids)
        assert set(ids) == {m.claim.id for c in sentences for m in c.matches}
        assert ids[: len(best.matches)] == [m.claim.id for m in best.matches]
        assert all(match in sentence.matches for sentence, match in pairs)


def test_a_confirmed_match_stands_for_the_same_fact_check_in_its_passage():
    """What a person confirmed is not hidden by the same suggestion at another sentence."""
    confirmed = replace(MATCHES[0], decision=Decision("confirm", by="Ada Quill"))
    sentences = [made(1, MATCHES[0]), made(2, confirmed)]
    report = report_of([Passage(1, (1, 2))], sentences)

    (row,) = report.rows()
    assert list(listing.claims(row, sentences)) == [(sentences[1], confirmed)]
    assert listing.shown(report) == {(2, "claim-0")}


def test_a_match_that_a_person_confirmed_makes_a_row():
    """Whatever the tier of its sentence: one whose only fact-check is rated half true has none."""
    half_true = replace(made(1, MATCHES[0]), tier=None)
    confirmed = replace(MATCHES[0], decision=Decision("confirm", by="Ada Quill"))

    assert report_of([Passage(1, (1,))], [half_true]).rows() == ()
    (row,) = report_of([Passage(1, (1,))], [replace(half_true, matches=(confirmed,))]).rows()
    assert (row.rank, row.best, row.tier) == (1, 1, None)


def test_passages_on_a_checked_topic_are_those_without_any_match():
    """A sentence on the topic in a row of the list is not left out of it."""
    topic = replace(made(1), on_topic=True)
    sentences = [
        topic,
        replace(topic, sentence=made_up.sentence(2, "Two.")),
        made(3, MATCHES[0]),
        made(4),
    ]
    report = report_of([Passage(1, (1,)), Passage(2, (2, 3)), Passage(3, (4,))], sentences)

    assert [p.passage.number for p in listing.on_topic(report)] == [1]


def test_rearranged_follows_matches_that_were_added_and_left_out():
    """A decision adds a match to another passage, an order leaves one out.

    The rows are those of the matches.
    """
    sentences = [made(1, MATCHES[0]), made(2)]
    report = report_of([Passage(1, (1,)), Passage(2, (2,))], sentences)
    other = listing.rearranged(replace(report, sentences=(made(1), made(2, MATCHES[1]))))

    assert [row.passage.number for row in report.rows()] == [1]
    assert [row.passage.number for row in other.rows()] == [2]
    assert listing.rearranged(report) == report
    assert [
        p.passage.sentences for p in listing.rearranged(replace(report, passages=())).passages
    ] == [(1,), (2,)]


def made(number, *matches) -> CheckedSentence:
    tier = Tier.LIKELY if matches else None
    return CheckedSentence(
        made_up.sentence(number, f"Sentence {number}."), 0.9, True, None, number, 1.0, tier, matches
    )


def report_of(found, sentences) -> Report:
    report = made_up.report()
    transcript = replace(report.transcript, sentences=tuple(c.sentence for c in sentences))
    return replace(
        report,
        transcript=transcript,
        sentences=tuple(sentences),
        passages=listing.arranged(found, sentences),
    )


def test_what_differs_from_the_claim_is_a_row_of_its_own():
    """The fact-check does not settle another year as it settles the right one, nor one wrong year as another."""
    differs = replace(MATCHES[0], against=("years",))
    other = replace(MATCHES[0], agreement={"numbers": Agreement.SAME, "names": Agreement.DIFFERENT})
    matches = [MATCHES[0], differs, MATCHES[0], other]
    sentences = [
        CheckedSentence(
            made_up.sentence(n, f"Sentence {n}."), 0.9, True, None, n, 1.0, Tier.LIKELY, (match,)
        )
        for n, match in enumerate(matches, 1)
    ]
    placed = listing.arranged(listing.singles(sentences), sentences)
    assert [(p.rank, p.folded) for p in placed] == [(1, (3,)), (2, ()), (None, ()), (3, ())]


def test_a_mixed_rating_is_counted_below_the_list():
    """A sentence that only a half-true fact-check is about has a match but no tier.

    It is neither a row nor a topic.
    """
    claim = replace(CLAIMS[0], rating="Half True", rating_class=RatingClass.MIXTURE)
    half = replace(MATCHES[0], tier=Tier.POSSIBLE, claim=claim)
    said = [made_up.sentence(n, f"Sentence {n}.") for n in (1, 2, 3)]
    sentences = [
        CheckedSentence(said[0], 0.9, True, None, 1, 1.0, Tier.LIKELY, (MATCHES[1],)),
        CheckedSentence(said[1], 0.9, True, None, 2, -4.0, None, (half,)),
        CheckedSentence(said[2], 0.9, True, None, 3, -3.0, None, (), half, True),
    ]
    report = replace(report_of(list(listing.singles(sentences)), sentences))
    assert [p.passage.number for p in listing.mixed(report)] == [2]
    assert [p.passage.number for p in listing.on_topic(report)] == [3]


def test_stretches_that_overlap_say_nothing_again():
    """Of a text without punctuation; the same words said later are said again."""
    texts = ["we bought it from russia in eighteen sixty seven", "russia in eighteen sixty seven for seven million",
             "and that was it", "russia in eighteen sixty seven for seven million"]  # fmt: skip
    sentences = [
        CheckedSentence(made_up.sentence(n, text), 0.9, True, None, n, 1.0, Tier.LIKELY if n != 3 else None,
                        (MATCHES[0],) if n != 3 else ())
        for n, text in enumerate(texts, 1)
    ]  # fmt: skip
    report = report_of(list(listing.singles(sentences)), sentences)
    (group,) = listing.groups(report)
    assert [p.passage.number for p in group] == [1, 2, 4]
    assert [p.passage.number for p in listing.again(group, listing.said(report))] == [4]
