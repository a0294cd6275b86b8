"""The network of time-aware evidence ranking.

A verifier's label scores, ranking scores, and their losses.

Source: Allein et al., Time-aware evidence ranking for fact-checking, 2021, equations 1 to 3: the
fusion of claim and snippet [h_c; h_e; h_c - h_e; h_c * h_e; h_meta], label embeddings with a mask
for each domain, label score times ranking score summed over the snippets. The metadata are a mean
of word vectors here, not a CNN.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

FAR = -1e4  # the logit of another domain's label
ABOUT_WIDTH = 32  # as the paper's metadata


class Batch(NamedTuple):
    """Shapes: claim (b, d), snippets (b, n, d), there (b, n), about (b, m) with 0 for none, allowed (b, labels)."""

    claim: Tensor
    snippets: Tensor
    there: Tensor
    about: Tensor
    allowed: Tensor


class Verifier(nn.Module):
    """Which label a claim has, from vectors of width ``d``; ``words`` of metadata, 0 left out."""

    def __init__(
        self, d: int, labels: int, words: int, *, hidden: int = 128, dropout: float = 0.3
    ) -> None:
        super().__init__()
        self.hiding = nn.Dropout(dropout)
        self.read = nn.Linear(d, hidden)
        self.about = nn.EmbeddingBag(words + 1, ABOUT_WIDTH, mode="mean", padding_idx=0)
        fused = 4 * hidden + ABOUT_WIDTH
        self.joined = nn.Linear(fused, hidden)
        self.labels = nn.Linear(hidden, labels, bias=False)
        self.usual = nn.Parameter(torch.zeros(labels))
        self.ranking = nn.Sequential(
            nn.Linear(fused, hidden // 2), nn.ReLU(), nn.Linear(hidden // 2, 1)
        )

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Return the logits of the labels (b, labels) and the ranking scores of the snippets (b, n).

        The ranking scores move with the label loss as all else does; ``listmle`` should be given
        ``rank``'s, so that the order is learnt by the ranking module alone.
        """
        fused = self.fused(batch)
        scores = self.rank(fused)
        hidden = torch.relu(self.joined(self.hiding(fused)))
        snippet_logits = self.labels(self.hiding(hidden))
        # logits of the claim: the snippets' logits weighted by their ranking scores, (b, labels)
        weights = scores.masked_fill(~batch.there, FAR).softmax(-1)
        logits = (weights[..., None] * snippet_logits).sum(1) + self.usual
        return logits.masked_fill(~batch.allowed, FAR), self.rank(fused.detach())

    def fused(self, batch: Batch) -> Tensor:
        """Return claim and snippet together with the metadata, (b, n, 4 hidden + 32).

        Equation 1.
        """
        claim = torch.tanh(self.read(self.hiding(batch.claim)))[:, None]
        snippets = torch.tanh(self.read(self.hiding(batch.snippets)))
        claim, snippets = torch.broadcast_tensors(claim, snippets)
        about = self.about(batch.about)[:, None].expand(-1, snippets.shape[1], -1)
        return torch.cat([claim, snippets, claim - snippets, claim * snippets, about], -1)

    def rank(self, fused: Tensor) -> Tensor:
        """Return the ranking score of each snippet, (b, n)."""
        return self.ranking(fused).squeeze(-1)


def listmle(scores: Tensor, ranks: Tensor) -> Tensor:
    """Return -log of the Plackett-Luce probability of the order that rank scores give, (b,).

    ListMLE.

    A text is drawn from itself and all texts that do not rank above it; masked ones (rank score 0)
    never take part. The papers leave ties open: each of several equal texts is drawn from the same
    set, itself and the others included, so that the loss does not depend on how equal texts are
    listed (Breslow, Biometrics 1974). Shapes: scores, ranks (b, n). Source: Allein et al. 2021,
    equations 2 and 3; Xia et al., Listwise approach to learning to rank, ICML 2008.
    """
    is_ranked = ranks > 0
    # the snippets that compete with each one: itself and all ranked below it, (b, n, n)
    below = ranks[:, None, :] <= ranks[:, :, None]
    competes = is_ranked[:, None, :] & below
    competing_scores = scores[:, None, :].masked_fill(~competes, FAR * 1e4)
    losses = competing_scores.logsumexp(-1) - scores
    return torch.where(is_ranked, losses, torch.zeros_like(scores)).sum(-1)


class Words(nn.Module):
    """A BiLSTM or RNN over word pieces; a text is its last state, of both directions side by side.

    ``table`` (V, e) are the vectors of the word pieces, which stay as they are; row 0 is padding.
    """

    def __init__(
        self,
        table: Tensor,
        *,
        hidden: int = 128,
        layers: int = 2,
        kind: str = "bilstm",
        dropout: float = 0.3,
    ) -> None:
        super().__init__()
        self.table = nn.Embedding.from_pretrained(table, freeze=True, padding_idx=0)
        both = kind == "bilstm"
        net = nn.LSTM if both else nn.RNN
        self.hiding = nn.Dropout(dropout)
        self.net = net(
            table.shape[1], hidden, num_layers=layers, batch_first=True, bidirectional=both
        )
        self.width = hidden * (2 if both else 1)

    def forward(self, pieces: Tensor) -> Tensor:
        """Return the vectors (t, width) of texts (t, length).

        A text without a word piece has a zero vector.
        """
        lengths = (pieces > 0).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.hiding(self.table(pieces)),
            lengths.clamp(min=1).cpu(),
            batch_first=True,
            enforce_sorted=False,
        )
        _, final = self.net(packed)
        # an LSTM returns states and cells; states are (layers * directions, t, hidden)
        states = final[0] if isinstance(final, tuple) else final
        directions = self.width // states.shape[-1]
        last_layer = states[-directions:]
        return last_layer.transpose(0, 1).flatten(1) * (lengths > 0)[:, None]
