"""Train the scorer of evidence sentences and write ``evidence.safetensors`` with its card.

python -m training.evidence.train --data DIR --work DIR [--out models] [--loss NAME] [--folds 5]

PolitiHop train is learnt from, and the closing summaries of its whole articles, which PolitiHop
left out: a first reading of every sentence (``linear.py``) and the network that adds to it
(``model.py``). ``--folds`` trains and reads inside PolitiHop train instead, parted by statement,
and prints the scores that choose. PolitiHop valid is read by ``bench/articles/evidence.py`` and by
nothing here.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.evidence.articles import Article, politihop, whole
from training.evidence.linear import Linear, held_out_logits, learn_linear
from training.evidence.lists import Drawing, List, batches, make_list, read, summary_list
from training.evidence.model import LOSSES, METRIC, Network, loss_of
from training.evidence.scores import MEASURES, interval, table
from training.shared import cards
from training.shared.command import flags, parser
from training.shared.descent import Descent, half
from training.shared.loaders import rows
from training.shared.sentence_vectors import Vectors

FINAL_RATE_SHARE = 0.02  # of the learning rate, at the end
Scores = NDArray[np.floating]


class Example(NamedTuple):
    """A list to learn from, the number of its statement, and whether it is only learnt from, not tested on."""

    list: List
    statement: int
    untested: bool = False


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """How a scorer is trained.

    ``negatives`` for each positive and ``most`` sentences of a list, 0 for all.

    ``first``: whether the network adds to the first reading or must do without it.
    """

    loss: str = "evidence-aware"
    first: bool = True
    negatives: int = 0
    most: int = 0
    epochs: int = 8
    rate: float = 2e-3
    width: int = 32
    layers: int = 1
    hidden: float = 0.8
    dropout: float = 0.3
    decay: float = 0.05
    margin: float = 0.5
    batch: int = 16

    def network(self, d: int, seed: int) -> Network:
        """Return an untrained network.

        Only the evidence-aware one attends to the other sentences.
        """
        torch.manual_seed(seed)
        return Network(
            d,
            width=self.width,
            layers=self.layers,
            hidden=self.hidden,
            dropout=self.dropout,
            attends=self.loss == "evidence-aware",
        )


@dataclass(frozen=True, eq=False)
class Scorer:
    """A first reading and the network that learnt to add to it, by a loss."""

    linear: Linear | None
    network: Network
    loss: str

    def scores(self, lists: Sequence[List]) -> list[Scores]:
        """Return the scores that rank the sentences of each list, (n,) each."""
        inputs = [told(member, self.linear) for member in lists]
        return read(self.network, inputs, self.loss)

    def tensors(self) -> Mapping[str, torch.Tensor]:
        """Return what the product reads, in fp16.

        Raises: ValueError for a metric loss, which ranks by distance and not by a probability, or
        no first reading.
        """
        if self.loss in METRIC or self.linear is None:
            raise ValueError(
                f"a {self.loss} network gives no probabilities; expected a first reading, none of {METRIC}"
            )
        linear = {
            f"linear.{name}": torch.from_numpy(value) for name, value in vars(self.linear).items()
        }
        return half([*self.network.state_dict().items(), *linear.items()])


def told(list_: List, linear: Linear | None) -> List:
    """Return a list with its first reading, 0 for each sentence where there is none."""
    return list_.told(linear.logits(list_) if linear else np.zeros(len(list_)))


def first_readings(examples: Sequence[Example], seed: int) -> tuple[Linear, list[List]]:
    """Return the first reading learnt from examples, and their lists with that of weights which did not see them."""
    lists = [example.list for example in examples]
    statements = [example.statement for example in examples]
    logits = held_out_logits(lists, statements, seed=seed)
    return learn_linear(lists), [
        list_member.told(values) for list_member, values in zip(lists, logits, strict=True)
    ]


def learn(lists: Sequence[List], settings: EvidenceSettings, seed: int) -> Network:
    """Return a network trained on lists that contain their first reading."""
    network = settings.network(len(lists[0].claim), seed)
    rng = np.random.default_rng(seed)
    drawing = Drawing(settings.negatives, settings.most)
    steps = settings.epochs * -(-len(lists) // settings.batch)
    descent = Descent(settings.epochs, steps, settings.rate, settings.decay, last=FINAL_RATE_SHARE)
    descent.train(
        network,
        lambda: batches(lists, drawing, rng, settings.batch),
        lambda batch: loss_of(network, batch, settings.loss, settings.margin),
    )
    return network


def trained(
    examples: Sequence[Example], all_settings: Sequence[EvidenceSettings], seeds: Sequence[int]
) -> list[list[Scorer]]:
    """Return for each of the settings its scorers by seed; all share the first reading."""
    linear, lists_read_first = first_readings(examples, seed=0)
    unread_lists = [told(example.list, None) for example in examples]
    scorers = []
    for settings in all_settings:
        first_reading = linear if settings.first else None
        inputs = lists_read_first if settings.first else unread_lists
        scorers_by_seed = []
        for seed in seeds:
            network = learn(inputs, settings, seed)
            scorers_by_seed.append(Scorer(first_reading, network, settings.loss))
        scorers.append(scorers_by_seed)
    return scorers


def folds(count: int, fold_count: int, *, seed: int = 0) -> NDArray[np.intp]:
    """Return the fold of each of so many statements, (count,)."""
    return np.random.default_rng(seed).permutation(count) % fold_count


def held_out(
    examples: Sequence[Example],
    all_settings: Sequence[EvidenceSettings],
    seeds: Sequence[int],
    fold_count: int,
) -> tuple[list[List], list[list[list[Scores]]]]:
    """Return the lists of PolitiHop, and for each of the settings its runs by seed."""
    tested = [example for example in examples if not example.untested]
    fold_by_statement = folds(max(example.statement for example in tested) + 1, fold_count)
    lists = [example.list for example in tested]
    list_folds = fold_by_statement[[example.statement for example in tested]]
    # scores of each list by its index, per settings and seed
    runs_by_settings: list[list[dict[int, Scores]]] = [[{} for _ in seeds] for _ in all_settings]
    for fold in range(fold_count):
        test_indices = np.flatnonzero(list_folds == fold).tolist()
        test_lists = [lists[i] for i in test_indices]
        training = [e for e in examples if fold_by_statement[e.statement] != fold]
        scorers_by_settings = trained(training, all_settings, seeds)
        for runs, scorers in zip(runs_by_settings, scorers_by_settings, strict=True):
            for run, scorer in zip(runs, scorers, strict=True):
                run |= dict(zip(test_indices, scorer.scores(test_lists), strict=True))
    ordered_runs = []
    for runs in runs_by_settings:
        ordered_runs.append([[run[i] for i in range(len(lists))] for run in runs])
    return lists, ordered_runs


def training_examples(data: Path, work: Path) -> list[Example]:
    """Return the statements of PolitiHop train, then the closing summaries of their articles."""
    articles = politihop(data, "train")
    whole_articles = whole(articles, rows(data / "politifact" / "claims.jsonl.gz"))
    lists = make_lists([*articles, *whole_articles.values()], work)
    examples = [Example(lists[i], i) for i in range(len(articles))]
    whole_lists = lists[len(articles) :]
    for (i, article), whole_list in zip(whole_articles.items(), whole_lists, strict=True):
        summary = summary_list(article, whole_list)
        if summary is not None:
            examples.append(Example(summary, i, untested=True))
    return examples


def make_lists(articles: Sequence[Article], work: Path) -> list[List]:
    """Return articles ready to be read; their vectors are cached in ``work``."""
    texts = []
    for article in articles:
        texts += [text for text in (article.claim, *article.texts) if text.strip()]
    vectors = Vectors(texts, work)
    lists = []
    for article in articles:
        claim = vectors.of([article.claim])[0].numpy()
        lists.append(make_list(article, claim, vectors.of(list(article.texts)).numpy()))
    return lists


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and write the scorer, or print its cross-validated scores."""
    command_line = parser("evidence.train", __doc__)
    command_line.add_argument("--loss", choices=LOSSES, default="evidence-aware")
    command_line.add_argument(
        "--folds", type=int, default=0, help="print cross-validated scores instead of writing"
    )
    command_line.add_argument("--seeds", type=int, default=3, help="runs of the cross-validation")
    command_line.add_argument("--threads", type=int, default=1)
    options = command_line.parse_args(arguments)
    settings = EvidenceSettings(loss=options.loss)
    torch.set_num_threads(options.threads)
    examples = training_examples(options.data, options.work)
    if options.folds:
        lists, runs = held_out(examples, [settings], range(options.seeds), options.folds)
        values_by_article = table(runs[0], [member.target for member in lists])
        for name, values in zip(MEASURES, values_by_article.T, strict=True):
            ends = tuple(round(end, 3) for end in interval(values))
            print(f"{name:6} {values.mean():.3f} {ends}")
        return
    scorer = trained(examples, [settings], [options.seed])[0][0]
    statements = len({example.statement for example in examples})
    about = _card(settings, statements, options)
    cards.write_model(options.out / "evidence.safetensors", scorer.tensors(), about)


def _card(
    settings: EvidenceSettings, statements: int, options: argparse.Namespace
) -> dict[str, object]:
    return {
        "what": "which sentences of a fact-check's article decide its rating",
        "base": f"vectors of {cards.MINILM}, which stay as they are",
        "form": "a linear first reading and a network over the list of sentences that adds to it, fp16",
        "recipe": asdict(settings),
        "statements": statements,
        "data": "PolitiHop train: statements of PolitiFact with human evidence chains (research; no licence stated); "
        "the closing summaries of their articles, marked by nearness to that evidence",
        "command": "python -m training.evidence.train --data DIR --work DIR --out models "
        + flags(options, "loss", "seed"),
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
