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
from training.time.multifc import PARTS, Space, trained_claims
from training.time.network import Batch, Verifier, Words, listmle
from training.time.scores import domain_scores, mean_score
from training.time.vectors import ENCODERS, Joint, Reading, batch_of, learned, minilm, pieces_of

Ints = NDArray[np.integer]
STAGES = ("all domains", "each domain", "all, then each")


@dataclass(frozen=True, slots=True)
class Recipe:
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


T = TypeVar("T", Reading, Recipe)


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

    def verifier(self, recipe: Recipe, seed: int) -> Verifier:
        """Return an untrained verifier."""
        torch.manual_seed(seed)
        width = self.vectors.shape[1]
        return Verifier(
            width, self.labels, self.words, hidden=recipe.hidden, dropout=recipe.dropout
        ).to(self.device)

    def batch(self, part: str, rows: Ints) -> Batch:
        """Return some claims of a part."""
        lists = self.parts[part]
        snippets = lists.snippets[rows]
        read = (
            self.vectors[np.maximum(snippets, 0)].float()
            * torch.from_numpy(snippets >= 0)[..., None]
        )
        claim = self.vectors[lists.claim[rows]].float()
        return batch_of(
            claim.to(self.device), read.to(self.device), lists, rows, self.masks[part], self.device
        )

    @torch.no_grad()
    def predictions(self, verifier: Verifier, part: str, rows: Ints) -> tuple[Ints, float]:
        """Return the label of each of some claims, and the loss of those whose label is known."""
        verifier.eval()
        logits_by_part = [
            verifier(self.batch(part, some))[0]
            for some in np.array_split(rows, len(rows) // 256 + 1)
        ]
        logits = torch.cat(logits_by_part).cpu()
        label = torch.from_numpy(self.parts[part].label[rows])
        loss = (
            nn.functional.cross_entropy(logits, label, ignore_index=-1)
            if (label >= 0).any()
            else torch.tensor(0.0)
        )
        return logits.argmax(-1).numpy(), float(loss)

    def score(self, verifier: Verifier, rows: Ints) -> tuple[float, float]:
        """Return how good a verifier is for some development claims.

        Its mean score, and less loss among equals.
        """
        lists = self.parts["dev"]
        predicted, loss = self.predictions(verifier, "dev", rows)
        return mean_score(domain_scores(lists.domain[rows], lists.label[rows], predicted)), -loss


def fit(
    ground: Ground, start: Verifier, ranks: Ints, recipe: Recipe, domain: str = "", *, seed: int
) -> Verifier:
    """Return the verifier after its best epoch on development claims, of one domain or of all.

    The start counts too.

    ``ranks`` (N, n) is the order that the snippets of the training claims should get, 0 where masked.
    """
    lists = ground.parts["train"]
    verifier = copy.deepcopy(start)
    rng = np.random.default_rng(seed)
    rows, dev = (_rows(ground.parts[part], domain) for part in ("train", "dev"))
    weights = torch.from_numpy(_weights(lists, recipe.balance)).float().to(ground.device)
    optimiser = torch.optim.AdamW(verifier.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    best = ground.score(verifier, dev)
    state = copy.deepcopy(verifier.state_dict())
    since = 0
    for _ in range(recipe.tuned if domain else recipe.epochs):
        verifier.train()
        for some in np.split(
            order := rng.permutation(rows), range(recipe.batch, len(order), recipe.batch)
        ):
            _step(ground, verifier, optimiser, some, ranks, weights, recipe)
        score = ground.score(verifier, dev)
        since = since + 1
        if score > best:
            best = score
            state = copy.deepcopy(verifier.state_dict())
            since = 0
        if since >= recipe.patience:
            break
    verifier.load_state_dict(state)
    return verifier


def _step(
    ground: Ground, verifier: Verifier, optimiser: torch.optim.Optimizer, rows: Ints, ranks: Ints, weights: Tensor,
    recipe: Recipe,
) -> None:  # fmt: skip
    logits, scores = verifier(ground.batch("train", rows))
    labels = torch.from_numpy(ground.parts["train"].label[rows]).to(ground.device)
    loss = nn.functional.cross_entropy(logits, labels, weight=weights)
    if ranks[rows].any():
        loss = (
            loss
            + recipe.order * listmle(scores, torch.from_numpy(ranks[rows]).to(ground.device)).mean()
        )
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()


def _rows(lists: Lists, domain: str) -> Ints:
    return np.flatnonzero((lists.label >= 0) & ((lists.domain == domain) | (domain == "")))


def _weights(lists: Lists, balance: float) -> NDArray[np.floating]:
    """Return a weight for each label.

    Rarer ones of a domain weigh more, 1 in the mean over its claims.
    """
    counts = np.bincount(lists.label).astype(float)
    weights = np.maximum(counts, 1) ** -balance
    for domain in np.unique(lists.domain):
        own = lists.label[lists.domain == domain]
        weights[np.unique(own)] /= weights[own].mean()
    return weights


def train_row(
    ground: Ground, row: str, recipe: Recipe, *, seed: int, parts: Sequence[str]
) -> dict[str, dict]:
    """Return what a row predicts: for each part and stage the labels of all its claims, (N,)."""
    ranks = ground.parts["train"].ranks(row, seed=seed)
    new = ground.verifier(recipe, seed)
    whole = fit(ground, new, ranks, recipe, seed=seed)
    predicted = {
        part: {stage: np.full(len(ground.parts[part]), -1) for stage in STAGES} for part in parts
    }
    for domain in np.unique(ground.parts["train"].domain):
        own = [
            whole,
            *(fit(ground, start, ranks, recipe, domain, seed=seed) for start in (new, whole)),
        ]
        for part in parts:
            rows = np.flatnonzero(ground.parts[part].domain == domain)
            for stage, verifier in zip(STAGES, own, strict=True):
                if len(rows):
                    predicted[part][stage][rows] = ground.predictions(verifier, part, rows)[0]
    return predicted


def prepare(
    options: argparse.Namespace, reading: Reading, recipe: Recipe
) -> tuple[Ground, dict[str, list[str]]]:
    """Return what every row learns from, and the ids of each part's claims.

    A trained encoder's vectors are kept.
    """
    by_part = trained_claims(options.data)
    space = Space(by_part["train"])
    words = vocabulary(by_part["train"])
    texts = Texts([claim for part in PARTS for claim in by_part[part]], options.snippets)
    parts = {
        part: listed(own, texts, space, words, options.snippets) for part, own in by_part.items()
    }
    masks = {
        part: torch.tensor([space.mask(claim.domain) for claim in own])
        for part, own in by_part.items()
    }
    options.work.mkdir(parents=True, exist_ok=True)
    ground = Ground(torch.zeros(0, 1), parts, masks, len(words), options.device)
    ids = {part: [claim.id for claim in own] for part, own in by_part.items()}
    return replace(ground, vectors=_vectors(texts, ground, reading, recipe, options)), ids


def _vectors(
    texts: Texts, ground: Ground, reading: Reading, recipe: Recipe, options: argparse.Namespace
) -> Tensor:
    if reading.encoder == "minilm":
        return minilm(texts, reading, options.work)
    digest = hashlib.sha256(
        repr((reading, recipe.hidden, options.seed, list(texts.row))).encode()
    ).hexdigest()[:16]
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
            encoder.width, ground.labels, ground.words, hidden=recipe.hidden, dropout=recipe.dropout
        )
        joint = Joint(encoder, base, pieces, ground.masks).to(options.device)
        np.save(path, learned(joint, ground.parts, reading, seed=options.seed).numpy())
    return torch.from_numpy(np.load(path))


def main(arguments: Sequence[str] | None = None) -> None:
    """Train each row with each seed; rows whose predictions are there already are passed over."""
    options = _options(arguments)
    torch.set_num_threads(options.threads)
    reading = _chosen(Reading, options)
    recipe = _chosen(Recipe, options)
    ground, ids = prepare(options, reading, recipe)
    parts = PARTS[1:] if options.test else PARTS[1:2]
    for seed in range(options.seed, options.seed + options.seeds):
        for row in options.rows:
            path = options.work / "predictions" / f"{options.encoder}-{row}-{seed}.json"
            if path.exists() and set(parts) <= json.loads(path.read_text("utf-8")).keys():
                continue
            start = time.monotonic()
            predicted = train_row(ground, row, recipe, seed=seed, parts=parts)
            settings = {
                "reading": asdict(reading),
                "recipe": asdict(recipe),
                "snippets": options.snippets,
            }
            _write(path, {part: {"ids": ids[part], **predicted[part]} for part in parts}, settings)
            lists = ground.parts["dev"]
            scores = [
                f"{mean_score(domain_scores(lists.domain, lists.label, predicted['dev'][s])):.4f}"
                for s in STAGES
            ]
            print(
                f"{path.stem}: development {' '.join(scores)}, {time.monotonic() - start:.0f} s",
                file=sys.stderr,
            )


def _write(path: Path, predicted: dict[str, dict], settings: dict[str, object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"settings": settings, **predicted}, default=np.ndarray.tolist)
    path.write_text(text + "\n", encoding="utf-8")


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    made = parser("time.train", __doc__, out="")
    made.add_argument(
        "--rows", type=lambda text: text.split(","), default=list(ROWS), help=",".join(ROWS)
    )
    made.add_argument(
        "--snippets", type=int, default=10, help="of a claim, the first of the search"
    )
    made.add_argument(
        "--seeds",
        type=int,
        default=1,
        help="how many, from --seed on; a trained encoder has the first",
    )
    made.add_argument("--test", action="store_true", help="predict the test claims too")
    made.add_argument("--threads", type=int, default=1)
    made.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    for field in (*fields(Reading), *fields(Recipe)):
        kind = {"choices": ENCODERS} if field.name == "encoder" else {"type": type(field.default)}
        made.add_argument("--" + field.name.replace("_", "-"), default=field.default, **kind)
    options = made.parse_args(arguments)
    if unknown := set(options.rows) - set(ROWS):
        made.error(
            f"--rows: {', '.join(sorted(unknown))} is no row; expected some of {', '.join(ROWS)}"
        )
    return options


def _chosen(kind: type[T], options: argparse.Namespace) -> T:
    return kind(**{field.name: getattr(options, field.name) for field in fields(kind)})


if __name__ == "__main__":
    main()
