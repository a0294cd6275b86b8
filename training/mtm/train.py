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
from features.articles.mtm.network import Relevance, RougeGuided, Shape, copy_bert_weights
from features.models.weight_files import MODELS, file_digest
from training.mtm import pattern_memory as mtm_memory
from training.mtm import rouge_transformer as mtm_rot
from training.mtm import word_weights as mtm_space
from training.mtm.changes import changes
from training.mtm.main_phase import Learner, MainPhaseSettings, Read, settle
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
    copy_bert_weights(rot, relevance, trunk)
    if "same.weight" in trunk:
        warm(relevance, trunk["same.weight"].float(), trunk["same.bias"].float())
    return rot, relevance


def warm(relevance: Relevance, weight: Tensor, bias: Tensor) -> None:
    """Start the last net at the trunk's own answer, whether two texts make one claim.

    Its log-odds, in two units.

    Shapes: weight (1, d), bias (1,) of that head on the mean of all states, here on those of q'
    and s'_i. The other units start at a tenth of chance.
    """
    first_layer = relevance.mlp[0]
    last_layer = relevance.mlp[3]
    d = weight.shape[1]
    with torch.no_grad():
        for parameter in (first_layer.weight, last_layer.weight, last_layer.bias):
            parameter.mul_(0.1)
        for unit, sign in ((0, 1), (1, -1)):
            first_layer.weight[unit] = 0
            first_layer.weight[unit, : 2 * d] = sign * weight.repeat(1, 2) / 2
            first_layer.bias[unit] = sign * bias[0]
            last_layer.weight[0, unit] = sign


def first_patterns(
    space: StaticSpace, samples: Sequence[Sample], settings: MainPhaseSettings, *, seed: int
) -> tuple[Floats, Any]:
    """Return the first memory, equation (4), and the band.

    Residuals of queries and their own articles only.
    """
    positives = [sample for sample in samples if sample.label]
    residuals = np.concatenate(
        [space.residuals(positive.query, positive.sentences) for positive in positives]
    )
    low, high = np.quantile(np.linalg.norm(residuals, axis=1), settings.band).tolist()
    usable = residuals[mtm_memory.valid(residuals, low, high)]
    memory = mtm_memory.initial(usable, patterns=settings.patterns, seed=seed)
    return memory, {"t_low": low, "t_high": high, "valid": len(usable)}


def prepare(
    args: argparse.Namespace, source: Library, settings: MainPhaseSettings
) -> tuple[Learner, dict[str, Any]]:
    """Return a learner after the first two parts of Algorithm 1, and what they came to.

    Kept for ``--resume``.
    """
    path = args.work / "prepared.pt"
    vectors = np.ascontiguousarray(loading.trunk(MODELS, "")[WORD_VECTORS].numpy())
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    rot, relevance = network(loading.trunk(MODELS, TRUNK))
    rot.to(device)
    relevance.to(device)
    if args.resume and path.exists():
        state = torch.load(path, map_location="cpu", weights_only=True)
        rot.load_state_dict(state["rot"])
    else:
        state = first_parts(args, source, settings, rot, vectors)
        torch.save(state, path)
    space = StaticSpace(vectors, state["space"].numpy())
    learner = Learner(rot, relevance, space, state["memory"].numpy(), special(), settings)
    return learner, state["report"]


def first_parts(
    args: argparse.Namespace,
    source: Library,
    settings: MainPhaseSettings,
    rot: RougeGuided,
    vectors: Floats,
) -> dict[str, Any]:
    """Learn the word weights, train the ROUGE-guided transformer in place, make the first patterns."""
    guides = guides_of(args, source)
    start_weights = mtm_space.inverse_frequency(source.politifact.articles, len(vectors))
    weights = mtm_space.learn_weights(vectors, start_weights, guides, seed=args.seed)
    report = learn_rouge(rot, args, source) | {"guides": len(guides)}
    statements = drawn(source.of("statement", "train"), 2000, seed=args.seed)
    samples = own_articles(source, statements)
    space = StaticSpace(vectors, weights)
    patterns, band = first_patterns(space, samples, settings, seed=args.seed)
    return {
        "space": torch.from_numpy(weights),
        "memory": torch.from_numpy(patterns),
        "rot": rot.state_dict(),
        "report": report | band,
    }


def own_articles(source: Library, queries: Sequence[Query]) -> list[Sample]:
    """Return each query beside its own article."""
    return [sample(source.pool(query.kind), query, query.articles[0]) for query in queries]


def guides_of(args: argparse.Namespace, source: Library) -> list[mtm_space.Guide]:
    """Return what the word weights learn from.

    The articles of statements, debate sentences and tweets of train.
    """
    checked_statements = statements_of(args.data)
    guides = []
    for kind, count in (("statement", STATEMENTS), *GUIDES):
        queries = drawn(source.of(kind, "train"), count, seed=args.seed)
        pool = source.pool(kind)
        texts = []
        for query in queries:
            article_id = pool.articles.ids[query.articles[0]]
            texts.append(checked_statements[kind == "tweet", article_id])
        guides += mtm_space.guides(queries, texts, pool.articles)
    return guides


def learn_rouge(rot: RougeGuided, args: argparse.Namespace, source: Library) -> dict[str, Any]:
    """Train the ROUGE-guided transformer in place.

    Return its error on dev before and after, and how far it moved.
    """
    start_parameters = [p.detach().float().clone() for p in rot.block.parameters()]
    articles = source.politifact.articles
    statements = drawn(source.of("statement", "train"), STATEMENTS, seed=args.seed)
    train = mtm_rot.overlaps(statements, articles, seed=args.seed)
    dev_statements = drawn(source.of("statement", "dev"), 100, seed=args.seed)
    dev = mtm_rot.overlaps(dev_statements, articles, seed=args.seed)
    rot.block.requires_grad_(True)
    rot.overlap.requires_grad_(True)
    start_error = mtm_rot.error(rot, dev, special())
    start_block = {name: tensor.clone() for name, tensor in rot.block.state_dict().items()}
    losses = mtm_rot.learn(rot, train, special(), seed=args.seed)
    rot.requires_grad_(False)
    as_shipped(rot.block, start_block)
    with torch.no_grad():
        parameters = [parameter.float() for parameter in rot.block.parameters()]
        drift = float(mtm_rot.drift(parameters, start_parameters))
    curve = args.work / "rouge.csv"
    curve.unlink(missing_ok=True)
    for step, loss in enumerate(losses, 1):
        cards.append_row(curve, ("step", "loss"), (step, round(loss, 5)))
    return {
        "rouge_pairs": len(train),
        "rouge_error_before": round(start_error, 4),
        "rouge_error": round(mtm_rot.error(rot, dev, special()), 4),
        "rouge_drift": round(drift, 4),
    }


def as_shipped(block: Any, begun: dict[str, Tensor]) -> None:
    """Give a block the weights that its stored changes give, so that later parts learn on these."""
    trained = {name: tensor.detach().float() for name, tensor in block.state_dict().items()}
    stored_changes = changes(trained, begun, rank=RANK)
    block.load_state_dict(begun)
    loading.add_changes(block, stored_changes)


def statements_of(data: Path) -> dict[tuple[bool, str], str]:
    """Return the statement that each article checks, by (whether tweets are about it, id)."""
    statements = {}
    for claim in rows(data / "politifact" / "claims.jsonl.gz"):
        statements[False, claim["id"]] = claim["statement"]
    for article in rows(data / "mtm_twitter" / "politifact_articles.jsonl.gz"):
        statements[True, str(article["aidx"])] = article["claim"]
    return statements


def settled(learner: Learner, pairs: Material, args: argparse.Namespace) -> Read:
    """Run the rounds of the main phase, one row of the curve each; return the means."""
    means_reader = Read(learner)
    curve = args.work / "settling.csv"
    means = args.work / "means.npz"
    if args.resume and means.exists():
        means_reader.recall(means)
    curve.unlink(missing_ok=True)

    def report_round(number: int, loss: float) -> None:
        scores = rounded_scores(pairs, means_reader)
        values = (number, round(loss, 4), *scores.values())
        cards.append_row(curve, ("step", "loss", *scores), values)
        print("settling", *values, flush=True)

    means_reader.means([learner.chosen(sample) for sample in (*pairs.train, *pairs.dev)])
    means_reader.keep(means)
    settle(learner, pairs.train, means_reader, report_round, seed=args.seed)
    return means_reader


def rounded_scores(pairs: Material, means_reader: Read) -> dict[str, float]:
    """Return the development scores to four decimals."""
    scores = pairs.development(means_reader.predict(pairs.dev))
    return {name: round(score, 4) for name, score in scores.items()}


def shipped(learner: Learner, trunk: dict[str, Tensor], *, rank: int = RANK) -> dict[str, Tensor]:
    """Return the tensors that ship of a learner."""
    rot, relevance = network(trunk)
    start_tensors = {}
    for prefix, module in (("rot", rot), ("relevance", relevance)):
        for name, tensor in module.state_dict().items():
            if not name.startswith(("overlap", "mlp")):
                start_tensors[f"{prefix}.{name}"] = tensor
    tensors = {
        "space.weights": torch.from_numpy(learner.space.weights).half(),
        "memory": torch.from_numpy(learner.memory),
    }
    return tensors | changes(learner.learnt(), start_tensors, rank=rank)


def card(
    args: argparse.Namespace, learner: Learner, report: dict[str, Any], sizes: Sizes
) -> dict[str, object]:
    """Return what the card of the weights says."""
    weights = learner.settings.weights
    return {
        "what": "MTM: key sentences of an article for a claim, and whether the article is about it",
        "paper": "Sheng et al., ACL 2021",
        "base": f"{cards.MINILM}, word and position embeddings unchanged",
        "form": f"fp16; of changed matrices the {RANK} largest singular values of the change, else new values",
        "trunk": TRUNK,
        "trunk_sha256": file_digest(MODELS / TRUNK),
        "score_weights": list(weights),
        "key": learner.settings.key,
        "recipe": asdict(learner.settings),
        "queries": asdict(sizes),
        "data": LEARNT_FROM,
        "command": f"python -m training.mtm.train --data DIR --out models {flags(args, 'seed')}",
        "scores": report,
        "licence": cards.LICENCE,
    }


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the command line as values."""
    command_line = parser("mtm.train", __doc__, work="build/mtm")
    command_line.add_argument("--curves", type=Path, default=Path("docs/curves"))
    command_line.add_argument("--resume", action="store_true")
    return command_line.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, and write the weights, their card and the curves."""
    args = options(arguments)
    args.work.mkdir(parents=True, exist_ok=True)
    source = library(args.data, args.work)
    sizes = Sizes()
    learner, report = prepare(args, source, MainPhaseSettings())
    print(report, flush=True)
    pairs = material(source, sizes, seed=args.seed)
    report |= {"pairs": len(pairs.train), "dev_pairs": len(pairs.dev)}
    means_reader = settled(learner, pairs, args)
    report |= rounded_scores(pairs, means_reader)
    tensors = shipped(learner, loading.trunk(MODELS, TRUNK))
    cards.write_model(args.out / "mtm.safetensors", tensors, card(args, learner, report, sizes))
    for curve, name in (("settling", "mtm"), ("rouge", "mtm-rouge")):
        cards.draw_curve(args.work / f"{curve}.csv")
        for suffix in ("csv", "png"):
            shutil.copy(args.work / f"{curve}.{suffix}", args.curves / f"{name}.{suffix}")


if __name__ == "__main__":
    main()
