"""Downloads large files, complete or not at all.

A download that broke off is resumed. Without network there is one clear line.
"""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import platformdirs

from assistant.core import files
from assistant.core.errors import NetworkError, StoreError
from assistant.core.progress_callback import Progress

MAX_ATTEMPTS = 3
DOWNLOAD_TIMEOUT_S = 30.0
MAX_SERVER_REASON_CHARACTERS = 120
RESUME_REMEDY = "Run the command again to continue from there."


def cache_folder() -> Path:
    """Return the folder of downloads that are not imported yet."""
    return platformdirs.user_cache_path("lectern")


def download(
    url: str, path: Path, *, progress: Progress | None = None, attempts: int = MAX_ATTEMPTS
) -> Path:
    """Download a file and return its path. A download that broke off continues where it stopped.

    The incomplete file is ``<name>.part``, and ``<name>.part.json`` has the server's version of it.
    If the server's file has changed meanwhile, or the server cannot resume, the download starts
    again.

    Raises: NetworkError without network, for an answer other than the file, or if it breaks off
    every time; StoreError if the folder cannot be written or the disk is full.
    """
    # The next attempt, also of a later run, continues the incomplete file.
    incomplete_file = path.with_name(path.name + ".part")
    with files.explained(path, StoreError, then=RESUME_REMEDY):
        path.parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(1, attempts + 1):
            try:
                _fetch_rest(url, incomplete_file, progress)
                break
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.ReadTimeout) as error:
                if attempt == attempts:
                    raise _broken_off_error(url, incomplete_file) from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise _unreachable_error(url, error) from error
        incomplete_file.replace(path)
        _version_path(incomplete_file).unlink(missing_ok=True)
    return path


def _fetch_rest(url: str, incomplete_file: Path, progress: Progress | None) -> None:
    """Download the rest of a file, or all of it."""
    downloaded_bytes = _file_size(incomplete_file)
    version = _stored_version(incomplete_file)
    headers = {"Accept-Encoding": "identity"}  # a range of compressed bytes could not be resumed
    if downloaded_bytes and version:
        headers |= {"Range": f"bytes={downloaded_bytes}-", "If-Range": version}
    with httpx.stream(
        "GET", url, headers=headers, timeout=DOWNLOAD_TIMEOUT_S, follow_redirects=True
    ) as response:
        if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            incomplete_file.unlink(missing_ok=True)
            raise httpx.ReadError("the part that was downloaded earlier is longer than the file")
        response.raise_for_status()
        is_resumed = response.status_code == httpx.codes.PARTIAL_CONTENT
        if not is_resumed:
            downloaded_bytes = 0
            version_json = json.dumps({"version": _sent_version(response)})
            _version_path(incomplete_file).write_text(version_json, "utf-8")
        total_bytes = downloaded_bytes + int(response.headers.get("content-length", 0))
        open_mode = "ab" if is_resumed else "wb"
        with incomplete_file.open(open_mode) as file:
            # As received: pieces of a fixed size would lose the last one when it breaks off.
            for chunk in response.iter_raw():
                file.write(chunk)
                downloaded_bytes += len(chunk)
                if progress:
                    progress("downloading", downloaded_bytes, max(total_bytes, downloaded_bytes))


def _file_size(path: Path) -> int:
    """Return the bytes of a file, 0 if it doesn't exist."""
    return path.stat().st_size if path.exists() else 0


def _sent_version(answer: httpx.Response) -> str:
    """Return a value for If-Range: a strong ETag or a date, "" if the server sends neither."""
    etag = answer.headers.get("etag", "")
    if etag and not etag.startswith("W/"):
        return etag
    return answer.headers.get("last-modified", "")


def _stored_version(incomplete: Path) -> str:
    """Return the server's version of an incomplete file, "" if unknown."""
    try:
        return str(json.loads(_version_path(incomplete).read_text("utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _version_path(incomplete: Path) -> Path:
    return incomplete.with_name(incomplete.name + ".json")


def _unreachable_error(url: str, error: Exception) -> NetworkError:
    """Make the error of a server that refuses, or that does not answer."""
    if isinstance(error, httpx.HTTPStatusError):
        # An unusual status has no reason phrase.
        status = f"{error.response.status_code} {error.response.reason_phrase}".rstrip()
        what = f"the server answered {status}."
        remedy = "The file may have moved. Give its new address with --url."
        return NetworkError(what, where=url, remedy=remedy)
    host = urlsplit(url).hostname or url
    remedy = "Check the network, or download the file elsewhere and run `claims import FILE`."
    return NetworkError(f"cannot be reached ({_short_reason(error)}).", where=host, remedy=remedy)


def _broken_off_error(url: str, incomplete: Path) -> NetworkError:
    """Make the error of a download that broke off every time."""
    what = f"the download stopped after {_file_size(incomplete) / 1e6:,.1f} MB."
    return NetworkError(what, where=url, remedy=RESUME_REMEDY)


def _short_reason(error: Exception) -> str:
    message = str(error) or type(error).__name__
    return message.splitlines()[0][:MAX_SERVER_REASON_CHARACTERS]
