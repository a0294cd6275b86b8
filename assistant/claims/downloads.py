"""Downloads large files: resumed where they broke off, complete or absent, and one clear line without network."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import platformdirs

from assistant.claims.records import Progress
from assistant.core import files
from assistant.core.errors import NetworkError, StoreError

ATTEMPTS = 3
TIMEOUT_S = 30.0
GOES_ON = "Run it again: it goes on from there."


def cache_folder() -> Path:
    """Return the folder of downloads that are not imported yet."""
    return platformdirs.user_cache_path("lectern")


def download(
    url: str, path: Path, *, progress: Progress | None = None, attempts: int = ATTEMPTS
) -> Path:
    """Download a file and return its path. A download that broke off continues where it stopped.

    The incomplete file is ``<name>.part``, with the server's version of it beside it. If the
    server's file has changed meanwhile, or the server cannot resume, the download starts again.

    Raises: NetworkError without network, for an answer other than the file, or if it breaks off
    every time; StoreError if the folder cannot be written or the disk is full.
    """
    part = path.with_name(path.name + ".part")
    with files.explained(path, StoreError, then=GOES_ON):
        path.parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(1, attempts + 1):
            try:
                _fetch(url, part, progress)
                break
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.ReadTimeout) as error:
                if attempt == attempts:
                    raise _broke_off(url, part) from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise _unreachable(url, error) from error
        part.replace(path)
        _mark(part).unlink(missing_ok=True)
    return path


def _fetch(url: str, part: Path, progress: Progress | None) -> None:
    """Download the rest of a file, or all of it."""
    have = part.stat().st_size if part.exists() else 0
    version = _version(part)
    headers = {"Accept-Encoding": "identity"}  # a range of compressed bytes could not be resumed
    if have and version:
        headers |= {"Range": f"bytes={have}-", "If-Range": version}
    with httpx.stream(
        "GET", url, headers=headers, timeout=TIMEOUT_S, follow_redirects=True
    ) as answer:
        if answer.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            part.unlink(missing_ok=True)
            raise httpx.ReadError("the part is longer than the file")
        answer.raise_for_status()
        goes_on = answer.status_code == httpx.codes.PARTIAL_CONTENT
        have = have if goes_on else 0
        if not goes_on:
            _mark(part).write_text(json.dumps({"version": _sent_version(answer)}), "utf-8")
        total = have + int(answer.headers.get("content-length", 0))
        with part.open("ab" if goes_on else "wb") as file:
            for piece in (
                answer.iter_raw()
            ):  # as received: pieces of a fixed size would lose the last, broken one
                file.write(piece)
                have += len(piece)
                if progress:
                    progress("downloading", have, max(total, have))


def _sent_version(answer: httpx.Response) -> str:
    """Return a value for If-Range: a strong ETag or a date, '' if the server sends neither."""
    etag = answer.headers.get("etag", "")
    return etag if etag and not etag.startswith("W/") else answer.headers.get("last-modified", "")


def _version(part: Path) -> str:
    try:
        return str(json.loads(_mark(part).read_text("utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _mark(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _unreachable(url: str, error: Exception) -> NetworkError:
    host = urlsplit(url).hostname or url
    if isinstance(error, httpx.HTTPStatusError):
        what = (
            f"the server answered {error.response.status_code} {error.response.reason_phrase}".rstrip()
            + "."
        )
        return NetworkError(
            what, where=url, remedy="The file may have moved; give its new address with --url."
        )
    remedy = "Check the network; or download the file elsewhere and use `claims import FILE`."
    return NetworkError(f"cannot be reached ({_short(error)}).", where=host, remedy=remedy)


def _broke_off(url: str, part: Path) -> NetworkError:
    have = part.stat().st_size if part.exists() else 0
    what = f"the download broke off after {have / 1e6:,.1f} MB."
    return NetworkError(what, where=url, remedy=GOES_ON)


def _short(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:120]
