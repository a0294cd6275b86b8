"""The list of sentences: order, filters, search, the turns around a sentence, the component's payload."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assistant.ground.domain import RatingClass, Tier
from assistant.ui import sentence_list
from tests.assistant.ui import factory

REPORT = factory.report(60)
ALL = sentence_list.rows(REPORT)
EVERY_KIND = sentence_list.Filters(kinds=sentence_list.KINDS)


def test_ranked_rows_come_best_first_and_the_rest_in_reading_order():
    """Ranks rise from 1; what has no rank follows by its number."""
    ranks = [r.rank for r in ALL if r.rank]
    rest = [r.number for r in ALL if not r.rank]

    assert list(range(1, len(ranks) + 1)) == ranks
    assert sorted(rest) == rest
    assert None not in [r.rank for r in ALL[: len(ranks)]]


def test_the_transcript_is_in_reading_order_and_whole():
    """Every sentence is there once, dropped ones too."""
    assert list(range(1, 61)) == [r.number for r in sentence_list.rows(REPORT, "Transcript")]


def test_a_row_quotes_the_sentence_that_decides():
    """With its sign and in words; nothing where the best match has no article."""
    found = {r.number: r for r in ALL}
    for checked in REPORT.sentences:
        keys = checked.matches[0].key_sentences if checked.matches else ()
        row = found[checked.sentence.number]
        assert (keys[0].text, "decides the rating") == (row.quote, row.why) if keys else "" == row.quote + row.sign
        assert row.sign.startswith("⚖") == bool(keys)


def test_kinds_follow_tier_and_what_was_dropped():
    """A row is likely, possible, without a match, or dropped, and the counts agree with the report's."""
    counts = sentence_list.kind_counts(ALL)

    assert REPORT.counts()["likely"] == counts[sentence_list.LIKELY]
    assert REPORT.counts()["possible"] == counts[sentence_list.POSSIBLE]
    assert 60 == sum(counts.values())


def test_only_likely_and_possible_are_shown_at_first():
    """What nothing settles, and what was dropped, is there on request."""
    shown = sentence_list.keep(ALL, sentence_list.Filters())
    assert {sentence_list.LIKELY, sentence_list.POSSIBLE} >= {r.kind for r in shown}


def test_dropped_rows_have_a_reason():
    """On request the dropped sentences come with why."""
    dropped = sentence_list.keep(ALL, sentence_list.Filters(kinds=(sentence_list.DROPPED,)))

    assert {"a question of the moderator"} == {r.reason for r in dropped}


def test_a_speaker_filter_leaves_that_speaker():
    """Speakers are filtered by their name, unnamed ones as Unknown."""
    kept = sentence_list.keep(ALL, replace(EVERY_KIND, speakers=("Unknown",)))

    assert [20, 40, 60] == sorted(r.number for r in kept)


def test_a_rating_filter_looks_at_all_matches():
    """A sentence stays if any of its matches has the class."""
    kept = sentence_list.keep(ALL, sentence_list.Filters(ratings=("TRUE",)))

    expected = {
        s.sentence.number
        for s in REPORT.sentences
        if s.tier and any(m.claim.rating_class is RatingClass.TRUE for m in s.matches)
    }
    assert expected == {r.number for r in kept}


def test_check_worthiness_has_a_floor():
    """Rows below the floor are left out, rows on it stay."""
    kept = sentence_list.keep(ALL, replace(EVERY_KIND, worth=0.7))

    assert kept and min(r.worth for r in kept) >= 0.7


@pytest.mark.parametrize("text", ["BRIDGE 1937", "1937 bridge", "alma speed", "river post"])
def test_search_wants_all_words_in_any_order_and_case(text):
    """Every word must be in the sentence, its speaker, its best match or its publisher."""
    kept = sentence_list.keep(ALL, replace(EVERY_KIND, search=text))

    assert kept
    assert all(all(w in sentence_list._haystack(r) for w in text.casefold().split()) for r in kept)


@given(
    some.sets(some.sampled_from(sentence_list.KINDS)),
    some.floats(0, 1),
    some.sampled_from(["", "bridge", "no such words"]),
)
def test_filters_only_take_away(kinds, worth, search):
    """What filters leave is a part of the list in the same order."""
    kept = sentence_list.keep(ALL, sentence_list.Filters(kinds=tuple(kinds), worth=worth, search=search))

    assert list(kept) == [r for r in ALL if r in kept]


def test_the_wanted_sentence_is_chosen_if_it_is_there():
    """A link to a sentence shows it; a link to one that is filtered out shows the first of the list."""
    assert (ALL[3].number, ALL[0].number, None) == (
        sentence_list.chosen(ALL, ALL[3].number),
        sentence_list.chosen(ALL, 999),
        sentence_list.chosen((), 3),
    )


def test_the_turn_before_and_after_stand_around_a_sentence():
    """Sentence 5 is the second of a turn of three: its whole turn, the turn before, the turn after."""
    turns = sentence_list.around(REPORT, 5)

    assert [("MODERATOR", (1, 2, 3)), ("Alma Reyes", (4, 5, 6)), ("Tom Whitfield", (7, 8))] == [
        (t.speaker, tuple(n for n, _ in t.sentences)) for t in turns
    ]


@given(some.integers(1, 60))
def test_the_chosen_sentence_is_always_among_its_surroundings(number):
    """Whatever its context, the sentence is there once, and all is in reading order."""
    numbers = [n for t in sentence_list.around(REPORT, number) for n, _ in t.sentences]

    assert 1 == numbers.count(number)
    assert sorted(numbers) == numbers


def test_speakers_come_with_counts_most_first():
    """The filter offers every speaker once with the number of sentences."""
    found = sentence_list.speakers(ALL)

    assert 60 == sum(n for _, n in found)
    assert sorted((n for _, n in found), reverse=True) == [n for _, n in found]


def test_publishers_that_differ_are_told():
    """Likely matches of two publishers with other classes are said side by side; one publisher alone is not."""
    differing = (factory.match(0, 1, Tier.LIKELY), factory.match(1, 2, Tier.LIKELY))
    same = (factory.match(0, 1, Tier.LIKELY), factory.match(6, 2, Tier.LIKELY))
    checked = next(s for s in REPORT.sentences if s.tier)

    assert "Publishers differ: City Desk Mostly False, River Post True" == sentence_list.disagreement(
        replace(checked, matches=differing)
    )
    assert "" == sentence_list.disagreement(replace(checked, matches=same))


def sent(found=ALL, view="Ranked", selected=None):
    return sentence_list.payload(found, view, selected, "nothing")


def test_choosing_does_not_redraw_the_list():
    """The version is that of rows and view: another choice keeps it, other rows or another view do not."""
    version = sent()["version"]

    assert version == sent(selected=3)["version"]
    assert len({version, sent(ALL[1:])["version"], sent(view="Transcript")["version"]}) == 3


def test_every_row_and_every_sign_arrives():
    """All rows go to the component as plain values, with a sign for every class they can have."""
    payload = json.loads(json.dumps(sent()))

    assert [r.number for r in ALL] == [r["number"] for r in payload["rows"]]
    assert {r["rating_class"] for r in payload["rows"]} - {""} <= set(payload["signs"])
