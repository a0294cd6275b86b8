"""Pages by role, without a browser.

What an account sees, what its decisions carry, and that a login ends.
"""

from __future__ import annotations

import json
import time
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from assistant.claims.claim_store import ClaimStore
from assistant.core.access import Role
from assistant.core.audit import AuditLog
from assistant.core.errors import AccessDenied
from assistant.jobs.job_state import Job
from assistant.live.event import Event
from assistant.live.event_log import EventLog
from assistant.review.decision_store import DecisionStore
from assistant.ui import account
from assistant.ui.shared_resources import check_service
from assistant.web.request_filter import PEER_HEADER
from tests.assistant.ui.conftest import AUTH, PATIENCE_S, REPORT_ID, ROOT
from tests.assistant.ui.test_pages import labels, text

LISTED = '[access]\nreader = ["*"]\nreviewer = ["ben@example.org"]\neditor = ["ada@example.org"]\n'
BY_HEADER = LISTED + 'header = "X-User"\nproxies = ["127.0.0.1"]\n'
PAGES = ROOT / "assistant" / "ui" / "pages"


@pytest.fixture
def login(home, monkeypatch, write_secrets):
    """A function that logs somebody in, for an hour if nothing else is said."""
    (home / "lectern.toml").write_text(LISTED)
    write_secrets(AUTH)
    login_claims = {}
    monkeypatch.setattr(account, "_login_claims", lambda: login_claims)

    def logged_in(name, seconds=3600, **more_claims):
        login_claims.update(
            {
                "is_logged_in": True,
                "email": f"{name}@example.org",
                "email_verified": True,
                "exp": time.time() + seconds,
                **more_claims,
            }
        )

    return logged_in


def page(name, **address):
    app_test = AppTest.from_file(str(PAGES / f"{name}_page.py"), default_timeout=PATIENCE_S)
    app_test.query_params.update(address)
    return app_test


def request_by(monkeypatch, peer, name):
    """Draw pages for a request of a peer that names somebody in a header."""
    headers = {"X-User": name, PEER_HEADER: peer}
    monkeypatch.setattr("streamlit.context", SimpleNamespace(headers=headers))


def decisions(home):
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        return [record.decision for record in store.all() if record.decision]


def noted(home):
    """Return who did what, as the log of what people do has it."""
    with AuditLog.open(f"sqlite:///{home / 'lectern.db'}") as log:
        return [(entry.who, entry.what) for entry in log.newest(20)]


@pytest.mark.threat("visitor")
def test_without_a_role_nobody_sees_a_page(app, home, login):
    """The account is named, and what to do; no page is drawn."""
    (home / "lectern.toml").write_text('[access]\neditor = ["ada@example.org"]\n')
    login("mallory")
    app.run()

    assert not app.exception
    assert "mallory@example.org" in text(app)
    assert "no role" in text(app)
    assert labels(app) == ["Log out"]
    assert "already been fact-checked" not in text(app)


def test_with_a_role_the_account_stands_above_the_page(app, login):
    """With the way out."""
    login("ben")
    app.run()

    assert not app.exception
    assert "ben@example.org · reviewer" in text(app)
    assert "Log out" in labels(app)
    assert "already been fact-checked" in text(app)


def test_an_expired_login_is_none(app, login):
    """Streamlit's cookie lives for thirty days; the login ends when the provider says so."""
    login("ada", seconds=-1)
    app.run()

    assert not app.exception
    assert "Your login has ended" in text(app)
    assert "already been fact-checked" not in text(app)
    assert labels(app) == ["Log in"]


@pytest.mark.threat("visitor")
def test_an_unverified_address_is_told_why_it_never_comes_in(app, login):
    """And the page is not drawn."""
    login("ada", email_verified="true")
    app.run()

    assert not app.exception
    assert "e-mail address is verified" in text(app)
    assert "already been fact-checked" not in text(app)


@pytest.mark.threat("reader")
def test_with_several_providers_a_namesake_never_has_the_role(app, home, login, write_secrets):
    (home / "lectern.toml").write_text('[access]\neditor = ["entra/ada@example.org"]\n')
    write_secrets(AUTH + '[auth.entra]\nclient_id = "a"\n[auth.okta]\nclient_id = "b"\n')
    login("ada", provider="okta")
    app.run()
    assert "no role" in text(app)

    login("ada", provider="entra")
    app.run()

    assert "entra/ada@example.org · editor" in text(app)


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    "content", [AUTH[:-2], "", "[auth]\n", AUTH.replace("auth", "other"), b"[auth]\nx = '\xff'"]
)
def test_nobody_is_let_in_if_the_login_settings_become_unreadable(
    app, login, write_secrets, content
):
    """A truncated file, an empty one, one without the section.

    The page says so, also to a person who logged in.
    """
    login("ada")
    app.run()
    assert "already been fact-checked" in text(app)

    write_secrets(content)
    app.run()

    assert not app.exception
    assert "login settings cannot be read" in text(app)
    assert "administrator" in text(app)
    assert "already been fact-checked" not in text(app)
    assert labels(app) == []


@pytest.mark.threat("operator")
def test_unreadable_login_settings_give_no_role(home, login, write_secrets):
    """Nobody is anybody, and a click is refused with the reason."""
    login("ada")
    assert account.has_role(Role.EDITOR)

    write_secrets(AUTH[:-2])

    assert account.current() is None
    assert not account.has_role(Role.READER)
    with pytest.raises(AccessDenied, match="login settings cannot be read"):
        account.require(Role.READER)


def test_corrected_login_settings_let_people_in_again(home, login, write_secrets):
    """Without a restart."""
    login("ada")
    assert account.has_role(Role.EDITOR)
    write_secrets(AUTH[:-2])
    assert not account.has_role(Role.READER)

    write_secrets(AUTH)

    assert account.has_role(Role.EDITOR)


@pytest.mark.threat("reviewer")
def test_a_decision_carries_the_account_and_no_typed_name(home, login):
    """There is no field for a name, and a name of the session or the address changes nothing."""
    login("ben")
    app = page("review", report=REPORT_ID, by="Ada")
    app.session_state["by"] = "Ada"
    app.run()
    assert "Your name" not in [field.label for field in app.text_input]

    app.button(key="do_confirm").click().run()

    assert not app.exception
    assert [decision.by for decision in decisions(home)] == ["ben@example.org"]


@pytest.mark.threat("reviewer")
def test_a_login_that_ends_during_a_review_decides_nothing(app, home, login):
    """The page is still there with its buttons.

    A click stores nothing and brings the login back.
    """
    login("ben")
    app.run()  # registers the pages
    app.query_params["report"] = REPORT_ID
    app.switch_page("assistant/ui/pages/review_page.py").run()
    login("ben", seconds=-1)

    app.button(key="do_confirm").click().run()

    assert decisions(home) == []
    assert "Your login has ended" in text(app)
    assert labels(app) == ["Log in"]


@pytest.mark.threat("reader")
def test_a_reader_reads_and_changes_nothing(home, login):
    """Buttons that decide are off and say why; forms that add or import are not there."""
    login("cleo")
    review, claims, live = (
        page(name, report=REPORT_ID).run() for name in ("review", "claims", "live")
    )

    assert not (review.exception or claims.exception or live.exception)
    assert review.button(key="do_confirm").disabled
    assert "reviewer role" in text(review)
    assert not {"Add a missed match", "Add a fact-check"} & {
        expander.label for expander in review.expander
    }
    assert "Import" not in labels(claims)
    assert [box.label for box in claims.expander] == ["Counts by publisher, rating and year"]
    assert not {"Follow", "Save this note"} & set(labels(live))


@pytest.mark.threat("reader")
def test_a_click_that_a_reader_may_not_make_is_refused(home, login):
    """A browser may send the click of a button that was on the page before.

    Here, when the role was taken away.
    """
    login("ben")
    app = page("review", report=REPORT_ID).run()
    login("cleo")

    app.button(key="do_confirm").click().run()

    assert decisions(home) == []
    assert "needs the reviewer role" in app.warning[0].value


def test_a_note_carries_the_account(home, login, monkeypatch):
    """As the source of what was added."""
    monkeypatch.setattr("assistant.live.background.BackgroundEngines.refresh", lambda engines: None)
    login("ada")
    app = page("live").run()
    app.text_input(key="note_statement").input("The bridge cost $400 million.")
    next(b for b in app.button if b.label == "Save this note").click().run()

    assert not app.exception
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        assert "own notes (ada@example.org)" in store.status().sources
    assert noted(home) == [("ada@example.org", "note")]


def test_an_import_carries_the_account(home, login, monkeypatch):
    """In its outcome, which the page shows to everybody."""
    from assistant.ui import claim_imports

    monkeypatch.setattr("assistant.pipeline.build_index", lambda *_, **__: None)
    login("ada")
    claim_record = {
        "statement": "The bridge opened in 1937.",
        "rating": "False",
        "publisher": "P",
        "url": "https://p.example/1",
    }
    job = claim_imports.start_import(
        check_service(), json.dumps(claim_record).encode(), "one.jsonl"
    )
    end = time.monotonic() + PATIENCE_S
    while not check_service().jobs.get(job.id).has_ended and time.monotonic() < end:
        time.sleep(0.02)

    app = page("claims", job=job.id).run()

    message = app.success[0].value.replace("\\", "")
    assert "1 new" in message
    assert "by ada@example.org" in message
    assert noted(home) == [("ada@example.org", "import")]


def test_a_live_event_carries_the_account(home, login, monkeypatch):
    """Of whoever begins to follow it, and of whoever stops that."""
    requests = []
    monkeypatch.setattr(
        "assistant.live.background.BackgroundEngines.start",
        lambda *_, account: requests.append(account),
    )
    monkeypatch.setattr("assistant.live.background.BackgroundEngines.follows", lambda *_: True)
    monkeypatch.setattr(
        "assistant.live.background.BackgroundEngines.stop",
        lambda *_, account: requests.append(account),
    )
    login("ada")
    page("live").run().button(key="replay_sample").click().run()
    with EventLog.open(f"sqlite:///{home / 'lectern.db'}") as log:
        log.begin(Event("city", "City debate"), time.time())
    app = page("live", event="city").run()
    next(b for b in app.button if b.label == "Stop monitoring").click().run()

    assert requests == ["ada@example.org"] * 2


def test_a_fact_check_added_by_hand_carries_the_account(home, login, monkeypatch):
    """In the log of what people do, and as its source."""
    monkeypatch.setattr(
        "assistant.jobs.check_service.CheckService.start", lambda *_, **__: Job(REPORT_ID, "again")
    )
    login("ada")
    app = page("review", report=REPORT_ID).run()
    claim_record = {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": "The bridge opened in 1937.",
    }
    claim_record |= {
        "url": "https://p.example/1",
        "reviewRating": {"alternateName": "False"},
        "author": {"name": "P"},
    }
    app.text_input(key="bring_page").input("https://p.example/1")
    app.text_area(key="bring_json").input(json.dumps(claim_record))
    next(b for b in app.button if b.label == "Add it").click().run()

    assert ("ada@example.org", "add fact-check") in noted(home)
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        assert any("(ada@example.org)" in source for source in store.status().sources)


@pytest.mark.parametrize(
    ("who", "toml", "environ", "may"),
    [
        ("ada", "network = true\n", {}, True),
        ("ada", "", {}, False),
        ("ada", "network = true\n", {"LECTERN_NETWORK": "0"}, False),
        ("ben", "network = true\n", {}, False),
        (None, "", {}, True),
        (None, "network = false\n", {}, False),
        (None, "", {"LECTERN_OPEN": "1"}, False),
    ],
)
def test_the_operator_decides_about_the_network(  # noqa: PLR0913
    home, login, monkeypatch, write_secrets, who, toml, environ, may
):
    """A visitor is the operator only on this computer without a login, where nothing was decided."""
    (home / "lectern.toml").write_text(toml + LISTED)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    if who:
        login(who)
    else:
        write_secrets("")

    assert account.may_fetch() == may


def test_headers_of_the_proxy_name_the_account(home, monkeypatch):
    """Where the settings say so, whatever the secrets say."""
    (home / "lectern.toml").write_text(BY_HEADER)
    request_by(monkeypatch, "127.0.0.1", "ben@example.org")

    assert account.current().name == "ben@example.org"
    assert account.current().role == Role.REVIEWER


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("peer", ["203.0.113.9", "127.0.0.2", "::1", "nonsense", ""])
def test_nobody_is_named_by_a_header_that_no_named_proxy_sends(home, monkeypatch, peer):
    (home / "lectern.toml").write_text(BY_HEADER)
    request_by(monkeypatch, peer, "ada@example.org")

    assert account.current() is None
    assert not account.has_role(Role.READER)


@pytest.mark.threat("visitor")
@pytest.mark.parametrize("later", ["", BY_HEADER.replace('"ada', '"eve'), "[access\n"])
def test_settings_of_the_start_hold_when_the_caches_are_cleared(home, monkeypatch, later):
    """A file that lost its login, one that lists another editor, a damaged one."""
    (home / "lectern.toml").write_text(BY_HEADER)
    request_by(monkeypatch, "127.0.0.1", "eve@example.org")
    assert account.current().role == Role.READER

    (home / "lectern.toml").write_text(later)
    st.cache_resource.clear()

    assert account.uses_login()
    assert account.current().role == Role.READER
    assert check_service().settings.access.header == "X-User"


@pytest.mark.threat("visitor")
def test_a_header_that_the_settings_name_later_never_names_an_account(home, login, monkeypatch):
    """The app has started with a login of its own, and takes requests from anywhere."""
    login("cleo")
    request_by(monkeypatch, "127.0.0.1", "ada@example.org")
    assert account.current().role == Role.READER

    (home / "lectern.toml").write_text(BY_HEADER)
    st.cache_resource.clear()

    assert account.current().name == "cleo@example.org"
    assert not account.has_role(Role.EDITOR)


@pytest.mark.threat("reader")
def test_a_provider_of_later_never_gives_the_roles_of_the_start(home, login, write_secrets):
    """Its accounts may be namesakes of those that the start knew."""
    (home / "lectern.toml").write_text('[access]\neditor = ["ada@example.org"]\n')
    write_secrets(AUTH + '[auth.entra]\nclient_id = "a"\n')
    login("ada", provider="entra")
    assert account.has_role(Role.EDITOR)

    write_secrets(AUTH + '[auth.okta]\nclient_id = "b"\n')
    login("ada", provider="okta")

    assert account.current().name == "okta/ada@example.org"
    assert not account.has_role(Role.READER)


def test_without_a_login_everything_is_as_before(app):
    """No account, no button to log in or out, and every form."""
    app.run()

    assert not app.exception
    assert not {"Log in", "Log out"} & set(labels(app))
    assert account.has_role(Role.EDITOR)


def test_a_correction_of_what_was_heard_is_a_reviewers(home, login, monkeypatch):
    """It carries the account; a reader has no form, and a click of one whose role was taken away corrects nothing."""
    stored = []
    monkeypatch.setattr(
        "assistant.jobs.check_service.CheckService.correct_sentence",
        lambda check_service, report, change: stored.append(change),
    )

    def opened():
        app_test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE_S)
        app_test.query_params.update({"report": REPORT_ID, "view": "Transcript", "s": "2"})
        return app_test.run()

    def corrected():
        app = opened()
        next(area for area in app.text_area if area.label == "Sentence").input(
            "The bridge opened in 1937."
        )
        return next(
            button for button in app.button if button.label == "Correct and check again"
        ).click()

    login("ben")
    corrected().run()
    assert [(change.by, change.text) for change in stored] == [
        ("ben@example.org", "The bridge opened in 1937.")
    ]

    clicked = corrected()
    login("cleo")
    clicked.run()
    reader = opened()

    assert len(stored) == 1
    assert "Correct and check again" not in labels(reader)
    assert not reader.exception
