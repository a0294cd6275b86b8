"""Choices about labels: stored by shape, found for the next file of that shape, deleted."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.jobs.reading_choices import (
    LabelVerdict,
    ReadingChoice,
    ReadingChoiceStore,
    TranscriptShape,
)

SHAPE = TranscriptShape("text", ("REYES", "Whitfeld", "Sources"))
ACCEPTED = ReadingChoice(
    "text", "Whitfeld", LabelVerdict.SPEAKER, "", "d" * 64, "Debate", date(2024, 3, 12), "ann", 5.0
)
REFUSED = replace(ACCEPTED, label="Sources", verdict=LabelVerdict.NOT_A_SPEAKER)
RENAMED = replace(
    ACCEPTED,
    shape=SHAPE.with_labels,
    label="REYES",
    verdict=LabelVerdict.RENAMED,
    new_name="Alma Reyes",
)


@pytest.fixture
def store(tmp_path):
    with ReadingChoiceStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


def test_choices_are_found_for_a_file_of_the_same_shape(store):
    store.replace(SHAPE, [ACCEPTED, REFUSED, RENAMED])

    assert store.fitting(SHAPE) == [RENAMED, REFUSED, ACCEPTED]


def test_a_label_is_found_in_another_file_of_the_format_but_a_new_name_is_not(store):
    """The same surname among other speakers may be another person."""
    store.replace(SHAPE, [ACCEPTED, REFUSED, RENAMED])

    assert store.fitting(TranscriptShape("text", ("REYES", "Whitfeld"))) == [ACCEPTED]


def test_another_format_has_no_choices(store):
    store.replace(SHAPE, [ACCEPTED, REFUSED, RENAMED])

    assert store.fitting(replace(SHAPE, format_name="docx")) == []


def test_the_order_of_the_labels_does_not_matter():
    reversed_shape = replace(SHAPE, labels=SHAPE.labels[::-1])

    assert reversed_shape.with_labels == SHAPE.with_labels


def test_a_choice_that_was_taken_back_is_not_stored_any_more(store):
    store.replace(SHAPE, [ACCEPTED, REFUSED])
    store.replace(SHAPE, [replace(REFUSED, verdict=LabelVerdict.SPEAKER)])

    assert [(choice.label, choice.verdict) for choice in store.fitting(SHAPE)] == [
        ("Sources", LabelVerdict.SPEAKER)
    ]


def test_choices_about_labels_of_other_files_stay(store):
    store.replace(SHAPE, [ACCEPTED, REFUSED])
    store.replace(TranscriptShape("text", ("REYES", "Sources")), [])

    assert store.fitting(SHAPE) == [ACCEPTED]


def test_forgotten_choices_are_deleted(store):
    store.replace(SHAPE, [ACCEPTED, REFUSED])
    store.forget([ACCEPTED])

    assert store.fitting(SHAPE) == [REFUSED]


def test_a_purge_deletes_the_choices_of_its_transcript_only(store):
    elsewhere = replace(REFUSED, document="e" * 64)
    store.replace(SHAPE, [ACCEPTED, elsewhere])
    (debate, _) = store.debates()
    store.purge(debate.document)

    assert debate.record_counts == {"reading choices": 1}
    assert store.fitting(SHAPE) == [elsewhere]
