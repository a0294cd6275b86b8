"""Follows captions that people write, from StreamText, where text that was typed may be taken back.

A backspace deletes the character before it, so the last ``UNSETTLED_CHARACTERS`` characters wait until more have
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
from assistant.live.live_lines import Arrival, Line, cursor_at, position_at
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.network_rules import fetcher
from assistant.web.fetching import Fetcher

ADDRESS = "https://www.streamtext.net/captions"
STREAMTEXT_POLL_S = 3.0
UNSETTLED_CHARACTERS = 40  # characters that may still be taken back
SILENT_POLLS = 4  # polls without new text until the waiting characters are settled
NAME_CHARACTERS = 60  # characters after >> in which a name may end with a colon
BACKSPACE = "\b"


@dataclass
class StreamTextPosition:
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
    poll_s: float = STREAMTEXT_POLL_S

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield settled text until ``stop`` is set.

        StreamText does not tell when an event ends.
        """
        position = position_at(StreamTextPosition, cursor)
        last_failure = ""  # said once, however often it comes again
        silent_poll_count = 0
        while not stop.is_set():
            try:
                new_offset, content = self._fetch_text(position.last)
            except NetworkError as error:
                if str(error) != last_failure:
                    yield Arrival(warning=f"{error} Trying again.")
                last_failure = str(error)
                stop.wait(self.poll_s)
                continue
            last_failure = ""
            silent_poll_count = 0 if content else silent_poll_count + 1
            is_new_session = new_offset < position.last  # each day counts from zero again
            if is_new_session:
                lines = self._settled_lines(position, is_all_settled=True)
                position = StreamTextPosition(position.session + 1)
                yield Arrival(tuple(lines), cursor_at(position))
                continue
            position.last = new_offset
            position.held = text_after_typing(position.held, content)
            lines = self._settled_lines(position, is_all_settled=silent_poll_count == SILENT_POLLS)
            if content or lines:
                yield Arrival(tuple(lines), cursor_at(position))
            stop.wait(self.poll_s)

    def _fetch_text(self, offset: int) -> tuple[int, str]:
        """Return the position of the captions and the text after ``offset``.

        Raises: NetworkError.
        """
        url = f"{self.address}?event={quote(self.event)}&last={offset}&language={quote(self.language)}"
        _, data = self.fetch.get(url)
        try:
            answer = json.loads(data)
            position = answer["lastPosition"]
            content = answer.get("content") or ""
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise NetworkError(
                "the response isn't in StreamText's format.", where=self.address
            ) from error
        if not isinstance(position, int) or not isinstance(content, str):
            raise NetworkError("the response isn't in StreamText's format.", where=self.address)
        if position < 0:
            raise NetworkError(
                f"StreamText has no event {self.event[:80]!r} at the moment.",
                remedy="Check the name of the event.",
            )
        return position, content

    def _settled_lines(self, position: StreamTextPosition, *, is_all_settled: bool) -> list[Line]:
        """Take the settled part out of the held text and return it as lines."""
        # Text is held back while the captioner may still correct it.
        settled_length = len(position.held) if is_all_settled else settled_end(position.held)
        settled_text = position.held[:settled_length]
        position.held = position.held[settled_length:]
        text = " ".join(settled_text.split())
        if not text:
            return []
        position.number += 1
        captions = Captions(self.name, position.speaker)
        lines = captions.read_text(f"{position.session}:{position.number}", text)
        position.speaker = captions.speaker
        return lines


def make(event: str, options: argparse.Namespace) -> StreamTextSource:
    """Return the captions of an event."""
    return StreamTextSource(event, options.language or "en", fetcher(options.allow_private))


def text_after_typing(unsettled: str, content: str) -> str:
    """Return the held text after more was typed.

    A backspace deletes one character, never a settled one.
    """
    characters = list(unsettled)
    for character in content:
        if character != BACKSPACE:
            characters.append(character)
        elif characters:
            characters.pop()
    return "".join(characters)


def settled_end(text: str) -> int:
    """Return where the settled part of a text ends.

    After a word, and outside the name of a new speaker.
    """
    settled_text = text[: max(len(text) - UNSETTLED_CHARACTERS, 0)]
    last_space = max(settled_text.rfind(" "), settled_text.rfind("\n"))
    word_end = last_space + 1
    # ">> NAME:" begins a turn; without the colon, the name may still grow.
    turn_start = settled_text.rfind(">>")
    if turn_start < 0:
        return word_end
    has_colon = ":" in settled_text[turn_start:word_end]
    may_be_in_name = not has_colon and word_end - turn_start < NAME_CHARACTERS
    return turn_start if may_be_in_name else word_end
