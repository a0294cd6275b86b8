"""A row a passage, in every format.

What was said, which of it matches best, and where else it was said.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from bs4 import BeautifulSoup
from docx import Document
from markdown_it import MarkdownIt
from openpyxl import load_workbook

from assistant import reports
from assistant.core.domain import Passage, Report, Strength, Tier
from assistant.passages.listing import arranged, rearranged
from assistant.report import contents, wording
from assistant.report.view import ReportView
from tests.assistant import made_up
from tests.assistant.reports import forms
from tests.assistant.reports.test_formats import squeezed

READ = ("docx", "html", "md", "pdf", "txt")
SAID = (
    "You asked me about it.",
    "It has been open since 1994.",
    "And it cost nine billion pounds.",
)
COST = replace(
    made_up.VCLAIM, id="cost", statement="The tunnel cost nine billion.", publisher="River Post"
)


def debate(*decisions: str, times: bool = True) -> Report:
    """A passage of three sentences across an interjection, said again twice.

    A fourth on the topic only.

    Its second sentence and what was said again match one fact-check, its third another.
    ``decisions`` are those on the first fact-check, in the order in which it matches, made after
    the passages were arranged.
    """
    report = made_up.report()
    match = made_up.match()
    texts = (
        SAID[0],
        SAID[1],
        "Oh!",
        SAID[2],
        "Open since 1994!",
        "It opened in 1994.",
        "Tunnels are long.",
    )
    decided = iter(decisions)
    sentences = []
    for number, text in enumerate(texts, 1):
        sent = made_up.sentence(number, text, "OKAFOR" if text == "Oh!" else "RIVERA")
        sent = sent if times else replace(sent, start=None, end=None)
        base = replace(report.sentences[0], sentence=sent, rank=number, matches=(), tier=None)
        if number in (2, 5, 6):
            decided_match = replace(match, decision=forms.DECIDED.get(next(decided, "")))
            base = replace(
                base,
                matches=(decided_match,),
                tier=Tier.LIKELY,
                restates=2 if number > 2 else None,
            )
        elif number == 4:
            base = replace(
                base, matches=(made_up.match(COST, tier=Tier.POSSIBLE),), tier=Tier.POSSIBLE
            )
        elif number == 7:
            base = replace(base, nearest=replace(match, tier=None), on_topic=True)
        sentences.append(base)
    passages = [Passage(1, (1, 2, 4), "And the tunnel?"), Passage(2, (3,))]
    passages += [Passage(n - 2, (n,)) for n in (5, 6, 7)]
    transcript = replace(report.transcript, sentences=tuple(c.sentence for c in sentences))
    undecided = [
        replace(c, matches=tuple(replace(m, decision=None) for m in c.matches)) for c in sentences
    ]
    return replace(
        report,
        transcript=transcript,
        sentences=tuple(sentences),
        passages=arranged(passages, undecided),
    )


def text_of(report: Report, name: str) -> str:
    return " ".join(forms.text_of(reports.render(report, name), name).split())


@pytest.mark.parametrize("name", READ)
def test_a_row_is_the_whole_passage_with_its_fact_checks(name):
    """With its speaker and the time from its first to its last sentence.

    An interjection is left out with a sign.
    """
    text = text_of(debate(), name)

    assert squeezed(f"{SAID[0]} {SAID[1]} … {SAID[2]}") in squeezed(text)
    assert "00:00:04–00:00:19" in text
    assert "RIVERA" in text
    assert squeezed(made_up.VCLAIM.statement) in squeezed(text)
    assert squeezed(COST.statement) in squeezed(text)
    assert squeezed(f"On “{SAID[2]}”") in squeezed(text)


@pytest.mark.parametrize("name", READ)
def test_what_is_folded_is_named_below_its_row(name):
    """By times, without them by the numbers of the sentences.

    With the words where there is room.
    """
    text = text_of(debate(), name)
    bare = text_of(debate(times=False), name)

    assert squeezed("Also said at 00:00:20 and 00:00:24") in squeezed(text)
    assert squeezed("Also said in sentences 5 and 6") in squeezed(bare)
    assert squeezed("sentences 1–4") in squeezed(bare)
    assert ("Open since 1994!" in text) == (name != "txt")


@pytest.mark.parametrize("name", ["docx", "html", "md", "pdf"])
def test_what_a_passage_points_back_to_stands_before_it(name):
    """In the words of the transcript, apart from what was said."""
    assert squeezed("Before it: “And the tunnel?”") in squeezed(text_of(debate(), name))


def test_the_sentence_that_matches_best_is_bold():
    """It alone; a passage of one sentence has nothing to mark."""
    html = BeautifulSoup(reports.render(debate(), "html"), "html.parser")
    page = MarkdownIt().render(reports.render(debate(), "md").decode())
    cell = Document(io.BytesIO(reports.render(debate(), "docx"))).tables[0].rows[1].cells[0]

    assert [strong.get_text() for strong in html.select("#ranked strong")] == [SAID[1]]
    quote = BeautifulSoup(page, "html.parser").select_one("blockquote")
    assert [strong.get_text() for strong in quote.select("strong")] == [SAID[1]]
    assert [SAID[1]] == [
        run.text for p in cell.paragraphs for run in p.runs if run.bold and "RIVERA" not in run.text
    ]
    assert SAID[1] in bold_words(reports.render(debate(), "pdf"))


def bold_words(data: bytes) -> str:
    import pdfplumber

    with pdfplumber.open(io.BytesIO(data)) as file:
        words = file.pages[0].extract_words(extra_attrs=["fontname"], keep_blank_chars=True)
    return " ".join(word["text"].strip() for word in words if "Bold" in word["fontname"])


def test_what_was_decided_at_once_stays_together_and_what_was_decided_apart_is_a_row():
    """A rejection of one of three passages stands where rejections stand."""
    (entry,) = contents.entries(
        ReportView(rearranged(debate("confirm", "confirm", "confirm"))), contents.is_confirmed
    )
    assert contents.repeats_line(entry) == "Also said at 00:00:20 and 00:00:24"

    report = rearranged(debate("confirm", "reject", "confirm"))
    (entry,), (apart,) = (
        contents.entries(ReportView(report), is_listed)
        for is_listed in (contents.is_confirmed, contents.is_rejected)
    )
    assert contents.repeats_line(entry) == "Also said at 00:00:24"
    assert apart.best.sentence.number == 5


@pytest.mark.parametrize("name", READ)
def test_no_undecided_passage_is_below_a_confirmed_row(name):
    """The two passages that restate it are suggestions of their own, not reviewed."""
    text = squeezed(text_of(rearranged(debate("confirm")), name))

    assert squeezed("Also said at") not in text
    suggestions = text.partition(squeezed("Suggestions, not reviewed"))[2]
    suggestions = suggestions or text.partition(squeezed("SUGGESTIONS, NOT REVIEWED"))[2]
    assert squeezed("Open since 1994!") in suggestions


@pytest.mark.parametrize(
    ("number", "decision"), [("2", "confirm"), ("5", "not reviewed"), ("6", "not reviewed")]
)
def test_a_table_gives_each_passage_its_own_decision(number, decision):
    table = reports.render(rearranged(debate("confirm")), "csv").decode("utf-8-sig")

    decisions = {
        fields["decision"]
        for fields in csv.DictReader(io.StringIO(table))
        if fields["n"] == number and fields["claim"] == made_up.VCLAIM.statement
    }
    assert decisions == {decision}


def confirmed_sentences(report: Report, name: str) -> list[str]:
    """Return the sentences that a structured file or a file of subtitles gives as confirmed."""
    exported = reports.render(report, name)
    if name == "json":
        return [
            sentence["text"]
            for sentence in json.loads(exported)["sentences"]
            if any((match["decision"] or {}).get("verdict") for match in sentence["matches"])
        ]
    if name == "xlsx":
        sheet = load_workbook(io.BytesIO(exported))["Matches"]
        return [cells[3] for cells in sheet.iter_rows(values_only=True) if cells[4] == "confirm"]
    if name == "annotations":
        return [
            annotation["target"]["selector"][0]["exact"]
            for annotation in json.loads(exported)["items"]
            if "Confirmed by" in json.dumps(annotation)
        ]
    if name == "jsonld":
        quotations = json.loads(exported)["hasPart"]
        return [quote["text"] for quote in quotations if "Confirmed by" in json.dumps(quote)]
    # A note of WebVTT stands before its subtitle, the brackets of SRT stand in it.
    blocks = exported.decode("utf-8-sig").split("\n\n")
    subtitles = []
    for index, block in enumerate(blocks):
        if "Confirmed by" in block:
            subtitles.append(blocks[index + 1] if name == "vtt" else block)
    return [SAID[1] if SAID[1] in subtitle else subtitle for subtitle in subtitles]


@pytest.mark.parametrize("name", sorted({*reports.FORMATS} - {*READ, "csv"}))
def test_every_other_file_gives_each_sentence_its_own_decision(name):
    """Two more sentences restate the confirmed one; tests above read the other formats."""
    assert confirmed_sentences(rearranged(debate("confirm")), name) == [SAID[1]]


def test_what_is_folded_stands_with_its_fact_check_only():
    """A row of another fact-check of the passage does not say that it was said elsewhere."""
    report = debate("confirm", "confirm", "confirm")
    (entry,) = contents.entries(ReportView(report), lambda match: True)
    assert [match.claim.id for _, match in entry.matches] == ["sample-1", "cost"]
    (confirmed,), (suggested,) = (
        contents.entries(ReportView(report), is_listed) for _, is_listed in contents.SECTIONS[:2]
    )

    assert [match.claim.id for _, match in confirmed.matches] == ["sample-1"]
    assert len(confirmed.repeats) == 2
    assert [match.claim.id for _, match in suggested.matches] == ["cost"]
    assert contents.repeats_line(suggested) == ""
    state = wording.review_state(ReportView(report))
    assert state == "The only statement was reviewed by Ada Quill"


def test_what_a_person_decided_on_a_folded_passage_is_not_lost():
    """Another fact-check that was confirmed there follows the row.

    One that nobody looked at stays in the tables.
    """
    report = debate()
    other_match = replace(
        made_up.match(replace(COST, id="other"), rank=2), decision=forms.DECIDED["confirm"]
    )
    fifth = replace(report.sentences[4], matches=(*report.sentences[4].matches, other_match))
    report = replace(report, sentences=(*report.sentences[:4], fifth, *report.sentences[5:]))

    (apart,) = contents.entries(ReportView(report), contents.is_confirmed)
    assert [match.claim.id for _, match in apart.matches] == ["other"]
    assert apart.best.sentence.number == 5
    assert apart.passage.rank is None
    assert [
        entry.passage.rank for entry in contents.entries(ReportView(report), contents.is_suggestion)
    ] == [1]
    assert [
        li["id"] for li in BeautifulSoup(reports.render(report, "html"), "lxml").select("li[id]")
    ] == ["m5", "m2"]
    assert contents.reviewers(report) == ["Ada Quill"]


def test_every_sentence_of_a_table_says_where_it_stands():
    """The columns on passages come last; a row a sentence and match, as before."""
    table = list(csv.DictReader(io.StringIO(reports.render(debate(), "csv").decode("utf-8-sig"))))

    assert [
        ("2", made_up.VCLAIM.statement, "1", "1", "yes"),
        ("4", COST.statement, "1", "1", "yes"),
        ("5", made_up.VCLAIM.statement, "3", "", "folded into 1"),
        ("6", made_up.VCLAIM.statement, "4", "", "folded into 1"),
    ] == [
        (fields["n"], fields["claim"], fields["passage"], fields["passage_rank"], fields["shown"])
        for fields in table
    ]


def test_the_same_fact_check_at_another_sentence_of_the_row_is_not_shown_again():
    """The table has it, and says no; so does JSON."""
    report = debate()
    third = replace(report.sentences[3], matches=report.sentences[1].matches)
    report = replace(report, sentences=(*report.sentences[:3], third, *report.sentences[4:]))

    table = list(csv.DictReader(io.StringIO(reports.render(report, "csv").decode("utf-8-sig"))))
    assert [(fields["n"], fields["shown"]) for fields in table[:2]] == [("2", "yes"), ("4", "no")]
    sentences = json.loads(reports.render(report, "json"))["sentences"]
    assert [
        match["shown"] for sentence in (sentences[1], sentences[3]) for match in sentence["matches"]
    ] == [
        True,
        False,
    ]


def test_html_links_every_matched_sentence_to_its_row():
    """Those of folded passages too."""
    html = BeautifulSoup(reports.render(debate(), "html"), "html.parser")

    assert {a["href"] for a in html.select("#transcript mark a")} == {"#m2"}
    assert len(html.select("#transcript mark")) == 4
    assert html.select_one("#ranked li#m2")


@pytest.mark.parametrize("name", READ)
def test_the_head_counts_rows(name):
    """Folded passages, and those about a checked topic only, are counted beside them."""
    text = squeezed(text_of(debate(), name))

    assert squeezed("1 statement may already be fact-checked: 1 likely") in text
    counted = "1 passage in the list, 2 more folded below, 1 about a checked topic but too far from the claim"
    assert squeezed(counted) in text


def test_nothing_was_found_for_sentences_of_other_passages_only():
    """A sentence beside one that matches is said with it.

    One on the topic is listed with the claim, and an interjection such as "Oh!" is left out.
    """
    html = BeautifulSoup(reports.render(debate(), "html"), "html.parser")

    assert [c.sentence.number for c in ReportView(debate()).unmatched] == [7]
    assert (
        f"7 Tunnels are long. — on the topic of: {made_up.VCLAIM.statement}"
        in html.select_one(".nothing").get_text()
    )


def test_sentences_without_a_match_are_counted_and_named_only_if_they_are_few():
    few = "3 check-worthy sentences without a match: 1–2, 7"
    assert contents.number_ranges([1, 2, 7]) == ["1–2", "7"]
    assert contents.unmatched_line(unmatched_view([1, 2, 7])) == few
    assert (
        contents.unmatched_line(unmatched_view(range(1, 101, 2)))
        == "50 check-worthy sentences without a match"
    )


def unmatched_view(numbers_of_sentences) -> ReportView:
    """Return the view of a report whose sentences have no match."""
    report = made_up.report()
    sentences = [
        replace(
            report.sentences[0],
            sentence=made_up.sentence(number, "Tunnels are long.", "RIVERA"),
            matches=(),
            tier=None,
        )
        for number in numbers_of_sentences
    ]
    return ReportView(rearranged(replace(report, sentences=tuple(sentences), passages=())))


def test_tables_have_the_strength_of_each_match_beside_its_tier():
    """A likely match may be less than strong on the screens."""
    report = debate()
    good = replace(report.sentences[1].matches[0], strength=Strength.GOOD)
    sentence = replace(report.sentences[1], matches=(good,))
    sentences = (report.sentences[0], sentence, *report.sentences[2:])

    csv_text = reports.render(replace(report, sentences=sentences), "csv").decode("utf-8-sig")

    fields = next(csv.DictReader(io.StringIO(csv_text)))
    assert (fields["tier"], fields["strength"]) == ("likely", "good")
