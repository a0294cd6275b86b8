"""The site that speaks on a page: its host, and its author where one host serves many."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from assistant.claims import claim_fields, page_addresses

MAX_REMEMBERED_SITES = 4096
# Hosts that serve many authors by path: the first segment names the author.
_SHARED_HOSTS = frozenset(
    (
        "archive.is",
        "archive.org",
        "archive.ph",
        "bitbucket.org",
        "blogger.com",
        "blogspot.com",
        "bsky.app",
        "codeberg.org",
        "docs.google.com",
        "drive.google.com",
        "facebook.com",
        "github.com",
        "gitlab.com",
        "instagram.com",
        "linkedin.com",
        "livejournal.com",
        "medium.com",
        "notion.site",
        "open.substack.com",
        "pastebin.com",
        "patreon.com",
        "quora.com",
        "raw.githubusercontent.com",
        "reddit.com",
        "scribd.com",
        "sites.google.com",
        "substack.com",
        "t.me",
        "telegra.ph",
        "threads.net",
        "tiktok.com",
        "tumblr.com",
        "twitter.com",
        "vk.com",
        "web.archive.org",
        "wordpress.com",
        "x.com",
        "youtube.com",
    )
)
# Segments before the name of the author: /user/NAME, /r/NAME, /d/NAME.
_KINDS_OF_AUTHOR_PATTERN = re.compile(
    r"@|~|[a-z]|author|blogs?|channel|company|document|file|groups?|home|in|members?|pages?|people"
    r"|posts?|profile|pub|site|spreadsheets|stories|story|tag|u|users?|view|watch|web"
)
# A first segment that names an author on any host: /@name, /~name.
_AUTHOR_MARKS = ("@", "~")


# An import asks several times for the site of a row.
@lru_cache(maxsize=MAX_REMEMBERED_SITES)
def page_site(url: str) -> str:
    """Return the host of the site of a page, with the author's segments if it serves many.

    A page in a cache of AMP pages belongs to its publisher's site. "" if no site is known.
    """
    publishers_url = page_addresses.publishers_address(url)
    host = claim_fields.site_host(publishers_url)
    if not host:
        return ""
    path = unquote(urlsplit(publishers_url.strip()).path).casefold()
    segments = [segment for segment in path.split("/") if segment]
    if not segments:
        return host
    names_author = segments[0].startswith(_AUTHOR_MARKS)
    is_shared_host = host in _SHARED_HOSTS
    if not is_shared_host and not names_author:
        return host
    # The name of the author follows the kind, as in /user/NAME, or stands alone.
    begins_with_kind = _KINDS_OF_AUTHOR_PATTERN.fullmatch(segments[0]) is not None
    author_segments = segments[:2] if begins_with_kind else segments[:1]
    return "/".join((host, *author_segments))
