"""Tokens of live events: what each allows, and that a revoked one allows nothing."""

from __future__ import annotations

import pytest

from assistant.core.errors import SettingsError
from assistant.live.access_tokens import AccessRight, TokenStore


@pytest.fixture
def tokens(tmp_path):
    with TokenStore.open(f"sqlite:///{tmp_path / 'live.db'}") as opened:
        yield opened


@pytest.mark.threat("sender")
def test_a_token_is_for_one_event_and_one_right(tokens):
    """Writing, reading, and nothing at any other event."""
    writes = tokens.give("city", "encoder", AccessRight.WRITE)
    reads = tokens.give("city", "studio", AccessRight.READ)

    assert [
        *(tokens.right(writes, "city"), tokens.right(reads, "city")),
        *(tokens.right(writes, "town"), tokens.right("guess", "city")),
    ] == [AccessRight.WRITE, AccessRight.READ, AccessRight.NONE, AccessRight.NONE]


@pytest.mark.threat("sender")
def test_a_revoked_token_allows_nothing(tokens):
    """At once, for every process with this database; the name may get another."""
    token = tokens.give("city", "encoder", AccessRight.WRITE)
    tokens.revoke("city", "encoder")
    again = tokens.give("city", "encoder", AccessRight.WRITE)

    assert tokens.right(token, "city") == AccessRight.NONE
    assert tokens.right(again, "city") == AccessRight.WRITE
    assert [bool(listed.revoked) for listed in tokens.all()] == [True, False]


@pytest.mark.threat("backup holder")
def test_the_token_itself_is_stored_nowhere(tokens, tmp_path):
    """Who reads the database cannot send lines."""
    token = tokens.give("city", "encoder", AccessRight.WRITE)

    assert not [path for path in tmp_path.iterdir() if token.encode() in path.read_bytes()]


def test_a_name_has_one_token_an_event(tokens):
    """A second would make it unclear which one is revoked; and what is not there cannot be."""
    tokens.give("city", "encoder", AccessRight.WRITE)

    for refused in (
        lambda: tokens.give("city", "encoder", AccessRight.READ),
        lambda: tokens.revoke("city", "nobody"),
        lambda: tokens.give("city", "line\nbreak", AccessRight.READ),
    ):
        with pytest.raises(SettingsError):
            refused()
