"""Trains MTM, Algorithm 1 of Sheng et al..

Word weights, ROUGE-guided transformer, patterns, then article relevance.

``python -m training.mtm.train --data DIR [--out models] [--work build/mtm] [--resume]``

Everything follows the seed; a stopped run goes on with ``--resume``. The trunk is the
cross-encoder that ships for NLI and for telling whether two texts make one claim.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from features.articles.mtm import loading
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.model import Special
from features.articles.mtm.network import Relevance, RougeGuided, Shape, start
from features.models.weight_files import MODELS, file_digest
from training.mtm import pattern_memory as mtm_memory
from training.mtm import rouge_transformer as mtm_rot
from training.mtm import word_weights as mtm_space
from training.mtm.changes import changes
from training.mtm.main_phase import Learner, Read, Recipe, settle
from training.mtm.queries import Query, drawn, tokenizer
from training.mtm.samples import Library, Material, Sample, Sizes, library, material, sample
from training.shared import cards
from training.shared.command import flags, parser
from training.shared.loaders import rows

Floats = NDArray[np.float32]
WORD_VECTORS = "embeddings.word_embeddings.weight"
TRUNK = "nli.safetensors"  # file under models/ that training starts from
STATEMENTS = 1500  # statements whose articles the first part reads
RANK = 32  # singular values kept of the change of a matrix
GUIDES = (
    ("debate", 400),
    ("tweet", 700),
)  # queries that the word weights learn from, beside statements
LEARNT_FROM = {
    "politifact": "statements of fact-checks and their own articles (texts: their publisher's copyright)",
    "checkthat2b": "CLEF CheckThat! 2021 2B train without the seven debates (free for general research use)",
    "mtm_twitter": "Vo and Lee 2020, tweets and PolitiFact articles (repository: MIT; texts: research use)",
}


def special() -> Special:
    """Return the word pieces before and between two texts."""
    return Special(tokenizer().token_to_id("[CLS]"), tokenizer().token_to_id("[SEP]"))


def network(trunk: dict[str, Tensor], *, pattern: bool = True) -> tuple[RougeGuided, Relevance]:
    """Return both transformers with the weights of a BERT, and the last net at the trunk's own head if it has one."""
    rot = RougeGuided(Shape())
    relevance = Relevance(Shape(), pattern=pattern)
    start(rot, relevance, trunk)
    if "same.weight" in trunk:
        warm(relevance, trunk["same.weight"].float(), trunk["same.bias"].float())
    return rot, relevance


def warm(relevance: Relevance, weight: Tensor, bias: Tensor) -> None:
    """Start the last net at the trunk's own answer, whether two texts make one claim.

    Its log-odds, in two units.

    Shapes: weight (1, d), bias (1,) of that head on the mean of all states, here on those of q'
    and s'_i. The other units start at a tenth of chance.
    """
    first = relevance.mlp[0]
    last = relevance.mlp[3]
    d = weight.shape[1]
    with torch.no_grad():
        for parameter in (first.weight, last.weight, last.bias):
            parameter.mul_(0.1)
        for unit, sign in ((0, 1), (1, -1)):
            first.weight[unit] = 0
            first.weight[unit, : 2 * d] = sign * weight.repeat(1, 2) / 2
            first.bias[unit] = sign * bias[0]
            last.weight[0, unit] = sign


def first_patterns(
    space: StaticSpace, samples: Sequence[Sample], recipe: Recipe, *, seed: int
) -> tuple[Floats, Any]:
    """Return the first memory, equation (4), and the band.

    Residuals of queries and their own articles only.
    """
    residuals = np.concatenate(
        [space.residuals(one.query, one.sentences) for one in samples if one.label]
    )
    low, high = np.quantile(np.linalg.norm(residuals, axis=1), recipe.band).tolist()
    usable = residuals[mtm_memory.valid(residuals, low, high)]
    return mtm_memory.initial(usable, patterns=recipe.patterns, seed=seed), {
        "t_low": low,
        "t_high": high,
        "valid": len(usable),
    }


def prepare(
    args: argparse.Namespace, source: Library, recipe: Recipe
) -> tuple[Learner, dict[str, Any]]:
    """Return a learner after the first two parts of Algorithm 1, and what they came to.

    Kept for ``--resume``.
    """
    path = args.work / "prepared.pt"
    vectors = np.ascontiguousarray(loading.trunk(MODELS, "")[WORD_VECTORS].numpy())
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rot, relevance = (part.to(device) for part in network(loading.trunk(MODELS, TRUNK)))
    if args.resume and path.exists():
        state = torch.load(path, map_location="cpu", weights_only=True)
        rot.load_state_dict(state["rot"])
    else:
        state = first_parts(args, source, recipe, rot, vectors)
        torch.save(state, path)
    space = StaticSpace(vectors, state["space"].numpy())
    return Learner(rot, relevance, space, state["memory"].numpy(), special(), recipe), state[
        "report"
    ]


def first_parts(
    args: argparse.Namespace, source: Library, recipe: Recipe, rot: RougeGuided, vectors: Floats
) -> dict[str, Any]:
    """Learn the word weights, train the ROUGE-guided transformer in place, and make the first patterns."""
    examples = guides_of(args, source)
    first = mtm_space.inverse_frequency(source.politifact.articles, len(vectors))
    weights = mtm_space.learn_weights(vectors, first, examples, seed=args.seed)
    report = learn_rouge(rot, args, source) | {"guides": len(examples)}
    samples = own_articles(source, drawn(source.of("statement", "train"), 2000, seed=args.seed))
    patterns, band = first_patterns(StaticSpace(vectors, weights), samples, recipe, seed=args.seed)
    state = {"space": torch.from_numpy(weights), "memory": torch.from_numpy(patterns)}
    return {**state, "rot": rot.state_dict(), "report": report | band}


def own_articles(source: Library, queries: Sequence[Query]) -> list[Sample]:
    """Return each query beside its own article."""
    return [sample(source.pool(query.kind), query, query.articles[0]) for query in queries]


def guides_of(args: argparse.Namespace, source: Library) -> list[mtm_space.Guide]:
    """Return what the word weights learn from.

    The articles of statements, debate sentences and tweets of train.
    """
    checked = statements_of(args.data)
    made = []
    for kind, count in (("statement", STATEMENTS), *GUIDES):
        queries = drawn(source.of(kind, "train"), count, seed=args.seed)
        pool = source.pool(kind)
        texts = [
            checked[kind == "tweet", pool.articles.ids[query.articles[0]]] for query in queries
        ]
        made += mtm_space.guides(queries, texts, pool.articles)
    return made


def learn_rouge(rot: RougeGuided, args: argparse.Namespace, source: Library) -> dict[str, Any]:
    """Train the ROUGE-guided transformer in place.

    Return its error on dev before and after, and how far it moved.
    """
    before = [parameter.detach().float().clone() for parameter in rot.block.parameters()]
    articles = source.politifact.articles
    statements = drawn(source.of("statement", "train"), STATEMENTS, seed=args.seed)
    train = mtm_rot.overlaps(statements, articles, seed=args.seed)
    dev = mtm_rot.overlaps(
        drawn(source.of("statement", "dev"), 100, seed=args.seed), articles, seed=args.seed
    )
    for part in (rot.block, rot.overlap):
        part.requires_grad_(True)
    start_error = mtm_rot.error(rot, dev, special())
    begun = {name: tensor.clone() for name, tensor in rot.block.state_dict().items()}
    losses = mtm_rot.learn(rot, train, special(), seed=args.seed)
    rot.requires_grad_(False)
    as_shipped(rot.block, begun)
    with torch.no_grad():
        moved = float(mtm_rot.drift([p.float() for p in rot.block.parameters()], before))
    (args.work / "rouge.csv").unlink(missing_ok=True)
    for step, loss in enumerate(losses, 1):
        cards.append_row(args.work / "rouge.csv", ("step", "loss"), (step, round(loss, 5)))
    return {
        "rouge_pairs": len(train),
        "rouge_error_before": round(start_error, 4),
        "rouge_error": round(mtm_rot.error(rot, dev, special()), 4),
        "rouge_drift": round(moved, 4),
    }


def as_shipped(block: Any, begun: dict[str, Tensor]) -> None:
    """Make a block what its kept changes give, so that everything after it is learnt on what ships."""
    learnt = changes(
        {n: t.detach().float() for n, t in block.state_dict().items()}, begun, rank=RANK
    )
    block.load_state_dict(begun)
    loading.apply(block, learnt)


def statements_of(data: Path) -> dict[tuple[bool, str], str]:
    """Return what each article checks, by whether tweets are about it and its id."""
    checked = {
        (False, row["id"]): row["statement"]
        for row in rows(data / "politifact" / "claims.jsonl.gz")
    }
    about = rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz")
    return checked | {(True, str(row["aidx"])): row["claim"] for row in about}


def settled(learner: Learner, pairs: Material, args: argparse.Namespace) -> Read:
    """Run the rounds of the main phase with a row of the curve each; return what was read."""
    read = Read(learner)
    curve = args.work / "settling.csv"
    means = args.work / "means.npz"
    if args.resume and means.exists():
        read.recall(means)
    curve.unlink(missing_ok=True)

    def tell(number: int, loss: float) -> None:
        scores = {
            name: round(value, 4)
            for name, value in pairs.development(read.predict(pairs.dev)).items()
        }
        cards.append_row(
            curve, ("step", "loss", *scores), (number, round(loss, 4), *scores.values())
        )
        print("settling", number, round(loss, 4), *scores.values(), flush=True)

    read.means([learner.chosen(sample) for sample in (*pairs.train, *pairs.dev)])
    read.keep(means)
    settle(learner, pairs.train, read, tell, seed=args.seed)
    return read


def shipped(learner: Learner, trunk: dict[str, Tensor], *, rank: int = RANK) -> dict[str, Tensor]:
    """Return what is kept of a learner.

    Its changes to the trunk, the nets, the word weights and the patterns.
    """
    rot, relevance = network(trunk)
    before = {
        f"{prefix}.{name}": tensor
        for prefix, part in (("rot", rot), ("relevance", relevance))
        for name, tensor in part.state_dict().items()
        if not name.startswith(("overlap", "mlp"))
    }
    tensors = {
        "space.weights": torch.from_numpy(learner.space.weights).half(),
        "memory": torch.from_numpy(learner.memory),
    }
    return tensors | changes(learner.learnt(), before, rank=rank)


def card(
    args: argparse.Namespace, learner: Learner, report: dict[str, Any], sizes: Sizes
) -> dict[str, object]:
    """Return what the card of the weights says."""
    weights = learner.recipe.weights
    return {
        "what": "MTM: key sentences of an article for a claim, and whether the article is about it",
        "paper": "Sheng et al., ACL 2021",
        "base": f"{cards.MINILM}, word and position embeddings unchanged",
        "form": f"fp16; of changed matrices the {RANK} largest singular values of the change, else new values",
        "trunk": TRUNK,
        "trunk_sha256": file_digest(MODELS / TRUNK),
        "score_weights": list(weights),
        "key": learner.recipe.key,
        "recipe": asdict(learner.recipe),
        "queries": asdict(sizes),
        "data": LEARNT_FROM,
        "command": f"python -m training.mtm.train --data DIR --out models {flags(args, 'seed')}",
        "scores": report,
        "licence": cards.LICENCE,
    }


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the command line as values."""
    made = parser("mtm.train", __doc__, work="build/mtm")
    made.add_argument("--curves", type=Path, default=Path("docs/curves"))
    made.add_argument("--resume", action="store_true")
    return made.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, and write the weights, their card and the curves."""
    args = options(arguments)
    args.work.mkdir(parents=True, exist_ok=True)
    source = library(args.data, args.work)
    sizes = Sizes()
    learner, report = prepare(args, source, Recipe())
    print(report, flush=True)
    pairs = material(source, sizes, seed=args.seed)
    report |= {"pairs": len(pairs.train), "dev_pairs": len(pairs.dev)}
    read = settled(learner, pairs, args)
    report |= {
        name: round(value, 4) for name, value in pairs.development(read.predict(pairs.dev)).items()
    }
    tensors = shipped(learner, loading.trunk(MODELS, TRUNK))
    cards.write_model(args.out / "mtm.safetensors", tensors, card(args, learner, report, sizes))
    for made, name in (("settling", "mtm"), ("rouge", "mtm-rouge")):
        cards.draw_curve(args.work / f"{made}.csv")
        for ending in ("csv", "png"):
            shutil.copy(args.work / f"{made}.{ending}", args.curves / f"{name}.{ending}")


if __name__ == "__main__":
    main()
