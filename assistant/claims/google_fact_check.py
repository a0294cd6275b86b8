"""Fetches fact-checks from Google's Fact Check Tools API, page by page.

The source is off unless the settings have a key. Answers are cached for a day, one request is
made per second, and a busy server ends the run.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx

from assistant.claims import claim_fields, downloads
from assistant.claims.claim_store import ClaimStore
from assistant.claims.feed_rows import feed_rows
from assistant.claims.import_notes import ImportNotes
from assistant.claims.records import ImportReport, ImportRow, RefusedRow
from assistant.claims.row_reader import RowReader
from assistant.core import files
from assistant.core.errors import NetworkError, SettingsError
from assistant.core.progress_callback import Progress

GOOGLE_SEARCH_URL = "https://factchecktools.googleapis.com/v1alpha1/claims:search"
GOOGLE_SOURCE = "google"
KEY_HEADER = "X-Goog-Api-Key"  # not in the address, which servers log
PAGE_CLAIMS = 100
MAX_GOOGLE_PAGES = 50
GOOGLE_PAUSE_S = 1.0
ANSWER_CACHE_S = 24 * 3600
GOOGLE_TIMEOUT_S = 30.0
_KEY_STATUSES = (httpx.codes.BAD_REQUEST, httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN)


@dataclass(frozen=True, slots=True)
class GoogleSearch:
    """A search for fact-checks: words, the site of a publisher, or both."""

    query: str = ""
    site: str = ""
    language: str = "en"

    def parameters(self, page_token: str) -> dict[str, str | int]:
        """Return the parameters of a request; empty ones are left out."""
        values: dict[str, str | int] = {
            "query": self.query,
            "reviewPublisherSiteFilter": self.site,
            "languageCode": self.language,
            "pageToken": page_token,
        }
        filled_values = {name: value for name, value in values.items() if value}
        return {**filled_values, "pageSize": PAGE_CLAIMS}


@dataclass(frozen=True, slots=True)
class GoogleSource:
    """The server that is asked, the key, and the folder of cached answers."""

    key: str
    url: str = GOOGLE_SEARCH_URL
    folder: Path | None = None
    pause_s: float = GOOGLE_PAUSE_S

    def answer(self, search: GoogleSearch, page_token: str) -> dict[str, Any]:
        """Return a page of answers: cached, or asked for now.

        Raises: NetworkError if the server refuses or cannot be reached.
        """
        parameters = search.parameters(page_token)
        # An answer is cached in a file that is named by a digest of its request.
        request_text = json.dumps([self.url, parameters], sort_keys=True)
        request_digest = sha256(request_text.encode()).hexdigest()
        folder = self.folder or downloads.cache_folder() / GOOGLE_SOURCE
        cached_file = folder / f"{request_digest[:32]}.json"
        if cached_file.is_file():
            age_s = time.time() - cached_file.stat().st_mtime
            if age_s < ANSWER_CACHE_S:
                return json.loads(cached_file.read_bytes())
        time.sleep(self.pause_s)
        answer_json = self._request_page(parameters)
        files.write(cached_file, answer_json, private=True)
        return json.loads(answer_json)

    def _request_page(self, parameters: Mapping[str, str | int]) -> bytes:
        """Ask for a page. Raises: NetworkError."""
        headers = {KEY_HEADER: self.key}
        try:
            response = httpx.get(
                self.url, params=dict(parameters), headers=headers, timeout=GOOGLE_TIMEOUT_S
            )
        except httpx.HTTPError as error:
            message = f"cannot be reached ({type(error).__name__})."
            raise NetworkError(message, where=self.url, remedy="Try again later.") from error
        if response.is_error:
            raise self._refusal(response)
        if not isinstance(_json_of(response), dict):
            raise NetworkError("the server's response isn't JSON.", where=self.url)
        return response.content

    def _refusal(self, response: httpx.Response) -> NetworkError:
        """Return the error for an answer without fact-checks, by its status."""
        status = response.status_code
        message = f"the server answered {status}: {_reason_of_refusal(response)}"
        remedy = "Nothing was imported. Try again later."
        retry_after_s = response.headers.get("retry-after", "")
        if status == httpx.codes.TOO_MANY_REQUESTS:
            message = "the quota of the API key is used up."
            remedy = "Nothing was imported. Try again tomorrow."
        elif response.is_server_error:
            message = f"the server is busy or has an error ({status})."
        elif status in _KEY_STATUSES:
            remedy = "Nothing was imported. Check google_key in lectern.toml."
        is_passing = response.is_server_error or status == httpx.codes.TOO_MANY_REQUESTS
        if is_passing and retry_after_s.isdecimal():
            remedy = f"Nothing was imported. Try again in {retry_after_s} s."
        return NetworkError(message, where=self.url, remedy=remedy)


def fetch_google(
    store: ClaimStore,
    source: GoogleSource,
    search: GoogleSearch,
    *,
    progress: Progress | None = None,
) -> ImportReport:
    """Import the fact-checks that Google finds, all pages or none.

    Raises: SettingsError without a key or a search; NetworkError; StoreError.
    """
    if not source.key:
        remedy = "Set LECTERN_GOOGLE_KEY, or google_key in lectern.toml."
        raise SettingsError(
            "Google's Fact Check Tools API is turned off, because no key is set.", remedy=remedy
        )
    if not (search.query or search.site):
        remedy = "Give --query WORDS, --site HOST, or both."
        raise SettingsError("the search needs words or a site.", remedy=remedy)
    notes = ImportNotes()
    reader = RowReader({}, notes=notes)
    rows = _read_pages(source, search, reader, progress)
    report = store.upsert(rows, source=GOOGLE_SOURCE, progress=progress)
    return replace(report, remarks=tuple(reader.remarks()))


def _read_pages(
    source: GoogleSource, search: GoogleSearch, reader: RowReader, progress: Progress | None
) -> Iterator[ImportRow]:
    """Yield the fact-checks of every page of answers."""
    page_token = ""
    for page_number in range(1, MAX_GOOGLE_PAGES + 1):
        answer = source.answer(search, page_token)
        page_token = str(answer.pop("nextPageToken", ""))
        page_place = f"page {page_number}"
        for feed_row in feed_rows(answer, reader.notes) or ():
            if claim_fields.site_host(str(feed_row.get("url", ""))):
                yield reader.parse(feed_row, page_place)
            else:
                yield RefusedRow(page_place, "the review has no web address.")
        is_last_page = not page_token
        if progress:
            # Google does not say how many pages follow.
            known_pages = page_number if is_last_page else page_number + 1
            progress("asking Google", page_number, known_pages)
        if is_last_page:
            return
    reader.notes.count(f"only the first {MAX_GOOGLE_PAGES} pages were asked for", page_token)


def _json_of(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


def _reason_of_refusal(answer: httpx.Response) -> str:
    """Return the server's words for an error, without its details."""
    content = _json_of(answer)
    error = content.get("error") if isinstance(content, dict) else None
    message = error.get("message") if isinstance(error, dict) else ""
    return str(message or answer.reason_phrase)[: downloads.MAX_SERVER_REASON_CHARACTERS]
