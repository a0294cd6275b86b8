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
from training.time.model import Batch, Verifier, Words

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
    """Return the word pieces (t, length) of all texts, 0 for none, and the used vectors (v, 384)."""
    from safetensors.torch import load_file
    from tokenizers import Tokenizer

    from features.models.weight_files import embedded_folder

    tokenizer = Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(length)
    encoded = tokenizer.encode_batch(list(texts.row), add_special_tokens=False)
    ids = np.zeros((len(texts), length), np.int64)
    for i, encoding in enumerate(encoded):
        ids[i, : len(encoding.ids)] = encoding.ids
    # number the pieces that occur, 0 for padding first
    used, numbers = np.unique(np.append(0, ids.ravel()), return_inverse=True)
    weights = load_file(embedded_folder() / "model.safetensors")
    table = weights["embeddings.word_embeddings.weight"][used].float()
    table[0] = 0
    pieces = torch.from_numpy(numbers[1:].reshape(ids.shape))
    return pieces, nn.functional.normalize(table, dim=-1)


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

    def loss(self, part: str, lists: Lists, claim_indices: Ints) -> Tensor:
        """Return the label loss of some claims of a part."""
        device = self.verifier.usual.device
        count = len(claim_indices)
        all_texts = np.append(lists.claim[claim_indices], lists.snippets[claim_indices])
        distinct, positions = np.unique(all_texts, return_inverse=True)
        # vectors of the distinct texts, zero for a missing snippet, (texts, width)
        encoded = self.encoder(self.pieces[np.maximum(distinct, 0)].to(device))
        vectors = encoded * torch.from_numpy(distinct >= 0)[:, None].to(device)
        claims = vectors[positions[:count]]
        snippets = vectors[positions[count:]].unflatten(0, (count, -1))
        batch = batch_of(claims, snippets, lists, claim_indices, self.masks[part], str(device))
        logits, _ = self.verifier(batch)
        label = torch.from_numpy(lists.label[claim_indices]).to(device)
        return nn.functional.cross_entropy(logits, label)


def learned(joint: Joint, parts: Mapping[str, Lists], reading: Reading, *, seed: int) -> Tensor:
    """Return the vectors (t, width) of all texts by the encoder of the best development epoch."""
    parameters = [parameter for parameter in joint.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=reading.encoder_rate)
    rng = np.random.default_rng(seed)
    best_loss = float("inf")
    best_state = joint.encoder.state_dict()
    train_indices = np.flatnonzero(parts["train"].label >= 0)
    dev_indices = np.flatnonzero(parts["dev"].label >= 0)
    for epoch in range(1, reading.encoder_epochs + 1):
        start = time.monotonic()
        joint.train()
        order = rng.permutation(train_indices)
        starts = range(reading.encoder_batch, len(order), reading.encoder_batch)
        for batch in np.split(order, starts):
            optimiser.zero_grad()
            joint.loss("train", parts["train"], batch).backward()
            nn.utils.clip_grad_norm_(joint.parameters(), 1.0)
            optimiser.step()
        loss = development_loss(joint, parts["dev"], dev_indices)
        if loss < best_loss:
            best_loss = loss
            best_state = copy.deepcopy(joint.encoder.state_dict())
        elapsed_s = time.monotonic() - start
        progress = (
            f"{reading.encoder}: epoch {epoch}, development loss {loss:.3f}, {elapsed_s:.0f} s"
        )
        print(progress, file=sys.stderr, flush=True)
    joint.encoder.load_state_dict(best_state)
    return read_all(joint.encoder, joint.pieces)


@torch.no_grad()
def development_loss(joint: Joint, lists: Lists, claim_indices: Ints) -> float:
    """Return the mean label loss of development claims."""
    joint.eval()
    total = 0
    for block in np.array_split(claim_indices, len(claim_indices) // 256 + 1):
        total += float(joint.loss("dev", lists, block)) * len(block)
    return total / len(claim_indices)


def batch_of(
    claims: Tensor, snippets: Tensor, lists: Lists, claim_indices: Ints, masks: Tensor, device: str
) -> Batch:
    """Return the claims of some rows as the verifier reads them.

    One without snippets has an empty one.
    """
    there = lists.snippets[claim_indices] >= 0
    there[:, 0] = True
    return Batch(
        claims,
        snippets,
        torch.from_numpy(there).to(device),
        torch.from_numpy(lists.about[claim_indices]).to(device),
        masks[claim_indices].to(device),
    )


@torch.no_grad()
def read_all(encoder: Words, pieces: Tensor) -> Tensor:
    """Return the vectors of all texts in fp16, (t, width)."""
    encoder.eval()
    device = encoder.table.weight.device
    return torch.cat(
        [encoder(piece_block.to(device)).half().cpu() for piece_block in pieces.split(AT_ONCE)]
    )
