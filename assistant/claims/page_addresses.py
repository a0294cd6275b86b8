"""Addresses of one page: with and without tracking, AMP, mobile host, scheme and fragment.

``page_key`` is equal for all of them, ``without_tracking`` is the address to store, and
``best_address`` chooses between two addresses of one page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

# Parameters that say who shared a link or where, and never which page it is.
_TRACKING_NAMES_PATTERN = re.compile(
    r"(?:utm|mtm|pk|piwik|matomo|hsa|at|wt|pf_rd)_\w+|_ga|_gl|_hsenc|_hsmi|_branch_match_id"
    r"|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|li_fat_id|igshid|igsh"
    r"|mc_[ce]id|mkt_tok|ref|ref_?src|ref_?url|refer+er|ncid|ocid|icid|smid|smtyp|s_cid|cmp(?:id)?"
    r"|campaign(?:_?id)?|sfnsn|spm|trk|xtor|wt\.mc_id|guccounter|guce_\w+|share|shared|sharetype"
    r"|__twitter_impression|__tn__|__cft__\S*|fb_\w+|oly_(?:anon|enc)_id|vero_id|sr_share|soc_\w+|_x_tr_\w+|jsessionid|phpsessid|asp\.net_sessionid"
    r"|sessionid",
    re.I,
)
# Parameters that are tracking only with one of these values: ``source`` may name a page elsewhere.
_PLACE_NAMES_PATTERN = re.compile(r"source|src|via|from|feed|medium|channel|origin", re.I)
_PLACES_PATTERN = re.compile(
    r"rss\w*|feed\w*|atom|twitter|x|facebook|fb|whatsapp|telegram|linkedin|instagram|reddit|e?-?mail"
    r"|newsletter|share\w*|social\w*|google\w*|news\w*|app|push|amp|home(?:page)?|widget|mobile",
    re.I,
)
# Parameters of the AMP, mobile and print versions of a page.
_AMP_PARAMETER_PATTERN = re.compile(
    r"amp(?:=(?:1|true|yes|amp)?)?|(?:output_?type|view|mode|output)=(?:amp|print|mobile)|m=1"
    r"|print(?:able)?(?:=(?:1|true|yes|print)?)?",
    re.I,
)
_SESSION_IN_PATH_PATTERN = re.compile(r";(?:jsessionid|sid)=[^/]*", re.I)
# Copies and redirections have the address of the page in their own: Internet Archive, Google
# Translate, and the links of Facebook and Google.
_ARCHIVED_PATH_PATTERN = re.compile(r"^/web/\d{4,14}(?:[a-z]{2}_)?/(https?:/{1,2}.+)$", re.I)
_ARCHIVE_HOST = "web.archive.org"
_TRANSLATED_HOST = ".translate.goog"
_REDIRECTING_HOSTS_PATTERN = re.compile(r"lm?\.facebook\.com|(?:www\.)?google\.[a-z.]{2,6}", re.I)
_REDIRECTING_PATHS = ("/l.php", "/url")
_REDIRECTED_NAMES = ("u", "url", "q")
_AMP_START_PATTERN = re.compile(r"^/amp(?=/.)", re.I)
_AMP_END_PATTERN = re.compile(r"(?:/amp|\.amp|/amp\.html?)$", re.I)
_AMP_FILE_END_PATTERN = re.compile(r"\.amp(?=\.html?$)", re.I)
_INDEX_FILE_PATTERN = re.compile(r"/index\.(?:html?|php|aspx?)$", re.I)
_ADDRESS_WORD_PATTERN = re.compile(r"[^\W\d_]+")
# Words in the addresses of content management systems that say nothing about a page.
_WORDS_OF_SYSTEMS = frozenset(
    "index php html htm aspx asp node p id pid page article articles story post posts item view"
    " content news a n s entry archives archive default show detail read fact check factcheck".split()
)
_SLASHES_PATTERN = re.compile(r"/{2,}")
_HOST_PREFIXES = ("www.", "m.", "mobile.", "amp.")
# The domains of countries only: google.zip may be anybody's.
_GOOGLE_AMP_PATTERN = re.compile(r"(?:www\.)?google\.(?:com|(?:com?\.)?[a-z]{2})", re.I)
# The path of a page in a cache of AMP pages: its host and its own path.
_CACHED_PATH_PATTERN = re.compile(r"^/(?:amp/|[civ]/)(?:s/)?(?P<host>[^/]+\.[^/]+)(?P<path>/.*)?$")
MAX_REMEMBERED_ADDRESSES = 4096
_AMP_CACHE = ".cdn.ampproject.org"
_DEFAULT_PORTS = (":80", ":443")
_ROUTE_MARKS = ("!", "/")  # a fragment that begins so names a page of a one-page application


class _Address(NamedTuple):
    """The parts of an address that make the page, and how many marks of another version it has."""

    key: str
    version_mark_count: int


def page_key(url: str) -> str:
    """Return the text that all addresses of one page share; an invalid address is its own key."""
    return _parse_address(url).key


@lru_cache(maxsize=MAX_REMEMBERED_ADDRESSES)
def without_tracking(url: str) -> str:
    """Return an address without parameters of tracking and without the place in the page."""
    try:
        address = urlsplit(url)
    except ValueError:
        return url
    if address.scheme.lower() not in ("http", "https"):
        return url
    parameters = address.query.split("&")
    query = "&".join(parameter for parameter in parameters if not _is_tracking(parameter))
    # A fragment is a place in the page, unless a one-page application names its pages so.
    names_page = address.fragment.startswith(_ROUTE_MARKS)
    fragment = address.fragment if names_page else ""
    if query == address.query and fragment == address.fragment:
        return url
    return address._replace(query=query, fragment=fragment).geturl()


def best_address(stored_url: str, new_url: str) -> str:
    """Return the clearest of two addresses of one page, else the new one.

    Copies, AMP and mobile versions give way, then http, then the longer address.
    """
    if not stored_url or not new_url:
        return stored_url or new_url
    stored_address = _parse_address(stored_url)
    new_address = _parse_address(new_url)
    leads_to_other_page = stored_address.key != new_address.key
    if leads_to_other_page:
        return new_url
    # The clearest address comes first in the order.
    new_order = _clearness_order(new_url, new_address)
    stored_order = _clearness_order(stored_url, stored_address)
    return new_url if new_order < stored_order else stored_url


def is_number_only(url: str) -> bool:
    """Return whether an address has no words about its page: ``index.php?p=77``, ``/node/12``."""
    _, is_divided, path = page_key(url).partition("/")
    if not is_divided:
        _, is_divided, path = page_key(url).partition("?")
    words = set(_ADDRESS_WORD_PATTERN.findall(path.lower()))
    return bool(is_divided) and words <= _WORDS_OF_SYSTEMS


def best_of_page(stored_url: str, new_url: str) -> str:
    """Return ``best_address`` if both are addresses of one page, else the stored address."""
    if stored_url and page_key(stored_url) != page_key(new_url):
        return stored_url
    return best_address(stored_url, new_url)


@lru_cache(maxsize=MAX_REMEMBERED_ADDRESSES)
def publishers_address(url: str) -> str:
    """Return the address on the publisher's site of a page in a cache of AMP pages, else itself."""
    try:
        address = urlsplit(url.strip())
    except ValueError:
        return url
    original_address = _cached_page(address)
    return original_address.geturl() if original_address is not None else url


def _clearness_order(url: str, address: _Address) -> tuple[int, bool, int]:
    """Return the sort key of an address among all addresses of one page."""
    return address.version_mark_count, url.lower().startswith("http:"), len(url)


# An import asks several times for the address of a row.
@lru_cache(maxsize=MAX_REMEMBERED_ADDRESSES)
def _parse_address(url: str) -> _Address:
    try:
        address = urlsplit(url.strip())
    except ValueError:
        return _Address(url, 0)
    mark_count = 0
    unwrapped = _cached_page(address) or _copied_page(address)
    if unwrapped is not None:
        address = unwrapped
        mark_count += 1
    host, host_marks = _host_of_site(address.netloc)
    path, path_marks = _page_path(address.path)
    parameters = []
    for parameter in address.query.split("&"):
        is_amp = bool(_AMP_PARAMETER_PATTERN.fullmatch(parameter))
        if is_amp or _is_tracking(parameter):
            mark_count += 1
        elif parameter:
            parameters.append(parameter)
    if not parameters:
        path = _INDEX_FILE_PATTERN.sub("", path)
    key = host + path
    if parameters:
        key = f"{key}?{'&'.join(sorted(parameters))}"
    if address.fragment.startswith(_ROUTE_MARKS):
        key = f"{key}#{address.fragment}"
    elif address.fragment:
        mark_count += 1
    return _Address(key, mark_count + host_marks + path_marks)


def _is_tracking(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    if _TRACKING_NAMES_PATTERN.fullmatch(name):
        return True
    return bool(_PLACE_NAMES_PATTERN.fullmatch(name) and _PLACES_PATTERN.fullmatch(value))


def _host_of_site(netloc: str) -> tuple[str, int]:
    """Return the host of the site that a host belongs to, and the number of prefixes removed.

    ``www`` is a part of most addresses, and does not count as a mark.
    """
    host = netloc.lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    removed_prefixes = 0
    for prefix in _HOST_PREFIXES:
        host_without_prefix = host.removeprefix(prefix)
        is_complete_host = "." in host_without_prefix
        if host_without_prefix != host and is_complete_host:
            host = host_without_prefix
            if prefix != "www.":
                removed_prefixes += 1
    return host, removed_prefixes


def _page_path(path: str) -> tuple[str, int]:
    """Return the path without AMP and a final slash, and the number of marks removed."""
    without_session = _SESSION_IN_PATH_PATTERN.sub("", path)
    path_without_session = _SLASHES_PATTERN.sub("/", unquote(without_session)).rstrip("/")
    without_amp = path_without_session
    for amp_pattern in (_AMP_START_PATTERN, _AMP_END_PATTERN, _AMP_FILE_END_PATTERN):
        without_amp = amp_pattern.sub("", without_amp)
    return without_amp.rstrip("/"), int(without_amp != path_without_session)


def _cached_page(address: SplitResult) -> SplitResult | None:
    """Return the publisher's address of a page in a cache of AMP pages, None if it is in none."""
    # google.com/amp/s/example.org/page, or example-org.cdn.ampproject.org/c/s/example.org/page
    host = address.netloc.lower()
    is_google = bool(_GOOGLE_AMP_PATTERN.fullmatch(host)) and address.path.startswith("/amp/")
    is_amp_project = host.endswith(_AMP_CACHE)
    if not is_google and not is_amp_project:
        return None
    path_match = _CACHED_PATH_PATTERN.match(address.path)
    if path_match is None:
        return None
    page_host = path_match["host"].lower()
    # The AMP project also names the publisher in its host, with - for dots and -- for hyphens.
    expected_label = page_host.replace("-", "--").replace(".", "-")
    if not is_google and host.removesuffix(_AMP_CACHE) != expected_label:
        return None
    return address._replace(netloc=page_host, path=path_match["path"] or "/")


def _copied_page(address: SplitResult) -> SplitResult | None:
    """Return the address of the page that a copy or a redirection is of, None for another page.

    Only for the identity of a page: the host of a copy does not speak for its publisher.
    """
    host = address.netloc.lower()
    if host.endswith(_TRANSLATED_HOST):
        # The label has - for the dots of the host and -- for its hyphens. A zero character
        # stands for the hyphens until the dots are back.
        label = host.removesuffix(_TRANSLATED_HOST)
        page_host = label.replace("--", "\0").replace("-", ".").replace("\0", "-")
        return address._replace(netloc=page_host)
    original_url = ""
    if host == _ARCHIVE_HOST:
        original_url = _archived_url(address)
    elif _REDIRECTING_HOSTS_PATTERN.fullmatch(host) and address.path in _REDIRECTING_PATHS:
        original_url = _redirected_url(address)
    try:
        original_address = urlsplit(original_url)
    except ValueError:
        return None
    is_web_page = original_address.scheme in ("http", "https") and original_address.netloc != ""
    return original_address if is_web_page else None


def _archived_url(address: SplitResult) -> str:
    """Return the address of the page that a copy in the web archive is of, "" if it names none."""
    archived_path = _ARCHIVED_PATH_PATTERN.match(address.path)
    if archived_path is None:
        return ""
    original_url = archived_path[1]
    return f"{original_url}?{address.query}" if address.query else original_url


def _redirected_url(address: SplitResult) -> str:
    """Return the address to which a redirection leads, "" if its query names none."""
    parameters = dict(parse_qsl(address.query))
    for name in _REDIRECTED_NAMES:
        if name in parameters:
            return parameters[name]
    return ""
