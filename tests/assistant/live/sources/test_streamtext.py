"""StreamText over real HTTP.

Text that is taken back, sessions that begin again, events that are not there.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from assistant.core.errors import NetworkError
from assistant.live.sources.network_rules import fetcher
from assistant.live.sources.streamtext import (
    UNSETTLED_CHARACTERS,
    StreamTextSource,
    settled_end,
    text_after_typing,
)
from tests.assistant.live.following import finals

SPOKEN = "\r\n>> DAVID MUIR: WE BUILT FOUR HUNDER\b\bRED SCHOOLS. \r\n>> LINSEY DAVIS: AND ROADS AS WELL, ALL OF THEM. "


@pytest.fixture
def captions():
    """A server that has typed ``text`` so far and gives 17 characters at a time.

    ``answers`` go before that.
    """
    state = {"text": "", "answers": [], "asked": []}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            query = parse_qs(urlsplit(self.path).query)
            state["asked"].append(query)
            last_position = int(query["last"][0])
            piece = state["text"][last_position : last_position + 17]
            status = 200
            body = json.dumps(
                {"lastPosition": min(last_position + 17, len(state["text"])), "content": piece}
            )
            if state["answers"]:
                status, body = state["answers"].pop(0)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_):
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    state["at"] = f"http://127.0.0.1:{server.server_port}/captions"
    yield state
    server.shutdown()
    server.server_close()


def followed(captions, cursor="", *, is_enough):
    """Return what comes until ``is_enough`` says that it is enough of it."""
    source = StreamTextSource("CITY", fetch=fetcher(private=True), address=captions["at"], poll_s=0)
    stop = threading.Event()
    came = []
    for arrival in source.follow(cursor, stop):
        came.append(arrival)
        if is_enough(came):
            stop.set()
    return came


def said(came):
    texts_by_speaker: dict[str | None, list[str]] = {}
    for line in finals(came):
        texts_by_speaker.setdefault(line.speaker, []).append(line.text)
    return {speaker: " ".join(texts) for speaker, texts in texts_by_speaker.items()}


WHOLE = {
    "DAVID MUIR": "WE BUILT FOUR HUNDRED SCHOOLS.",
    "LINSEY DAVIS": "AND ROADS AS WELL, ALL OF THEM.",
}


def test_what_was_taken_back_is_not_said(captions):
    """Corrected letters, speakers by their marks; held text comes once nothing more is typed."""
    captions["text"] = SPOKEN

    came = followed(captions, is_enough=lambda came: said(came) == WHOLE)

    assert len({line.unit for line in finals(came)}) == len(finals(came))
    assert captions["asked"][0]["event"] == ["CITY"]


def test_it_goes_on_after_a_restart(captions):
    """Whenever it is cut off, the stored cursor holds what may still change."""
    captions["text"] = SPOKEN
    for cut in range(1, 6):
        early_arrivals = followed(captions, is_enough=lambda came, cut=cut: len(came) == cut)
        later_arrivals = followed(
            captions,
            early_arrivals[-1].cursor,
            is_enough=lambda came, b=early_arrivals: said(b + came) == WHOLE,
        )
        units = [line.unit for line in finals(early_arrivals + later_arrivals)]
        assert len(set(units)) == len(units)


def test_a_new_session_says_first_what_the_old_one_held(captions):
    """Positions begin at zero again; its lines are other lines."""
    captions["text"] = "THE OLD SESSION ENDS HERE. "
    early_arrivals = followed(captions, is_enough=lambda came: len(came) == 2)
    captions["text"] = "NEW. "

    came = followed(
        captions, early_arrivals[-1].cursor, is_enough=lambda came: len(finals(came)) == 2
    )

    assert [line.text for line in finals(came)] == ["THE OLD SESSION ENDS HERE.", "NEW."]
    assert [line.unit for line in finals(came)] == ["1:1", "2:1"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((404, '{"lastPosition": -1}'), "answered with status 404"),
        ((200, '{"lastPosition": -1, "content": ""}'), "no event 'CITY' at the moment"),
        ((200, "<html>"), "isn't in StreamText's format"),
        ((200, '{"lastPosition": "x"}'), "isn't in StreamText's format"),
        ((200, "[]"), "isn't in StreamText's format"),
        ((200, "1" * 2_100_000), "larger than 2,000,000 bytes"),
    ],
)
def test_a_fault_is_told_once_and_the_next_answer_is_taken(captions, answer, told):
    """No such event, no JSON, too much of it: nothing is lost by it."""
    captions |= {"text": SPOKEN, "answers": [answer, answer]}

    came = followed(captions, is_enough=lambda came: said(came) == WHOLE)

    (warning,) = [a.warning for a in came if a.warning]
    assert told in warning
    assert "Trying again" in warning


def test_a_backspace_reaches_no_further_than_what_is_held():
    """What was settled before stands."""
    assert text_after_typing("AB", "\bC") == "AC"
    assert text_after_typing("", "\b\bX") == "X"


def test_a_name_is_not_cut_in_two():
    """The border waits for the colon; where none comes, the mark alone begins a turn."""
    tail = "X" * UNSETTLED_CHARACTERS

    assert settled_end(f"ONE >> DAVID MUIR{tail}") == 4
    assert len("ONE >> DAVID MUIR: ") == settled_end(f"ONE >> DAVID MUIR: TONIG{tail}")
    assert settled_end("SHORT") == 0


def test_private_networks_are_not_asked():
    """Like every other address."""
    with pytest.raises(NetworkError, match="private network"):
        StreamTextSource("CITY", address="http://127.0.0.1/captions")._fetch_text(0)
