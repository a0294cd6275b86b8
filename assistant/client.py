"""A typed client of the HTTP API, sync and async.

::

    with Client("http://127.0.0.1:8600", token) as client:
        for match in client.match("Unemployment has fallen to three percent."):
            print(match.strength, match.fact_check.rating, match.fact_check.url)

It needs httpx alone, and no other module of Lectern.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx

TIMEOUT_S = 60.0
CHECK_POLL_S = 1.0
END_STATES = ("done", "failed", "cancelled", "gone")
Value = TypeVar("Value")


class ApiError(Exception):
    """An error answer of the API: its status, the reason, and each wrong value."""

    def __init__(self, status: int, detail: str, errors: Sequence[str] = ()) -> None:
        self.status = status
        self.detail = detail
        self.errors = tuple(errors)
        super().__init__(f"{status}: {detail} {' '.join(errors)}".strip())


@dataclass(frozen=True, slots=True)
class ClientFactCheck:
    """A published fact-check; dates are texts such as 2024-09-10, None if unknown."""

    id: str
    statement: str
    title: str
    claimant: str
    claim_date: str | None
    rating: str
    rating_class: str
    review_date: str | None
    publisher: str
    url: str
    language: str = ""
    article: str = ""
    similarity: float | None = None


@dataclass(frozen=True, slots=True)
class ClientMatch:
    """A fact-check that covers a sentence, or may cover it.

    ``text`` is the sentence, ``differs`` are the conflicts between the two in words.
    """

    text: str
    rank: int
    strength: str
    stance: str
    differs: tuple[str, ...]
    cautions: tuple[str, ...]
    fact_check: ClientFactCheck


@dataclass(frozen=True, slots=True)
class FactCheckResults:
    """A page of a search for fact-checks."""

    total: int
    page: int
    items: tuple[ClientFactCheck, ...]
    has_next: bool


@dataclass(frozen=True, slots=True)
class ClientCheck:
    """A check as it is now; ``done`` of ``total`` units of its stage are done."""

    id: str
    state: str
    stage: str
    done: int
    total: int
    error: str

    @property
    def has_ended(self) -> bool:
        """Return whether the check is done, failed, cancelled or deleted."""
        return self.state in END_STATES


@dataclass(frozen=True, slots=True)
class _ApiCall:
    """A request, and the function that makes a value of its answer."""

    method: str
    path: str
    read: Callable[[httpx.Response], Any]
    json: Any = None
    params: Mapping[str, Any] | None = None
    content: bytes | None = None
    headers: Mapping[str, str] | None = None


class Client:
    """A client that waits for each answer. Use it in a ``with``, or close it."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(
            base_url=address,
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout_s,
            transport=transport,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def match(
        self, *texts: str, event_date: date | None = None, limit: int = 5
    ) -> list[ClientMatch]:
        """Return the matches of all sentences of some texts. Raises: ApiError."""
        return self._send(_match_call(texts, event_date, limit))

    def fact_checks(self, **query: Any) -> FactCheckResults:
        """Return a page of fact-checks, by the parameters of ``GET /v1/fact-checks``."""
        return self._send(_search_call(query))

    def fact_check(self, fact_check_id: str) -> ClientFactCheck:
        """Return a fact-check with its article. Raises: ApiError with status 404."""
        return self._send(_fact_check_call(fact_check_id))

    def start_check(
        self, name: str, data: bytes, *, idempotency_key: str = "", **options: Any
    ) -> ClientCheck:
        """Start the check of a transcript or a recording, by the options of ``POST /v1/checks``."""
        return self._send(_start_call(name, data, idempotency_key, options))

    def start_check_of_file(self, path: Path, **options: Any) -> ClientCheck:
        """Start the check of a file."""
        return self.start_check(path.name, path.read_bytes(), **options)

    def check(self, check_id: str) -> ClientCheck:
        """Return a check as it is now."""
        return self._send(_ApiCall("GET", f"/v1/checks/{check_id}", _read_check))

    def progress(self, check_id: str, *, poll_s: float = CHECK_POLL_S) -> Iterator[ClientCheck]:
        """Yield a check each time it has changed, until it has ended."""
        previous = None
        while True:
            current = self.check(check_id)
            if current != previous:
                yield current
            if current.has_ended:
                return
            previous = current
            time.sleep(poll_s)

    def report(self, check_id: str, form: str = "json") -> bytes:
        """Return the report of a check in a form. Raises: ApiError with status 409 before the end."""
        return self._send(_report_call(check_id, form))

    def decide(
        self, check_id: str, sentence: int, fact_check_id: str, verdict: str, **details: Any
    ) -> dict[str, Any]:
        """Decide on a match; ``details`` are reason, note and version."""
        return self._send(_decide_call(check_id, sentence, fact_check_id, verdict, details))

    def decisions(self, check_id: str) -> list[dict[str, Any]]:
        """Return the decisions on a check."""
        return self._send(_ApiCall("GET", f"/v1/checks/{check_id}/decisions", _read_items))

    def _send(self, call: _ApiCall) -> Any:
        answer = self._http.request(**_arguments(call))
        return _read_answer(call, answer)


class AsyncClient:
    """A client for ``async`` code. Use it in an ``async with``, or close it."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(
            base_url=address,
            headers={"Authorization": f"Bearer {token}"},
            timeout=timeout_s,
            transport=transport,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def match(
        self, *texts: str, event_date: date | None = None, limit: int = 5
    ) -> list[ClientMatch]:
        """Return the matches of all sentences of some texts. Raises: ApiError."""
        return await self._send(_match_call(texts, event_date, limit))

    async def fact_checks(self, **query: Any) -> FactCheckResults:
        """Return a page of fact-checks, by the parameters of ``GET /v1/fact-checks``."""
        return await self._send(_search_call(query))

    async def fact_check(self, fact_check_id: str) -> ClientFactCheck:
        """Return a fact-check with its article. Raises: ApiError with status 404."""
        return await self._send(_fact_check_call(fact_check_id))

    async def start_check(
        self, name: str, data: bytes, *, idempotency_key: str = "", **options: Any
    ) -> ClientCheck:
        """Start the check of a transcript or a recording, by the options of ``POST /v1/checks``."""
        return await self._send(_start_call(name, data, idempotency_key, options))

    async def check(self, check_id: str) -> ClientCheck:
        """Return a check as it is now."""
        return await self._send(_ApiCall("GET", f"/v1/checks/{check_id}", _read_check))

    async def progress(
        self, check_id: str, *, poll_s: float = CHECK_POLL_S
    ) -> AsyncIterator[ClientCheck]:
        """Yield a check each time it has changed, until it has ended."""
        previous = None
        while True:
            current = await self.check(check_id)
            if current != previous:
                yield current
            if current.has_ended:
                return
            previous = current
            await asyncio.sleep(poll_s)

    async def report(self, check_id: str, form: str = "json") -> bytes:
        """Return the report of a check in a form. Raises: ApiError with status 409 before the end."""
        return await self._send(_report_call(check_id, form))

    async def decide(
        self, check_id: str, sentence: int, fact_check_id: str, verdict: str, **details: Any
    ) -> dict[str, Any]:
        """Decide on a match; ``details`` are reason, note and version."""
        return await self._send(_decide_call(check_id, sentence, fact_check_id, verdict, details))

    async def decisions(self, check_id: str) -> list[dict[str, Any]]:
        """Return the decisions on a check."""
        return await self._send(_ApiCall("GET", f"/v1/checks/{check_id}/decisions", _read_items))

    async def _send(self, call: _ApiCall) -> Any:
        answer = await self._http.request(**_arguments(call))
        return _read_answer(call, answer)


def _match_call(texts: Sequence[str], event_date: date | None, limit: int) -> _ApiCall:
    body: dict[str, Any] = {"texts": list(texts), "limit": limit}
    if event_date is not None:
        body["event_date"] = event_date.isoformat()
    return _ApiCall("POST", "/v1/match", _read_matches, json=body)


def _search_call(query: Mapping[str, Any]) -> _ApiCall:
    return _ApiCall("GET", "/v1/fact-checks", _read_page, params=query)


def _fact_check_call(fact_check_id: str) -> _ApiCall:
    def read(answer: httpx.Response) -> ClientFactCheck:
        return _value(ClientFactCheck, answer.json())

    return _ApiCall("GET", f"/v1/fact-checks/{quote(fact_check_id)}", read)


def _start_call(
    name: str, data: bytes, idempotency_key: str, options: Mapping[str, Any]
) -> _ApiCall:
    headers = {"Content-Type": "application/octet-stream"}
    if idempotency_key:
        headers["Idempotency-Key"] = idempotency_key
    params = {"name": name, **options}
    return _ApiCall("POST", "/v1/checks", _read_check, params=params, content=data, headers=headers)


def _report_call(check_id: str, form: str) -> _ApiCall:
    def read(answer: httpx.Response) -> bytes:
        return answer.content

    return _ApiCall("GET", f"/v1/checks/{check_id}", read, params={"form": form})


def _decide_call(
    check_id: str, sentence: int, fact_check_id: str, verdict: str, details: Mapping[str, Any]
) -> _ApiCall:
    path = f"/v1/checks/{check_id}/decisions/{sentence}/{quote(fact_check_id)}"
    return _ApiCall("PUT", path, lambda answer: answer.json(), json={"verdict": verdict, **details})


def _arguments(call: _ApiCall) -> dict[str, Any]:
    """Return the arguments of httpx for a call."""
    return {
        "method": call.method,
        "url": call.path,
        "json": call.json,
        "params": call.params,
        "content": call.content,
        "headers": call.headers,
    }


def _read_answer(call: _ApiCall, answer: httpx.Response) -> Any:
    """Return the value of an answer. Raises: ApiError if it is a problem."""
    if answer.is_success:
        return call.read(answer)
    try:
        problem = answer.json()
    except ValueError:
        raise ApiError(answer.status_code, answer.text) from None
    detail = problem.get("detail", answer.reason_phrase)
    raise ApiError(answer.status_code, detail, problem.get("errors", ()))


def _read_matches(answer: httpx.Response) -> list[ClientMatch]:
    matches = []
    for text in answer.json()["texts"]:
        for sentence in text["sentences"]:
            for values in sentence["matches"]:
                match = {**values, "text": sentence["text"]}
                match["differs"] = tuple(values["differs"])
                match["cautions"] = tuple(values["cautions"])
                match["fact_check"] = _value(ClientFactCheck, values["fact_check"])
                matches.append(_value(ClientMatch, match))
    return matches


def _read_page(answer: httpx.Response) -> FactCheckResults:
    values = answer.json()
    items = tuple(_value(ClientFactCheck, item) for item in values["items"])
    return FactCheckResults(values["total"], values["page"], items, values["next"] is not None)


def _read_check(answer: httpx.Response) -> ClientCheck:
    values = answer.json()
    return _value(ClientCheck, {**values["progress"], **values})


def _read_items(answer: httpx.Response) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = answer.json()["items"]
    return items


def _value(kind: type[Value], values: Mapping[str, Any]) -> Value:
    """Return a dataclass from the values that are fields of it; a newer server may send more."""
    names = [value_field.name for value_field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: values[name] for name in names if name in values})
