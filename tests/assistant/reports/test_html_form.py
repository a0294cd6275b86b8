"""The report as a web page."""

import re
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup

from assistant import reports
from assistant.core.domain import Decision, RatingClass, Strength, Tier
from assistant.report import wording
from assistant.reports import html_form as report_html
from assistant.ui.theme import COLOURS
from features.similarity import input_catalogue
from tests.assistant import made_up

ATTACK = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'&"

OTHER = made_up.match(replace(made_up.VCLAIM, id="sample-2"), rank=2)


def page(report) -> BeautifulSoup:
    return BeautifulSoup(reports.render(report, "html").decode(), "lxml")


def with_matches(*matches, report=None):
    """A report whose first sentence has these matches."""
    report = report or made_up.report()
    first_sentence = replace(report.sentences[0], matches=matches, tier=Tier.LIKELY)
    return replace(report, sentences=(first_sentence, *report.sentences[1:]))


def decided(verdict, *, rank=1):
    return replace(
        made_up.match(rank=rank),
        decision=Decision(verdict, "same figure", "Ada Quill", "2024-09-11T09:30:00"),
    )


def test_every_sentence_has_an_anchor():
    """A link to a sentence can be shared; dropped sentences are there too."""
    assert [span["id"] for span in page(made_up.report()).select("span.s")] == ["s1", "s2", "s3"]


@pytest.mark.parametrize(
    ("strength", "verb"), [(Strength.STRONG, "settles"), (Strength.GOOD, "may settle")]
)
def test_only_a_strong_match_is_said_to_settle_a_part(strength, verb):
    """Both are likely."""
    statement = "Exports fell by $200 million"
    claim = replace(made_up.VCLAIM, statement=statement)
    report = with_matches(replace(made_up.match(claim), strength=strength))
    checked = report.sentences[0]
    text = f"The mayor built 400 schools, but {statement.lower()}."
    checked = replace(checked, sentence=replace(checked.sentence, text=text))

    lines = page(replace(report, sentences=(checked, *report.sentences[1:]))).select("p.small")

    assert [line for line in lines if line.get_text().startswith(f"Match 1 {verb} the second")]


def test_the_ranked_list_stands_before_the_transcript():
    """What can be used comes first."""
    assert [section["id"] for section in page(made_up.report()).select("section")] == [
        "ranked",
        "transcript",
    ]


def test_the_rating_is_the_publishers_with_sign_and_colour():
    """The publisher's words verbatim, never Lectern's."""
    vclaim = replace(made_up.VCLAIM, rating="Pants on Fire!", rating_class=RatingClass.FALSE)
    badge = page(with_matches(made_up.match(vclaim))).select_one("article .badge")

    assert badge.get_text() == "■ Pants on Fire!"
    assert "false" in badge["class"]


@pytest.mark.parametrize("rating_class", list(RatingClass))
def test_every_class_has_a_sign_and_a_colour(rating_class):
    """A rating never rests on colour alone, and its colour is defined."""
    sign = wording.RATING_SIGNS[rating_class]

    assert sign.mark
    assert f".{sign.colour} {{ color: var(--{sign.colour}); }}" in report_html.STYLE.read_text(
        "utf-8"
    )


def test_the_colours_are_those_of_the_app():
    """One set of colours, tested for contrast where the app has it."""
    colours = re.findall(
        r"--(\w+): light-dark\((#\w+), (#\w+)\);", report_html.STYLE.read_text("utf-8")
    )
    names = {"shown": "shared"}

    assert colours
    for name, light, dark in colours:
        assert COLOURS[names.get(name, name)] == (light, dark)


def test_a_match_is_told_in_the_publishers_name():
    """Who rated, what, when, how long before; no verdict by Lectern."""
    text = page(made_up.report()).select_one("article").get_text()

    assert (
        "Sample desk (invented) rated this claim True on 4 Mar 2019, about 6 years before this debate."
        in text
    )
    assert "a radio host, said 1 Mar 2019" in text


def test_links_leave_no_trace():
    """The article opens without access to this page and without a referrer."""
    link = page(made_up.report()).select_one("a.source")

    assert link["href"] == "https://example.org/samples/1"
    assert {"noopener", "noreferrer"} <= set(link["rel"])


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "JaVaScRiPt:alert(1)", "file:///x", ""]
)
def test_only_web_addresses_become_links(url):
    """Anything else is shown as text."""
    soup = page(with_matches(made_up.match(replace(made_up.VCLAIM, url=url))))

    assert [a["href"] for a in soup.select("a[href]") if not a["href"].startswith("#")] == []


def hostile():
    """A report with an attack in every field that comes from outside."""
    fields = ("statement", "title", "claimant", "rating", "publisher")
    vclaim = replace(
        made_up.VCLAIM, **dict.fromkeys(fields, ATTACK), url=f'https://example.org/"{ATTACK}'
    )
    match = made_up.match(vclaim)
    key = replace(match.key_sentences[0], text=ATTACK, why=ATTACK)
    decision = Decision("reject", ATTACK, ATTACK, ATTACK, ATTACK)
    report = made_up.report(ATTACK)
    sentences = [replace(c, sentence=replace(c.sentence, speaker=ATTACK)) for c in report.sentences]
    sentences[0] = replace(
        sentences[0],
        matches=(
            replace(match, key_sentences=(key,), contributions={ATTACK: 1.0}),
            replace(match, rank=2, decision=decision),
        ),
    )
    source = replace(report.transcript.source, name=ATTACK, format=ATTACK)
    transcript = replace(report.transcript, title=ATTACK, source=source)
    manifest = replace(
        report.manifest, profile=ATTACK, models={ATTACK: ATTACK}, settings={ATTACK: ATTACK}
    )
    return replace(
        report,
        transcript=transcript,
        sentences=tuple(sentences),
        manifest=manifest,
        warnings=(ATTACK, "</style>"),
    )


@pytest.mark.threat("publisher")
def test_hostile_text_shows_as_text():
    """No element, attribute or rule of the page comes from a file."""
    soup = page(hostile())
    plain = page(with_matches(made_up.match(), decided("reject", rank=2)))

    assert soup.select("script, img, iframe, object, embed, form, base, link") == []
    assert not any(name.startswith("on") for tag in soup.find_all(True) for name in tag.attrs)
    assert soup.select_one("style").string == plain.select_one("style").string
    assert ATTACK in soup.select_one("blockquote").get_text()
    assert soup.select_one("h1").get_text() == ATTACK


@pytest.mark.threat("reviewer")
def test_a_reviewer_cannot_write_css():
    """The names of reviewers are at the foot of printed pages, inside a CSS rule."""
    name = '"; } body { display: none } \\27 </style><script>'
    match = replace(made_up.match(), decision=Decision("confirm", "", name))
    style = page(with_matches(match)).select_one("style").string

    assert "display: none }" not in style.rsplit("@bottom-left", 1)[1]
    assert style.count("{") == style.count("}")


@pytest.mark.threat("publisher")
def test_the_page_needs_no_network_and_no_script():
    """One file: its content policy forbids it to load anything else."""
    soup = page(made_up.report())

    assert (
        "default-src 'none'"
        in soup.select_one('meta[http-equiv="Content-Security-Policy"]')["content"]
    )
    assert soup.select("script, link, img") == []
    assert "url(" not in soup.select_one("style").string


@pytest.mark.parametrize(
    ("matches", "expected"),
    [
        ((made_up.match(),), "Not reviewed: nobody has confirmed or rejected this match yet"),
        (
            (made_up.match(), OTHER),
            "Not reviewed: nobody has confirmed or rejected these matches yet",
        ),
        ((decided("reject"), OTHER), "Not fully reviewed: 1 of 1 statement undecided"),
        (
            (decided("reject"), replace(OTHER, decision=Decision("later", by="Ada Quill"))),
            "Not fully reviewed: 1 of 1 statement left for later",
        ),
        ((decided("confirm"), OTHER), "The only statement was reviewed by Ada Quill"),
        ((decided("later"),), "Not reviewed: nobody has confirmed or rejected this match yet"),
        ((decided("confirm"),), "The only statement was reviewed by Ada Quill"),
    ],
)
def test_the_state_of_the_review_is_said_on_screen_and_on_every_printed_page(matches, expected):
    """Nothing unseen goes out as if it had been seen."""
    soup = page(with_matches(*matches))
    printed = re.search(r'@bottom-left \{ content: "([^"]*)"', soup.select_one("style").string)

    assert soup.select_one(".state").get_text() == expected
    assert printed[1] == expected


def test_a_rejected_match_is_no_find():
    """It leaves the list and the highlights, and is in an appendix with the reason."""
    soup = page(with_matches(decided("reject")))

    assert soup.select("#ranked article") + soup.select("#transcript mark") == []
    assert (
        "Rejected by Ada Quill, 11 Sep 2024, 09:30: same figure"
        in soup.select_one("#rejected").get_text()
    )


def test_confirmed_matches_stand_before_suggestions_and_are_called_so():
    """Each suggestion is called unreviewed, not only the report at its head."""
    report = made_up.report()
    second = replace(report.sentences[2], matches=(decided("confirm"),), tier=Tier.LIKELY)
    soup = page(replace(report, sentences=(*report.sentences[:2], second)))

    assert [h.get_text() for h in soup.select("#ranked h3.status")] == [
        "Confirmed",
        "Suggestions, not reviewed",
    ]
    assert [li["id"] for li in soup.select("#ranked li[id]")] == ["m3", "m1"]
    assert [n.get_text().split(" · ")[1] for n in soup.select(".note > span")] == [
        "not reviewed",
        "✓ confirmed",
    ]


def test_several_publishers_stand_side_by_side():
    """Each with its rating; one publisher alone needs no table."""
    other_claim = replace(
        made_up.VCLAIM,
        id="2",
        publisher="River Post",
        rating="Half True",
        rating_class=RatingClass.MIXTURE,
    )
    both = page(with_matches(made_up.match(), made_up.match(other_claim, rank=2)))

    publishers = [" ".join(li.get_text(" ").split()) for li in both.select(".publishers li")]
    assert publishers == ["Sample desk (invented) ● True", "River Post ◆ Half True"]
    assert len(both.select("#transcript .note > span")) == 2
    assert page(made_up.report()).select(".publishers") == []


def test_sentences_for_which_nothing_was_found_are_listed():
    """Check-worthy ones; a greeting is not among them."""
    listed = page(made_up.report()).select_one("details.nothing")

    assert listed.select_one("summary").get_text() == "Nothing found for 1 check-worthy sentence"
    assert [a["href"] for a in listed.select("a")] == ["#s3"]


def test_nothing_found_is_a_result():
    """With the size of what was searched."""
    text = page(with_matches()).select_one("#ranked").get_text()

    assert (
        "No fact-check in the database covers this debate. 2 check-worthy sentences, none close enough to any of 1"
        in text
    )


def test_the_head_says_what_made_the_report():
    """File, digest, models, database, settings, counts."""
    head = page(made_up.report()).select_one("header").get_text(" ")

    for text in (
        "debate.txt",
        "0" * 64,
        "embedded",
        "Model: sbert abc",
        "Setting: as of event False",
        "10 Sep 2024",
    ):
        assert text in head
    assert "No times in this file." in head
    assert "1 statement may already be fact-checked: 1 likely (of 3 sentences)" in head


def test_turns_without_a_match_can_be_folded_away_without_a_script():
    """The style sheet hides quiet turns while the box is ticked."""
    soup = page(made_up.report())

    assert soup.select_one("input#condensed[type=checkbox]")
    assert (
        "body:has(#condensed:checked) .quiet { display: none; }" in soup.select_one("style").string
    )
    assert [p["class"] for p in soup.select("p.turn")] == [["turn"], ["turn", "quiet"]]


def test_times_of_a_recording_play_it():
    """The file beside the page plays from there.

    Times of captions, whose sound nobody gave, are text.
    """
    base_report = made_up.report()
    first_sentence = replace(
        base_report.sentences[0], sentence=replace(base_report.sentences[0].sentence, start=61.5)
    )
    source = replace(base_report.transcript.source, name='night "1".mp4', format="sound")
    heard = replace(
        base_report,
        transcript=replace(base_report.transcript, source=source),
        sentences=(first_sentence, *base_report.sentences[1:]),
    )

    assert page(heard).select_one("#transcript .who a")["href"] == "night%20%221%22.mp4#t=61.50"
    assert b"](night%20%221%22.mp4#t=61.50)" in reports.render(heard, "md")
    assert page(base_report).select_one("#transcript .who a") is None


def test_a_report_without_date_times_and_speakers_is_a_page():
    """Everything that may be unknown."""
    report = made_up.report()
    bare = replace(report.transcript, title="", event_date=None, warnings=())
    bare_sentences = [
        replace(c, sentence=replace(c.sentence, speaker=None, start=None, end=None))
        for c in report.sentences
    ]
    vclaim = replace(
        made_up.VCLAIM, claimant="", claim_date=None, review_date=None, rating="", url="", title=""
    )
    bare_sentences[0] = replace(
        bare_sentences[0],
        matches=(replace(made_up.match(vclaim), key_sentences=(), contributions={}),),
    )
    text = page(
        replace(report, transcript=bare, sentences=tuple(bare_sentences), warnings=())
    ).get_text(" ")

    assert "Speaker unknown" in text
    assert "event date unknown" in text
    assert "Sample desk (invented) checked this claim and gave no rating, date unknown." in text


def test_the_same_report_gives_the_same_bytes():
    """Rendering has no hidden state and no clock."""
    assert reports.render(made_up.report(), "html") == reports.render(made_up.report(), "html")


def test_what_the_score_is_made_of_is_said_in_words():
    """No reader is shown the name of a column, and every input is there with what it adds."""
    match = replace(made_up.match(), contributions=dict.fromkeys(input_catalogue.NAMES, 0.25))
    table = page(with_matches(match)).select_one("article details.screen table")

    assert [input_catalogue.meaning(name) for name in sorted(input_catalogue.NAMES)] == [
        table_row.th.get_text() for table_row in table.select("tr")
    ]
    assert "_" not in table.get_text()
    assert {"+0.25"} == {cell.get_text() for cell in table.select("td")}


def test_a_quoted_key_sentence_has_one_pair_of_quotation_marks():
    """The marks of the sentence itself become single ones, and the browser adds none."""
    key = replace(made_up.match().key_sentences[0], text='"It opened in 1994," its site says.')
    soup = page(with_matches(replace(made_up.match(), key_sentences=(key,))))

    assert soup.select_one("ul.keys q").get_text() == "“‘It opened in 1994,’ its site says.”"
    assert "ul.keys q { quotes: none;" in report_html.STYLE.read_text("utf-8")
