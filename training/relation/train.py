"""Train the network of relations along the evidence and write ``relation.safetensors`` with its card.

    python -m training.relation.train --data DIR --index DIR --work DIR [--out models] [--choose]

FEVER's claims with evidence, WiCE, MultiNLI, PolitiHop train and articles of PolitiFact, whose
relation is their rating's, are learnt from; vectors and the cross-encoder stay as they are.
``--choose`` holds every second statement of PolitiHop train out and prints the development scores
instead of writing. Closing summaries and sentences that name a rating are left out of the
articles. PolitiHop valid and FEVER's test part are read by ``bench/articles/relation.py`` and by
nothing here.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from assistant.claims.claim_index import ClaimIndex
from features.models.model_spec import Floats
from training.relation.article_relation import RELATIONS, WEIGHTS
from training.relation.case_batches import Item, batches, rarity_of, relations
from training.relation.case_gathering import HELD_OUT, Gatherer, labels, spread
from training.relation.model import Network, loss_of
from training.shared import cards
from training.shared.command import flags, parser
from training.shared.descent import Descent, half
from training.shared.opening import open_index

SHARES = {
    "fever": 2.0,
    "wice": 0.2,
    "nli": 0.4,
    "politihop": 1.5,
    "politifact": 3.0,
    "neighbour": 0.4,
    "denied": 0.1,
}


@dataclass(frozen=True, slots=True)
class RelationSettings:
    """How a network is trained. ``pointing`` is λ, the weight of the pointer's loss."""

    epochs: int = 8
    rate: float = 1e-3
    width: int = 64
    said: int = 16
    hidden: float = 0.8
    dropout: float = 0.5
    decay: float = 0.3
    batch: int = 64
    pointing: float = 0.3


@dataclass(frozen=True, eq=False)
class Trained:
    """A network and how rare the words are that it knows."""

    network: Network
    rarity: Floats

    def relations(self, items_read: Sequence[Item]) -> Floats:
        """Return the average relation of each item, (n, 3) probabilities."""
        return relations(self.network, items_read, self.rarity)

    def tensors(self) -> Mapping[str, torch.Tensor]:
        """Return what the product reads, in fp16."""
        return half([*self.network.state_dict().items(), ("rarity", torch.from_numpy(self.rarity))])


def learn(
    training_items: Sequence[Item],
    settings: RelationSettings,
    seed: int,
    report: Callable[[int, Trained], None] | None = None,
) -> Trained:
    """Return a network trained on items, their weights by source as in ``SHARES``."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    rarity = rarity_of(training_items)
    network = Network(
        len(training_items[0].memory.wording),
        width=settings.width,
        word_width=settings.said,
        hidden=settings.hidden,
        dropout=settings.dropout,
    )
    trained = Trained(network, rarity)
    weights = weights_of(training_items)
    steps = settings.epochs * -(-len(training_items) // settings.batch)
    descent = Descent(settings.epochs, steps, settings.rate, settings.decay)
    descent.train(
        network,
        lambda: batches(training_items, rarity, weights, rng, settings.batch),
        lambda batch: loss_of(network(batch, follow=True), batch, settings.pointing),
        report and (lambda epoch: report(epoch, trained)),
    )
    return trained


def weights_of(training_items: Sequence[Item]) -> list[float]:
    """Return each item's weight.

    Its source's share over how many items the source has, times all of them.
    """
    counts = Counter(item.raw.source for item in training_items)
    total = sum(SHARES[source] for source in counts)
    weights = []
    for item in training_items:
        source = item.raw.source
        weights.append(SHARES[source] / total * len(training_items) / counts[source])
    return weights


def development(gatherer: Gatherer, index: ClaimIndex) -> tuple[list[Item], dict[str, list[Item]]]:
    """Return what is learnt from when choosing, and what is chosen by, by name."""
    database = gatherer.politifact(index)
    learnt, held_out = spread(gatherer.politihop("train"))
    by_source = {
        name: [item for item in database["dev"] if item.raw.source == name]
        for name in ("politifact", "neighbour", "denied")
    }
    chosen_by = {
        "fever": gatherer.fever("dev", HELD_OUT["fever"]),
        "politihop": held_out,
        **by_source,
    }
    return [*gatherer.outside(), *learnt, *database["train"]], chosen_by


def everything(gatherer: Gatherer, index: ClaimIndex) -> list[Item]:
    """Return all that the shipped network learns from."""
    politihop = [
        item for statement_items in gatherer.politihop("train") for item in statement_items
    ]
    return [*gatherer.outside(), *politihop, *gatherer.politifact(index)["train"]]


def scores(trained: Trained, sets: Mapping[str, Sequence[Item]]) -> dict[str, float]:
    """Return the accuracy on each set."""
    accuracies = {}
    for name, set_items in sets.items():
        if set_items:
            correct = trained.relations(set_items).argmax(1) == labels(set_items)
            accuracies[name] = round(float(correct.mean()), 4)
    return accuracies


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and write the network, or print the development scores after each epoch."""
    command_line = parser("relation.train", __doc__)
    command_line.add_argument(
        "--index", type=Path, required=True, help="a claim index with the articles' vectors"
    )
    command_line.add_argument(
        "--choose", action="store_true", help="print development scores instead of writing"
    )
    command_line.add_argument(
        "--every", type=int, default=1, help="learn from every so many-th case only"
    )
    command_line.add_argument("--threads", type=int, default=1)
    command_line.add_argument("--epochs", type=int, default=8)
    options = command_line.parse_args(arguments)
    torch.set_num_threads(options.threads)
    settings = RelationSettings(epochs=options.epochs)
    gatherer = Gatherer.make(options.data, options.work)
    index = open_index(options.index)
    if not options.choose:
        training_items = everything(gatherer, index)
        trained = learn(training_items, settings, options.seed)
        cards.write_model(
            options.out / WEIGHTS, trained.tensors(), _card(settings, training_items, options)
        )
        return
    training_items, sets = development(gatherer, index)
    training_items = training_items[:: options.every]
    print(
        Counter(item.raw.source for item in training_items),
        {name: len(items) for name, items in sets.items()},
        flush=True,
    )
    began = time.monotonic()

    def told(epoch: int, trained: Trained) -> None:
        print(epoch, scores(trained, sets), round(time.monotonic() - began), flush=True)

    learn(training_items, settings, options.seed, told)


def _card(
    settings: RelationSettings, training_items: Sequence[Item], options: argparse.Namespace
) -> dict[str, object]:
    return {
        "what": "how the sentences of an article, read one after another, stand to a wording",
        "base": f"vectors of {cards.MINILM} and nli.safetensors, which stay as they are",
        "form": "pointer over sentences and a relation at each step: an LSTM with attention hops, fp16",
        "relations": list(RELATIONS),
        "masked": True,
        "recipe": asdict(settings),
        "cases": dict(Counter(item.raw.source for item in training_items)),
        "data": DATA,
        "command": "python -m training.relation.train --data DIR --index DIR --work DIR --out models "
        + flags(options, "epochs", "seed"),
        "licence": cards.LICENCE,
    }


DATA = {
    "fever": "FEVER claims with evidence that nli.safetensors was not trained on (CC BY-SA 3.0)",
    "wice": "WiCE, the published non-supported-tokens training part (ODC-BY; texts CC BY-SA, Common Crawl)",
    "nli": "MultiNLI matched, which nli.safetensors was not trained on (OANC licence, CC BY / CC BY-SA parts)",
    "politihop": "PolitiHop train: statements of PolitiFact with human evidence chains (research; no licence stated)",
    "politifact": "articles of PolitiFact without what a debate is linked to and without PolitiHop; none is shipped",
    "neighbour": "the same statements with articles on a like matter that settle them not; none is shipped",
    "denied": "the same statements denied by the rules of training/edits/claim_edits.py; none is shipped",
}


if __name__ == "__main__":
    main()
