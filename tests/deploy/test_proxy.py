"""The proxy sample with the real proxy.

Two processes of the app and the door behind one address with TLS.
"""

from __future__ import annotations

import os
import shutil
import subprocess

import httpx
import pytest

from assistant.claims.claim_reading import SAMPLE_SOURCE
from assistant.claims.claim_store import ClaimStore
from assistant.live.event_log import EventLog
from tests.assistant.ui import factory
from tests.browser.conftest import (
    PATIENCE_S,
    ROOT,
    App,
    chromium,
    free_port,
    launched,
    playwright,
    serve,
    vclaims,
    wait_for,
)

__all__ = ["chromium", "playwright", "vclaims"]
pytestmark = [pytest.mark.browser, pytest.mark.long]
CADDY = shutil.which("caddy")
TOKEN = "a-token-of-the-test"
FACTS = ".lx-facts"  # the card of the report's first statement


@pytest.fixture(scope="module")
def site(tmp_path_factory, vclaims):
    """The address of the proxy, with the processes behind it."""
    if not CADDY:
        pytest.skip("no caddy is installed")
    home = tmp_path_factory.mktemp("home")
    caddy_folder = tmp_path_factory.mktemp("caddy")
    with ClaimStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        store.upsert(vclaims, source=SAMPLE_SOURCE)
    factory.keep(home, "cityhall", factory.report(40))
    apps = [App(home, free_port()) for _ in range(2)]
    door = free_port()
    port = free_port()
    for app in apps:
        app.start(LECTERN_OPEN="1")  # in place of a login
    options = ("--event", "city", "--port", str(door), "--token", TOKEN)
    listening = serve(home, "assistant", "serve", *options)
    apart = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"  # of other proxies here
    (caddy_folder / "Caddyfile").write_text(f"{apart}import {ROOT / 'deploy' / 'Caddyfile'}\n")
    variables = {
        "LECTERN_SITE": f"https://localhost:{port}",
        "LECTERN_DOOR": f"127.0.0.1:{door}",
        "HOME": str(caddy_folder),
    }
    variables |= {
        "LECTERN_APPS": " ".join(f"127.0.0.1:{app.port}" for app in apps),
        "XDG_DATA_HOME": str(caddy_folder),
    }
    run = [CADDY, "run", "--config", str(caddy_folder / "Caddyfile"), "--adapter", "caddyfile"]
    proxy = subprocess.Popen(run, env={**os.environ, **variables}, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{door}/live/city/health", listening, 401)
        wait_for(f"https://localhost:{port}/_stcore/health", proxy, 200)
        yield f"https://localhost:{port}", apps, home
    finally:
        for process in (proxy, listening, *(app.process for app in apps)):
            process.kill()
            process.wait(PATIENCE_S)


@pytest.fixture(scope="module")
def browser(playwright):
    """A running Chromium."""
    with launched(playwright) as started:
        yield started


@pytest.fixture
def page(chromium):
    """A page of a browser of its own, which takes the proxy's own certificate."""
    new_page = chromium.new_page(ignore_https_errors=True)
    new_page.set_default_timeout(PATIENCE_S * 1000)
    return new_page


def test_a_report_opens_through_the_proxy_and_when_a_process_is_gone(site, page):
    """The page comes over its WebSocket with TLS.

    When its process is killed, the other one shows the same report.
    """
    address, apps, _ = site
    page.goto(f"{address}/?report=cityhall")
    page.locator(FACTS).first.wait_for()
    assert any(cookie["name"] == "lectern" for cookie in page.context.cookies())

    apps[0].stop()
    page.goto(f"{address}/?report=cityhall")
    page.locator(FACTS).first.wait_for()
    apps[0].start(LECTERN_OPEN="1")


def test_without_a_login_nobody_comes_in_through_a_proxy(site):
    """To the app everybody behind a proxy would be this computer."""
    address, apps, _ = site
    for app in apps:
        app.stop()
        app.start()

    wait_for(address, apps[0].process, 403)

    for app in apps:
        app.stop()
        app.start(LECTERN_OPEN="1")
    wait_for(address, apps[0].process, 200)


def test_live_lines_come_in_with_the_token_only(site):
    """The door's own answers pass through: 401 without its token, and a stored line with it."""
    address, _, home = site
    with httpx.Client(verify=False) as client:
        lines = f"{address}/live/city/lines"
        assert client.post(lines, json={"id": "1", "text": "No."}).status_code == 401
        sent = client.post(
            lines, json={"id": "2", "text": "Yes."}, headers={"Authorization": f"Bearer {TOKEN}"}
        )
    assert sent.status_code == 200
    assert sent.json()["lines"] == 1
    with EventLog.open(f"sqlite:///{home / 'lectern.db'}") as log:
        assert [sentence.text for sentence in log.sentences("city")] == ["Yes."]


def test_metrics_are_not_shown_outside(site):
    """The proxy leads to the app and the door only.

    What the monitor tells has no address there.
    """
    with httpx.Client(verify=False) as client:
        assert "lectern_up" not in client.get(f"{site[0]}/metrics").text
        assert "schema" not in client.get(f"{site[0]}/health").text
