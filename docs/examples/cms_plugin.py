"""Fact-checks for the draft of an article, as a box that a content management system shows.

Usage: python -m docs.examples.cms_plugin draft.txt > box.html
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from assistant.client import Client, ClientMatch

TEXTS_PER_REQUEST = 20
MAX_PARAGRAPH_CHARACTERS = 900  # so that the texts of a request stay below 20,000 characters


def box(client: Client, draft: str) -> str:
    """Return the matches of a draft as HTML; every word of strangers is escaped."""
    paragraphs = list(pieces(draft))
    items = []
    for start in range(0, len(paragraphs), TEXTS_PER_REQUEST):
        for match in client.match(*paragraphs[start : start + TEXTS_PER_REQUEST], limit=1):
            items.append(item(match))
    if not items:
        return "<p>No fact-check covers this draft.</p>\n"
    return f"<ul>\n{''.join(items)}</ul>\n"


def pieces(draft: str) -> Iterator[str]:
    """Yield the paragraphs of a draft, long ones in pieces that end at a space."""
    for paragraph in draft.split("\n"):
        words = paragraph.split()
        piece = ""
        for word in words:
            if piece and len(piece) + len(word) >= MAX_PARAGRAPH_CHARACTERS:
                yield piece
                piece = ""
            piece = f"{piece} {word[:MAX_PARAGRAPH_CHARACTERS]}".strip()
        if piece:
            yield piece


def item(match: ClientMatch) -> str:
    """Return a match as an item of a list."""
    check = match.fact_check
    doubts = "; ".join([*match.differs, *match.cautions])
    note = f" <em>{escape(doubts)}</em>" if doubts else ""
    source = escape(f"{check.publisher}: {check.rating}")
    if check.url:
        source = f'<a href="{escape(check.url)}" rel="noopener">{source}</a>'
    return (
        f"<li><q>{escape(match.text)}</q> {escape(match.strength)} match with "
        f"<q>{escape(check.statement)}</q> ({source}).{note}</li>\n"
    )


def main() -> None:
    """Write the box of the draft that the command line names."""
    address = os.environ.get("LECTERN_API", "http://127.0.0.1:8600")
    with Client(address, os.environ["LECTERN_API_TOKEN"]) as client:
        sys.stdout.write(box(client, Path(sys.argv[1]).read_text("utf-8")))


if __name__ == "__main__":
    main()
