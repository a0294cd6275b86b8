"""The card as HTML."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest
from bs4 import BeautifulSoup

from assistant.core.domain import (
    Agreement,
    Decision,
    Difference,
    KeySentence,
    RatingClass,
    Stance,
    Strength,
    Tier,
)
from assistant.report.view import ReportView
from assistant.ui import card_html, difference_marks, rank_reasons, sentence_list
from assistant.ui.match_strength import match_strength, strength_meaning
from tests.assistant.ui import factory

EVENT = date(2024, 9, 10)
MATCH = factory.match(0, 1, Tier.LIKELY)
EVIL = "<script>alert(1)</script>"


def read(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


@pytest.mark.parametrize("rating_class", list(RatingClass))
def test_a_badge_has_the_publishers_words_and_a_sign(rating_class):
    """The rating is verbatim, whatever its class."""
    shown = read(card_html.rating_badge("Four Pinocchios", rating_class)).get_text()

    assert shown.endswith("Four Pinocchios")
    assert len(shown) > len("Four Pinocchios")


def test_the_head_says_who_rated_what_when_and_links_the_article():
    """Publisher, rating and day in one sentence; the link opens apart from the app."""
    page = read(card_html.rating_html(MATCH))

    assert "City Desk rated this claim Mostly False on 21 May 2018." in page.get_text()
    assert page.a["href"] == "https://example.org/check/0"
    assert page.a["target"] == "_blank"
    assert " ".join(page.a["rel"]) == "noopener"


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "url", ["", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"]
)
def test_only_web_addresses_are_linked(url):
    """An address that could do something else is no link."""
    assert (
        read(card_html.rating_html(replace(MATCH, claim=replace(MATCH.claim, url=url)))).a is None
    )


def test_the_sentence_stands_among_its_turns():
    """The chosen sentence is set off once, then its passage; what stands around is plain."""
    page = read(
        card_html.turns_html(
            sentence_list.surrounding_turns(ReportView(factory.passages(20)), 5), 5
        )
    )

    assert [s.get_text() for s in page.select(".lx-chosen-sentence")] == [
        "The buses of this city carried 9 million people in 2019."
    ]
    assert [s.get_text() for s in page.select(".lx-passage")] == [
        factory.LINES[3],
        factory.LINES[5],
    ]
    assert [s.get_text() for s in page.select(".lx-speaker")] == [
        "Ines Calder",
        "Alma Reyes",
        "Tom Whitfield",
    ]


def facts_of(html: str, style: str) -> dict[str, str]:
    rows = read(html).select(f".{style} div")
    return {row.dt.get_text(): row.dd.get_text() for row in rows}


def test_the_card_names_a_difference_with_both_values():
    difference = Difference("units", "40 liters", "40 gallons")
    match = replace(MATCH, differences=(difference,))

    *_, evidence = card_html.match_html(match, "It lost 40 liters.", EVENT)

    expected = "They checked 40 gallons; 40 liters was said"
    assert facts_of(evidence, "lx-facts")["Differs"] == expected


def test_particulars_that_match_and_differ_come_with_their_words():
    """The card names what differs; the drawer has both sides of everything.

    What neither side names is left out.
    """
    claim = replace(MATCH.claim, statement="It cost 20 million in 1938.")
    agreement = {
        "numbers": Agreement.DIFFERENT,
        "names": Agreement.MISSING,
        "dates": Agreement.MISSING,
    }
    match = replace(MATCH, claim=claim, agreement=agreement)

    *_, evidence = card_html.match_html(match, "It cost 35 million in Ohio.", EVENT)
    compared = facts_of(
        card_html.comparison_html(match, "It cost 35 million in Ohio.", EVENT), "lx-compared"
    )

    different = "numbers (35 million here, 20 million in the claim)"
    assert facts_of(evidence, "lx-facts")["Differs"] == different
    assert compared["Differing facts"] == different
    assert compared["Matching facts"] == "none"
    assert compared["Facts on one side"] == "names (Ohio here); dates (1938 in the claim)"
    assert compared["Same claim?"] == "Not in every part"


def test_roundings_and_age_are_rows():
    """In the words of both texts, escaped."""
    claim = replace(
        MATCH.claim, statement="Today 64,000 jobs are <lost>", claim_date=date(2013, 3, 10)
    )

    page = read(
        "".join(
            card_html.match_html(
                replace(MATCH, claim=claim), "Nearly 65,000 jobs & more", date(2018, 6, 1)
            )
        )
    )

    facts = {d.dt.get_text(): d.dd.get_text() for d in page.select(".lx-facts div")}
    assert facts["Rounded"] == "65,000 here, 64,000 in the claim"
    assert "March 2013" in facts["May be out of date"]


def test_the_part_that_a_claim_settles_is_named():
    """Only where a sentence has several; the same figure and no day of the event need no row."""
    claim = replace(MATCH.claim, statement="5 million jobs are lost")
    possible = replace(MATCH, claim=claim, tier=Tier.POSSIBLE, strength=Strength.POSSIBLE)

    *_, whole_html = card_html.match_html(possible, "5 million jobs are lost.", None)
    *_, partly = card_html.match_html(possible, "Crime is up, but 5 million jobs are lost.", None)

    facts = {d.dt.get_text(): d.dd.get_text() for d in read(partly).select(".lx-facts div")}
    assert facts["May cover"] == "the second part: “but 5 million jobs are lost.”"
    assert not {"May cover", "Rounded", "May be out of date"} & {
        dt.get_text() for dt in read(whole_html).select("dt")
    }


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"strength": Strength.STRONG}, "Covers"),
        ({"strength": Strength.GOOD}, "May cover"),
        ({"strength": None}, "Covers"),
        ({"strength": Strength.GOOD, "decision": Decision("confirm", by="Ada")}, "Covers"),
    ],
)
def test_only_a_strong_or_confirmed_match_covers_a_part(changes, label):
    """All are likely. Without strengths, the tier stands for them."""
    claim = replace(MATCH.claim, statement="5 million jobs are lost")
    likely = replace(MATCH, claim=claim, tier=Tier.LIKELY, **changes)

    *_, partly = card_html.match_html(likely, "Crime is up, but 5 million jobs are lost.", None)

    labels = {dt.get_text() for dt in read(partly).select(".lx-facts dt")}
    assert {"Covers", "May cover"} & labels == {label}


def comparison(sentence, statement, event=EVENT, **changes):
    match = replace(MATCH, claim=replace(MATCH.claim, statement=statement), **changes)
    return facts_of(card_html.comparison_html(match, sentence, event), "lx-compared")


def test_several_numbers_are_told_apart():
    """Two numbers of one sentence are a list; words that make one number stay together.

    A rounding shows both sides.
    """
    same = {"numbers": Agreement.SAME}
    statement = "Half of the roads, two of them new, cost 1.5 million."

    several = comparison(
        "Half of our roads and two bridges cost 1.5 million.", statement, agreement=same
    )
    rounded = comparison("It cost 3,500.", "It cost 3,512.", agreement=same)

    assert several["Matching facts"] == "numbers (Half, two and 1.5 million)"
    assert rounded["Matching facts"] == "numbers (3,500 here, 3,512 in the claim)"


def test_what_neither_side_names_is_not_missing():
    """Two sentences without a date do not lack one."""
    facts = comparison("Taxes rose.", "Taxes fell.", agreement={"dates": Agreement.MISSING})

    assert facts["Facts on one side"] == "none"


def test_dates_say_the_gap_to_the_event_in_words():
    """When the claim was said and checked, measured from the event."""
    expected = (
        "said about 6 years before this debate, fact-checked about 6 years before this debate"
    )

    assert comparison("a", "b")["Dates"] == expected


def test_without_an_event_date_the_card_says_so():
    """No gap is invented."""
    expected = "fact-checked 6 days after it was said; the date of this debate is not set"

    assert comparison("a", "b", event=None)["Dates"] == expected


def key(line: int, why: str) -> KeySentence:
    text = factory.BODY.split("\n")[line]
    start = factory.BODY.index(text)
    return KeySentence(line, start, start + len(text), text, 0.5, why)


def test_key_sentences_are_marked_where_they_stand():
    """In the whole article the key sentence is marked, and no character of the article is lost."""
    keys = [
        key(1, "repeats the claim"),
        key(2, "debunking pattern, decides the rating"),
        key(3, "in other words"),
    ]
    page = read(card_html.article_html("Title", factory.BODY, keys))

    tags = [tag.extract().get_text() for tag in page.select(".lx-tag")]
    lines = factory.BODY.split("\n")
    assert tags == [
        "❝︎ repeats the claim: ",
        "※︎ debunking pattern, ⚖︎ decides the rating: ",
        "in other words: ",
    ]
    assert lines[1:] == [m.get_text() for m in page.select("mark")]
    assert [p.get_text() for p in page.select("p")] == lines


def test_each_reason_has_a_mark_of_its_own():
    """Not colour alone: a class each for its line or bar, the reason in words before the sentence."""
    page = read(
        card_html.article_html("", factory.BODY, [key(1, "repeats the claim, decides the rating")])
    )

    assert page.mark["class"] == ["lx-proof", "lx-repeats", "lx-decides"]
    assert page.mark.get_text().startswith("❝")
    assert [sign["aria-hidden"] for sign in page.select(".lx-tag span")] == ["true"] * 2


def test_key_sentences_are_quoted_with_sign_and_reason():
    """Each begins with its reason."""
    page = read(
        card_html.key_sentences_html([key(1, "repeats the claim"), key(2, "debunking pattern")])
    )

    assert [s.get_text() for s in page.select(".lx-keysign")] == [
        "❝︎ repeats the claim",
        "※︎ debunking pattern",
    ]
    assert factory.BODY.split("\n")[1:3] == [q.get_text() for q in page.select("q")]


def test_offsets_of_another_edition_mark_nothing():
    """An article that changed since the check is shown whole, without a wrong mark."""
    stale = KeySentence(0, 3, 12, "not there", 0.5, "nearest")

    assert read(card_html.article_html("", factory.BODY, [stale])).select("mark") == []


def test_bars_go_right_for_and_left_against():
    """One bar a family, with the sign of its contribution, the largest half the width of the chart."""
    groups = rank_reasons.rank_groups(MATCH)
    page = read(card_html.contribution_chart(groups))

    sides = ["lx-for" if g.total >= 0 else "lx-against" for g in groups]
    bars = page.select(".lx-why-bar")
    assert sides == [b["class"][1] for b in bars]
    assert bars[0]["style"] == "width:50.0%"
    assert len(MATCH.contributions) == len(page.select("li"))


def test_the_nineteen_measures_are_all_in_the_table():
    """Raw values of all measures, whatever the ranker uses."""
    assert (
        len(read(card_html.measures_table(rank_reasons.raw_measures(MATCH))).select("tbody tr"))
        == 19
    )


@pytest.mark.threat("publisher")
def test_script_in_a_file_stays_text():
    """Whatever a transcript or a fact-check holds is shown, not run."""
    claim = replace(
        MATCH.claim,
        statement=EVIL,
        rating=EVIL,
        publisher=EVIL,
        claimant=EVIL,
        url="https://x/" + EVIL,
    )
    match = replace(MATCH, claim=claim, key_sentences=(KeySentence(0, 0, 5, EVIL, 1.0, EVIL),))
    compared = difference_marks.compare_texts(EVIL, EVIL)
    turn = sentence_list.Turn(
        EVIL,
        "",
        (sentence_list.TurnSentence(1, EVIL, True), sentence_list.TurnSentence(2, EVIL, False)),
    )
    below = sentence_list.PassageLine(1, "", "", EVIL, EVIL, EVIL)

    shown = "".join(
        (
            card_html.rating_html(match),
            card_html.compared_html(compared, match),
            card_html.facts_html(compared, match, EVENT),
            card_html.key_sentences_html(match.key_sentences),
            card_html.article_html(EVIL, EVIL, ()),
            card_html.turns_html([turn], 1),
            card_html.passage_html(below),
        )
    )

    assert read(shown).select("script") == []
    assert "alert(1)" in read(shown).get_text()


def test_a_rating_stands_with_the_gap_in_time_and_with_what_the_sentence_does_to_the_claim():
    """Nobody reads False under the words of a person who says that the claim is false."""
    opposite = card_html.rating_html(replace(MATCH, stance=Stance.CONTRADICTS), EVENT)

    assert "before this debate" in opposite
    assert "may say the opposite" in opposite
    assert "the opposite" not in card_html.rating_html(MATCH, EVENT)
    differs = card_html.rating_html(
        replace(MATCH, stance=Stance.UNCLEAR, against=("years",)), EVENT
    )
    assert "Compare: dates. The sentence may not be the claim that was rated." in differs
    assert "lx-warn" not in card_html.rating_html(MATCH, EVENT)


def test_the_rating_of_an_opposite_claim_comes_after_its_warning_and_without_colour():
    """A coloured stamp would be read as the rating of the sentence."""
    opposite = read(card_html.rating_html(replace(MATCH, stance=Stance.CONTRADICTS), EVENT))

    classes = [element["class"] for element in opposite.find_all(recursive=False)]
    assert classes == [["lx-warn"], ["lx-rated", "lx-of-opposite"], ["lx-said"]]
    assert read(card_html.rating_html(MATCH, EVENT)).div["class"] == ["lx-rated"]


@pytest.mark.parametrize(
    ("strength", "tier", "label"),
    [
        (Strength.STRONG, Tier.LIKELY, "Strong match"),
        (Strength.POSSIBLE, Tier.POSSIBLE, "Possible match"),
        (None, Tier.LIKELY, "Likely match"),
    ],
)
def test_the_card_says_what_the_strength_of_its_match_means(strength, tier, label):
    match = replace(MATCH, strength=strength, tier=tier)
    evidence = card_html.match_html(match, "Taxes rose.", EVENT).evidence

    assert facts_of(evidence, "lx-facts")[label] == strength_meaning(match_strength(match))


def test_an_unlisted_match_has_no_strength_to_explain():
    evidence = card_html.match_html(replace(MATCH, strength=None, tier=None), "Taxes.", EVENT)

    assert not [label for label in facts_of(evidence.evidence, "lx-facts") if "match" in label]


@pytest.mark.parametrize("claim_id", ["sample-1", "a b&c=d?", 'x"y'])
def test_a_card_leads_to_its_claim_in_the_archive(claim_id):
    link = read(card_html.archive_link(replace(MATCH.claim, id=claim_id))).a["href"]
    query = parse_qs(urlsplit(link).query)

    assert query == {"claim": [claim_id]}


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(("count", "noun"), [(1, "address"), (3, "addresses")])
def test_the_card_says_at_how_many_other_addresses_the_text_stands(count, noun):
    page = card_html.rating_html(replace(MATCH, other_addresses=count))

    assert f"The same text stands at {count} other {noun}." in page


def test_the_card_of_a_match_without_copies_names_no_other_address():
    assert "other address" not in card_html.rating_html(MATCH)


@pytest.mark.parametrize(
    ("sentence", "strength", "expected"),
    [
        ("Not a single person was killed.", Strength.GOOD, "only the sentence says “Not”"),
        ("Not a single person was killed.", Strength.STRONG, "nothing found"),
        ("Hundreds were killed.", Strength.GOOD, "nothing found"),
    ],
)
def test_a_denial_that_no_note_names_is_shown(sentence, strength, expected):
    """A card of a doubtful match does not say "nothing found" where only one text denies."""
    claim = replace(MATCH.claim, statement="The accident killed hundreds.")
    match = replace(MATCH, claim=claim, strength=strength, differences=(), agreement={})
    compared = difference_marks.compare_texts(sentence, claim.statement)

    facts = read(card_html.facts_html(compared, match, EVENT)).get_text(" ")

    assert expected in facts


def test_the_card_of_a_fact_check_too_different_for_the_list_finds_no_sameness():
    """Above it stands that its claim is too different, so "nothing found" would deny that."""
    claim = replace(MATCH.claim, statement="The accident killed hundreds.")
    match = replace(MATCH, claim=claim, strength=None, tier=None, differences=(), agreement={})
    compared = difference_marks.compare_texts("Hundreds were killed.", claim.statement)

    facts = read(card_html.facts_html(compared, match, EVENT)).get_text(" ")

    assert "nothing found" not in facts


def test_a_check_that_is_dated_before_its_claim_is_said_to_be():
    """The dates are the publisher's: one may be mistyped, and both are on the card."""
    claim = replace(MATCH.claim, claim_date=date(2016, 12, 10), review_date=date(2016, 12, 5))

    facts = facts_of(
        card_html.comparison_html(replace(MATCH, claim=claim), "Taxes rose.", None), "lx-compared"
    )

    assert facts["Dates"].startswith("fact-checked 5 days before it was said")
