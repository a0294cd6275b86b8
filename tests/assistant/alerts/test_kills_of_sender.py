"""kill -9 of the process that sends: nothing is lost, and nothing doubled without the same id."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assistant.alerts.channel_store import ChannelStore
from assistant.alerts.outbox import DeliveryState, Outbox
from tests.assistant.alerts.alert_samples import sample_channel, sample_event

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[3]
ALERTS = 60
KILLED_AT = (7, 23, 41)  # requests, before their answer
PATIENCE_S = 240


def test_three_kills_lose_nothing_and_double_nothing_without_the_same_id(settings):
    ids_by_sentence = defaultdict(list)
    request_count = 0
    sender_process = None

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            nonlocal request_count
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            sentence = body["data"]["items"][0]["sentence"]
            ids_by_sentence[sentence].append(self.headers["webhook-id"])
            request_count += 1
            if request_count in KILLED_AT:
                os.kill(sender_process.pid, signal.SIGKILL)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/hook"
    events = [sample_event(f"k{i}", sentence=f"Sentence {i}.") for i in range(ALERTS)]
    command = [sys.executable, "-m", "assistant", "alerts", "send", "--home", str(settings.home)]
    environ = {**os.environ, "LECTERN_PRIVATE_NETWORKS": "1"}
    with (
        ChannelStore.open(settings.database) as channels,
        Outbox.open(settings.database) as outbox,
    ):
        channels.add(sample_channel(address))
        outbox.collect("live", events, time.time())
        for _ in KILLED_AT:
            sender_process = subprocess.Popen(command, cwd=ROOT, env=environ)
            assert sender_process.wait(PATIENCE_S) == -signal.SIGKILL
        sender_process = subprocess.Popen(command, cwd=ROOT, env=environ)
        end = time.monotonic() + PATIENCE_S
        while outbox.count(DeliveryState.SENT) < ALERTS and time.monotonic() < end:
            time.sleep(0.2)
        sender_process.kill()
        sender_process.wait()
        sent = outbox.count(DeliveryState.SENT)
    server.shutdown()
    server.server_close()

    lost = [f"Sentence {i}." for i in range(ALERTS) if f"Sentence {i}." not in ids_by_sentence]
    with_two_ids = [text for text, ids in ids_by_sentence.items() if len(set(ids)) > 1]
    assert (sent, lost, with_two_ids) == (ALERTS, [], [])
    assert request_count == ALERTS + len(KILLED_AT)
