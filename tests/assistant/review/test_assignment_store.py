"""Assignments are stored with the matches that the list showed, in either database."""

from __future__ import annotations

import pytest

from assistant.core.errors import ReviewError
from assistant.review import deciding
from assistant.review.assignment_store import AssignedMatch, AssignmentStore
from assistant.review.presence_store import PRESENT_FOR_S, STORED_FOR_S, PresenceStore
from tests.assistant import made_up

REPORT = made_up.report()
DEBATE = deciding.position_anchor(REPORT, 1, REPORT.sentences[0].matches[0])
MATCHES = (AssignedMatch(1, "The “tunnel” – ‽", "claim-1"), AssignedMatch(9, "Another.", "c2"))


@pytest.fixture
def assignments(tmp_path):
    with AssignmentStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


def test_assignments_are_there_when_the_database_is_opened_again(any_url):
    with AssignmentStore.open(any_url) as store:
        whole = store.add(DEBATE, "Ben", "Ada")
        some = store.add(DEBATE, "cleo@example.org", "Ada", MATCHES)

    with AssignmentStore.open(any_url) as store:
        assert store.of_debate(DEBATE.document, "", None) == [whole, some]
        assert (whole.matches, some.matches) == (None, MATCHES)
        assert store.of_person("Cleo@Example.org") == [some]
        assert store.people() == ["Ada", "Ben", "cleo@example.org"]
        assert store.since(some.made + 1) == []


@pytest.mark.parametrize(
    ("person", "by", "matches"), [("", "Ada", None), ("Ben", " ", None), ("Ben", "Ada", ())]
)
def test_an_incomplete_assignment_is_refused(assignments, person, by, matches):
    with pytest.raises(ReviewError):
        assignments.add(DEBATE, person, by, matches)

    assert assignments.debates() == []


def test_a_removed_assignment_is_gone(assignments):
    """A second removal changes nothing: a colleague may have been faster."""
    assignment = assignments.add(DEBATE, "Ben", "Ada")

    assignments.remove(assignment.id, "Cleo")
    assignments.remove(assignment.id, "Cleo")

    assert assignments.of_debate(DEBATE.document, "", None) == []


def test_a_purge_deletes_the_assignments_of_its_debate(assignments):
    assignments.add(DEBATE, "Ben", "Ada")
    (debate,) = assignments.debates()
    assert debate.record_counts == {"assignments": 1}

    assignments.purge(debate)

    assert assignments.debates() == []


def test_people_are_here_for_a_minute_after_their_page_was_open(any_url):
    """People see each other; a page without a name is not seen."""
    with PresenceStore.open(any_url) as presence:
        assert presence.note("debate", "Ada", clock=lambda: 0.0) == []
        assert presence.note("debate", "ben", clock=lambda: 30.0) == ["Ada"]
        assert presence.note("debate", "", clock=lambda: PRESENT_FOR_S) == ["Ada", "ben"]
        assert presence.note("another", "Cleo", clock=lambda: 31.0) == []
        assert presence.note("debate", "ben", clock=lambda: PRESENT_FOR_S + 1) == []


def test_who_was_here_is_forgotten(any_url):
    with PresenceStore.open(any_url) as presence:
        presence.note("debate", "Ada", clock=lambda: 0.0)
        presence.note("other", "Ben", clock=lambda: STORED_FOR_S + 1)

        assert presence.note("debate", "Cleo", clock=lambda: PRESENT_FOR_S - 1) == []
