"""Train the verifiers of time-aware evidence ranking on MultiFC and write what they predict.

    python -m training.time.train --data DIR --work DIR --encoder bilstm|rnn|minilm [--rows base,evidence-date,...]
        [--seeds 1] [--snippets 10] [--pieces 24] [--hidden 128] [--epochs 150] [--device cuda] [--test]

Each row is trained on all domains, then on each domain by itself, from there and from nothing; the epoch is chosen on
development claims. Predictions of development claims go to ``WORK/predictions``; those of test claims only with
``--test``. ``bench/time/ranking.py`` makes the tables. Nothing of this ships: Lectern passes no verdict.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.shared.command import parser
from training.time.lists import ROWS, Lists, Texts, listed, vocabulary
from training.time.model import Batch, Verifier, Words, listmle
from training.time.multifc import PARTS, Space, trained_claims
from training.time.scores import domain_scores, mean_score
from training.time.vectors import ENCODERS, Joint, Reading, batch_of, learned, minilm, pieces_of

Ints = NDArray[np.integer]
STAGES = ("all domains", "each domain", "all, then each")


@dataclass(frozen=True, slots=True)
class VerifierSettings:
    """How a verifier learns.

    ``balance``: 0 counts claims alike, 1 the labels of a domain; ``order``: ListMLE's weight.

    ``patience``: epochs without a better development score before it stops.
    """

    hidden: int = 128
    dropout: float = 0.3
    rate: float = 1e-3
    decay: float = 0.01
    batch: int = 32
    epochs: int = 20
    tuned: int = 20
    patience: int = 5
    balance: float = 0.25
    order: float = 1.0


T = TypeVar("T", Reading, VerifierSettings)


@dataclass(frozen=True, eq=False)
class Ground:
    """What every row learns from.

    Vectors of texts (t, d), the lists of each part, the labels a domain has.
    """

    vectors: Tensor
    parts: dict[str, Lists]
    masks: dict[str, Tensor]
    words: int
    device: str

    @property
    def labels(self) -> int:
        """Return how many labels all domains have."""
        return self.masks["train"].shape[1]

    def verifier(self, settings: VerifierSettings, seed: int) -> Verifier:
        """Return an untrained verifier."""
        torch.manual_seed(seed)
        width = self.vectors.shape[1]
        verifier = Verifier(
            width, self.labels, self.words, hidden=settings.hidden, dropout=settings.dropout
        )
        return verifier.to(self.device)

    def batch(self, split: str, claim_indices: Ints) -> Batch:
        """Return some claims of a part."""
        lists = self.parts[split]
        snippets = lists.snippets[claim_indices]
        # vectors of the snippets, zero for a missing one, (b, n, d)
        is_present = torch.from_numpy(snippets >= 0)[..., None]
        snippet_vectors = self.vectors[np.maximum(snippets, 0)].float() * is_present
        claim_vectors = self.vectors[lists.claim[claim_indices]].float()
        return batch_of(
            claim_vectors.to(self.device),
            snippet_vectors.to(self.device),
            lists,
            claim_indices,
            self.masks[split],
            self.device,
        )

    @torch.no_grad()
    def predictions(
        self, verifier: Verifier, split: str, claim_indices: Ints
    ) -> tuple[Ints, float]:
        """Return the label of each of some claims, and the loss of those whose label is known."""
        verifier.eval()
        block_logits = []
        for block in np.array_split(claim_indices, len(claim_indices) // 256 + 1):
            block_logits.append(verifier(self.batch(split, block))[0])
        logits = torch.cat(block_logits).cpu()
        label = torch.from_numpy(self.parts[split].label[claim_indices])
        loss = 0.0
        if (label >= 0).any():
            loss = float(nn.functional.cross_entropy(logits, label, ignore_index=-1))
        return logits.argmax(-1).numpy(), loss

    def score(self, verifier: Verifier, claim_indices: Ints) -> tuple[float, float]:
        """Return the mean F1 of a verifier on some development claims, and minus its loss."""
        lists = self.parts["dev"]
        predicted, loss = self.predictions(verifier, "dev", claim_indices)
        scores = domain_scores(lists.domain[claim_indices], lists.label[claim_indices], predicted)
        return mean_score(scores), -loss


def fit(
    ground: Ground,
    start: Verifier,
    ranks: Ints,
    settings: VerifierSettings,
    domain: str = "",
    *,
    seed: int,
) -> Verifier:
    """Return the verifier after its best epoch on development claims, of one domain or of all."""
    lists = ground.parts["train"]
    verifier = copy.deepcopy(start)
    rng = np.random.default_rng(seed)
    train_indices = _claims_of_domain(lists, domain)
    dev_indices = _claims_of_domain(ground.parts["dev"], domain)
    weights = torch.from_numpy(_weights(lists, settings.balance)).float().to(ground.device)
    optimiser = torch.optim.AdamW(
        verifier.parameters(), lr=settings.rate, weight_decay=settings.decay
    )
    best = ground.score(verifier, dev_indices)
    best_state = copy.deepcopy(verifier.state_dict())
    epochs_without_gain = 0
    for _ in range(settings.tuned if domain else settings.epochs):
        verifier.train()
        order = rng.permutation(train_indices)
        for batch in np.split(order, range(settings.batch, len(order), settings.batch)):
            loss = _loss(ground, verifier, batch, ranks, weights, settings.order)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        score = ground.score(verifier, dev_indices)
        epochs_without_gain += 1
        if score > best:
            best = score
            best_state = copy.deepcopy(verifier.state_dict())
            epochs_without_gain = 0
        if epochs_without_gain >= settings.patience:
            break
    verifier.load_state_dict(best_state)
    return verifier


def _loss(
    ground: Ground,
    verifier: Verifier,
    claim_indices: Ints,
    ranks: Ints,
    weights: Tensor,
    order_weight: float,
) -> Tensor:
    """Return the loss of the labels, plus that of the order if the claims have one."""
    logits, scores = verifier(ground.batch("train", claim_indices))
    labels = torch.from_numpy(ground.parts["train"].label[claim_indices]).to(ground.device)
    loss = nn.functional.cross_entropy(logits, labels, weight=weights)
    claim_ranks = ranks[claim_indices]
    if claim_ranks.any():
        order_loss = listmle(scores, torch.from_numpy(claim_ranks).to(ground.device)).mean()
        loss = loss + order_weight * order_loss
    return loss


def _claims_of_domain(lists: Lists, domain: str) -> Ints:
    """Return the indices of the claims with a known label, of one domain or of all ("")."""
    is_known = lists.label >= 0
    if not domain:
        return np.flatnonzero(is_known)
    return np.flatnonzero(is_known & (lists.domain == domain))


def _weights(lists: Lists, balance: float) -> NDArray[np.floating]:
    """Return a weight for each label.

    Rarer ones of a domain weigh more, 1 in the mean over its claims.
    """
    counts = np.bincount(lists.label).astype(float)
    weights = np.maximum(counts, 1) ** -balance
    for domain in np.unique(lists.domain):
        domain_labels = lists.label[lists.domain == domain]
        weights[np.unique(domain_labels)] /= weights[domain_labels].mean()
    return weights


def train_row(
    ground: Ground, row: str, settings: VerifierSettings, *, seed: int, parts: Sequence[str]
) -> dict[str, dict]:
    """Return the labels (N,) that a row predicts for each part and stage."""
    ranks = ground.parts["train"].ranks(row, seed=seed)
    untrained = ground.verifier(settings, seed)
    all_domains = fit(ground, untrained, ranks, settings, seed=seed)
    predicted: dict[str, dict] = {}
    for split in parts:
        count = len(ground.parts[split])
        predicted[split] = {stage: np.full(count, -1) for stage in STAGES}
    for domain in np.unique(ground.parts["train"].domain):
        each_domain = fit(ground, untrained, ranks, settings, domain, seed=seed)
        all_then_each = fit(ground, all_domains, ranks, settings, domain, seed=seed)
        verifiers = (all_domains, each_domain, all_then_each)
        for split in parts:
            claim_indices = np.flatnonzero(ground.parts[split].domain == domain)
            if not len(claim_indices):
                continue
            for stage, verifier in zip(STAGES, verifiers, strict=True):
                labels, _ = ground.predictions(verifier, split, claim_indices)
                predicted[split][stage][claim_indices] = labels
    return predicted


def prepare(
    options: argparse.Namespace, reading: Reading, settings: VerifierSettings
) -> tuple[Ground, dict[str, list[str]]]:
    """Return what every row learns from, and the ids of each part's claims.

    A trained encoder's vectors are kept.
    """
    claims_by_part = trained_claims(options.data)
    space = Space(claims_by_part["train"])
    words = vocabulary(claims_by_part["train"])
    all_claims = [claim for split in PARTS for claim in claims_by_part[split]]
    texts = Texts(all_claims, options.snippets)
    lists_by_part = {}
    masks = {}
    ids = {}
    for split, claims in claims_by_part.items():
        lists_by_part[split] = listed(claims, texts, space, words, options.snippets)
        masks[split] = torch.tensor([space.mask(claim.domain) for claim in claims])
        ids[split] = [claim.id for claim in claims]
    options.work.mkdir(parents=True, exist_ok=True)
    ground = Ground(torch.zeros(0, 1), lists_by_part, masks, len(words), options.device)
    vectors = _vectors(texts, ground, reading, settings, options)
    return replace(ground, vectors=vectors), ids


def _vectors(
    texts: Texts,
    ground: Ground,
    reading: Reading,
    settings: VerifierSettings,
    options: argparse.Namespace,
) -> Tensor:
    if reading.encoder == "minilm":
        return minilm(texts, reading, options.work)
    key = repr((reading, settings.hidden, options.seed, list(texts.row)))
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    path = options.work / f"{reading.encoder}-{digest}.npy"
    if not path.exists():
        torch.manual_seed(options.seed)
        pieces, table = pieces_of(texts, reading.pieces)
        encoder = Words(
            table,
            hidden=reading.encoder_hidden,
            layers=reading.encoder_layers,
            kind=reading.encoder,
            dropout=reading.encoder_dropout,
        )
        base = Verifier(
            encoder.width,
            ground.labels,
            ground.words,
            hidden=settings.hidden,
            dropout=settings.dropout,
        )
        joint = Joint(encoder, base, pieces, ground.masks).to(options.device)
        np.save(path, learned(joint, ground.parts, reading, seed=options.seed).numpy())
    return torch.from_numpy(np.load(path))


def main(arguments: Sequence[str] | None = None) -> None:
    """Train each row with each seed, except those whose predictions are already there."""
    options = _options(arguments)
    torch.set_num_threads(options.threads)
    reading = _chosen(Reading, options)
    settings = _chosen(VerifierSettings, options)
    ground, ids = prepare(options, reading, settings)
    parts = PARTS[1:] if options.test else PARTS[1:2]
    settings_values = {
        "reading": asdict(reading),
        "recipe": asdict(settings),
        "snippets": options.snippets,
    }
    for seed in range(options.seed, options.seed + options.seeds):
        for row in options.rows:
            path = options.work / "predictions" / f"{options.encoder}-{row}-{seed}.json"
            if path.exists() and set(parts) <= json.loads(path.read_text("utf-8")).keys():
                continue
            start = time.monotonic()
            predicted = train_row(ground, row, settings, seed=seed, parts=parts)
            content = {split: {"ids": ids[split], **predicted[split]} for split in parts}
            _write(path, content, settings_values)
            lists = ground.parts["dev"]
            scores = []
            for stage in STAGES:
                by_domain = domain_scores(lists.domain, lists.label, predicted["dev"][stage])
                scores.append(f"{mean_score(by_domain):.4f}")
            elapsed_s = time.monotonic() - start
            progress = f"{path.stem}: development {' '.join(scores)}, {elapsed_s:.0f} s"
            print(progress, file=sys.stderr)


def _write(path: Path, predicted: dict[str, dict], settings: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"settings": settings, **predicted}, default=np.ndarray.tolist)
    path.write_text(text + "\n", encoding="utf-8")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    command_line = parser("time.train", __doc__, out="")
    command_line.add_argument(
        "--rows", type=lambda text: text.split(","), default=list(ROWS), help=",".join(ROWS)
    )
    command_line.add_argument(
        "--snippets", type=int, default=10, help="of a claim, the first of the search"
    )
    command_line.add_argument(
        "--seeds",
        type=int,
        default=1,
        help="how many, from --seed on; a trained encoder has the first",
    )
    command_line.add_argument("--test", action="store_true", help="predict the test claims too")
    command_line.add_argument("--threads", type=int, default=1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    command_line.add_argument("--device", default=device)
    for field in (*fields(Reading), *fields(VerifierSettings)):
        option = "--" + field.name.replace("_", "-")
        if field.name == "encoder":
            command_line.add_argument(option, default=field.default, choices=ENCODERS)
        else:
            command_line.add_argument(option, default=field.default, type=type(field.default))
    options = command_line.parse_args(arguments)
    unknown = sorted(set(options.rows) - set(ROWS))
    if unknown:
        command_line.error(
            f"--rows: {', '.join(unknown)} is no row; expected some of {', '.join(ROWS)}"
        )
    return options


def _chosen(kind: type[T], options: argparse.Namespace) -> T:
    return kind(**{field.name: getattr(options, field.name) for field in fields(kind)})


if __name__ == "__main__":
    main()
