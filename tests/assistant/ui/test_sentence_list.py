"""The list: rows of passages and sentences, filters, search, the turns around a sentence, the component's payload."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.core.domain import Decision, RatingClass, Report, Stance, Tier
from assistant.passages import listing
from assistant.passages.listing import rearranged
from assistant.report.view import ReportView
from assistant.ui import sentence_list
from tests.assistant import made_up
from tests.assistant.ui import factory

REPORT = factory.report(60)
PASSAGES = factory.passages(60)
ALL = sentence_list.list_rows(ReportView(REPORT))
ROWS = sentence_list.list_rows(ReportView(PASSAGES))
REPEATED = next(r for r in ROWS if r.grouped)
EVERY_KIND = sentence_list.Filters(kinds=sentence_list.ROW_KINDS)


def test_ranked_rows_come_best_first_then_the_unmatched_then_the_dropped():
    """Ranks rise from 1; what has none follows."""
    ranks = [r.rank for r in ALL if r.rank]
    dropped = [r.number for r in ALL if r.kind == sentence_list.DROPPED]

    assert list(range(1, len(ranks) + 1)) == ranks
    assert sorted(dropped) == dropped == [r.number for r in ALL[-len(dropped) :]]
    assert None not in [r.rank for r in ALL[: len(ranks)]]


def test_a_row_is_a_passage():
    """The sentence that matches best is its text and its number, with what was said around it, from when to when."""
    list_row = ROWS[0]

    assert list_row.number == 2
    assert factory.LINES[0] == list_row.text_before
    assert factory.LINES[1] == list_row.text
    assert factory.LINES[2] == list_row.text_after
    assert list_row.time == "00:00:04–00:00:15"
    assert list_row.rank == 1
    assert [p.best for p in PASSAGES.rows()] == [r.number for r in ROWS if r.rank]


def test_a_long_passage_is_shortened_around_the_sentence_that_matches_best():
    """That one is whole; what is cut is marked."""
    long = "word " * 60
    sentences = list(PASSAGES.sentences)
    for i in (0, 2):
        sentences[i] = replace(sentences[i], sentence=replace(sentences[i].sentence, text=long))

    list_row = sentence_list.list_rows(ReportView(replace(PASSAGES, sentences=tuple(sentences))))[0]

    assert list_row.text == factory.LINES[1]
    assert list_row.text_before.startswith("… ")
    assert len(list_row.text_before) <= sentence_list.TEXT_BEFORE_CHARS + 2
    assert list_row.text_after.endswith(" …")
    assert len(list_row.text_after) <= sentence_list.TEXT_AFTER_CHARS


def test_passages_that_the_same_check_settles_are_below_the_row():
    """Told in the row, each with its best sentence, and found by a search for its words."""
    assert REPEATED.also == "also at 00:00:52, 00:01:28 and 00:02:04"
    assert [below.number for below in REPEATED.grouped] == [15, 23, 31]
    assert REPEATED.grouped[0].time == "00:00:52–00:01:03"
    assert factory.LINES[6] == REPEATED.grouped[0].text
    assert REPEATED in sentence_list.filtered_rows(
        ROWS, sentence_list.Filters(search="council park")
    )


def test_without_times_a_row_names_sentences():
    """Folded passages are told by the number of their first sentence."""
    untimed = [
        replace(c, sentence=replace(c.sentence, start=None, end=None)) for c in PASSAGES.sentences
    ]

    list_row = next(
        r
        for r in sentence_list.list_rows(ReportView(replace(PASSAGES, sentences=tuple(untimed))))
        if r.grouped
    )

    assert list_row.time == ""
    assert list_row.also == "also at sentence 13, sentence 22 and sentence 31"


def test_passages_on_a_checked_topic_follow_the_rows_on_demand():
    """A row each, with the claim that is near, and not again among the sentences without a match."""
    topic_rows = sentence_list.filtered_rows(
        ROWS, sentence_list.Filters(kinds=(sentence_list.ON_TOPIC,))
    )

    assert len(topic_rows) == 9
    assert {r.quote.split(" and ")[0] for r in topic_rows} == {"The bridge opened in 1938"}
    assert sentence_list.UNMATCHED not in {r.kind for r in ROWS}
    assert sentence_list.ON_TOPIC not in sentence_list.ROW_KINDS


def test_any_sentence_of_a_row_can_be_chosen():
    """A link to a folded or another matched sentence shows it.

    The list marks the folded one, else the row.
    """
    assert [sentence_list.chosen_number(ROWS, n) for n in (23, 24)] == [23, 24]
    assert [sentence_list.payload(ROWS, "Ranked", n, "")["selected"] for n in (23, 24)] == [23, 4]


def test_the_card_leads_to_the_rest_of_its_row():
    """From a folded passage back to the row and to the others.

    From a sentence to the others of its passage.
    """
    other_passages, same_claim_passages = sentence_list.related_passages(ReportView(PASSAGES), 23)

    assert [p.number for p in other_passages] == [4, 15, 31]
    assert [p.number for p in same_claim_passages] == [24]
    assert sentence_list.related_passages(ReportView(PASSAGES), 1)[0] == []


def test_the_transcript_is_in_reading_order_and_whole():
    """Every sentence is there once, dropped ones too; matched ones have the rank of their row."""
    listed_rows = sentence_list.list_rows(ReportView(PASSAGES), "Transcript")

    assert list(range(1, 61)) == [r.number for r in listed_rows]
    assert [listed_rows[n - 1].rank for n in (2, 3, 1)] == [1, 1, None]


def test_a_row_quotes_the_sentence_that_decides():
    """With its sign and in words; nothing where the best match has no article."""
    rows_by_number = {r.number: r for r in ALL}
    for checked in REPORT.sentences:
        keys = checked.matches[0].key_sentences if checked.matches else ()
        list_row = rows_by_number[checked.sentence.number]
        assert (
            (keys[0].text, "decides the rating") == (list_row.quote, list_row.quote_reason)
            if keys
            else list_row.quote + list_row.sign == ""
        )
        assert list_row.sign.startswith("⚖") == bool(keys)


def test_kinds_follow_tier_and_what_was_dropped():
    """A row is likely, possible, without a match, or dropped, and the counts agree with the report's."""
    counts = sentence_list.kind_counts(ALL)
    kind_counts = sentence_list.kind_counts(ROWS)

    assert REPORT.counts()["likely"] == counts[sentence_list.LIKELY]
    assert REPORT.counts()["possible"] == counts[sentence_list.POSSIBLE]
    assert sum(counts.values()) == 60
    assert PASSAGES.counts()["likely_rows"] == kind_counts[sentence_list.LIKELY]
    assert PASSAGES.counts()["possible_rows"] == kind_counts[sentence_list.POSSIBLE]


def test_only_likely_and_possible_are_shown_at_first():
    """What nothing settles, and what was dropped, is there on request."""
    shown = sentence_list.filtered_rows(ALL, sentence_list.Filters())
    assert {sentence_list.LIKELY, sentence_list.POSSIBLE} >= {r.kind for r in shown}


def test_dropped_rows_have_a_reason():
    """On request the dropped sentences come with why."""
    dropped = sentence_list.filtered_rows(
        ALL, sentence_list.Filters(kinds=(sentence_list.DROPPED,))
    )

    assert {r.reason for r in dropped} == {"a question of the moderator"}


def test_a_speaker_filter_leaves_that_speaker():
    """Speakers are filtered by their name, unnamed ones as Unknown."""
    filtered = sentence_list.filtered_rows(ALL, replace(EVERY_KIND, speakers=("Unknown",)))

    assert sorted(r.number for r in filtered) == [20, 40, 60]


@pytest.mark.parametrize(
    ("filter_name", "shown_value"),
    [("ratings", "rating_class"), ("publishers", "rating_publisher")],
)
def test_filters_by_rating_and_publisher_look_at_the_shown_match(filter_name, shown_value):
    """A further match of a row ("+1") neither lets the row through nor counts."""
    counts = Counter(getattr(r, shown_value) for r in ALL if r.rating_class)

    assert len(counts) > 1
    for chip, count in counts.items():
        filters = replace(EVERY_KIND, **{filter_name: (chip,)})
        filtered = sentence_list.filtered_rows(ALL, filters)
        assert {getattr(r, shown_value) for r in filtered} == {chip}
        assert len(filtered) == count


def test_check_worthiness_has_a_floor():
    """Rows below the floor are left out, rows on it stay."""
    filtered = sentence_list.filtered_rows(ALL, replace(EVERY_KIND, min_worthiness=0.7))

    assert filtered
    assert min(r.worth for r in filtered) >= 0.7


@pytest.mark.parametrize("text", ["BRIDGE 1937", "1937 bridge", "alma speed", "river post"])
def test_search_wants_all_words_in_any_order_and_case(text):
    """Every word must be in the sentence, its speaker, its best match or its publisher."""
    filtered = sentence_list.filtered_rows(ALL, replace(EVERY_KIND, search=text))

    assert filtered
    assert all(
        all(w in sentence_list._searched_text(r) for w in text.casefold().split()) for r in filtered
    )


@given(
    some.sets(some.sampled_from(sentence_list.ROW_KINDS)),
    some.floats(0, 1),
    some.sampled_from(["", "bridge", "no such words"]),
)
def test_filters_only_take_away(kinds, worth, search):
    """What filters leave is a part of the list in the same order."""
    filtered = sentence_list.filtered_rows(
        ALL, sentence_list.Filters(kinds=tuple(kinds), min_worthiness=worth, search=search)
    )

    assert list(filtered) == [r for r in ALL if r in filtered]


def test_the_wanted_sentence_is_chosen_if_it_is_there():
    """A link to a sentence shows it.

    A link to one that is filtered out shows the first of the list.
    """
    assert sentence_list.chosen_number(ALL, ALL[3].number) == ALL[3].number
    assert sentence_list.chosen_number(ALL, 999) == ALL[0].number
    assert sentence_list.chosen_number((), 3) is None


def test_a_passage_stands_between_what_was_said_before_and_after():
    """Sentence 5 is the second of a passage of three.

    All of it, two sentences before, one after.
    """
    turns = sentence_list.surrounding_turns(ReportView(PASSAGES), 5)

    assert [(t.speaker, tuple(n for n, *_ in t.sentences)) for t in turns] == [
        ("Ines Calder", (2, 3)),
        ("Alma Reyes", (4, 5, 6)),
        ("Tom Whitfield", (7,)),
    ]
    assert [n for t in turns for n, _, is_own in t.sentences if is_own] == [4, 5, 6]


def test_what_a_passage_points_back_to_stands_before_it():
    """Also if it lies further back than what is shown anyway."""
    passages = list(PASSAGES.passages)
    passages[1] = replace(
        passages[1], passage=replace(passages[1].passage, context=factory.LINES[0])
    )

    turns = sentence_list.surrounding_turns(
        ReportView(replace(PASSAGES, passages=tuple(passages))), 5
    )

    assert [tuple(n for n, *_ in t.sentences) for t in turns[:2]] == [(1, 2, 3), (4, 5, 6)]


@given(some.integers(1, 60))
def test_the_chosen_sentence_is_always_among_its_surroundings(number):
    """Whatever its context, the sentence is there once, and all is in reading order."""
    numbers = [
        n
        for t in sentence_list.surrounding_turns(ReportView(PASSAGES), number)
        for n, *_ in t.sentences
    ]

    assert numbers.count(number) == 1
    assert sorted(numbers) == numbers


def test_speakers_come_with_counts_most_first():
    """The filter offers every speaker once with the number of sentences."""
    speaker_counts = sentence_list.speakers(ALL)

    assert sum(n for _, n in speaker_counts) == 60
    assert sorted((n for _, n in speaker_counts), reverse=True) == [n for _, n in speaker_counts]


def test_publishers_that_differ_are_told():
    """Likely matches of two publishers with other classes are said side by side.

    One publisher alone is not.
    """
    differing = (factory.match(0, 1, Tier.LIKELY), factory.match(1, 2, Tier.LIKELY))
    same = (factory.match(0, 1, Tier.LIKELY), factory.match(6, 2, Tier.LIKELY))
    checked = next(s for s in REPORT.sentences if s.tier)

    assert (
        sentence_list.publisher_disagreement(replace(checked, matches=differing))
        == "Publishers differ: City Desk Mostly False, River Post True"
    )
    assert sentence_list.publisher_disagreement(replace(checked, matches=same)) == ""


def test_a_report_without_passages_is_a_list_of_sentences():
    """What other programs make need not have them."""
    listed_rows = sentence_list.list_rows(ReportView(replace(REPORT, passages=())))

    assert sorted(r.number for r in ALL) == sorted(r.number for r in listed_rows)
    assert {r.rank for r in listed_rows} == {None}


def sent(list_rows=ALL, view="Ranked", selected=None):
    return sentence_list.payload(list_rows, view, selected, "nothing")


def test_choosing_does_not_redraw_the_list():
    """The version is that of rows and view.

    Another choice keeps it, other rows or another view do not.
    """
    version = sent()["version"]

    assert sent(selected=3)["version"] == version
    assert len({version, sent(ALL[1:])["version"], sent(view="Transcript")["version"]}) == 3


def test_every_row_and_every_sign_arrives():
    """All rows go to the component as plain values, with a sign for every class they can have."""
    payload = json.loads(json.dumps(sent()))

    assert [r.number for r in ALL] == [r["number"] for r in payload["rows"]]
    assert {r["rating_class"] for r in payload["rows"]} - {""} <= set(payload["signs"])


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ("", "")),
        ({"stance": Stance.CONTRADICTS, "against": ("denial",)}, ("may say the opposite", "")),
        ({"stance": Stance.UNCLEAR, "against": ("years", "names")}, ("compare: dates, names", "")),
        ({"decision": Decision("reject", by="Ada")}, ("", "Rejected")),
        ({"decision": Decision("confirm", by="Ada")}, ("", "Confirmed")),
    ],
)
def test_a_row_says_what_differs_and_what_was_decided(changes, expected):
    """Beside the rating, which is not to be read as that of the sentence."""
    report = made_up.report()
    first_sentence, *other_sentences = report.sentences
    first_sentence = replace(first_sentence, matches=(replace(made_up.match(), **changes),))
    list_row = sentence_list.list_rows(
        ReportView(rearranged(replace(report, sentences=(first_sentence, *other_sentences))))
    )[0]

    assert (list_row.stance, list_row.decided) == expected


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (("reject", ""), (1, "")),
        (("reject", "confirm"), (1, "Confirmed")),
        (("", "confirm"), (1, "Confirmed")),
        (("reject", "reject"), (0, "Rejected")),
    ],
)
def test_a_row_shows_a_confirmed_match_and_never_a_rejected_one_before_another(verdicts, expected):
    """A statement with one good and one rejected match is not a rejected statement."""
    report = made_up.report()
    first_sentence, *other_sentences = report.sentences
    matches = []
    for position, verdict in enumerate(verdicts):
        claim = replace(made_up.VCLAIM, id=f"claim-{position}", statement=f"Claim {position}.")
        decision = Decision(verdict, by="Ada") if verdict else None
        matches.append(replace(made_up.match(claim), decision=decision))
    first_sentence = replace(first_sentence, matches=tuple(matches))
    list_row = sentence_list.list_rows(
        ReportView(rearranged(replace(report, sentences=(first_sentence, *other_sentences))))
    )[0]

    shown_position, decided = expected
    assert (list_row.claim, list_row.decided) == (f"Claim {shown_position}.", decided)


def half_true_report() -> Report:
    """Return a report whose first sentence matches a half-true claim only."""
    report = made_up.report()
    first_sentence, *other_sentences = report.sentences
    half = replace(made_up.VCLAIM, rating="Half True", rating_class=RatingClass.MIXTURE)
    first_sentence = replace(
        first_sentence, tier=None, score=-4.0, matches=(made_up.match(half, tier=Tier.LIKELY),)
    )
    return rearranged(replace(report, sentences=(first_sentence, *other_sentences)))


def test_a_mixed_rating_is_listed_by_its_match():
    listed_rows = sentence_list.list_rows(ReportView(half_true_report()))

    assert (listed_rows[0].kind, listed_rows[0].rating) == (sentence_list.LIKELY, "Half True")
    assert listed_rows[0].rank == 1
    assert sentence_list.filtered_rows(listed_rows, sentence_list.Filters()) == listed_rows[:1]


def test_a_skipped_mixed_rating_is_a_kind_below_the_list():
    """Its row quotes the fact-check; it is shown on demand, as related sentences are."""
    report = listing.with_mixed(half_true_report(), listing.MIXED_SKIPPED)
    listed_rows = sentence_list.list_rows(ReportView(report))

    assert listed_rows[0].kind == sentence_list.MIXED
    assert listed_rows[0].rating == "Half True"
    assert listed_rows[0].rank is None
    assert sentence_list.filtered_rows(listed_rows, sentence_list.Filters()) == ()
    below = sentence_list.Filters(kinds=sentence_list.BELOW_KINDS)
    assert sentence_list.filtered_rows(listed_rows, below) == listed_rows[:1]


def test_a_question_with_a_match_is_a_kind_below_the_list():
    report = made_up.report("Has the tunnel been open since 1994?")
    listed_rows = sentence_list.list_rows(ReportView(rearranged(report)))

    row = next(row for row in listed_rows if row.number == 1)
    assert row.kind == sentence_list.ASIDE
    assert row.rank is None
