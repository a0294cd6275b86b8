"""Follows captions that people write, from StreamText, where text that was typed may be taken back.

A backspace deletes the character before it, so the last ``HELD`` characters wait until more have
come, or nothing comes for a while. The format is that of StreamText's web page and of public
clients; it is not a published contract.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event as Flag
from urllib.parse import quote

from assistant.core.errors import NetworkError
from assistant.live.live_lines import Arrival, Line, cursor_at, place_at
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.network_rules import fetcher
from assistant.web.fetching import Fetcher

ADDRESS = "https://www.streamtext.net/captions"
POLL_S = 3.0
HELD = 40  # characters that may still be taken back
PATIENCE = 4  # polls without new text until the waiting characters are settled
LONGEST_NAME = 60  # characters after >> in which a name may end with a colon
BACKSPACE = "\b"


@dataclass
class Place:
    """How far the captions were read: ``held`` may still change, ``number`` pieces are settled."""

    session: int = 1
    last: int = 0
    number: int = 0
    held: str = ""
    speaker: str | None = None


@dataclass
class StreamTextSource:
    """Follows the captions of an event by its name at StreamText."""

    event: str
    language: str = "en"
    fetch: Fetcher = field(default_factory=fetcher)
    address: str = ADDRESS
    name: str = "StreamText"
    poll_s: float = POLL_S

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield settled text until ``stop`` is set.

        StreamText does not tell when an event ends.
        """
        place = place_at(Place, cursor)
        failing = ""
        silent = 0
        while not stop.is_set():
            try:
                last, content = self._ask(place.last)
            except NetworkError as error:
                if str(error) != failing:
                    yield Arrival(warning=f"{error} Trying again.")
                failing = str(error)
                stop.wait(self.poll_s)
                continue
            failing = ""
            silent = 0 if content else silent + 1
            if last < place.last:  # a new day's session counts from zero again
                lines = self._settled(place, whole=True)
                place = Place(place.session + 1)
                yield Arrival(tuple(lines), cursor_at(place))
                continue
            place.last, place.held = last, typed(place.held, content)
            lines = self._settled(place, whole=silent == PATIENCE)
            if content or lines:
                yield Arrival(tuple(lines), cursor_at(place))
            stop.wait(self.poll_s)

    def _ask(self, last: int) -> tuple[int, str]:
        """Return the position of the captions and the text after ``last``.

        Raises: NetworkError.
        """
        url = (
            f"{self.address}?event={quote(self.event)}&last={last}&language={quote(self.language)}"
        )
        _, data = self.fetch.get(url)
        try:
            answer = json.loads(data)
            position = answer["lastPosition"]
            content = answer.get("content") or ""
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise NetworkError(
                "the answer is not in StreamText's form.", where=self.address
            ) from error
        if not isinstance(position, int) or not isinstance(content, str):
            raise NetworkError("the answer is not in StreamText's form.", where=self.address)
        if position < 0:
            raise NetworkError(
                f"StreamText has no event {self.event[:80]!r} now.", remedy="Is the name right?"
            )
        return position, content

    def _settled(self, place: Place, *, whole: bool) -> list[Line]:
        """Take the settled part out of the held text and return it as lines."""
        end = len(place.held) if whole else border(place.held)
        text = " ".join(place.held[:end].split())
        place.held = place.held[end:]
        if not text:
            return []
        place.number += 1
        captions = Captions(self.name, place.speaker)
        lines = captions.said(f"{place.session}:{place.number}", text)
        place.speaker = captions.speaker
        return lines


def make(event: str, options: argparse.Namespace) -> StreamTextSource:
    """Return the captions of an event."""
    return StreamTextSource(event, options.language or "en", fetcher(options.allow_private))


def typed(held: str, content: str) -> str:
    """Return the held text after more was typed.

    A backspace deletes one character, never a settled one.
    """
    text = list(held)
    for sign in content:
        if sign != BACKSPACE:
            text.append(sign)
        elif text:
            text.pop()
    return "".join(text)


def border(text: str) -> int:
    """Return where the settled part of a text ends.

    After a word, and outside the name of a new speaker.
    """
    settled = text[: max(len(text) - HELD, 0)]
    end = max(settled.rfind(" "), settled.rfind("\n")) + 1
    turn = settled.rfind(">>")
    if turn >= 0 and ":" not in settled[turn:end] and end - turn < LONGEST_NAME:
        return turn
    return end
