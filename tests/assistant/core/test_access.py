"""Roles of accounts, from the claims of a login and the headers of a proxy, and the settings that list them."""

from __future__ import annotations

import pytest

from assistant.core import access, settings
from assistant.core.access import Access, Account, Role
from assistant.core.errors import AccessDenied, SettingsError

LISTED = Access(
    reader=("*",), reviewer=("group:Desk", "ben@example.org"), editor=("Ada@example.org",), header="X-User",
    groups_header="X-Groups",
)  # fmt: skip
END = 2_000_000_000


def claims(**changes):
    return {"email": "ben@example.org", "exp": END, **changes}


@pytest.mark.parametrize(
    ("given", "role"),
    [
        ({"email": "ada@EXAMPLE.org"}, Role.EDITOR),
        ({}, Role.REVIEWER),
        ({"email": "cleo@example.org", "groups": ["desk", "sport"]}, Role.REVIEWER),
        ({"email": "cleo@example.org", "groups": "desk"}, Role.REVIEWER),
        ({"email": "cleo@example.org", "groups": []}, Role.READER),
        ({"email": "group:desk"}, Role.READER),
        ({"email": "*"}, Role.READER),
    ],
)
def test_the_highest_role_that_is_listed_counts(given, role):
    """By account, by group, or for everybody; an account that is named like a group is none."""
    assert LISTED.of_claims(claims(**given)).role == role


@pytest.mark.threat("visitor")
def test_who_is_not_listed_has_no_role():
    """A login alone opens nothing."""
    assert Account("ben@example.org", None, END) == Access(editor=("ada@example.org",)).of_claims(
        claims()
    )


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    "given", [{"email": ""}, {"email": None}, {"email": " \n"}, {"email_verified": False}]
)
def test_an_account_without_a_name_or_with_an_unproven_address_is_none(given):
    """Some providers let people enter any address."""
    assert LISTED.of_claims(claims(**given)) is None


@pytest.mark.threat("visitor")
def test_a_login_without_an_end_is_over():
    """OIDC demands one: without it nobody knows whether the account still exists."""
    assert LISTED.of_claims({"email": "ben@example.org"}).until == 0.0


def test_a_proxy_names_account_and_groups():
    """Groups with commas between them; no account, no person."""
    assert LISTED.of_headers({"X-User": "cleo", "X-Groups": "sport, desk"}).role == Role.REVIEWER
    assert LISTED.of_headers({"X-Groups": "desk"}) is None


def test_an_account_is_one_line():
    """It is written into files in which a line break begins something else."""
    assert LISTED.of_headers({"X-User": "ben\n\n00:00"}).name == "ben 00:00"


@pytest.mark.threat("reader")
@pytest.mark.parametrize("account", [None, Account("ada", None), Account("ada", Role.READER)])
def test_what_needs_a_role_is_refused_without_it(account):
    """With the role that is missing, and that nothing was changed."""
    with pytest.raises(AccessDenied, match="nothing was changed"):
        access.require(account, Role.REVIEWER)
    access.require(Account("ada", Role.EDITOR), Role.REVIEWER)


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ('editors = ["ada"]', "unknown setting access.editors"),
        ('editor = "ada"', "not a list of texts"),
        ("editor = [1]", "not a list of texts"),
        ('account = ["email"]', "not a text"),
        ('proxies = ["proxy.example"]', "access.proxies"),
        ('header = "X-User"', "none is named"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(tmp_path, toml, told):
    """With the file, and before anybody comes in."""
    (tmp_path / "lectern.toml").write_text(f"[access]\n{toml}\n")

    with pytest.raises(SettingsError, match=told) as error:
        settings.load(home=str(tmp_path), environ={})
    assert "lectern.toml" in str(error.value)


def test_the_table_is_read(tmp_path):
    """Lists and texts, as they are written."""
    text = 'live_folder = "/srv/captions"\n[access]\neditor = ["ada"]\nproxies = ["10.0.0.0/8"]\nheader = "X-User"\n'
    (tmp_path / "lectern.toml").write_text(text)

    loaded_settings = settings.load(home=str(tmp_path), environ={"LECTERN_OPEN": "1"})

    assert (
        Access(editor=("ada",), proxies=("10.0.0.0/8",), header="X-User") == loaded_settings.access
    )
    assert str(loaded_settings.live_folder) == "/srv/captions"
    assert loaded_settings.is_open is True
