"""One look before a check: labels are accepted, refused, and remembered for the next file."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace

import pytest

from assistant.core.access import Account, Role
from assistant.core.domain import SpeakerRole
from assistant.jobs.check_service import CheckService
from assistant.jobs.reading_choices import LabelVerdict, ReadingChoiceStore
from assistant.jobs.transcript_draft import SpeakerSummary
from assistant.ui import account, shared_resources, speaker_form
from assistant.ui.draft_session import DRAFT_KEY
from tests.assistant.jobs.test_transcript_draft import DEBATE
from tests.assistant.ui.conftest import REPORT_ID

SAME_SHAPE = DEBATE.replace("tomatoes", "apples")


def page_text(app):
    return "\n".join(str(block.proto.body) for block in app.get("html"))


def labels(app):
    return [button.label for button in app.button]


def opened(app, text=DEBATE, name="debate 2024-03-12.txt"):
    app.run().file_uploader[0].upload(name, text.encode(), "text/plain").run()
    assert not app.exception
    return app


def field(app, label):
    return next(widget for widget in app.text_input if widget.label == label)


def button(app, label):
    return next(widget for widget in app.button if widget.label == label)


def draft(app):
    return app.session_state[DRAFT_KEY]


@pytest.fixture
def checked(monkeypatch):
    """Return a function that starts the check of the open transcript, without its models."""
    job = SimpleNamespace(id=REPORT_ID)
    monkeypatch.setattr(CheckService, "start", lambda desk, spec: job)

    def check(app):
        app.button(key="check").click().run()
        app.query_params.clear()
        app.run()

    return check


def test_the_form_shows_what_was_read(app):
    shown = page_text(opened(app))

    assert "Plain text, 9 sentences, 3 speakers" in shown
    assert '<li class="lx-voicea"><b>MODERATOR</b>' in shown
    assert "3 turns, 4 sentences" in shown
    assert "3 lines with a colon as the mark of a label" in shown
    assert "Tuesday 12 March 2024" in shown


def test_a_doubtful_line_is_quoted_once(app):
    """It has its own list, so the warning about it is left out."""
    opened(app)

    assert page_text(app).count("“Delgado: And smaller classes too.”") == 1
    assert "Delgado is a speaker" in labels(app)


def test_one_click_accepts_a_label(app):
    opened(app).button(key="accept_Delgado").click().run()

    assert "<b>Delgado</b>" in page_text(app)
    assert "Delgado is a speaker" not in labels(app)
    assert draft(app).transcript.sentences[7].speaker == "Delgado"


def test_one_click_refuses_a_label(app):
    opened(app).button(key="refuse_Delgado").click().run()

    assert "“Delgado” is not a speaker" in page_text(app)
    assert draft(app).as_read.doubtful_labels == ()


def test_one_click_takes_a_speaker_for_speech_and_another_undoes_it(app):
    opened(app).button(key="not_REYES").click().run()
    assert "REYES" not in [sentence.speaker for sentence in draft(app).transcript]

    app.button(key="undo_refused_REYES").click().run()
    assert "REYES" in [sentence.speaker for sentence in draft(app).transcript]


def test_one_choice_merges_two_speakers_and_undo_splits_them(app):
    opened(app).selectbox(key="name_REYES").set_value("WHITFIELD").run()
    assert draft(app).read_names("WHITFIELD") == ["REYES", "WHITFIELD"]
    assert "REYES is WHITFIELD" in page_text(app)

    app.button(key="undo_renamed_REYES").click().run()
    assert draft(app).read_names("WHITFIELD") == ["WHITFIELD"]


def test_turns_of_a_speaker_are_split_off(app):
    opened(app).selectbox(key="split_speaker").set_value("REYES").run()
    app.multiselect(key="split_turns_REYES").set_value([1])
    app.text_input(key="split_name_REYES").set_value("Ann Lee")
    button(app, "Split").click().run()

    speakers = [sentence.speaker for sentence in draft(app).transcript if sentence.line == 4]
    assert speakers == ["Ann Lee"]


def test_a_label_that_was_not_doubted_is_added(app):
    """A label in lower case that occurs once."""
    opened(app, DEBATE.replace("Delgado:", "tom:"))
    field(app, "Label as the file writes it").set_value("tom")
    button(app, "Add").click().run()

    assert "tom" in [sentence.speaker for sentence in draft(app).transcript]


def test_a_label_that_no_line_has_is_not_added(app):
    opened(app)
    field(app, "Label as the file writes it").set_value("Nobody")
    button(app, "Add").click().run()

    assert "No line begins with the label “Nobody”" in app.error[0].value.replace("\\", "")
    assert draft(app).label_choices.accepted == ()


def test_a_date_with_two_readings_is_asked_for_before_the_check(app):
    opened(app)
    field(app, "Date of the event").set_value("3/5/2017").run()
    assert app.button(key="check").disabled

    app.radio(key="order_date_choice").set_value(date(2017, 3, 5)).run()
    assert not app.button(key="check").disabled


def test_a_text_that_is_no_date_is_named(app):
    opened(app)
    field(app, "Date of the event").set_value("soon").run()

    assert "“soon” isn’t a date" in page_text(app)
    assert app.button(key="check").disabled


def test_choices_are_used_for_the_next_file_of_the_shape(app, checked):
    """The next file has other sentences; the form says where the choices come from."""
    opened(app).button(key="accept_Delgado").click().run()
    checked(app)
    opened(app, SAME_SHAPE, "next.txt")

    assert "As in the last similar file" in page_text(app)
    assert draft(app).transcript.sentences[7].speaker == "Delgado"


def role_field(app, speaker):
    return next(box for box in app.selectbox if box.label == f"Role of {speaker}")


def test_the_role_of_a_speaker_is_changed_and_undone(app):
    opened(app)
    role_field(app, "REYES").set_value("moderator").run()

    assert draft(app).transcript.speaker_roles == (("REYES", SpeakerRole.MODERATOR),)

    app.button(key="undo_role_REYES").click().run()

    assert draft(app).transcript.speaker_roles == ()
    assert role_field(app, "REYES").value != "moderator"


def test_the_check_gets_the_chosen_roles(app, monkeypatch):
    specs = []
    job = SimpleNamespace(id=REPORT_ID)
    monkeypatch.setattr(CheckService, "start", lambda desk, spec: specs.append(spec) or job)
    opened(app)
    role_field(app, "REYES").set_value("other").run()

    app.button(key="check").click().run()

    assert specs[0].transcript.speaker_roles == (("REYES", SpeakerRole.OTHER),)


def test_forgotten_choices_are_not_used_again(app, checked):
    opened(app).button(key="accept_Delgado").click().run()
    checked(app)
    opened(app, SAME_SHAPE, "next.txt").button(key="forget_choices").click().run()

    assert draft(app).transcript.sentences[7].speaker is None
    with ReadingChoiceStore.open(shared_resources.check_service().settings.database) as store:
        assert store.fitting(draft(app).shape) == []


def test_a_check_stores_who_made_the_choices(app, checked):
    opened(app).button(key="refuse_Delgado").click().run()
    shape = draft(app).shape
    checked(app)

    (choice,) = shared_resources.reading_choices().fitting(shape)
    assert (choice.label, choice.verdict) == ("Delgado", LabelVerdict.NOT_A_SPEAKER)
    assert choice.by


def test_names_from_a_file_are_no_markdown_and_no_pictures(app):
    """A label becomes the text of a button."""
    name = "![x](https://x.example/p.png)"
    opened(app, "speaker,text\n" + f"{name},The bridge opened.\nBob,It did not.\n", "a.csv")

    every_label = [*labels(app), *[box.label for box in app.selectbox]]
    assert not any("](https" in label for label in every_label)
    assert "<img" not in page_text(app)


@pytest.mark.threat("reader")
def test_a_reader_sees_the_transcript_and_may_change_nothing(app, monkeypatch):
    opened(app)
    monkeypatch.setattr(account, "has_role", lambda role: False)
    app.run()

    assert "Delgado: And smaller classes too." in page_text(app)
    assert labels(app) == ["Another file"]
    assert list(app.selectbox) == []


@pytest.mark.threat("reader")
def test_a_click_of_a_person_whose_role_was_taken_away_changes_nothing(app, monkeypatch):
    opened(app)
    monkeypatch.setattr(account, "current", lambda: Account("cleo", Role.READER))
    app.button(key="accept_Delgado").click().run()

    assert draft(app).label_choices.accepted == ()


@pytest.mark.threat("reader")
def test_a_change_needs_the_reviewer_role(app, monkeypatch):
    """A browser may send any click."""
    monkeypatch.setattr(account, "current", lambda: Account("cleo", Role.READER))
    monkeypatch.setattr(account, "has_role", lambda role: True)
    opened(app).button(key="accept_Delgado").click().run()

    assert "needs the reviewer role" in app.error[0].value
    assert draft(app).label_choices.accepted == ()


def test_people_without_names_have_no_number_of_turns():
    """One run of their sentences may be many people."""
    unknown = SpeakerSummary(None, 1, 120, (), "")
    named = SpeakerSummary("Ann", 2, 5, (), "")

    assert "turn" not in speaker_form._summary_html(unknown, "", "")
    assert "2 turns, 5 sentences" in speaker_form._summary_html(named, "", "")
