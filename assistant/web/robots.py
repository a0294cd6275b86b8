"""Reads robots.txt (RFC 9309): the pages that Lectern may visit, and the pause between them.

A missing robots.txt allows everything; one that cannot be read forbids everything until it can be
read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

from assistant.core.errors import NetworkError
from assistant.web import fetching

if TYPE_CHECKING:
    from protego import Protego

USER_AGENT = fetching.USER_AGENT
# A site that wants a longer pause between two pages is not visited at all.
MAX_DELAY_S = 60.0


class RobotsForbidden(NetworkError):
    """A site's robots.txt forbids the page."""


@dataclass
class Robots:
    """The rules of the sites visited so far, each read once."""

    fetcher: fetching.Fetcher
    _rules_by_site: dict[str, _Rules] = field(default_factory=dict)

    def check(self, url: str) -> None:
        """Check that an address may be visited.

        Raises: RobotsForbidden; NetworkError if the rules cannot be read.
        """
        shown_url = url[: fetching.MAX_SHOWN_CHARACTERS]
        site_rules = self._rules(url)
        if site_rules.delay > MAX_DELAY_S:
            message = (
                f"the site's robots.txt asks for {site_rules.delay:,.0f} seconds between two pages."
            )
            raise RobotsForbidden(message, where=shown_url)
        # Without a robots.txt, everything is allowed.
        is_forbidden = site_rules.parsed is not None and not site_rules.parsed.can_fetch(
            url, USER_AGENT
        )
        if is_forbidden:
            raise RobotsForbidden(
                "the site disallows automated access in robots.txt.", where=shown_url
            )

    def delay(self, url: str) -> float:
        """Return the seconds that a site wants between two pages; 0 before its rules are read."""
        rules = self._rules_by_site.get(_site(url))
        return min(rules.delay, MAX_DELAY_S) if rules else 0.0

    def _rules(self, url: str) -> _Rules:
        """Return the rules of a site, fetched at the first call."""
        site = _site(url)
        if site not in self._rules_by_site:
            self._rules_by_site[site] = self._fetch_rules(site)
        return self._rules_by_site[site]

    def _fetch_rules(self, site: str) -> _Rules:
        answer = self.fetcher.answer(f"{site}/robots.txt")
        status = answer.status
        is_server_error = status >= httpx.codes.INTERNAL_SERVER_ERROR
        if status == httpx.codes.TOO_MANY_REQUESTS or is_server_error:
            raise NetworkError(
                f"the site's robots.txt cannot be read (status {status}).", where=site
            )
        if status != httpx.codes.OK:  # there is no robots.txt: everything is allowed
            return _Rules("")
        return _Rules(answer.data.decode("utf-8", "replace"))


@dataclass(frozen=True)
class _Rules:
    """The text of a robots.txt, "" if there is none."""

    text: str

    @cached_property
    def parsed(self) -> Protego | None:
        """Parse the rules; None if everything is allowed."""
        from protego import Protego

        # without rules everything is allowed
        return Protego.parse(self.text) if self.text.strip() else None

    @property
    def delay(self) -> float:
        """Return the seconds between two pages, 0 if the rules name none."""
        if self.parsed is None:
            return 0.0
        return float(self.parsed.crawl_delay(USER_AGENT) or 0.0)


def _site(url: str) -> str:
    """Return scheme and host of an address, without a user name."""
    address = urlsplit(url)
    _, _, host_and_port = address.netloc.rpartition("@")
    return f"{address.scheme}://{host_and_port}"
