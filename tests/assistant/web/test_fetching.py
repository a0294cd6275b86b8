"""A user's URLs are fetched safely: redirects, private networks, size and time."""

from __future__ import annotations

import gzip
import shutil
import socket
import ssl
import subprocess
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from assistant.core.errors import NetworkError, TooLarge, TooSlow
from assistant.web import fetching

BOMB = gzip.compress(bytes(50_000_000))  # 50 kB on their way


@pytest.fixture
def served():
    """A web server on every address of this machine.

    /page, /large, /elsewhere (127.0.0.2), /again and /moved.

    /packed is small until it is unpacked, /odd compressed in an unsupported way, /broken no gzip;
    /drip never ends.
    """
    requested_paths = []
    gone = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requested_paths.append((self.headers["Host"], self.path))
            port = self.server.server_address[1]
            redirects = {
                "/elsewhere": f"http://127.0.0.2:{port}/page",
                "/again": "/again",
                "/moved": "/page",
            }
            self.send_response(
                302 if self.path in redirects else 404 if self.path == "/none" else 200
            )
            if self.path in redirects:
                self.send_header("Location", redirects[self.path])
            packing = {"/packed": "gzip", "/small": "gzip", "/odd": "br", "/broken": "gzip"}.get(
                self.path
            )
            if packing:
                self.send_header("Content-Encoding", packing)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            bodies = {
                "/large": b"x" * 3000,
                "/packed": BOMB,
                "/small": gzip.compress(b"<p>small</p>"),
            }
            self.wfile.write(bodies.get(self.path, b"<p>found</p>"))
            while self.path == "/drip" and not gone.is_set():
                try:
                    self.wfile.write(b"<p>more</p>")
                except OSError:
                    return
                gone.wait(0.02)

        def log_message(self, *_):
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("0.0.0.0", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.asked = requested_paths
    server.at = f"http://127.0.0.1:{server.server_address[1]}"
    yield server
    gone.set()
    server.shutdown()
    server.server_close()


def only_one(address: str) -> bool:
    return address == "127.0.0.1"


def test_a_page_is_brought_with_its_own_name(served):
    """Redirects are followed; the server gets the host name of the URL."""
    port = served.server_address[1]

    assert (
        fetching.fetch(f"http://localhost:{port}/moved", is_allowed=lambda a: True)
        == b"<p>found</p>"
    )

    assert [(f"localhost:{port}", "/moved"), (f"localhost:{port}", "/page")] == served.asked


@pytest.mark.threat("editor")
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "10.0.0.1"]
)
def test_a_private_network_is_not_followed(served, host):
    """Nothing is sent there; the error says how to allow it."""
    with pytest.raises(NetworkError, match="private network.*LECTERN_PRIVATE_NETWORKS=1"):
        fetching.fetch(f"http://{host}:{served.server_address[1]}/page")

    assert served.asked == []


@pytest.mark.threat("editor")
def test_a_redirect_into_another_network_is_not_followed(served):
    """Each redirect is checked again."""
    with pytest.raises(NetworkError, match="private network"):
        fetching.fetch(f"{served.at}/elsewhere", is_allowed=only_one)

    assert len(served.asked) == 1


@pytest.mark.threat("editor")
def test_a_name_with_one_private_machine_is_not_followed(monkeypatch):
    """A host may have several IP addresses; all have to be public."""
    addresses = [(2, 1, 6, "", ("93.184.215.14", 80)), (2, 1, 6, "", ("192.168.0.1", 80))]
    monkeypatch.setattr(fetching.socket, "getaddrinfo", lambda *_, **__: addresses)

    with pytest.raises(NetworkError, match="private network"):
        fetching.fetch("http://example.org/")


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/none", "answered with status 404"),
        ("/again", "redirects more than 5 times"),
        ("/large", "larger than 2,000 bytes"),
    ],
)
def test_what_is_no_page_is_explained_in_one_line(served, path, why):
    """Missing, redirected in a circle, too large."""
    with pytest.raises(NetworkError, match=why):
        fetching.fetch(served.at + path, is_allowed=only_one, limit=2000)


def test_an_answer_says_where_it_stood_and_what_it_is(served):
    """Whatever the status; the bytes are read only if it is 200."""
    with fetching.Fetcher(is_allowed=only_one) as fetcher:
        moved = fetcher.answer(f"{served.at}/moved")
        none = fetcher.answer(f"{served.at}/none")

    assert (
        fetching.WebAnswer(f"{served.at}/page", 200, "text/html; charset=utf-8", b"<p>found</p>")
        == moved
    )
    assert none.status == 404
    assert none.data == b""


def test_every_step_can_be_refused(served):
    """The caller gets each URL before it is asked, redirects too."""
    heard = []

    def check_url(url):
        heard.append(url.removeprefix(served.at))
        if url.endswith("/page"):
            raise NetworkError("not there.")

    with (
        fetching.Fetcher(is_allowed=only_one) as fetcher,
        pytest.raises(NetworkError, match="not there"),
    ):
        fetcher.answer(f"{served.at}/moved", check_url=check_url)

    assert heard == ["/moved", "/page"]
    assert [path for _, path in served.asked] == ["/moved"]


@pytest.mark.threat("publisher")
def test_what_is_packed_is_unpacked_no_further_than_the_limit(served):
    """Fifty kilobytes that unpack to fifty megabytes are too large.

    A small compressed page is read.
    """
    with fetching.Fetcher(is_allowed=only_one, limit=2000) as fetcher:
        assert fetcher.answer(f"{served.at}/small").data == b"<p>small</p>"
        with pytest.raises(TooLarge, match="larger than 2,000 bytes"):
            fetcher.answer(f"{served.at}/packed")


@pytest.mark.parametrize(
    ("path", "why"), [("/odd", "compressed in an unsupported way"), ("/broken", "isn't responding")]
)
def test_what_cannot_be_unpacked_is_explained(served, path, why):
    """An unsupported compression, or a damaged one."""
    with pytest.raises(NetworkError, match=why):
        fetching.fetch(served.at + path, is_allowed=only_one)


@pytest.mark.threat("publisher")
def test_a_page_that_drips_is_too_slow(served):
    """A server that keeps sending a little is given up on."""
    with fetching.Fetcher(is_allowed=only_one) as fetcher, pytest.raises(TooSlow):
        fetcher.answer(f"{served.at}/drip", seconds=0.2)


@pytest.mark.threat("editor")
@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.org/x", "example.org", "", "http://", "http://a b"]
)
def test_other_addresses_are_refused(url):
    """Only web addresses are accepted."""
    with pytest.raises(NetworkError):
        fetching.fetch(url, is_allowed=lambda a: True)


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
    """Private ones in an IPv6 form, too."""
    assert expected is fetching.is_public(address)


def test_a_variable_allows_private_networks():
    """For newsrooms whose archive is on a private network."""
    assert fetching.allowed_addresses({fetching.PRIVATE_NETWORKS_VARIABLE: "1"})("10.0.0.1")
    assert not fetching.allowed_addresses({})("10.0.0.1")


@pytest.mark.threat("editor")
@pytest.mark.parametrize(
    "address",
    [
        "64:ff9b:1::1",
        "64:ff9b:1:a00:1::",
        "::127.0.0.1",
        "::8.8.8.8",
        "fec0::1",
        "5f00::1",
        "::ffff:10.0.0.1",
        "ff0e::1",
    ],
)
def test_no_local_form_of_an_address_is_public(address):
    """Local translation, IPv4-compatible, site-local and multicast addresses are in no public network."""
    assert not fetching.is_public(address)


@pytest.mark.threat("publisher")
def test_headers_that_drip_are_too_slow():
    """The deadline holds while headers come one after the other without end."""
    gone = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip():
            with server.accept()[0] as answer:
                answer.sendall(b"HTTP/1.1 200 OK\r\n")
                while not gone.wait(0.02):
                    answer.sendall(b"X-More: yes\r\n")

        def until_hung_up():
            with suppress(OSError):
                drip()

        thread = threading.Thread(target=until_hung_up, daemon=True)
        thread.start()
        with fetching.Fetcher(is_allowed=only_one) as fetcher, pytest.raises(TooSlow):
            fetcher.answer(f"http://127.0.0.1:{server.getsockname()[1]}/", seconds=0.3)
        gone.set()
        thread.join()


@pytest.fixture
def https_server(tmp_path):
    """A server on 127.0.0.1 with a certificate for a.test alone, and its authority."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    options = "-keyout key.pem -out cert.pem -subj /CN=a.test -addext subjectAltName=DNS:a.test"
    subprocess.run(f"{command} {options}".split(), cwd=tmp_path, check=True, capture_output=True)
    connections = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self):
            super().setup()
            connections.append(self.client_address)

        def do_GET(self):
            answer = self.headers["Host"].encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.authority = tmp_path / "cert.pem"
    server.connections = connections
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.threat("publisher")
def test_a_connection_is_verified_for_its_own_host(https_server, monkeypatch):
    """Another name of one IP address gets a connection, and so a certificate, of its own."""
    port = https_server.server_address[1]
    addresses = [(2, 1, 6, "", ("127.0.0.1", port))]
    monkeypatch.setattr(fetching.socket, "getaddrinfo", lambda *_, **__: addresses)
    verify = ssl.create_default_context(cafile=https_server.authority)

    def make_client():
        return httpx.Client(trust_env=False, timeout=5.0, verify=verify)

    with fetching.Fetcher(is_allowed=only_one, make_client=make_client) as fetcher:
        assert fetcher.answer(f"https://a.test:{port}/").data == f"a.test:{port}".encode()
        with pytest.raises(NetworkError, match="certificate"):
            fetcher.answer(f"https://b.test:{port}/")
        with pytest.raises(NetworkError):
            fetcher.opened(f"https://b.test:{port}/")
        assert fetcher.answer(f"https://A.test:{port}/").status == 200
    assert len(https_server.connections) == 1


def test_only_a_few_hosts_keep_connections(served, monkeypatch):
    """The connections to the oldest host are closed."""
    monkeypatch.setattr(fetching, "MAX_OPEN_HOSTS", 1)
    with fetching.Fetcher(is_allowed=lambda address: True) as fetcher:
        assert fetcher.answer(f"{served.at}/elsewhere").status == 200
        assert list(fetcher._client_by_host) == ["127.0.0.2"]
