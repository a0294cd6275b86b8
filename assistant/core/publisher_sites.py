"""Publishers of fact-checks and their sites, by the table publisher_sites.toml.

Anybody may write a publisher's name into markup. A name and a site belong together if the table
says so, or if the name is the site's own. Otherwise readers see both.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from assistant.core.look_alikes import as_latin, look_key

SITES_PATH = Path(__file__).with_name("publisher_sites.toml")
_SIGNS_AROUND = " .,;:!?*-_'\"()[]"
_FACT_CHECK_END_PATTERN = re.compile(r"(?:['’]s?)?\s{1,20}fact[ -]?check(?:er|ers|ing|s)?$")
SHORT_LABEL_CHARACTERS = 3  # com, co, org: no name of a site


@dataclass(frozen=True, slots=True)
class SiteTable:
    """The table in memory: the publisher of each site, and the keys of all publishers in it.

    ``own``: the publisher of each site whose address does not name it.
    """

    publishers: Mapping[str, str]
    own: Mapping[str, str]
    keys: frozenset[str]


@cache
def site_table() -> SiteTable:
    """Return the table of publisher_sites.toml."""
    stored = tomllib.loads(SITES_PATH.read_text("utf-8"))
    publishers: dict[str, str] = stored["sites"]
    keys = frozenset(_comparable_name(name) for name in publishers.values())
    return SiteTable(publishers, stored["own"], keys)


def publisher_of_site(url: str) -> str:
    """Return the publisher of an address by the table, else its host, "" without an address."""
    host = host_of(url)
    labels = host.split(".")
    # A subdomain has its own publisher or its domain has one: a.b.org, then b.org.
    for removed_count in range(len(labels) - 1):
        domain = ".".join(labels[removed_count:])
        publisher = site_table().publishers.get(domain)
        if publisher:
            return publisher
    return host


def host_of(url: str) -> str:
    """Return the host of an address without ``www.``, "" if there is none."""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def publisher_key(publisher: str) -> str:
    """Return the part that all spellings of a publisher's name share.

    *snopes* for *The Snopes.com*.
    """
    name = re.sub(r"\.com$", "", publisher.strip().casefold()).removeprefix("the ")
    return re.sub(r"['’]?s? fact[ -]?check(?:er|ers|ing|s)?$", "", name)


def belong_together(publisher: str, url: str) -> bool:
    """Return whether a publisher is known to own the site of an address.

    A publisher of the table owns its sites only, and so does a name that looks like its name.
    Another one owns a site that has its name.
    """
    host = host_of(url)
    if not host:
        return True
    # A site that the table lacks has its own host as its publisher.
    publisher_in_table = publisher_of_site(url)
    is_site_in_table = publisher_in_table != host
    if is_site_in_table:
        return _comparable_name(publisher) == _comparable_name(publisher_in_table)
    # The table has all sites of its publishers, and this one isn't among them.
    if is_listed(publisher):
        return False
    # "harbourpost.com" as the name of a publisher
    if publisher_key(publisher) == publisher_key(host):
        return True
    # The table also has sites whose address does not name their publisher.
    if site_table().own.get(host) == publisher:
        return True
    # "Harbour Post" owns harbourpost.com.
    return _letters_only(publisher) == _letters_only(_site_name(host))


def is_listed(publisher: str) -> bool:
    """Return whether the table has the sites of a publisher, or of one whose name looks alike."""
    return _comparable_name(publisher) in site_table().keys


def shown_host(url: str) -> str:
    """Return the host of an address as readers see it: xn--… if it isn't ASCII."""
    host = host_of(url)
    if host.isascii():
        return host
    labels = unicodedata.normalize("NFKC", host).split(".")
    return ".".join(label if label.isascii() else _punycode(label) for label in labels)


def _site_name(host: str) -> str:
    """Return the label of a host that its owner chose: *fullfact* of ``www.fullfact.co.uk``."""
    labels = host.split(".")[:-1]
    while len(labels) > 1 and len(labels[-1]) <= SHORT_LABEL_CHARACTERS:
        labels.pop()
    return labels[-1] if labels else host


def _punycode(label: str) -> str:
    """Return a label of an international host as it is registered: ``xn--…``."""
    return "xn--" + label.encode("punycode").decode("ascii")


def _comparable_name(publisher: str) -> str:
    """Return the part that all spellings of a publisher's name and all look-alikes share."""
    name = as_latin(publisher).strip(_SIGNS_AROUND)
    return look_key(publisher_key(_FACT_CHECK_END_PATTERN.sub("", name)))


def _letters_only(name: str) -> str:
    """Return the letters and digits of a name in lower case."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())
