"""Two people with two roles log in at a real OIDC provider, each in a browser of their own."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from assistant.review.decision_store import DecisionStore
from tests.browser.conftest import PATIENCE_S, App, furnish
from tests.free_ports import free_port

pytestmark = [pytest.mark.browser, pytest.mark.long]
provider = pytest.importorskip("oidc_provider_mock", reason="oidc-provider-mock is not installed")
ADA = "ada@example.org"
BEN = "ben@example.org"
MALLORY = "mallory@example.org"
ACCESS = f'[access]\neditor = ["group:lasting/desk"]\nreviewer = ["lasting/{BEN}", "brief/{BEN}"]\n'
BY_PROXY = f'[access]\nreviewer = ["{BEN}"]\n'
BRIEF_S = 8
SECRETS = """[auth]
redirect_uri = "{app}/oauth2callback"
cookie_secret = "a secret of these tests alone, as long as it has to be"
{providers}"""
PROVIDER = """[auth.{name}]
client_id = "lectern"
client_secret = "secret"
server_metadata_url = "http://localhost:{port}/.well-known/openid-configuration"
"""


def people():
    """The accounts that the providers know."""
    groups = {ADA: ["desk"], BEN: ["sport"], MALLORY: []}
    return [
        provider.User(
            sub=name, claims={"email": name, "email_verified": True, "groups": groups[name]}
        )
        for name in groups
    ]


@pytest.fixture(scope="module")
def locked(tmp_path_factory, vclaims):
    """The app with two providers: a login at one lasts an hour, at the other seconds."""
    home = tmp_path_factory.mktemp("locked")
    furnish(home, vclaims)
    (home / "lectern.toml").write_text(ACCESS)
    served = App(home, free_port())
    lasting, brief = (
        provider.run_server_in_thread(
            access_token_max_age=timedelta(seconds=seconds), user_claims=people()
        )
        for seconds in (3600, BRIEF_S)
    )
    with lasting as lasting_server, brief as brief_server:
        sections = {"lasting": lasting_server.server_port, "brief": brief_server.server_port}
        providers = "".join(
            PROVIDER.format(name=name, port=port) for name, port in sections.items()
        )
        (home / "secrets.toml").write_text(SECRETS.format(app=served.url, providers=providers))
        served.start(f"--secrets.files={home / 'secrets.toml'}")
        yield served
        served.stop()


@pytest.fixture
def visit(chromium, locked):
    """A function that logs somebody in and returns their page.

    Each has a browser profile of their own.
    """

    def visited(name, at="lasting"):
        page = chromium.new_page(viewport={"width": 1366, "height": 768})
        page.set_default_timeout(PATIENCE_S * 1000)
        page.addresses = []
        page.on("framenavigated", lambda frame: page.addresses.append(frame.url))
        page.goto(locked.url)
        page.get_by_role("button", name=f"Log in with {at}").click()
        page.get_by_role("button", name=name).click()
        if at != "brief":  # on a busy computer that login may be over before its page is drawn
            page.get_by_text(name).first.wait_for()
        return page

    return visited


def decided(home) -> list[str]:
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        return [record.decision.by for record in store.all() if record.decision]


@pytest.mark.threat("visitor")
def test_nobody_sees_a_page_before_the_login(page, locked):
    """Whatever page the address names."""
    for path in ("", "/review?report=cityhall", "/claims", "/live"):
        page.goto(f"{locked.url}{path}")
        page.get_by_role("button", name="Log in with lasting").wait_for()

        assert not page.get_by_text("City hall debate").count()


@pytest.mark.threat("visitor")
def test_nobody_uploads_before_the_login(page, locked):
    """The page of the login has a session, too; what it may do is show the login."""
    frames = []
    page.on(
        "websocket", lambda opened: opened.on("framereceived", lambda frame: frames.append(frame))
    )
    page.goto(locked.url)
    page.get_by_role("button", name="Log in with lasting").wait_for()
    sessions = re.findall(rb"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", b"".join(frames))
    session = sessions[0].decode()

    answer = page.request.put(f"{locked.url}/_stcore/upload_file/{session}/one", data=b"a file")

    assert answer.status == 403
    assert answer.text() == "Log in first: this page may not upload."


def test_two_people_have_two_roles(visit, locked):
    """Both decide, each under the own account; only the editor adds fact-checks.

    No address tells who they are.
    """
    ada = visit(ADA)
    ben = visit(BEN)
    ada.get_by_text("ada@example.org · editor").wait_for()
    ben.get_by_text("ben@example.org · reviewer").wait_for()
    for number, person in enumerate((ada, ben), 1):
        person.goto(f"{locked.url}/review?report=cityhall")
        person.locator(".st-key-do_confirm button:not([disabled])").click()
        person.get_by_text(f"{number} of 16 statements decided").first.wait_for()
        assert not person.get_by_label("Your name").count()
        person.goto(f"{locked.url}/claims")
        person.get_by_text("By publisher").or_(
            person.get_by_label("Search the fact-checks")
        ).first.wait_for()
        person.locator("[data-test-script-state=notRunning]").first.wait_for()

    assert sorted(decided(locked.home)) == [f"lasting/{ADA}", f"lasting/{BEN}"]
    assert ada.get_by_text("From a file").count() == 1
    assert ben.get_by_text("From a file").count() == 0
    own_addresses = [
        url for person in (ada, ben) for url in person.addresses if url.startswith(locked.url)
    ]
    assert own_addresses
    assert not [url for url in own_addresses if "ada" in url or "ben" in url or "%40" in url]


@pytest.mark.threat("reader")
def test_an_account_without_a_role_is_told_so(visit):
    """It is known, and sees nothing."""
    page = visit(MALLORY)

    page.get_by_text("has no role here").wait_for()
    assert not page.get_by_text("City hall debate").count()


@pytest.mark.threat("reader")
def test_a_login_ends_when_its_token_does(visit, locked):
    """The page closes by itself, though Streamlit's cookie would last thirty days.

    A reload does not open it again.
    """
    page = visit(BEN, at="brief")

    page.get_by_text("Your login has ended").wait_for()
    page.goto(f"{locked.url}/review?report=cityhall")
    page.get_by_text("Your login has ended").wait_for()
    assert not page.get_by_text("City hall debate").count()


@pytest.fixture
def secrets_file(locked):
    """The file of the login settings, which a test may damage while the server runs."""
    path = locked.home / "secrets.toml"
    content = path.read_text()
    yield path
    path.write_text(content)


@pytest.mark.threat("visitor")
def test_a_truncated_secrets_file_lets_nobody_in(chromium, visit, locked, secrets_file):
    """Neither a person who logged in before, nor a visitor of a proxy.

    After the correction people log in again.
    """
    content = secrets_file.read_text()
    context = chromium.new_context(extra_http_headers={"X-Forwarded-For": "203.0.113.7"})
    try:
        visitor = context.new_page()
        visitor.set_default_timeout(PATIENCE_S * 1000)
        ada = visit(ADA)

        secrets_file.write_text(content[: content.index("cookie_secret") + 20])

        ada.get_by_text("login settings cannot be read").wait_for()
        for path in ("", "/claims", "/log"):
            visitor.goto(f"{locked.url}{path}")
            visitor.get_by_text("login settings cannot be read").wait_for()
            assert not visitor.get_by_text("City hall debate").count()
            assert not visitor.get_by_text("From a file").count()

        secrets_file.write_text(content)

        ada.goto(locked.url)
        ada.get_by_text(f"{ADA} · editor").wait_for()
        visitor.goto(locked.url)
        visitor.get_by_role("button", name="Log in with lasting").wait_for()
    finally:
        context.close()


@pytest.mark.threat("reader")
def test_who_logs_out_is_out(visit):
    """At the provider, too; and comes back to the login."""
    page = visit(ADA)
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="End session").click()

    page.get_by_role("button", name="Log in with lasting").wait_for()


@pytest.mark.parametrize(
    ("proxies", "told"),
    [("127.0.0.1", f"{BEN} · reviewer"), ("10.0.0.5", "Only through the proxy")],
)
def test_a_proxy_names_people_where_the_settings_name_the_proxy(
    chromium, tmp_path, vclaims, proxies, told
):
    """The browser stands for the proxy here.

    From another address than the proxy's its headers count for nothing.
    """
    furnish(tmp_path, vclaims)
    (tmp_path / "lectern.toml").write_text(
        f'{BY_PROXY}header = "X-User"\nproxies = ["{proxies}"]\n'
    )
    served = App(tmp_path, free_port())
    context = chromium.new_context(extra_http_headers={"X-User": BEN})
    try:
        served.start()
        page = context.new_page()
        page.goto(served.url)
        page.get_by_text(told).first.wait_for(timeout=PATIENCE_S * 1000)
    finally:
        context.close()
        served.stop()
