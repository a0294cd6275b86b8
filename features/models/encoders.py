"""Text encoders: vectors and token states of texts, by one code for embedded, local and hub models.

Heavy libraries are imported when a model is first used, never when this module is. The embedded
model runs in onnxruntime (``features/models/onnx_minilm.py``), every other one in torch
(``features/models/torch_models.py``).
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import lru_cache

import numpy as np

from features.models.batching import in_batches
from features.models.model_spec import EMBEDDED, EMBEDDED_LAYERS, Floats, ModelSpec, Runner
from features.models.weight_files import embedded_folder, read_weights, require

TRIAL_SENTENCE = (
    "The share of people without work fell to four percent in the last year that was counted."
)


class TextEncoder:
    """Unit vectors and unit token states of texts.

    A blank text has a zero vector and no states.
    """

    def __init__(
        self, spec: ModelSpec, runner: Runner, faster: Callable[[], Runner | None] | None = None
    ) -> None:
        self.spec = spec
        self.runner = runner
        self._faster = faster
        self._bulk: TextEncoder | None = None
        self.name = spec.name
        self.digest = _digest(spec, runner.digest)
        self._width = 0

    def encode(self, texts: Sequence[str], *, batch_size: int = 64) -> Floats:
        """Return one unit row a text, (n, d). Rows depend on the batch by less than 1e-5."""
        return self._vectors_and_states(texts, batch_size, with_states=False)[0]

    def token_states(self, texts: Sequence[str], *, batch_size: int = 64) -> list[Floats]:
        """Return for each text its token states (t_i, d), unit rows, the special tokens at both ends included."""
        return self._vectors_and_states(texts, batch_size, with_states=True)[1]

    def encode_with_states(
        self, texts: Sequence[str], *, batch_size: int = 64
    ) -> tuple[Floats, list[Floats]]:
        """Return ``encode`` and ``token_states`` from one pass over the texts."""
        return self._vectors_and_states(texts, batch_size, with_states=True)

    def bulk(self) -> TextEncoder:
        """Return this encoder, or a faster one for long jobs whose vectors differ by a cosine of about 0.00001.

        The faster one computes in bfloat16, where the processor can and OpenVINO is installed.
        Both are timed on a few texts first, once in a process.
        """
        if self._bulk is None:
            self._bulk = self
            faster_runner = self._faster() if self._faster else None
            if faster_runner is not None:
                # The other encoder gives nearly the same vectors. Whichever is faster on this
                # computer is used.
                other_encoder = TextEncoder(self.spec, faster_runner)
                other_encoder.digest = self.digest
                self._bulk = min((self, other_encoder), key=_seconds)
        return self._bulk

    @property
    def width(self) -> int:
        """Return d, the length of a vector."""
        if not self._width:
            self._width = self.encode(["width"]).shape[1]
        return self._width

    def _vectors_and_states(
        self, texts: Sequence[str], batch_size: int, *, with_states: bool
    ) -> tuple[Floats, list[Floats]]:
        """Return the vectors (n, d) and, if wanted, the token states (t_i, d) of some texts."""
        # Only texts that are not blank go through the network; a blank one has a zero row and no
        # states.
        nonblank_indices = [index for index, text in enumerate(texts) if text.strip()]
        if not nonblank_indices:
            # Without any text, the width may stay unknown.
            width = self.width if len(texts) else self._width
            no_states = [np.zeros((0, width), np.float32) for _ in texts]
            return np.zeros((len(texts), width), np.float32), no_states
        tokens = self.runner.tokens([texts[index] for index in nonblank_indices])
        states_by_index: dict[int, Floats] = {}
        # The first batch shows the width of the vectors.
        vectors = np.zeros((len(texts), 0), np.float32)
        for batch_rows, outputs in in_batches(self.runner, tokens, batch_size):
            token_counts = [len(tokens[row][0]) for row in batch_rows]
            pooled_vectors = pool(outputs, token_counts, self.spec.pooling)
            if not vectors.size:
                self._width = pooled_vectors.shape[1]
                vectors = np.zeros((len(texts), self._width), np.float32)
            text_indices = [nonblank_indices[row] for row in batch_rows]
            vectors[text_indices] = unit(pooled_vectors)
            if with_states:
                # The last output has the states of all tokens, padding included: (b, t, d).
                for index, token_states, token_count in zip(
                    text_indices, outputs[-1], token_counts, strict=True
                ):
                    states_by_index[index] = unit(token_states[:token_count])
        no_states_of_text = np.zeros((0, self._width), np.float32)
        states_by_text = [
            states_by_index.get(index, no_states_of_text) for index in range(len(texts))
        ]
        return vectors, states_by_text


class HeadEncoder:
    """An encoder that shares another's trunk.

    A small trained head on its unit vectors, so that one pass gives both.
    """

    def __init__(
        self, spec: ModelSpec, trunk: TextEncoder, head: dict[str, Floats], digest: str
    ) -> None:
        self.spec = spec
        self.trunk = trunk
        self.head = head
        self.name = f"{spec.name}+{spec.weights}"
        self.digest = _digest(spec, trunk.digest + digest)

    @property
    def width(self) -> int:
        """Return d, the length of a vector."""
        return self.trunk.width

    def encode(self, texts: Sequence[str], *, batch_size: int = 64) -> Floats:
        """Return one unit row a text, (n, d)."""
        return self.lift(self.trunk.encode(texts, batch_size=batch_size))

    def lift(self, vectors: Floats) -> Floats:
        """Return this encoder's unit rows, computed from the trunk's unit rows (n, d).

        X + w2·gelu(w1·x + b1) + b2.
        """
        hidden = gelu(vectors @ self.head["w1"].T + self.head["b1"])
        lifted = unit(vectors + hidden @ self.head["w2"].T + self.head["b2"])
        return lifted * vectors.any(axis=1, keepdims=True)  # a blank text stays zero


Encoder = TextEncoder | HeadEncoder


def load_encoder(spec: ModelSpec) -> Encoder:
    """Return the encoder of a spec, loaded once in a process.

    Raises: ModelUnavailable if its files are missing.
    """
    if spec.name == EMBEDDED and spec.layer == EMBEDDED_LAYERS:
        spec = replace(spec, layer=None)  # the last layer: share the loaded model
    return _load(spec)


@lru_cache(maxsize=8)
def _load(spec: ModelSpec) -> Encoder:
    if spec.weights:
        trunk = load_encoder(replace(spec, weights="", rescale=False))
        if not isinstance(trunk, TextEncoder):
            raise TypeError(f"{spec.weights} contains weights that don't fit a text encoder")
        tensors, digest = read_weights(spec.weights)
        return HeadEncoder(
            spec, trunk, require(tensors, ("w1", "b1", "w2", "b2"), spec.weights), digest
        )
    if spec.name == EMBEDDED and spec.layer is None and spec.pooling != "pooler":
        from features.models import onnx_minilm

        return TextEncoder(
            spec,
            onnx_minilm.embedded_runner(spec.max_length),
            lambda: _bfloat16_runner(spec.max_length),
        )
    from features.models import torch_models

    return TextEncoder(spec, torch_models.encoder_runner(_location(spec.name), spec))


def _bfloat16_runner(max_length: int) -> Runner | None:
    from features.models import bfloat16

    with suppress(ImportError):
        return bfloat16.BFloat16Runner(max_length) if bfloat16.has_bfloat16() else None
    return None


def _location(name: str) -> str:
    return str(embedded_folder()) if name == EMBEDDED else name


def _seconds(encoder: TextEncoder) -> float:
    """Return how long an encoder takes for some texts as long as an article's sentences, after a warm-up call."""
    texts = [f"{TRIAL_SENTENCE} {'and so on ' * (number % 8)}" for number in range(64)]
    encoder.encode(texts[:8])
    start = time.perf_counter()
    encoder.encode(texts)
    return time.perf_counter() - start


def pool(outputs: tuple[Floats, ...], token_counts: Sequence[int], pooling: str) -> Floats:
    """Return one vector per text (b, d) from an encoder's outputs; padding never counts."""
    if pooling == "pooler":
        if len(outputs) < 2:
            raise ValueError("this model has no pooler output")
        return outputs[1]
    if pooling == "cls":
        return outputs[0][:, 0]
    if pooling != "mean":
        raise ValueError(f"pooling is {pooling!r}, but must be mean, cls or pooler")
    # The mean of the states of each text without padding: (b, t, d), (b, t) → (b, d).
    token_states = outputs[0]
    positions = np.arange(token_states.shape[1])
    is_token = positions[None, :] < np.asarray(token_counts)[:, None]
    state_sums = np.einsum("btd,bt->bd", token_states, is_token.astype(np.float32))
    return state_sums / np.asarray(token_counts, np.float32)[:, None]


def unit(rows: Floats) -> Floats:
    """Return the rows with length 1; a zero row stays zero."""
    # x / ‖x‖ per row; a norm of 0 is replaced by 1, so that a zero row stays zero.
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(norms > 0, norms, 1)).astype(np.float32, copy=False)


def gelu(x: Floats) -> Floats:
    """Return the exact Gaussian error linear unit."""
    from scipy.special import erf

    return (0.5 * x * (1 + erf(x / np.sqrt(np.float32(2))))).astype(np.float32, copy=False)


def _digest(spec: ModelSpec, weights: str) -> str:
    """Return the digest of an encoder: of its weights, and of the values that shape its vectors."""
    shape = asdict(spec)
    for name in ("name", "weights", "rescale"):
        del shape[name]
    return hashlib.sha256(json.dumps([shape, weights], sort_keys=True).encode()).hexdigest()
