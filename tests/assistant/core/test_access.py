"""Roles of accounts, from the claims of a login and the headers of a proxy, and the settings that list them."""

from __future__ import annotations

import math
from dataclasses import replace

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
    return {"email": "ben@example.org", "email_verified": True, "exp": END, **changes}


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
    assert LISTED.account_of_login(claims(**given)).role == role


@pytest.mark.threat("visitor")
def test_who_is_not_listed_has_no_role():
    """A login alone opens nothing."""
    assert Account("ben@example.org", None, END) == Access(
        editor=("ada@example.org",)
    ).account_of_login(claims())


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    "name",
    [
        "",
        None,
        " \n",
        "ben@example.org\n",
        "ben@exam\u200bple.org",
        "\u202eben",
        ["ben"],
        True,
        1.5,
    ],
)
def test_a_login_never_has_an_account_without_a_printable_name(name):
    """Invisible characters would make two accounts look alike."""
    assert LISTED.account_of_login(claims(email=name)) is None


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("value", [False, 0, None, "false", "true", "", 1, [], [True]])
def test_an_unverified_email_address_never_opens_an_account(value):
    """Some providers let people enter any address."""
    assert LISTED.account_of_login(claims(email_verified=value)) is None


@pytest.mark.threat("visitor")
def test_an_address_that_the_provider_says_nothing_about_never_opens_an_account():
    """Unless the settings say what proves it."""
    silent = {"email": "ben@example.org", "exp": END, "provider": "entra"}
    by_claim = replace(LISTED, verified_by=(("entra", "xms_edov"),))
    by_provider = replace(LISTED, verified_by=(("entra", True),))
    elsewhere = replace(LISTED, verified_by=(("okta", True),))
    refused = replace(LISTED, verified_by=(("entra", False),))

    assert LISTED.account_of_login(silent) is None
    assert by_claim.account_of_login(silent) is None
    assert by_claim.account_of_login(silent | {"xms_edov": "true"}) is None
    assert by_claim.account_of_login(silent | {"xms_edov": True}).role == Role.REVIEWER
    assert by_provider.account_of_login(silent).role == Role.REVIEWER
    assert by_provider.account_of_login(silent | {"email_verified": False}) is None
    assert elsewhere.account_of_login(silent) is None
    assert refused.account_of_login(silent) is None


def test_another_claim_than_the_address_needs_no_proof():
    by_sub = Access(editor=("4711",), account="sub")

    assert by_sub.account_of_login({"sub": "4711", "exp": END}).role == Role.EDITOR
    assert by_sub.account_of_login({"sub": 4711, "exp": END}).role == Role.EDITOR


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    "value", [None, True, "2000000000", math.nan, math.inf, -math.inf, 10**400, [END]]
)
def test_a_login_never_lasts_without_a_finite_end(value):
    """OIDC demands a number: without it nobody knows whether the account still exists."""
    assert LISTED.account_of_login(claims(exp=value)).until == 0.0


LOOKALIKES = {
    "\u212aate@example.org": "kate@example.org",
    "stra\u00dfe@example.org": "strasse@example.org",
    "\u017fam@example.org": "sam@example.org",
    "\uff41da@example.org": "ada@example.org",
    "e\u0301va@example.org": "\u00e9va@example.org",
    "\u00c9va@example.org": "\u00e9va@example.org",
    "\ufb01n@example.org": "fin@example.org",
    "ad\u0430@example.org": "ada@example.org",
}


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(("lookalike", "listed"), LOOKALIKES.items())
def test_an_account_never_passes_for_one_that_looks_alike(lookalike, listed):
    """Characters are compared as they are, whichever of the two is listed; only A to Z equal a to z."""
    for first, second in ((lookalike, listed), (listed, lookalike)):
        listing = Access(editor=(first, f"group:{first}"))
        assert listing.role(second, [second]) is None
        assert listing.role(first, []) == Role.EDITOR
    assert Access(editor=("KATE@example.ORG",)).role("kate@EXAMPLE.org", []) == Role.EDITOR


@pytest.mark.threat("reader")
def test_an_account_of_one_provider_never_passes_for_one_of_another():
    """Two providers may know different people under one name."""
    listing = Access(
        reader=("okta/*",),
        reviewer=("group:entra/desk",),
        editor=("entra/ada@example.org",),
    )

    def account(name, provider, **changes):
        return listing.account_of_login(
            claims(email=name, provider=provider, **changes), has_several_providers=True
        )

    assert account("ada@example.org", "entra").role == Role.EDITOR
    assert account("ada@example.org", "ENTRA").role == Role.EDITOR
    assert account("ada@example.org", "entra").name == "entra/ada@example.org"
    assert account("ada@example.org", "okta").role == Role.READER
    assert account("entra/ada@example.org", "okta").role == Role.READER
    assert account("ben@example.org", "okta", groups=["desk"]).role == Role.READER
    assert account("ben@example.org", "entra", groups=["desk"]).role == Role.REVIEWER
    assert account("ada@example.org", None) is None
    assert account("ada@example.org", "") is None


@pytest.mark.threat("operator")
@pytest.mark.parametrize(
    "entry", ["ada@example.org", "group:desk", "other/ada@example.org", "/ada", "group:entra"]
)
def test_with_several_providers_an_entry_without_its_provider_is_never_accepted(entry):
    """It would count for the people of both."""
    with pytest.raises(SettingsError, match="several login providers"):
        access.check_providers(Access(reader=("*",), editor=(entry,)), ["Entra", "okta"])

    access.check_providers(Access(reader=("*",), editor=(entry,)), ["entra"])


def test_entries_that_name_their_provider_are_accepted():
    listing = Access(reader=("*", "okta/*"), editor=("ENTRA/ada@example.org", "group:okta/desk"))

    access.check_providers(listing, ["entra", "okta"])


@pytest.mark.parametrize(
    ("listing", "providers", "message"),
    [
        (Access(verified_by=(("entrra", True),)), ["entra"], "no such login provider"),
        (Access(), ["a/b", "a"], "has a / in its name"),
    ],
)
def test_providers_that_cannot_be_told_apart_are_refused(listing, providers, message):
    with pytest.raises(SettingsError, match=message):
        access.check_providers(listing, providers)


def test_a_proxy_names_account_and_groups():
    """Groups with commas between them; no account, no person."""
    assert (
        LISTED.account_of_proxy({"X-User": "cleo", "X-Groups": "sport, desk"}).role == Role.REVIEWER
    )
    assert LISTED.account_of_proxy({"X-Groups": "desk"}) is None


@pytest.mark.threat("reader")
def test_an_account_never_has_more_than_one_line():
    """It is written into files in which a line break begins something else."""
    assert LISTED.account_of_proxy({"X-User": "ben\n\n00:00"}) is None


@pytest.mark.threat("reader")
@pytest.mark.parametrize("account", [None, Account("ada", None), Account("ada", Role.READER)])
def test_what_needs_a_role_is_refused_without_it(account):
    """With the role that is missing, and that nothing was changed."""
    with pytest.raises(AccessDenied, match="Nothing was changed"):
        access.require(account, Role.REVIEWER)
    access.require(Account("ada", Role.EDITOR), Role.REVIEWER)


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ('editors = ["ada"]', "unknown setting access.editors"),
        ('editor = "ada"', "must be a list of strings"),
        ("editor = [1]", "must be a list of strings"),
        ('account = ["email"]', "must be a string"),
        ('proxies = ["proxy.example"]', "access.proxies"),
        ('header = "X-User"', "which lists no proxy"),
        ('verified_by = "entra"', "not a table"),
        ("verified_by = { entra = 1 }", "not a table"),
        ('verified_by = { entra = "" }', "not a table"),
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
    text = (
        'live_folder = "/srv/captions"\n[access]\neditor = ["ada"]\nproxies = ["10.0.0.0/8"]\n'
        'header = "X-User"\nverified_by = { entra = "xms_edov", okta = true }\n'
    )
    (tmp_path / "lectern.toml").write_text(text)

    loaded_settings = settings.load(home=str(tmp_path), environ={"LECTERN_OPEN": "1"})

    expected = Access(
        editor=("ada",),
        proxies=("10.0.0.0/8",),
        header="X-User",
        verified_by=(("entra", "xms_edov"), ("okta", True)),
    )
    assert loaded_settings.access == expected
    assert str(loaded_settings.live_folder) == "/srv/captions"
    assert loaded_settings.is_open is True
