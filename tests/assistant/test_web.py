"""Pages from addresses that people give."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assistant import web
from assistant.errors import NetworkError


@pytest.fixture
def served():
    """A web server on every address of this machine: /page, /large, /elsewhere (127.0.0.2), /again and /moved."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.headers["Host"], self.path))
            port = self.server.server_address[1]
            places = {"/elsewhere": f"http://127.0.0.2:{port}/page", "/again": "/again", "/moved": "/page"}
            self.send_response(302 if self.path in places else 404 if self.path == "/none" else 200)
            if self.path in places:
                self.send_header("Location", places[self.path])
            self.end_headers()
            self.wfile.write(b"x" * 3000 if self.path == "/large" else b"<p>found</p>")

        def log_message(self, *_):
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.asked, server.at = asked, f"http://127.0.0.1:{server.server_address[1]}"
    yield server
    server.shutdown()
    server.server_close()


def only_one(address: str) -> bool:
    return address == "127.0.0.1"


def test_a_page_is_brought_with_its_own_name(served):
    """Redirects are followed; the server hears the name that was asked for."""
    port = served.server_address[1]

    assert b"<p>found</p>" == web.fetch(f"http://localhost:{port}/moved", may=lambda a: True)

    assert [(f"localhost:{port}", "/moved"), (f"localhost:{port}", "/page")] == served.asked


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "10.0.0.1"])
def test_a_private_network_is_not_followed(served, host):
    """Nothing is sent there; the line says how to allow it."""
    with pytest.raises(NetworkError, match="private network.*LECTERN_PRIVATE_NETWORKS=1"):
        web.fetch(f"http://{host}:{served.server_address[1]}/page")

    assert [] == served.asked


def test_a_redirect_into_another_network_is_not_followed(served):
    """Each step is looked at anew."""
    with pytest.raises(NetworkError, match="private network"):
        web.fetch(f"{served.at}/elsewhere", may=only_one)

    assert 1 == len(served.asked)


def test_a_name_with_one_private_machine_is_not_followed(monkeypatch):
    """A name may stand for several machines; all have to be public."""
    rows = [(2, 1, 6, "", ("93.184.215.14", 80)), (2, 1, 6, "", ("192.168.0.1", 80))]
    monkeypatch.setattr(web.socket, "getaddrinfo", lambda *_, **__: rows)

    with pytest.raises(NetworkError, match="private network"):
        web.fetch("http://example.org/")


@pytest.mark.parametrize(
    ("path", "told"),
    [("/none", "answers 404"), ("/again", "leads on more than 5 times"), ("/large", "larger than 2,000 bytes")],
)
def test_what_is_no_page_is_told_in_one_line(served, path, told):
    """Missing, going round, too large."""
    with pytest.raises(NetworkError, match=told):
        web.fetch(served.at + path, may=only_one, limit=2000)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.org/x", "example.org", "", "http://", "http://a b"]
)
def test_other_addresses_are_refused(url):
    """Only pages of the web."""
    with pytest.raises(NetworkError):
        web.fetch(url, may=lambda a: True)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("8.8.8.8", True),
        ("::ffff:127.0.0.1", False),
        ("fe80::1", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        *(("64:ff9b::7f00:1", False), ("2002:7f00:1::", False), ("64:ff9b::808:808", True)),
    ],
)
def test_public_addresses_are_known(address, expected):
    """Private ones hidden in an IPv6 form too."""
    assert expected is web.public(address)


def test_a_variable_allows_private_networks():
    """For newsrooms whose own archive lies inside."""
    assert web.allowed({web.VARIABLE: "1"})("10.0.0.1")
    assert not web.allowed({})("10.0.0.1")
