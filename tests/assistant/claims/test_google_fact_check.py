"""Google's Fact Check Tools API as a source: off without a key, cached, polite."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from assistant.claims import google_fact_check
from assistant.claims.google_fact_check import GoogleSearch, GoogleSource
from assistant.core import settings
from assistant.core.errors import NetworkError, SettingsError

KEY = "secret-key"


class GoogleServer:
    """A server that answers as the API does, two pages."""

    def __init__(self) -> None:
        self.status = 200
        self.requests: list[dict[str, str]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def source(self, folder) -> GoogleSource:
        url = f"http://127.0.0.1:{self.server.server_port}/claims:search"
        return GoogleSource(KEY, url, folder, pause_s=0)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = parse_qs(urlsplit(self.path).query)
                parameters = {name: values[0] for name, values in query.items()}
                outer.requests.append({**parameters, "key": self.headers["X-Goog-Api-Key"]})
                self.send_response(outer.status)
                self.send_header("Retry-After", "60")
                self.end_headers()
                self.wfile.write(json.dumps(outer.answer(parameters)).encode())

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        return Handler

    def answer(self, parameters: dict[str, str]) -> dict[str, object]:
        if self.status != 200:
            return {"error": {"message": "API key not valid."}}
        number = 2 if parameters.get("pageToken") else 1
        review = {
            "publisher": {"name": "Mill Valley Checks", "site": "checks.example.org"},
            "url": f"https://checks.example.org/{number}",
            "textualRating": "False",
            "reviewDate": "2024-01-11T00:00:00Z",
        }
        page: dict[str, object] = {
            "claims": [{"text": f"Claim {number}.", "claimReview": [review]}]
        }
        return page if number == 2 else {**page, "nextPageToken": "t2"}


@pytest.fixture
def google() -> Iterator[GoogleServer]:
    running = GoogleServer()
    yield running
    running.server.shutdown()
    running.server.server_close()


def test_every_page_is_imported_once(google, store, tmp_path):
    """The key travels in a header; the second fetch is answered by the cache."""
    source = google.source(tmp_path / "cache")
    search = GoogleSearch("fares", "checks.example.org")

    report = google_fact_check.fetch_google(store, source, search)
    again = google_fact_check.fetch_google(store, source, search)

    assert (report.new, again.same) == (2, 2)
    assert google.requests == [
        {
            "query": "fares",
            "reviewPublisherSiteFilter": "checks.example.org",
            "languageCode": "en",
            "pageSize": "100",
            "key": KEY,
        },
        {
            "query": "fares",
            "reviewPublisherSiteFilter": "checks.example.org",
            "languageCode": "en",
            "pageSize": "100",
            "pageToken": "t2",
            "key": KEY,
        },
    ]


def test_without_a_key_the_source_is_off(store):
    with pytest.raises(SettingsError, match="is turned off, because no key is set"):
        google_fact_check.fetch_google(store, GoogleSource(""), GoogleSearch("fares"))


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (429, "the quota of the API key is used up. Nothing was imported. Try again in 60 s"),
        (400, "API key not valid. Nothing was imported. Check google_key"),
        (403, "API key not valid. Nothing was imported. Check google_key"),
        (500, r"busy or has an error \(500\). Nothing was imported. Try again in 60 s"),
        (503, r"busy or has an error \(503\). Nothing was imported. Try again in 60 s"),
        (404, "answered 404: .* Nothing was imported. Try again later"),
    ],
)
def test_a_server_that_refuses(google, store, tmp_path, status, message):
    """Nothing is imported, and the message does not have the key."""
    google.status = status

    with pytest.raises(NetworkError, match=message) as raised:
        google_fact_check.fetch_google(store, google.source(tmp_path), GoogleSearch("fares"))

    assert KEY not in str(raised.value)
    assert store.size()[0] == 0


def test_the_key_comes_from_the_settings_and_is_not_shown(tmp_path):
    loaded = settings.load(home=str(tmp_path), environ={"LECTERN_GOOGLE_KEY": KEY})

    assert loaded.google_key == KEY
    assert KEY not in repr(loaded)
