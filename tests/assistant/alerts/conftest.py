"""A receiver of web requests on this computer, and a data directory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assistant.core.settings import Settings
from assistant.web.fetching import PRIVATE_NETWORKS_VARIABLE


@dataclass
class Receiver:
    """A web server that notes each request, and answers with the statuses in turn."""

    statuses: list[int] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[dict] = field(default_factory=list)
    address: str = ""

    def status(self) -> int:
        return self.statuses.pop(0) if self.statuses else 200

    def handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.requests.append(
                    {"method": self.command, "path": self.path, "headers": headers, "body": body}
                )
                self.send_response(receiver.status())
                for name, value in receiver.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            do_PUT = do_POST

            def log_message(self, *_):
                pass

        return Handler


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), made.handler())
    made.address = f"http://127.0.0.1:{server.server_address[1]}/hook/s3cret"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def private_allowed(monkeypatch):
    """Let requests go to this computer."""
    monkeypatch.setenv(PRIVATE_NETWORKS_VARIABLE, "1")


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(home=tmp_path)
