"""Voice voice_vectors: where a stretch of sound lies among voices, 256 numbers of length 1, by the GE2E encoder.

Wan et al. 2018, "Generalized end-to-end loss for speaker verification". The weights are those
inside the package Resemblyzer, which is only looked up and never imported: it would import a
decoder of its own and a voice detector.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from features.models.model_spec import ModelUnavailable
from features.models.weight_files import file_digest
from features.models.weight_packages import VOICES_PACKAGE, copied_folder

if TYPE_CHECKING:
    import torch

VOICES_SHA256 = "39373b86598fa3da9fcddee6142382efe09777e8d37dc9c0561f41f0070f134e"
VOICE_SAMPLE_RATE_HZ = 16_000  # samples a second
# samples of a spectrum, samples between two, mel bands
WINDOW_SAMPLES = 400
STEP_SAMPLES = 160
MEL_BANDS = 40
FRAMES_PER_PIECE = 160  # spectra that the encoder reads at once, 1.6 s
FRAMES_BETWEEN_PIECES = 80  # spectra between two readings of one stretch
VOICE_DIMENSIONS = 256
TARGET_LOUDNESS = 10 ** (
    -30 / 20
)  # quiet sound is raised to this root mean square, the level the encoder was trained on
BATCH = 64


def voice_vectors(stretches: Iterable[np.ndarray]) -> np.ndarray:
    """Return the voice_vectors of stretches of sound (float32, mono, 16 kHz), shape (n, 256).

    Of silence, zeros.

    Raises: ModuleNotFoundError if the package with the weights is missing.
    """
    vectors = [_voice_vector(stretch) for stretch in stretches]
    if not vectors:
        return np.zeros((0, VOICE_DIMENSIONS), np.float32)
    return np.stack(vectors)


def _voice_vector(sound: np.ndarray) -> np.ndarray:
    import torch

    loudness = float(np.sqrt(np.mean(np.square(sound)))) if sound.size else 0.0
    if loudness == 0.0:
        return np.zeros(VOICE_DIMENSIONS, np.float32)
    # Mel spectra of the sound at a usual loudness, (frames, 40); too few are repeated to fill one
    # window.
    amplification = max(1.0, TARGET_LOUDNESS / loudness)
    spectra = _spectra(torch.from_numpy(sound * amplification))
    if len(spectra) < FRAMES_PER_PIECE:
        repetitions = math.ceil(FRAMES_PER_PIECE / len(spectra))
        spectra = spectra.repeat(repetitions, 1)[:FRAMES_PER_PIECE]
    starts = range(0, len(spectra) - FRAMES_PER_PIECE + 1, FRAMES_BETWEEN_PIECES)
    # Overlapping windows of 1.6 s, (w, FRAMES_PER_PIECE, 40).
    windows = torch.stack([spectra[start : start + FRAMES_PER_PIECE] for start in starts])
    recurrent, linear = _encoder()
    total = torch.zeros(VOICE_DIMENSIONS)
    with torch.inference_mode():
        for batch in windows.split(BATCH):
            # The last state of the last recurrent layer stands for the window, (batch, 256).
            _, (layer_states, _) = recurrent(batch)
            window_vectors = torch.relu(linear(layer_states[-1]))
            total += torch.nn.functional.normalize(window_vectors, dim=1).sum(dim=0)
    return torch.nn.functional.normalize(total, dim=0).numpy()


def _spectra(samples: torch.Tensor) -> torch.Tensor:
    """Return mel spectra, shape (frames, 40)."""
    import torch

    # The complex spectrum of each frame, (201, frames).
    spectrum = torch.stft(
        samples,
        WINDOW_SAMPLES,
        STEP_SAMPLES,
        window=torch.hann_window(WINDOW_SAMPLES),
        pad_mode="constant",
        return_complex=True,
    )
    power_spectrum = spectrum.abs().square()
    return power_spectrum.T @ _mel_filters()


@cache
def _mel_filters() -> torch.Tensor:
    import torch
    from transformers.audio_utils import mel_filter_bank

    bank = mel_filter_bank(
        WINDOW_SAMPLES // 2 + 1,
        MEL_BANDS,
        0.0,
        VOICE_SAMPLE_RATE_HZ / 2,
        VOICE_SAMPLE_RATE_HZ,
        norm="slaney",
        mel_scale="slaney",
    )
    return torch.from_numpy(bank).float()


def _verified_weights() -> Path:
    """Return the file of weights, which has the SHA-256 of the release.

    Raises: ModuleNotFoundError if it is missing; ModelUnavailable if it is another file.
    """
    package_folder = copied_folder(VOICES_PACKAGE)
    if package_folder is None:
        package = find_spec("resemblyzer")
        if package is None or package.origin is None:
            raise ModuleNotFoundError("the package resemblyzer isn't installed", name="resemblyzer")
        package_folder = Path(package.origin).parent
    weights_path = package_folder / "pretrained.pt"
    digest = file_digest(weights_path) if weights_path.is_file() else ""
    if digest != VOICES_SHA256:
        problem = f"has the SHA-256 {digest[:12]}..." if digest else "is missing"
        remedy = "Run `make setup` to install Lectern's packages again."
        message = f"{weights_path} {problem}, expected {VOICES_SHA256[:12]}.... {remedy}"
        raise ModelUnavailable(message)
    return weights_path


@cache
def _encoder() -> tuple[torch.nn.LSTM, torch.nn.Linear]:
    import torch

    stored = torch.load(_verified_weights(), map_location="cpu", weights_only=True)
    recurrent = torch.nn.LSTM(MEL_BANDS, VOICE_DIMENSIONS, num_layers=3, batch_first=True)
    linear = torch.nn.Linear(VOICE_DIMENSIONS, VOICE_DIMENSIONS)
    for layer, prefix in ((recurrent, "lstm."), (linear, "linear.")):
        layer_weights = {}
        for name, tensor in stored["model_state"].items():
            if name.startswith(prefix):
                layer_weights[name.removeprefix(prefix)] = tensor
        layer.load_state_dict(layer_weights)
        layer.eval()
    return recurrent, linear
