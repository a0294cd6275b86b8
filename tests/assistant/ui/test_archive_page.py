"""The page Archive: every view draws, says what its counts are of, and leads to the card of what was said."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.archive import bulk_run, repeats, transcript_collection
from assistant.archive.archive_store import ArchivedTranscript, ArchiveStore
from assistant.archive.tables import mentions
from assistant.archive.transcript_search import SearchHit
from assistant.claims.claim_store import ClaimStore
from assistant.ui import (
    archive_html,
    archive_views,
    claim_timeline,
    shared_resources,
    speaker_timeline,
)
from assistant.ui.debate_timeline import PALETTE
from tests.assistant.archive import conftest as made
from tests.assistant.ui import factory

PAGE = "assistant/ui/pages/archive_page.py"


@pytest.fixture
def filled(home):
    """The home folder with the archive of three debates.

    The claim was made in two of them, by strong matches.
    """
    url = f"sqlite:///{home / 'lectern.db'}"
    with ClaimStore.open(url) as claims, ArchiveStore.open(url) as store:
        claims.upsert([made.TUNNEL], source="test")
        made.fill(store)
    return home


def shown(app, **parameters) -> str:
    app.run()
    app.switch_page(PAGE)
    for name, value in parameters.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return " ".join(
        [*(html.proto.body for html in app.get("html")), *(button.label for button in app.button)]
    )


def test_an_empty_archive_offers_to_add_a_folder(app):
    page = shown(app)

    assert "transcripts that you add here, not those on the page Debates. Add a folder" in page
    assert "A repeated claim then looks like this" in page
    assert "Said in 2 debates (2 passages), 3 Oct 2024 to 18 Sep 2025" in page
    assert "./?report=" not in page  # the example leads nowhere
    assert [uploader.key for uploader in app.file_uploader] == ["archive_files"]


SPEECH = b"REYES: The tunnel was opened in 1937, and it cost 35 million dollars.\n"


def test_two_uploads_with_one_name_are_two_transcripts(home):
    with ArchiveStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        outcomes = [
            transcript_collection.add_upload(store, data, "transcript.txt").outcome
            for data in (SPEECH, SPEECH + b"WHITFIELD: It was not.\n", SPEECH)
        ]

        assert outcomes == ["new", "new", "same"]
        assert len(store.entries()) == 2


def test_an_upload_that_is_no_transcript_is_skipped_with_its_reason(home):
    with ArchiveStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        addition = transcript_collection.add_upload(store, bytes(range(256)), "picture.png")

    assert addition.outcome == "skipped"
    assert addition.why


def test_waiting_transcripts_are_checked_from_the_page(app, home, monkeypatch):
    """The button starts a job that checks what waits."""
    runs = []
    monkeypatch.setattr(
        bulk_run,
        "run_checks",
        lambda store, settings, engine, *, on_checked: (
            runs.append(settings.home) or bulk_run.RunSummary(1, 0, 0)
        ),
    )
    with ArchiveStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        transcript_collection.add_upload(store, SPEECH, "transcript.txt")
    assert "Check 1 new transcript" in shown(app)

    app.button(key="run_archive").click().run()
    factory.wait_for_jobs(shared_resources.check_service())

    assert runs == [home]


def test_claims_that_may_have_been_repeated_are_below_the_list(app, filled):
    """They have no names of people, neither in the list nor opened."""
    url = f"sqlite:///{filled / 'lectern.db'}"
    with ArchiveStore.open(url) as store, store._writing() as connection:
        connection.execute(mentions.update().values(strength="good"))

    page = shown(app)

    assert archive_views.TO_LOOK_AT_NOTE in page
    assert "May have been said in 2 debates (2 passages to look at, not counted)" in page
    assert "Rivera" not in page
    opened = shown(app, claim=made.TUNNEL.id)
    assert "To look at: may make the claim, not counted" in opened
    assert "Everything said" not in opened
    assert "Rivera" not in opened


def test_what_was_repeated(app, filled):
    """How often, by whom, how often after the check, and of what these are counts."""
    page = shown(app)

    assert "3 transcripts checked of 3" in page
    assert "Said in 2 debates" in page
    assert "1 after it was published" in page
    assert "0 confirmed, 2 to look at" in page
    assert archive_views.LIST_NOTE in page
    assert "A repeated claim then looks like this" not in page


def test_one_claim_with_every_passage(app, filled):
    """Each leads to its card."""
    page = shown(app, claim=made.TUNNEL.id)

    assert page.count("./?report=") == 2
    assert "friends.</mark>" in page
    assert "likely" not in page


@pytest.mark.parametrize(
    ("view", "words"),
    [
        ("Several speakers", "No claim was made by more than one speaker."),
        ("Search", "Harbour debate"),
        ("New checks", "No new fact-check"),
    ],
)
def test_the_other_views(app, filled, view, words):
    """The address chooses."""
    assert words in shown(app, view=view)


def test_a_point_of_the_timeline_has_its_card(archive, any_url):
    """Each passage with a day, in the lane of its speaker; the day of the check as a line."""
    from assistant.review.decision_store import DecisionStore

    with ClaimStore.open(any_url) as claims, DecisionStore.open(any_url) as decisions:
        (repeated_claim,) = repeats.count_repeats(archive, claims, decisions).repeated
    spec = claim_timeline.chart_specification(repeated_claim, PALETTE)

    line, points = (layer["data"]["values"] for layer in spec["layer"])
    assert line == [{"day": "2019-03-04"}]
    assert [m.debate.report_id() for m in repeated_claim.mentions] == [p["report"] for p in points]
    assert len({p["speaker"] for p in points}) == 1
    assert "&lt;b&gt;" in archive_html.wordings_html(
        [repeated_claim.mentions[0], _with(repeated_claim.mentions[1], "<b>friends</b>")]
    )


def test_the_timeline_names_months_with_their_years_and_others_last(archive, any_url, monkeypatch):
    """A row of months says nothing over three years; who is not named is below those who are."""
    from assistant.review.decision_store import DecisionStore

    with ClaimStore.open(any_url) as claims, DecisionStore.open(any_url) as decisions:
        (repeated_claim,) = repeats.count_repeats(
            archive, claims, decisions, all_possible=True
        ).repeated
    said = (*repeated_claim.mentions, *repeated_claim.possible_mentions)
    repeated_claim = replace(repeated_claim, mentions=said)
    monkeypatch.setattr(claim_timeline, "MAX_LANES", 1)
    encoding = claim_timeline.chart_specification(repeated_claim, PALETTE)["encoding"]

    assert encoding["x"]["axis"]["format"] == "%b %Y"
    assert [repeated_claim.by_speaker()[0][0], claim_timeline.OTHERS] == encoding["y"]["sort"]


def test_a_speaker_has_a_timeline_of_their_claims(app, filled):
    """The claims with the passages of this speaker, each with a link to its card."""
    page = shown(app, view="By speaker")

    name = app.selectbox(key="person").value
    assert app.query_params["person"] == name
    assert "1 checked claim in 2 passages of 2 debates" in page
    assert page.count("./?report=") == 2


def test_the_lanes_of_a_speaker_are_claims():
    """Filled marks are confirmed, each in the colour and shape of its rating class."""
    tunnel = repeats.RepeatedClaim(
        made.TUNNEL, (_dated(1, "Ana Rivera"), _dated(2, "Ana Rivera"), _dated(3, "Bo Lind"))
    )
    bridge_claim = replace(made.TUNNEL, id="bridge", statement="The bridge was opened in 1937.")
    bridge = repeats.RepeatedClaim(bridge_claim, (_dated(4, "Ana Rivera"),))

    spoken = speaker_timeline.claims_of((bridge, tunnel), "Ana Rivera")

    assert speaker_timeline.speakers((bridge, tunnel)) == ["Ana Rivera", "Bo Lind"]
    assert [claim.claim.id for claim in spoken] == [made.TUNNEL.id, "bridge"]
    assert speaker_timeline.summary(spoken) == "2 checked claims in 3 passages of 3 debates"
    spec = speaker_timeline.chart_specification(spoken, PALETTE)
    lanes = [point["lane"] for point in spec["layer"][0]["data"]["values"]]
    assert len(set(lanes)) == 2


def test_a_label_that_names_nobody_is_told_apart_by_its_debate():
    """SPEAKER 1 of one debate is not SPEAKER 1 of another."""
    repeated_claim = repeats.RepeatedClaim(
        made.TUNNEL, (_mention(1, "SPEAKER 1"), _mention(2, "SPEAKER 1"), _mention(3, "Ana Rivera"))
    )

    assert [name for name, _ in repeated_claim.by_speaker()] == [
        "Ana Rivera",
        "SPEAKER 1 in Debate 1",
        "SPEAKER 1 in Debate 2",
    ]


def test_the_archive_shows_names_in_capitals_as_the_debates_do():
    """Counts, passages, search results and lanes say Halvorsen for HALVORSEN."""
    repeated_claim = repeats.RepeatedClaim(
        made.TUNNEL, (_dated(1, "HALVORSEN"), _dated(2, "HALVORSEN"))
    )
    hit = SearchHit(1, 1, "HALVORSEN", "It opened.", None, "Debate", None, "0" * 64)
    specification = claim_timeline.chart_specification(repeated_claim, PALETTE)

    page = archive_html.counts_html(repeated_claim) + archive_html.hits_html([hit])
    page += archive_html.passages_html(repeated_claim.mentions, made.TUNNEL.statement)
    assert page.count("Halvorsen") == 4
    assert "HALVORSEN" not in page
    assert specification["encoding"]["y"]["sort"] == ["Halvorsen"]


def test_words_found_are_marked_in_whatever_form():
    """Marked are whole words, and markup in what was said stays text."""
    hit = SearchHit(
        1, 1, "Rivera", "The tunnels <b>opened</b> early.", None, "Debate", None, "0" * 64
    )

    shown = archive_html.hits_html([hit], "tunnel")
    assert shown.count("<mark") == 1
    assert ">tunnels</mark>" in shown
    assert "&lt;b&gt;" in shown
    assert "<mark" not in archive_html.hits_html([hit])


def _dated(number, speaker):
    mention = _mention(number, speaker)
    return replace(mention, debate=replace(mention.debate, event_date=date(2024, 1, number)))


def _mention(number, speaker):
    debate = ArchivedTranscript(number, str(number), "", f"Debate {number}", None, "", 1)
    return repeats.Mention(
        sentence=number,
        number=1,
        debate=debate,
        speaker=speaker,
        text="It opened in 1994.",
        start=None,
        tier="likely",
        strength="strong",
        state=repeats.UNREVIEWED,
    )


def _with(mention, text):

    return replace(mention, text=text)


archive = made.archive
any_url = made.any_url
