"""A transcript before its check: labels accepted and refused, speakers renamed, merged, split."""

from __future__ import annotations

import pytest

from assistant.core.domain import DoubtfulLabel, SpeakerRole
from assistant.jobs import transcript_draft
from assistant.jobs.reading_choices import LabelVerdict
from assistant.jobs.transcript_draft import is_anonymous, unused_labels

DEBATE = """\
MODERATOR: Good evening, and welcome to the city hall.
REYES: The bridge opened in 1937. It cost 35 million dollars.
WHITFIELD: Unemployment fell to three percent last year.
REYES: My grandmother grew tomatoes.
MODERATOR: A question from the floor.
WHITFIELD: Schools have 12 percent more teachers.
Delgado: And smaller classes too.
REYES: That is not in the report.
"""
TABLE = "speaker,text\nReyes,The bridge opened in 1937.\nNarration,It was built of steel.\n"


def draft_of(text, name="debate.txt"):
    return transcript_draft.read_draft(text.encode(), name)


def speakers_of(draft):
    return [sentence.speaker for sentence in draft.transcript]


@pytest.fixture
def draft():
    return draft_of(DEBATE)


def test_a_doubtful_label_has_no_speaker(draft):
    assert draft.as_read.doubtful_labels == (
        DoubtfulLabel(7, "Delgado", "Delgado: And smaller classes too."),
    )
    assert speakers_of(draft)[7] is None


def test_an_accepted_label_gives_the_words_to_its_speaker(draft):
    accepted = draft.accepting("Delgado")

    assert speakers_of(accepted)[7] == "Delgado"
    assert accepted.transcript.sentences[7].text == "And smaller classes too."
    assert accepted.as_read.doubtful_labels == ()


def test_a_refused_label_is_speech(draft):
    refused = draft.refusing("Delgado")

    assert refused.as_read.doubtful_labels == ()
    assert refused.transcript.sentences[7].text == "Delgado: And smaller classes too."


def test_a_label_may_be_refused_after_it_was_accepted(draft):
    refused = draft.accepting("Delgado").without_speaker("Delgado")

    assert refused.label_choices.accepted == ()
    assert refused.label_choices.refused == ("Delgado",)
    assert "Delgado" not in speakers_of(refused)


def test_an_undone_verdict_leaves_the_label_doubtful(draft):
    assert draft.accepting("Delgado").undecided("Delgado") == draft


def test_not_a_speaker_reads_the_labels_of_a_speaker_as_speech(draft):
    """The words go on, with the label among them."""
    without = draft.without_speaker("MODERATOR")

    assert "MODERATOR" not in speakers_of(without)
    assert any("MODERATOR:" in sentence.text for sentence in without.transcript)
    assert without.label_choices.refused == ("MODERATOR",)


def test_not_a_speaker_leaves_words_unknown_if_the_format_names_the_speaker():
    without = draft_of(TABLE, "table.csv").without_speaker("Narration")

    assert speakers_of(without) == ["Reyes", None]
    assert without.label_choices.refused == ()


def test_a_stored_transcript_can_be_changed_without_its_file(draft):
    stored = transcript_draft.of_transcript(draft.as_read)

    assert "REYES" not in speakers_of(stored.without_speaker("REYES"))
    assert len(stored.without_speaker("REYES").transcript) == len(draft.transcript)


def test_a_new_name_stays_when_the_file_is_read_again(draft):
    changed = draft.renamed("REYES", " Alma  Reyes ").accepting("Delgado")

    assert speakers_of(changed).count("Alma Reyes") == 4
    assert speakers_of(changed)[7] == "Delgado"


def test_merged_speakers_can_be_renamed_together_and_split_again(draft):
    merged = draft.renamed("REYES", "WHITFIELD").renamed("WHITFIELD", "Whit")
    split = merged.with_read_name("REYES")

    assert merged.read_names("Whit") == ["REYES", "WHITFIELD"]
    assert set(speakers_of(split)) == {"MODERATOR", "REYES", "Whit", None}


def test_the_name_as_read_is_no_change(draft):
    assert draft.renamed("REYES", "Alma").renamed("Alma", "REYES").new_names == {}


def test_a_sentence_keeps_its_new_speaker_when_the_file_is_read_again(draft):
    """The numbers of the sentences may change; the sentence is found by its line and text."""
    changed = draft.reassigned([9], "Delgado").refusing("Delgado").without_speaker("MODERATOR")
    texts = [s.text for s in changed.transcript if s.speaker == "Delgado"]

    assert texts == ["That is not in the report."]
    assert changed.unaffected_sentences() == 0


def test_sentences_that_the_file_no_longer_has_are_counted(draft):
    changed = draft.reassigned([8], "Ann").accepting("Delgado")

    assert changed.unaffected_sentences() == 1


def test_equal_sentences_of_one_line_are_told_apart():
    draft = draft_of("ANN: Yes. Yes. Yes.\nBOB: No.\nANN: Well.\n").reassigned([2], "Bob")

    assert speakers_of(draft)[:3] == ["ANN", "Bob", "ANN"]


def test_speakers_have_their_turns_sentences_and_evidence(draft):
    summaries = {summary.speaker: summary for summary in draft.summaries()}

    assert (summaries["REYES"].turn_count, summaries["REYES"].sentence_count) == (3, 4)
    assert summaries["REYES"].evidence.startswith("3 lines with a colon")
    assert summaries[None].sentence_count == 1


def test_the_turns_of_merged_speakers_are_added(draft):
    summaries = {
        summary.speaker: summary for summary in draft.renamed("REYES", "WHITFIELD").summaries()
    }

    assert summaries["WHITFIELD"].turn_count == 5


def test_choices_are_used_for_the_next_file_of_the_shape(draft):
    changed = draft.accepting("Delgado").renamed("REYES", "Alma Reyes")
    choices = changed.choices("ann", 5.0)
    next_draft = draft_of(DEBATE.replace("tomatoes", "apples"))
    reading = transcript_draft.with_stored_choices(next_draft, choices)

    assert speakers_of(reading) == speakers_of(changed)
    assert next_draft.shape == draft.shape
    assert reading.without_reused() == next_draft


def test_a_role_stays_when_labels_and_names_change(draft):
    changed = draft.with_role("REYES", SpeakerRole.MODERATOR).accepting("Delgado")

    renamed = changed.renamed("REYES", "Alma Reyes")

    assert renamed.transcript.speaker_roles == (("Alma Reyes", SpeakerRole.MODERATOR),)


def test_a_role_of_somebody_whom_a_person_named_follows_the_name(draft):
    changed = draft.reassigned([2], "Ida Roe").with_role("Ida Roe", SpeakerRole.AUDIENCE)

    renamed = changed.renamed("Ida Roe", "Ida Lorne")

    assert renamed.transcript.speaker_roles == (("Ida Lorne", SpeakerRole.AUDIENCE),)


def test_a_role_that_is_undone_is_no_longer_chosen(draft):
    changed = draft.with_role("REYES", SpeakerRole.MODERATOR)

    assert changed.without_role("REYES").transcript.speaker_roles == ()


def test_a_role_is_used_for_the_next_file_of_the_shape(draft):
    """A label may have both a role and a new name."""
    changed = draft.renamed("REYES", "Alma Reyes").with_role("Alma Reyes", SpeakerRole.OTHER)
    next_draft = draft_of(DEBATE.replace("tomatoes", "apples"))

    reading = transcript_draft.with_stored_choices(next_draft, changed.choices("ann", 5.0))

    assert reading.transcript.speaker_roles == (("Alma Reyes", SpeakerRole.OTHER),)
    assert reading.without_reused() == next_draft


def test_a_stored_transcript_keeps_its_roles(draft):
    stored = draft.with_role("REYES", SpeakerRole.OTHER).transcript

    reopened = transcript_draft.of_transcript(stored)

    assert reopened.transcript.speaker_roles == (("REYES", SpeakerRole.OTHER),)


def test_names_of_roles_and_numbered_voices_are_for_one_file_only(draft):
    """Speaker 1 of the next file is another person."""
    changed = draft.renamed("MODERATOR", "Jane Holt").renamed("REYES", "Alma Reyes")

    assert [(c.label, c.verdict, c.new_name) for c in changed.choices("ann", 5.0)] == [
        ("REYES", LabelVerdict.RENAMED, "Alma Reyes")
    ]


@pytest.mark.parametrize("label", ["Speaker 1", "SPEAKER_00", "Q", "MODERATOR", "Unknown speaker"])
def test_labels_that_name_no_person(label):
    assert is_anonymous(label)


@pytest.mark.parametrize("label", ["REYES", "Mr. Hale", "Ann-Marie O'Neil", "王小明"])
def test_labels_that_name_a_person(label):
    assert not is_anonymous(label)


def test_an_accepted_label_without_a_line_is_named(draft):
    transcript = draft.accepting("Delgado").as_read

    assert unused_labels(transcript, ["delgado", "Reyes", "Nobody"]) == ["Nobody"]
