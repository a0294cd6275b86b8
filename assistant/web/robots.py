"""Reads robots.txt: which pages of a site Lectern may visit, and how long it must wait between them (RFC 9309).

A missing robots.txt allows everything; one that cannot be read forbids everything until it can be
read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from assistant.core.errors import NetworkError
from assistant.web import fetching

if TYPE_CHECKING:
    from protego import Protego

AGENT = fetching.USER_AGENT
MAX_DELAY_S = 60.0  # a site that wants a longer pause between two pages is not visited at all


class RobotsForbidden(NetworkError):
    """A site's robots.txt forbids the page."""


@dataclass
class Robots:
    """The rules of the sites visited so far, each read once."""

    fetcher: fetching.Fetcher
    _sites: dict[str, _Rules] = field(default_factory=dict)

    def check(self, url: str) -> None:
        """Raise Forbidden if an address may not be visited, NetworkError if the rules cannot be read."""
        rules = self._rules(url)
        if rules.delay > MAX_DELAY_S:
            what = f"its robots.txt asks for {rules.delay:,.0f} seconds between two pages."
            raise RobotsForbidden(what, where=url[: fetching.MAX_SHOWN_CHARACTERS])
        if rules.parsed is not None and not rules.parsed.can_fetch(url, AGENT):
            raise RobotsForbidden(
                "its robots.txt asks programs to stay away.",
                where=url[: fetching.MAX_SHOWN_CHARACTERS],
            )

    def delay(self, url: str) -> float:
        """Return the seconds that a site wants between two pages; 0 before its rules are read."""
        rules = self._sites.get(_site(url))
        return min(rules.delay, MAX_DELAY_S) if rules else 0.0

    def _rules(self, url: str) -> _Rules:
        site = _site(url)
        if site not in self._sites:
            self._sites[site] = self._read(site)
        return self._sites[site]

    def _read(self, site: str) -> _Rules:
        answer = self.fetcher.answer(f"{site}/robots.txt")
        if answer.status == 429 or answer.status >= 500:
            raise NetworkError(f"its robots.txt cannot be had ({answer.status}).", where=site)
        return _Rules("" if answer.status != 200 else answer.data.decode("utf-8", "replace"))


@dataclass(frozen=True)
class _Rules:
    text: str

    @cached_property
    def parsed(self) -> Protego | None:
        """Return the rules; None where everything is allowed."""
        from protego import Protego

        return Protego.parse(self.text) if self.text.strip() else None

    @property
    def delay(self) -> float:
        return float(self.parsed.crawl_delay(AGENT) or 0.0) if self.parsed is not None else 0.0


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
