"""Whom a comment mentions: whole names, short names that are clear, and the ones that are not."""

from __future__ import annotations

import pytest

from assistant.review import mentions
from assistant.review.mentions import Mentioned

DESK = ("Ada Lovelace", "Ben", "Zoë Müller", "cleo@example.org", "entra/dan@example.org")


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("@Ben can you look?", ("Ben",)),
        ("@ben, see p. 2", ("Ben",)),
        ("Look at this, @Ada Lovelace.", ("Ada Lovelace",)),
        ("@Ada's number is right", ("Ada Lovelace",)),
        ("(@zoë müller)", ("Zoë Müller",)),
        ("@Zoë: yes", ("Zoë Müller",)),
        ("@cleo@example.org.", ("cleo@example.org",)),
        ("@cleo and @Ben", ("cleo@example.org", "Ben")),
        ("@entra/dan@example.org", ("entra/dan@example.org",)),
        ("@dan, @dan", ("entra/dan@example.org",)),
        ("Line\n@Ben", ("Ben",)),
    ],
)
def test_a_name_is_recognised(text, people):
    assert mentions.mentioned(text, DESK) == Mentioned(people)


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("@Bob look", ("Bob",)),
        ("@Bente", ("Bente",)),
        ("@cleo@example.com", ("cleo@example.com",)),
        ("@cleo.smith wrote it", ("cleo.smith",)),
        ("@Ben-Ali", ("Ben-Ali",)),
    ],
)
def test_a_name_of_nobody_is_unknown(text, unknown):
    """No similar name is guessed."""
    assert mentions.mentioned(text, DESK) == Mentioned((), unknown)


@pytest.mark.parametrize("text", ["write to cleo@example.org", "a @ b", "@", "5 @ 3 = 15", "@@Ben"])
def test_an_at_sign_without_a_name_is_no_mention(text):
    assert mentions.mentioned(text, DESK) == Mentioned()


def test_a_short_name_of_two_people_is_unknown():
    """The whole name of each is clear."""
    people = ("Ada Lovelace", "Ada Byron")

    assert mentions.mentioned("@Ada", people) == Mentioned((), ("Ada",))
    assert mentions.mentioned("@Ada Byron", people) == Mentioned(("Ada Byron",))


def test_a_whole_name_comes_before_a_part_of_another_one():
    people = ("Ada", "Ada Lovelace")

    assert mentions.mentioned("@Ada", people) == Mentioned(("Ada",))
    assert mentions.mentioned("@Ada Lovelace", people) == Mentioned(("Ada Lovelace",))


def test_a_letter_whose_case_changes_its_length_shifts_no_name():
    """The capital I with a dot has two letters in lower case."""
    assert mentions.mentioned("İİİ @Ben", DESK) == Mentioned(("Ben",))


def test_people_are_those_who_did_something_and_accounts_of_the_settings(monkeypatch):
    """Browsers without a name, tokens, groups and the account of the command line are left out."""
    monkeypatch.setattr(mentions.getpass, "getuser", lambda: "server")
    actors = ("Cleo@example.org", "visitor 5517e2", "token plug-in", "server", "")
    entries = ("*", "group:desk", "cleo@example.org", "entra/*", "dan@example.org")

    people = mentions.known_people(["Ben", "visitor from Mars"], actors=actors, entries=entries)

    assert people == ["Ben", "Cleo@example.org", "dan@example.org", "visitor from Mars"]
