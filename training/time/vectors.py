"""Vectors of the claims and snippets of MultiFC.

From a frozen MiniLM, or from a BiLSTM or RNN trained here first.

The BiLSTM and the RNN learn with the base verifier on top, over all domains, and are frozen
afterwards, so that the rows of the table differ in their verifiers alone. (In the paper they go on
learning in every row.)
"""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.shared.resumable_vectors import kept, sbert
from training.time.lists import Lists, Texts
from training.time.network import Batch, Verifier, Words

Ints = NDArray[np.integer]
ENCODERS = ("bilstm", "rnn", "minilm")
AT_ONCE = 512  # texts that a trained encoder reads together


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts are read.

    ``pieces``: word pieces of a text; the rest is how a BiLSTM or RNN learns.
    """

    encoder: str = "bilstm"
    pieces: int = 24
    encoder_hidden: int = 128
    encoder_layers: int = 2
    encoder_epochs: int = 10
    encoder_rate: float = 1e-3
    encoder_batch: int = 32
    encoder_dropout: float = 0.3


def minilm(texts: Texts, reading: Reading, work: Path) -> Tensor:
    """Return the vectors (t, 384) of all texts in fp16, each group of them kept in ``work``."""
    name = f"minilm, {reading.pieces} pieces"
    groups = [kept(group, work, name, sbert(reading.pieces)) for group in texts.groups if group]
    return torch.from_numpy(np.concatenate(groups))


def pieces_of(texts: Texts, length: int) -> tuple[Tensor, Tensor]:
    """Return the word pieces (t, length) of all texts, 0 for none, and the vectors of the pieces used, (v, 384)."""
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    from features.models.weight_files import embedded_folder

    tokenizer = Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(length)
    read = tokenizer.encode_batch(list(texts.row), add_special_tokens=False)
    ids = np.zeros((len(texts), length), np.int64)
    for row, one in enumerate(read):
        ids[row, : len(one.ids)] = one.ids
    used, numbered = np.unique(np.append(0, ids.ravel()), return_inverse=True)
    table = load_file(embedded_folder() / "model.safetensors")["embeddings.word_embeddings.weight"][
        used
    ].float()
    table[0] = 0
    return torch.from_numpy(numbered[1:].reshape(ids.shape)), nn.functional.normalize(table, dim=-1)


class Joint(nn.Module):
    """An encoder and the base verifier on its vectors, which learn together from word pieces (t, length).

    ``masks`` has for each part which labels each claim may have, (N, labels).
    """

    def __init__(
        self, encoder: Words, verifier: Verifier, pieces: Tensor, masks: Mapping[str, Tensor]
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.verifier = verifier
        self.masks = masks
        self.pieces = pieces

    def loss(self, part: str, lists: Lists, rows: Ints) -> Tensor:
        """Return the label loss of some claims of a part.

        A text that several share is read once.
        """
        device = self.verifier.usual.device
        distinct, at = np.unique(
            np.append(lists.claim[rows], lists.snippets[rows]), return_inverse=True
        )
        read = self.encoder(self.pieces[np.maximum(distinct, 0)].to(device))
        vectors = read * torch.from_numpy(distinct >= 0)[:, None].to(device)
        claims = vectors[at[: len(rows)]]
        snippets = vectors[at[len(rows) :]].unflatten(0, (len(rows), -1))
        logits, _ = self.verifier(
            batch_of(claims, snippets, lists, rows, self.masks[part], str(device))
        )
        return nn.functional.cross_entropy(logits, torch.from_numpy(lists.label[rows]).to(device))


def learned(joint: Joint, parts: Mapping[str, Lists], reading: Reading, *, seed: int) -> Tensor:
    """Return the vectors (t, width) of all texts by the encoder after the epoch with the least development loss."""
    optimiser = torch.optim.AdamW(
        [p for p in joint.parameters() if p.requires_grad], lr=reading.encoder_rate
    )
    rng = np.random.default_rng(seed)
    best = float("inf")
    kept_state = joint.encoder.state_dict()
    known = {part: np.flatnonzero(parts[part].label >= 0) for part in ("train", "dev")}
    for epoch in range(reading.encoder_epochs):
        start = time.monotonic()
        joint.train()
        order = rng.permutation(known["train"])
        for rows in np.split(
            order, range(reading.encoder_batch, len(order), reading.encoder_batch)
        ):
            optimiser.zero_grad()
            joint.loss("train", parts["train"], rows).backward()
            nn.utils.clip_grad_norm_(joint.parameters(), 1.0)
            optimiser.step()
        loss = development_loss(joint, parts["dev"], known["dev"])
        if loss < best:
            best = loss
            kept_state = copy.deepcopy(joint.encoder.state_dict())
        progress = f"{reading.encoder}: epoch {epoch + 1}, development loss {loss:.3f}, {time.monotonic() - start:.0f} s"
        print(progress, file=sys.stderr, flush=True)
    joint.encoder.load_state_dict(kept_state)
    return read_all(joint.encoder, joint.pieces)


@torch.no_grad()
def development_loss(joint: Joint, lists: Lists, rows: Ints) -> float:
    """Return the mean label loss of development claims."""
    joint.eval()
    losses = [
        (float(joint.loss("dev", lists, some)), len(some))
        for some in np.array_split(rows, len(rows) // 256 + 1)
    ]
    return sum(loss * n for loss, n in losses) / len(rows)


def batch_of(
    claims: Tensor, snippets: Tensor, lists: Lists, rows: Ints, masks: Tensor, device: str
) -> Batch:
    """Return the claims of some rows as the verifier reads them.

    One without snippets has an empty one.
    """
    there = lists.snippets[rows] >= 0
    there[:, 0] = True
    return Batch(
        claims,
        snippets,
        torch.from_numpy(there).to(device),
        torch.from_numpy(lists.about[rows]).to(device),
        masks[rows].to(device),
    )


@torch.no_grad()
def read_all(encoder: Words, pieces: Tensor) -> Tensor:
    """Return the vectors of all texts in fp16, (t, width)."""
    encoder.eval()
    device = encoder.table.weight.device
    return torch.cat([encoder(part.to(device)).half().cpu() for part in pieces.split(AT_ONCE)])
