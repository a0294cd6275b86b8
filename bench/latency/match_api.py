"""The API: how long does `POST /v1/match` take for one sentence, and for twenty clients at once?

python -m bench.latency.match_api --home DIR --transcript FILE [--sentences 200] [--json FILE]

The home has fact-checks with their index. A server is started on it, and once it is warm, that is,
has read the statements of the index ahead, it answers the sentences of the transcript, which it has
not seen, first from one client and then from twenty. Target on two
quiet cores with 19,250 fact-checks: p50 at most 150 ms and p95 at most 400 ms for one client; 10
answers a second and no error for twenty. ``cpu`` is the CPU time of the server per answer.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from assistant import transcripts
from assistant.core import settings
from assistant.live.access_tokens import Scope, TokenLimits, TokenStore
from bench.command import command, option
from bench.memory import private_mb

CLIENTS = 20
START_TIMEOUT_S = 300
ANSWER_TIMEOUT_S = 120
WARM_SENTENCES = 5
IDLE_S = 3  # a server that computes nothing for so long is warm
MAX_IDLE_SHARE = 0.05  # share of one core
WARM_UP_TIMEOUT_S = 240
SEED = 1
CLOCK_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class MatchServer:
    """A running server: its process, its address and the header with a token."""

    process_id: int
    address: str
    headers: dict[str, str]

    def cpu_s(self) -> float:
        """Return the CPU time of the server so far."""
        fields = Path(f"/proc/{self.process_id}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS_PER_S


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return the figures of one client and of twenty."""
    sentences = [sentence.text for sentence in transcripts.read(options.transcript)]
    np.random.default_rng(SEED).shuffle(sentences)
    sentences_per_part = min(options.sentences, len(sentences) // 2)
    with serving(options.home) as server:
        warm_up(server, sentences[-WARM_SENTENCES:])
        report = {
            "one client": ask(server, sentences[:sentences_per_part], 1),
            "twenty clients": ask(
                server, sentences[sentences_per_part : 2 * sentences_per_part], CLIENTS
            ),
            "private MB": round(private_mb(server.process_id)),
        }
    for name, figures in report.items():
        print(name, figures)
    return report


@contextmanager
def serving(home: str, scopes: Sequence[Scope] = (Scope.MATCH,)) -> Iterator[MatchServer]:
    """Yield a server on a home; its token is revoked at the end."""
    database = settings.load(home=home).database
    limits = TokenLimits(expires=time.time() + 86_400, per_minute=1_000_000, per_day=1_000_000)
    name = f"bench {os.getpid()}"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with TokenStore.open(database) as tokens:
        token = tokens.give_scopes(name, scopes, limits)
        serve = [sys.executable, "-m", "assistant", "serve", "--home", home, "--port", str(port)]
        process = subprocess.Popen(serve)
        try:
            headers = {"Authorization": f"Bearer {token}"}
            yield MatchServer(process.pid, f"http://127.0.0.1:{port}", headers)
        finally:
            process.terminate()
            process.wait()
            tokens.revoke("", name)


def warm_up(server: MatchServer, sentences: Sequence[str]) -> None:
    """Wait until the server answers, ask it some sentences, and wait until it computes nothing."""
    end = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            httpx.get(f"{server.address}/v1/health").raise_for_status()
            break
        except httpx.TransportError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
    ask(server, sentences, 1)
    end = time.monotonic() + WARM_UP_TIMEOUT_S
    while time.monotonic() < end:
        cpu_before = server.cpu_s()
        time.sleep(IDLE_S)
        if server.cpu_s() - cpu_before < MAX_IDLE_SHARE * IDLE_S:
            return
    raise TimeoutError(f"the server was not idle within {WARM_UP_TIMEOUT_S} s")


def ask(server: MatchServer, sentences: Sequence[str], clients: int) -> dict[str, float]:
    """Ask all sentences, each by the next free client; return milliseconds, rate and errors."""
    waiting = iter(list(sentences))
    lock = threading.Lock()
    seconds: list[float] = []
    statuses: list[int] = []

    def ask_next() -> None:
        with httpx.Client(headers=server.headers, timeout=ANSWER_TIMEOUT_S) as client:
            while True:
                with lock:
                    sentence = next(waiting, None)
                if sentence is None:
                    return
                started = time.perf_counter()
                answer = client.post(f"{server.address}/v1/match", json={"texts": [sentence]})
                seconds.append(time.perf_counter() - started)
                statuses.append(answer.status_code)

    cpu_before = server.cpu_s()
    started = time.perf_counter()
    threads = [threading.Thread(target=ask_next) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wall_s = time.perf_counter() - started
    p50_s, p95_s = np.percentile(seconds, [50, 95])
    return {
        "p50_ms": round(p50_s * 1000),
        "p95_ms": round(p95_s * 1000),
        "cpu_ms": round((server.cpu_s() - cpu_before) / len(seconds) * 1000),
        "answers_per_s": round(len(seconds) / wall_s, 1),
        "errors": sum(status != httpx.codes.OK for status in statuses),
    }


main = command(
    measure,
    option("--home", required=True, metavar="DIR", help="a home with fact-checks and their index"),
    option("--transcript", required=True, metavar="FILE", help="the sentences to match"),
    option("--sentences", type=int, default=200, metavar="N", help="most sentences of each part"),
)
if __name__ == "__main__":
    sys.exit(main())
