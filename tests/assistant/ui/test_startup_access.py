"""The entrance: on which addresses the app's server may listen, and whom its gate lets in."""

from __future__ import annotations

import pytest

from assistant.ui import startup_access
from assistant.web.request_filter import AllowedPeers, RequestFilter
from tests.assistant.ui.conftest import AUTH

ROLES = '[access]\neditor = ["ada@example.org"]\n'
PROXY = '[access]\nheader = "X-User"\nproxies = ["10.0.0.1"]\n'


@pytest.fixture
def start(tmp_path, monkeypatch, write_secrets):
    """A function that starts the app's server on an address, as far as to its middleware, which it returns."""
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path))
    monkeypatch.setattr("assistant.web.connection_limits.limit_connections", lambda: None)

    def started(address, *, toml="", is_open=False, secrets=None):
        (tmp_path / "lectern.toml").write_text(toml)
        monkeypatch.setenv("LECTERN_OPEN", "1" if is_open else "")
        options = {"server.address": address, "secrets.files": [str(tmp_path / "secrets.toml")]}
        monkeypatch.setattr("streamlit.get_option", options.get)
        if secrets is not None:
            write_secrets(secrets)
        gate = next(item for item in startup_access.middleware() if item.cls is RequestFilter)
        return gate.kwargs

    return started


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "127.0.0.2"])
def test_without_a_login_this_computer_may_use_the_app(start, address):
    """And nobody else, whoever brings them."""
    assert start(address)["allowed_peers"] == AllowedPeers.HERE


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.2", "lectern.example", None, ""])
def test_without_a_login_another_address_is_refused_in_one_line(start, address):
    """Also where no address is set, which Streamlit takes for all of them."""
    with pytest.raises(SystemExit) as refused:
        start(address)

    assert "LECTERN_OPEN=1" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_operator_may_open_it_to_everybody(start):
    """By a variable, not by accident."""
    assert start("0.0.0.0", is_open=True)["allowed_peers"] == AllowedPeers.ANYWHERE


def test_with_a_login_everybody_may_come_to_it(start):
    """Under the name to which the login leads back."""
    login_start = start("0.0.0.0", toml=ROLES, secrets=AUTH)

    assert login_start["allowed_peers"] == AllowedPeers.ANYWHERE
    assert login_start["access"].hosts == ("lectern.example",)


def test_behind_a_proxy_that_names_people_everybody_comes_by_it(start):
    """Others could name themselves."""
    assert start("0.0.0.0", toml=PROXY)["allowed_peers"] == AllowedPeers.PROXIES


def test_wrong_settings_are_told_in_one_line(start):
    """Before anybody comes in."""
    with pytest.raises(
        SystemExit, match=r"lectern: .*lectern\.toml: unknown setting access\.editors"
    ):
        start("127.0.0.1", toml="[access]\neditors = []\n")


@pytest.mark.threat("operator")
@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
@pytest.mark.parametrize(
    "secrets", [AUTH[:-2], "[auth]\n", AUTH.replace("cookie_secret", "secret"), b"\xff"]
)
def test_login_settings_that_cannot_be_read_end_the_start_in_one_line(
    start, secrets, address, is_open
):
    """On every address, also if the operator opens the app to everybody."""
    with pytest.raises(SystemExit) as refused:
        start(address, secrets=secrets, is_open=is_open)

    assert str(refused.value).startswith("lectern: ")
    assert "secrets.toml" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.threat("operator")
@pytest.mark.parametrize(
    "secret", ["...", "x" * 31, "x" * 64, "abcdefg" * 6, "correct horse battery"]
)
def test_a_cookie_secret_that_can_be_guessed_never_starts_the_app(start, secret):
    """Whoever knows it makes the cookie of an editor."""
    content = f'[auth]\nredirect_uri = "https://lectern.example/oauth2callback"\ncookie_secret = "{secret}"\n'

    with pytest.raises(SystemExit) as refused:
        start("127.0.0.1", secrets=content)

    assert "cookie_secret is too easy to guess" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.threat("operator")
def test_several_providers_never_share_the_entries_of_a_role(start):
    providers = '[auth.entra]\nclient_id = "a"\n[auth.okta]\nclient_id = "b"\n'

    with pytest.raises(SystemExit) as refused:
        start("127.0.0.1", toml=ROLES, secrets=AUTH + providers)

    assert "the entry 'ada@example.org' names none" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.threat("operator")
@pytest.mark.parametrize("is_open", [False, True])
@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
@pytest.mark.parametrize("secrets", [None, "", "other = 1\n"])
def test_roles_without_a_login_end_the_start_in_one_line(start, secrets, address, is_open):
    """The settings ask for a login: without one everybody would be an editor."""
    with pytest.raises(SystemExit) as refused:
        start(address, toml=ROLES, secrets=secrets, is_open=is_open)

    assert "lists roles under [access], but no login is configured" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_secrets_of_other_programs_are_no_login(start):
    """A file without the section [auth] changes nothing."""
    assert start("127.0.0.1", secrets="other = 1\n")["allowed_peers"] == AllowedPeers.HERE


def test_a_proxy_that_names_people_needs_no_secrets(start):
    """Whatever the file contains."""
    assert start("0.0.0.0", toml=PROXY, secrets=AUTH[:-2])["allowed_peers"] == AllowedPeers.PROXIES
