"""The faster encoder for articles.

Near the exact one, silent towards the network, and left out where it cannot run.
"""

import subprocess
import sys

import numpy as np
import pytest

from features.models import bfloat16, encoders, onnx_minilm
from features.models.encoders import TextEncoder, load_encoder
from features.models.model_spec import EMBEDDED, ModelSpec

TEXTS = [
    "We rate this claim False.",
    "The unemployment rate fell to 4.1 percent in 2018. " * 30,
    "é" * 40,
    "",
    "No.",
]
SILENT = """
import socket, sys
def refused(*_): raise AssertionError("a connection was made")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refused
from features.models.bfloat16 import BFloat16Runner
BFloat16Runner(256)
assert "openvino" in sys.modules and sys.modules["openvino_telemetry"] is None
"""


@pytest.fixture(scope="module")
def runner():
    """The runner itself, whatever the processor would choose."""
    pytest.importorskip("openvino", reason="OpenVINO is not installed")
    return bfloat16.BFloat16Runner(256)


@pytest.mark.slow
def test_states_are_near_the_exact_ones(runner):
    """Every token's state, of short and of long texts in one batch, points where the exact one does."""
    exact = load_encoder(ModelSpec(EMBEDDED)).runner
    tokens = runner.tokens(TEXTS)
    (states,), (expected_states,) = runner.run(tokens), exact.run(tokens)
    for text_index, (ids, _) in enumerate(tokens):
        runner_vectors, exact_vectors = (
            s[text_index, : len(ids)] / np.linalg.norm(s[text_index, : len(ids)], axis=1)[:, None]
            for s in (states, expected_states)
        )
        assert (runner_vectors * exact_vectors).sum(axis=1).min() > 0.995


def test_batches_do_not_share_their_outputs(runner):
    """A batch's states stay as they are when the next batch is computed."""
    (first_states,) = runner.run(runner.tokens(TEXTS[:1]))
    states_copy = first_states.copy()
    runner.run(runner.tokens(["Something else entirely, as long as it is."]))
    np.testing.assert_array_equal(first_states, states_copy)


def test_importing_openvino_tells_nobody():
    """No connection is tried and OpenVINO's telemetry stays out, installed or not."""
    pytest.importorskip("openvino", reason="OpenVINO is not installed")
    subprocess.run([sys.executable, "-c", SILENT], check=True, timeout=120)


def test_without_the_instructions_the_exact_encoder_serves(monkeypatch):
    """On a processor without bfloat16 long jobs have the exact encoder too."""
    monkeypatch.setattr(bfloat16, "has_bfloat16", lambda: False)
    exact = onnx_minilm.embedded_runner(256)
    encoder = TextEncoder(ModelSpec(EMBEDDED), exact, lambda: encoders._bfloat16_runner(256))
    assert encoder.bulk() is encoder
