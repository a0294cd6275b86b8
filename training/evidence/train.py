"""Train the scorer of evidence sentences and write ``evidence.safetensors`` with its card.

python -m training.evidence.train --data DIR --work DIR [--out models] [--loss NAME] [--folds 5]

PolitiHop train is learnt from, and the closing summaries of its whole articles, which PolitiHop
left out: a first reading of every sentence (``linear.py``) and the network that adds to it
(``network.py``). ``--folds`` trains and reads inside PolitiHop train instead, parted by statement,
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
from training.evidence.network import LOSSES, METRIC, Network, loss_of
from training.evidence.scores import MEASURES, interval, table
from training.shared import cards
from training.shared.command import flags, parser
from training.shared.descent import Descent, half
from training.shared.loaders import rows
from training.shared.sentence_vectors import Vectors

LAST = 0.02  # of the rate, at the end
Scores = NDArray[np.floating]


class Example(NamedTuple):
    """A list to learn from, the number of its statement, and whether it is only learnt from, not tested on."""

    list: List
    statement: int
    untested: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
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
        """Return what the sentences of each list are ranked by, (n,) each."""
        return read(self.network, [told(one, self.linear) for one in lists], self.loss)

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


def told(one: List, linear: Linear | None) -> List:
    """Return a list with its first reading, 0 for each sentence where there is none."""
    return one.told(linear.logits(one) if linear else np.zeros(len(one)))


def first_readings(examples: Sequence[Example], seed: int) -> tuple[Linear, list[List]]:
    """Return the first reading learnt from examples, and their lists with that of weights which did not see them."""
    lists = [example.list for example in examples]
    statements = [example.statement for example in examples]
    logits = held_out_logits(lists, statements, seed=seed)
    return learn_linear(lists), [
        one.told(values) for one, values in zip(lists, logits, strict=True)
    ]


def learn(lists: Sequence[List], recipe: Recipe, seed: int) -> Network:
    """Return a network trained on lists that contain their first reading."""
    network = recipe.network(len(lists[0].claim), seed)
    rng = np.random.default_rng(seed)
    drawing = Drawing(recipe.negatives, recipe.most)
    steps = recipe.epochs * -(-len(lists) // recipe.batch)
    descent = Descent(recipe.epochs, steps, recipe.rate, recipe.decay, last=LAST)
    descent.train(
        network,
        lambda: batches(lists, drawing, rng, recipe.batch),
        lambda batch: loss_of(network, batch, recipe.loss, recipe.margin),
    )
    return network


def trained(
    examples: Sequence[Example], recipes: Sequence[Recipe], seeds: Sequence[int]
) -> list[list[Scorer]]:
    """Return for each recipe its scorers by seed; the first reading is the same for all."""
    linear, read_first = first_readings(examples, seed=0)
    unread = [told(example.list, None) for example in examples]
    scorers = []
    for recipe in recipes:
        start, inputs = (linear, read_first) if recipe.first else (None, unread)
        scorers.append([Scorer(start, learn(inputs, recipe, seed), recipe.loss) for seed in seeds])
    return scorers


def folds(count: int, parts: int, *, seed: int = 0) -> NDArray[np.intp]:
    """Return the fold of each of so many statements, (count,)."""
    return np.random.default_rng(seed).permutation(count) % parts


def held_out(
    examples: Sequence[Example], recipes: Sequence[Recipe], seeds: Sequence[int], parts: int
) -> tuple[list[List], list[list[list[Scores]]]]:
    """Return the lists of PolitiHop, and for each recipe its runs by seed.

    Scores by scorers without the list's fold.

    A fold has all lists of its statements; untested ones are learnt from and not read.
    """
    tested = [example for example in examples if not example.untested]
    fold = folds(max(example.statement for example in tested) + 1, parts)
    lists = [example.list for example in tested]
    own = fold[[example.statement for example in tested]]
    runs_by_recipe: list[list[dict[int, Scores]]] = [[{} for _ in seeds] for _ in recipes]
    for part in range(parts):
        rest = np.flatnonzero(own == part).tolist()
        given = [e for e in examples if fold[e.statement] != part]
        for runs, made in zip(runs_by_recipe, trained(given, recipes, seeds), strict=True):
            for run, scorer in zip(runs, made, strict=True):
                run |= dict(zip(rest, scorer.scores([lists[i] for i in rest]), strict=True))
    return lists, [[[run[i] for i in range(len(lists))] for run in runs] for runs in runs_by_recipe]


def training_examples(data: Path, work: Path) -> list[Example]:
    """Return the statements of PolitiHop train, and after them the closing summaries of their whole articles."""
    articles = politihop(data, "train")
    articles_whole = whole(articles, rows(data / "politifact" / "claims.jsonl.gz"))
    lists = make_lists([*articles, *articles_whole.values()], work)
    examples = [Example(one, i) for i, one in enumerate(lists[: len(articles)])]
    for (i, article), one in zip(articles_whole.items(), lists[len(articles) :], strict=True):
        made = summary_list(article, one)
        if made is not None:
            examples.append(Example(made, i, untested=True))
    return examples


def make_lists(articles: Sequence[Article], work: Path) -> list[List]:
    """Return articles ready to be read; their vectors are kept in ``work``."""
    texts = [
        text for article in articles for text in (article.claim, *article.texts) if text.strip()
    ]
    vectors = Vectors(texts, work)
    return [
        make_list(
            article, vectors.of([article.claim])[0].numpy(), vectors.of(list(article.texts)).numpy()
        )
        for article in articles
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Train and write the scorer, or print its cross-validated scores."""
    made = parser("evidence.train", __doc__)
    made.add_argument("--loss", choices=LOSSES, default="evidence-aware")
    made.add_argument(
        "--folds", type=int, default=0, help="print cross-validated scores instead of writing"
    )
    made.add_argument("--seeds", type=int, default=3, help="runs of the cross-validation")
    made.add_argument("--threads", type=int, default=1)
    options = made.parse_args(arguments)
    recipe = Recipe(loss=options.loss)
    torch.set_num_threads(options.threads)
    examples = training_examples(options.data, options.work)
    if options.folds:
        lists, runs = held_out(examples, [recipe], range(options.seeds), options.folds)
        values_by_article = table(runs[0], [one.target for one in lists])
        for name, values in zip(MEASURES, values_by_article.T, strict=True):
            print(
                f"{name:6} {values.mean():.3f} {tuple(round(end, 3) for end in interval(values))}"
            )
        return
    scorer = trained(examples, [recipe], [options.seed])[0][0]
    statements = len({example.statement for example in examples})
    cards.write_model(
        options.out / "evidence.safetensors", scorer.tensors(), _card(recipe, statements, options)
    )


def _card(recipe: Recipe, statements: int, options: argparse.Namespace) -> dict[str, object]:
    return {
        "what": "which sentences of a fact-check's article decide its rating",
        "base": f"vectors of {cards.MINILM}, which stay as they are",
        "form": "a linear first reading and a network over the list of sentences that adds to it, fp16",
        "recipe": asdict(recipe),
        "statements": statements,
        "data": "PolitiHop train: statements of PolitiFact with human evidence chains (research; no licence stated); "
        "the closing summaries of their articles, marked by nearness to that evidence",
        "command": "python -m training.evidence.train --data DIR --work DIR --out models "
        + flags(options, "loss", "seed"),
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
