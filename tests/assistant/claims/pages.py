"""A local web server with the pages that a link of a fact-check may lead to, good and bad."""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SENTENCE = "According to the records of the treasury, the taxes of the city fell by {0} percent in the year 20{0:02}."
ARTICLE = [SENTENCE.format(i) for i in range(12)]
BOMB = gzip.compress(bytes(50_000_000))  # 50 kB on their way
Page = tuple[int, dict[str, str], bytes]


def html(*paragraphs: str, surroundings: str = "") -> bytes:
    """Return a page with an article of some paragraphs."""
    text = "".join(f"<p>{p}</p>" for p in paragraphs)
    return (
        "<!doctype html><html><head><title>Did taxes fall?</title></head><body>"
        "<nav><a href='/'>Home</a> <a href='/about'>About us</a> <a href='/subscribe'>Subscribe</a></nav>"
        f"<main><article><h1>Did taxes fall?</h1>{text}</article>{surroundings}</main>"
        "<footer>Copyright Example News</footer></body></html>"
    ).encode()


def pages(port: int) -> dict[str, Page]:
    """Return the pages of the server by path."""
    kind = {"Content-Type": "text/html; charset=utf-8"}
    wall = "<p>Subscribe to continue reading.</p>"
    wrong = html("The mayor’s word.", *ARTICLE).decode().encode("cp1252")
    return {
        "/good": (200, kind, html(*ARTICLE)),
        "/": (200, kind, html(*ARTICLE)),
        "/wall": (200, kind, html(*ARTICLE[:2], surroundings=wall)),
        "/empty": (200, kind, b"<html><body><div id='app'></div></body></html>"),
        "/pdf": (200, {"Content-Type": "application/pdf"}, b"%PDF-1.7"),
        "/charset": (200, kind, wrong),
        "/huge": (200, kind, b"<p>" + b"x" * 6_000_000),
        "/bomb": (200, kind | {"Content-Encoding": "gzip"}, BOMB),
        "/moved": (301, {"Location": "/good"}, b""),
        "/home": (302, {"Location": "/"}, b""),
        "/inside": (302, {"Location": f"http://127.0.0.2:{port}/good"}, b""),
        "/to-secret": (302, {"Location": "/secret/good"}, b""),
        "/secret/good": (200, kind, html(*ARTICLE)),
        "/error": (500, kind, b""),
        "/busy": (429, kind, b""),
        "/old": (410, kind, b""),
        "/robots.txt": (
            200,
            {"Content-Type": "text/plain"},
            b"User-agent: *\nDisallow: /secret/\n",
        ),
    }


class Site:
    """A running server.

    ``pages``: what it serves, tests may change it; ``asked``: the requested paths, in order.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("0.0.0.0", 0), self._handler())
        self.port = self._server.server_address[1]
        self.url, self.pages = f"http://127.0.0.1:{self.port}", pages(self.port)
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                if self.path.startswith("/slow"):
                    site.closing.wait(5)
                status, headers, data = site.pages.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(data)
                except OSError:
                    return

            def log_message(self, *_: Any) -> None:
                """Keep the test's output clean."""

        return Handler
