"""HLS subtitles over real HTTP.

A playlist that moves on, cues across borders, gaps, servers that fail.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assistant.core.errors import NetworkError
from assistant.live.sources.hls import HlsSource, read_playlist
from assistant.live.sources.network_rules import address_test, fetcher, recogniser
from tests.assistant.live.following import finals

MASTER = """#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",LANGUAGE="es",URI="es.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",LANGUAGE="en",DEFAULT=YES,URI="en/subs.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1
video.m3u8
"""


def playlist(first_number, *names, over=False):
    segments = "".join(f"#EXTINF:6.0,\n{name}\n" for name in names)
    end = "#EXT-X-ENDLIST\n" if over else ""
    return (
        f"#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:{first_number}\n{segments}{end}"
    )


def vtt(*cues, ticks=900_000):
    cues_text = "".join(f"{start} --> {end}\n{text}\n\n" for start, end, text in cues)
    return f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:{ticks},LOCAL:00:00:00.000\n\n{cues_text}"


ONE = ("00:00:01.000", "00:00:04.000", "We built schools. And")
TWO = ("00:00:05.000", "00:00:07.000", "roads.")


@pytest.fixture
def site():
    """Serve texts by path; a list is served one after the other, its last again and again.

    None is an error.
    """
    pages = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            page = pages.get(self.path)
            if isinstance(page, list):
                page = page.pop(0) if len(page) > 1 else page[0]
            if isinstance(page, int):
                self.send_response(page)
                self.send_header("Location", "http://10.0.0.1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(200 if page is not None else 503)
            data = (page or "").encode()
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages["at"] = f"http://127.0.0.1:{server.server_port}"
    yield pages
    server.shutdown()


def followed(site, path="/master.m3u8", cursor="", **options):
    source = HlsSource(site["at"] + path, fetch=fetcher(private=True), retry_s=0, **options)
    return list(source.follow(cursor, threading.Event()))


def test_cues_come_segment_by_segment_each_once(site):
    """A cue in two segments is one unit; the times go on; the stream ends with its playlist."""
    site |= {
        "/master.m3u8": MASTER,
        "/en/subs.m3u8": [playlist(0, "a.vtt"), playlist(0, "a.vtt", "b.vtt", over=True)],
        "/en/a.vtt": vtt(ONE),
        "/en/b.vtt": vtt(ONE, TWO),
    }

    came = finals(followed(site))

    assert [(line.text, line.start) for line in came] == [
        ("We built schools. And", 1.0),
        ("We built schools. And", 1.0),
        ("roads.", 5.0),
    ]
    assert len({line.unit for line in came}) == 2


def test_a_cue_that_the_border_of_segments_divides_is_one_unit(site):
    """Each half has its own times."""
    first_half = ("00:00:04.000", "00:00:06.000", "roads.")
    second_half = ("00:00:06.000", "00:00:08.000", "roads.")
    site |= {
        "/subs.m3u8": playlist(0, "a.vtt", "b.vtt", over=True),
        "/a.vtt": vtt(ONE, first_half),
        "/b.vtt": vtt(second_half),
    }

    came = finals(followed(site, "/subs.m3u8"))

    assert [(line.text, line.start, line.end) for line in came[1:]] == [
        ("roads.", 4.0, 6.0),
        ("roads.", 4.0, 8.0),
    ]
    assert came[1].unit == came[2].unit


def test_segments_with_clocks_of_their_own_go_on(site):
    """Later segments count from zero again, and their map says how much later they are."""
    site |= {
        "/subs.m3u8": playlist(0, "a.vtt", "b.vtt", over=True),
        "/a.vtt": vtt(ONE),
        "/b.vtt": vtt(ONE, ticks=900_000 + 90_000 * 6),
    }

    assert [line.start for line in finals(followed(site, "/subs.m3u8"))] == [1.0, 7.0]


def test_a_clock_that_wraps_goes_on(site):
    """The 33 bits of the clock run over after a day."""
    site |= {
        "/subs.m3u8": playlist(0, "a.vtt", "b.vtt", over=True),
        "/a.vtt": vtt(ONE, ticks=2**33 - 90_000),
        "/b.vtt": vtt(ONE, ticks=90_000),
    }

    assert [line.start for line in finals(followed(site, "/subs.m3u8"))] == [1.0, 3.0]


def test_a_gap_in_the_playlist_is_told(site):
    """Segments that went before they were read are counted in a warning."""
    site |= {
        "/subs.m3u8": [
            *[playlist(3, "a.vtt")] * 2,
            playlist(6, "b.vtt", over=True),
        ],  # the first time to see what it is
        "/a.vtt": vtt(ONE),
        "/b.vtt": vtt(TWO),
    }

    came = followed(site, "/subs.m3u8")

    assert [a.warning for a in came if a.warning] == [
        "2 segments were gone before they could be read."
    ]
    assert [line.text for line in finals(came)] == ["We built schools. And", "roads."]


def test_a_segment_that_does_not_come_is_left_out(site):
    """After some tries, with a warning; the next one is read."""
    site |= {"/subs.m3u8": playlist(0, "gone.vtt", "b.vtt", over=True), "/b.vtt": vtt(TWO)}

    came = followed(site, "/subs.m3u8")

    assert [a.warning for a in came if a.warning] == ["segment 0 did not come and was left out."]
    assert [line.text for line in finals(came)] == ["roads."]


def test_a_server_that_fails_is_asked_again(site):
    """One warning however often it fails."""
    site |= {"/subs.m3u8": [None, None, playlist(0, "b.vtt", over=True)], "/b.vtt": vtt(TWO)}

    came = followed(site, "/subs.m3u8")

    assert sum("503" in a.warning for a in came) == 1
    assert [line.text for line in finals(came)] == ["roads."]


def test_it_goes_on_after_a_restart(site):
    """Segments that were stored are not read again, and the clock is that of the first run."""
    site |= {
        "/subs.m3u8": [
            *[playlist(0, "a.vtt", over=True)] * 2,
            playlist(0, "a.vtt", "b.vtt", over=True),
        ],
        "/a.vtt": vtt(ONE),
        "/b.vtt": vtt(ONE, ticks=900_000 + 90_000 * 6),
    }
    cursor = followed(site, "/subs.m3u8")[-1].cursor

    assert [line.start for line in finals(followed(site, "/subs.m3u8", cursor))] == [7.0]


def test_private_networks_are_not_asked():
    """Neither by number, nor by a name that leads there, nor under another scheme."""
    for url in (
        "http://127.0.0.1/a",
        "http://localhost/a",
        "http://10.1.2.3/a",
        "http://[::1]/a",
        "http://169.254.1.1/",
    ):
        with pytest.raises(NetworkError, match="private network.*--allow-private"):
            fetcher().get(url)
        with pytest.raises(NetworkError, match="private network.*--allow-private"):
            recogniser(url.replace("http", "ws"), private=False)
    with pytest.raises(NetworkError, match="valid web address"):
        fetcher(private=True).get("file:///etc/passwd")
    with pytest.raises(NetworkError, match="begin with wss:// or ws://"):
        recogniser("https://example.org/asr", private=True)


def test_a_redirect_is_looked_at_like_an_address(site):
    """A redirect may not lead where the rules forbid.

    The error names the address and the option that allows it.
    """
    site["/moved"] = 302
    careful = replace(
        fetcher(), is_allowed=lambda address: address == "127.0.0.1" or address_test(False)(address)
    )

    with pytest.raises(
        NetworkError, match="10.0.0.1/elsewhere: is in a private network.*--allow-private"
    ):
        careful.get(site["at"] + "/moved")


def test_what_is_no_playlist_is_told():
    """A web page, say."""
    with pytest.raises(NetworkError, match="HLS playlist"):
        read_playlist("<html>")


def test_numbers_that_begin_again_lose_nothing(site):
    """An encoder that restarts numbers its segments anew: they are read, and it is told."""
    new = vtt(("00:00:11.000", "00:00:13.000", "And bridges."))
    site |= {
        "/subs.m3u8": [
            *2 * [playlist(700, "a.vtt")],  # the first is asked whether it is a list of playlists
            *2 * [playlist(0, "n.vtt")],
            playlist(0, over=True),
        ],
        "/a.vtt": vtt(ONE, TWO),
        "/n.vtt": new,
    }

    came = followed(site, "/subs.m3u8")

    assert [line.text for line in finals(came)] == [
        "We built schools. And",
        "roads.",
        "And bridges.",
    ]
    assert [arrival.warning for arrival in came if arrival.warning] == [
        "the segments of the stream are numbered from 0 again; all of them are read."
    ]


def test_the_last_number_with_another_address_is_a_new_beginning(site):
    """A restart that soon reaches the number that was read last is seen by the address behind it."""
    site |= {
        "/subs.m3u8": [
            *2 * [playlist(0, "a.vtt?key=1")],
            playlist(0, "a.vtt?key=2"),
            playlist(0, "n.vtt", over=True),
        ],
        "/a.vtt?key=1": vtt(ONE),
        "/n.vtt": vtt(TWO),
    }

    came = followed(site, "/subs.m3u8")

    assert [line.text for line in finals(came)] == ["We built schools. And", "roads."]
    assert sum(bool(arrival.warning) for arrival in came) == 1


def test_a_server_that_lags_once_begins_nothing_again(site):
    """An older playlist between two newer ones changes nothing."""
    site |= {
        "/subs.m3u8": [
            *2 * [playlist(5, "a.vtt", "b.vtt")],
            playlist(5, "a.vtt"),
            playlist(5, "a.vtt", "b.vtt", over=True),
        ],
        "/a.vtt": vtt(ONE),
        "/b.vtt": vtt(TWO),
    }

    assert [arrival.warning for arrival in followed(site, "/subs.m3u8") if arrival.warning] == []
