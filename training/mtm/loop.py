"""The main phase of MTM's Algorithm 1, in rounds over (query, article) pairs.

Each round selects key sentences with the patterns as they are, learns from them, and moves the patterns by what was
predicted right and wrong. The first rounds (``settle``) learn the last net and the patterns while the blocks stand
still, so that a pair of texts is read once; the others (``train``) move the last blocks too. Everything follows the
seed; a stopped run goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from features.articles.mtm import key_sentences
from features.articles.mtm.embedding import StaticSpace
from features.articles.mtm.model import BATCH, KEY, LONGEST_PAIR, Special
from features.articles.mtm.network import Relevance, RougeGuided, pair_means, pairs_of, read_pairs
from training.mtm import memory as mtm_memory
from training.mtm.rot import precision
from training.mtm.samples import Material, Sample
from training.shared import cards
from training.shared.classifier import MasterWeights, schedule

Floats = NDArray[np.float32]
PASSES = 3  # over the pairs of a round, while the blocks stand still


@dataclass(frozen=True)
class Recipe:
    """How the main phase runs. ``settling``: rounds in which only the last net and the patterns learn, before the
    ``rounds`` in which the last ``trained`` blocks do too. ``positive``: weight of a right pair in the loss.
    ``pooled``: whether key sentences count by their scores; ``told``: whether the last net sees their patterns.
    ``longest``: word pieces of a pair."""

    rate: float = 5e-5
    net: float = 1e-4
    batch: int = 16
    rounds: int = 0
    settling: int = 5
    trained: int = 2
    positive: float = 2.0
    key: int = KEY
    patterns: int = mtm_memory.PATTERNS
    step: float = mtm_memory.STEP
    band: tuple[float, float] = (0.15, 0.85)  # quantiles of ‖r‖ in training that give t_low and t_high
    weights: key_sentences.Weights = field(default_factory=key_sentences.Weights)
    pooled: bool = True
    told: bool = True
    longest: int = LONGEST_PAIR


@dataclass
class Learner:
    """What learns in the main phase, and its optimisers."""

    rot: RougeGuided
    relevance: Relevance
    space: StaticSpace
    memory: Floats
    special: Special
    recipe: Recipe
    block: dict[str, Tensor] = field(init=False)
    blocks: MasterWeights = field(init=False)
    net: torch.optim.Optimizer = field(init=False)

    def __post_init__(self) -> None:
        learnt = self.relevance.blocks[len(self.relevance.blocks) - self.recipe.trained :]
        self.block = {name: tensor.clone() for name, tensor in self.rot.block.state_dict().items()}
        self.blocks = MasterWeights([p.detach().float() for p in learnt.parameters()])  # before bf16 rounds both
        self.relevance.blocks.requires_grad_(False).to(precision(self.device))
        self.rot.block.to(precision(self.device))
        self.rot.requires_grad_(False).eval()
        self.blocks.parameters = list(learnt.requires_grad_(True).parameters())
        self.net = torch.optim.Adam(self.relevance.mlp.parameters(), self.recipe.net, eps=1e-6)

    @property
    def device(self) -> torch.device:
        """Return where the network is."""
        return self.rot.words.weight.device

    def learnt(self) -> dict[str, Tensor]:
        """Return all tensors that training changes, in fp32, named as in the network."""
        first = len(self.relevance.blocks) - self.recipe.trained
        names = [f"relevance.blocks.{first + i}.{name}" for i, block in enumerate(self.relevance.blocks[first:])
                 for name, _ in block.named_parameters()]  # fmt: skip
        kept = dict(zip(names, self.blocks.copies, strict=True))
        kept |= {f"rot.block.{name}": tensor for name, tensor in self.block.items()}
        kept |= {f"rot.overlap.{name}": tensor for name, tensor in self.rot.overlap.state_dict().items()}
        kept |= {f"relevance.mlp.{name}": tensor for name, tensor in self.relevance.mlp.state_dict().items()}
        return {name: tensor.detach().float().cpu() for name, tensor in kept.items()}

    def chosen(self, sample: Sample) -> Chosen:
        """Return the key sentences of a pair with the patterns as they are now, equations (8) to (10) and (13)."""
        residuals = self.space.residuals(sample.query, sample.sentences)
        scores = key_sentences.score(residuals, self.memory, self.recipe.weights)
        key = list(key_sentences.best_places(scores.combined, self.recipe.key))
        shares = key_sentences.shares(scores.combined[key] if self.recipe.pooled else np.ones(len(key), np.float32))
        return Chosen(sample, key, shares, scores.patterns[key], residuals[key])

    def logits(self, batch: Sequence[Chosen]) -> Tensor:
        """Return the log-odds of relevance of each pair, equations (11) to (14)."""
        queries = [pair.sample.query for pair in batch for _ in pair.key]
        sentences = [pair.sample.sentences[place] for pair in batch for place in pair.key]
        first, between = self.special
        tokens = pairs_of(queries, sentences, first=first, between=between, longest=self.recipe.longest).to(self.device)
        with torch.no_grad():
            states = self.rot(tokens)
        return self.aggregate(batch, pair_means(self.relevance(states, tokens.mask), tokens))

    def aggregate(self, batch: Sequence[Chosen], means: Tensor) -> Tensor:
        """Return the log-odds of some pairs from the means of all their key sentences, one after another, (n, 2d)."""
        most = max(len(pair.key) for pair in batch)
        joined = means.new_zeros(len(batch), most, means.shape[1])
        shares, nearest, done = np.zeros((len(batch), most), np.float32), np.zeros((len(batch), most), np.int64), 0
        for row, pair in enumerate(batch):
            k = len(pair.key)
            joined[row, :k] = means[done : done + k]
            shares[row, :k], nearest[row, :k] = pair.shares, pair.patterns
            done += k
        vectors = None
        if self.recipe.told:
            vectors = torch.from_numpy(self.memory[nearest] * (shares > 0)[:, :, None]).to(means.device)
        return self.relevance.aggregated(joined, torch.from_numpy(shares).to(means.device), vectors)

    def learn(self, batch: Sequence[Chosen], share: float) -> tuple[float, Floats]:
        """Take one step at a share of the highest rates; return the loss, equation (15), and ŷ before it."""
        self.relevance.train()
        logits = self.logits(batch)
        labels = torch.tensor([pair.sample.label for pair in batch], device=self.device)
        weight = torch.tensor(self.recipe.positive, device=self.device)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, labels, pos_weight=weight)
        loss.backward()
        self.blocks.step(self.recipe.rate * share)
        self.net.param_groups[0]["lr"] = self.recipe.net * share
        self.net.step()
        self.net.zero_grad()
        return float(loss.detach()), torch.sigmoid(logits.detach()).cpu().numpy()

    @torch.no_grad()
    def predict(self, samples: Sequence[Sample], *, size: int = 16) -> Floats:
        """Return ŷ of each pair as log-odds."""
        self.relevance.eval()
        found, chosen = np.zeros(len(samples), np.float32), [self.chosen(sample) for sample in samples]
        for rows in ordered(chosen, size, seed=0):
            found[rows] = self.logits([chosen[row] for row in rows]).cpu().numpy()
        return found


@dataclass(frozen=True)
class Chosen:
    """A pair with its key sentences: their places, shares scr', patterns (k,) and residuals (k, d)."""

    sample: Sample
    key: list[int]
    shares: Floats
    patterns: NDArray[np.int64]
    residuals: Floats


def ordered(pairs: Sequence[Chosen], size: int, *, seed: int) -> list[list[int]]:
    """Return the rows of batches of like length, shuffled: each fifty batches are sorted among themselves."""
    rng = np.random.default_rng(seed)
    lengths = np.array([sum(len(pair.sample.sentences[place]) for place in pair.key) for pair in pairs])
    order, cut = rng.permutation(len(pairs)), []
    for at in range(0, len(order), size * 50):
        window = order[at : at + size * 50]
        window = window[np.argsort(lengths[window], kind="stable")]
        cut += [window[i : i + size].tolist() for i in range(0, len(window), size)]
    rng.shuffle(cut)
    return cut


@dataclass
class Read:
    """The means of pairs of texts that were read before, by query, article and place: (2d,) each."""

    learner: Learner
    known: dict[tuple[str, int, int], Floats] = field(default_factory=dict)

    def means(self, chosen: Sequence[Chosen]) -> Tensor:
        """Return q' and s' of all key sentences, one after another, (n, 2d); what is not known is read now."""
        asked = [((*pair.sample.of, place), pair.sample, place) for pair in chosen for place in pair.key]
        new = {key: (one.query, one.sentences[place]) for key, one, place in asked if key not in self.known}
        if new:
            learner, texts = self.learner, list(new.values())
            rot, relevance = learner.rot.eval(), learner.relevance.eval()
            queries, sentences = [text[0] for text in texts], [text[1] for text in texts]
            found = read_pairs(
                rot, relevance, queries, sentences, special=learner.special, longest=learner.recipe.longest, size=BATCH
            )
            self.known.update(zip(new, found, strict=True))
        return torch.from_numpy(np.stack([self.known[key] for key, _, _ in asked]))

    def keep(self, path: Path) -> None:
        """Write what was read, in half precision."""
        keys = np.array(["\t".join(map(str, key)) for key in self.known])
        np.savez(path, keys=keys, means=np.stack(list(self.known.values())).astype(np.float16))

    def recall(self, path: Path) -> None:
        """Take over what an earlier run with the same network has read."""
        with np.load(path, allow_pickle=False) as kept:
            parts = [key.split("\t") for key in kept["keys"].tolist()]
            rows = kept["means"].astype(np.float32)
        self.known |= {(q, int(article), int(place)): row for (q, article, place), row in zip(parts, rows, strict=True)}

    @torch.no_grad()
    def predict(self, samples: Sequence[Sample]) -> Floats:
        """Return ŷ of each pair as log-odds, reading only what was not read before."""
        self.learner.relevance.eval()
        chosen = [self.learner.chosen(sample) for sample in samples]
        return self.learner.aggregate(chosen, self.means(chosen)).numpy()


def settle(
    learner: Learner, train: Sequence[Sample], read: Read, tell: Callable[[int, float], None], seed: int
) -> None:
    """Learn the last net and the patterns while the blocks stand still; ``tell`` hears each round and its loss."""
    recipe, rng = learner.recipe, np.random.default_rng(seed)
    labels = torch.tensor([sample.label for sample in train])
    weight = torch.tensor(recipe.positive)
    for number in range(1, recipe.settling + 1):
        chosen = [learner.chosen(sample) for sample in train]
        counts = [len(pair.key) for pair in chosen]
        parts = read.means(chosen).split(counts)
        said, losses = np.zeros(len(train), np.float32), []
        learner.relevance.train()
        for _ in range(PASSES):
            for rows in np.array_split(rng.permutation(len(train)), max(1, len(train) // BATCH)):
                logits = learner.aggregate([chosen[row] for row in rows], torch.cat([parts[row] for row in rows]))
                loss = nn.functional.binary_cross_entropy_with_logits(logits, labels[rows], pos_weight=weight)
                learner.net.zero_grad()
                loss.backward()
                learner.net.step()
                said[rows] = torch.sigmoid(logits.detach()).numpy()
                losses.append(float(loss.detach()))
        move_patterns(learner, chosen, list(enumerate(said.tolist())))
        tell(number, sum(losses) / len(losses))


@dataclass(frozen=True)
class Run:
    """Where a training keeps its checkpoint and curve, and how many steps lie between two."""

    work: Path
    seed: int
    every: int = 60
    resume: bool = False


def train(learner: Learner, found: Material, run: Run) -> None:
    """Run the rounds that are left: learn from every pair, then move the patterns, equations (5) to (7)."""
    recipe, began, losses = learner.recipe, time.monotonic(), []
    torch.manual_seed(run.seed)
    done, seen = restore(learner, run.work / "checkpoint.pt") if run.resume else (0, [])
    step, parts = 0, np.array_split(np.random.default_rng(run.seed).permutation(len(found.train)), recipe.rounds)
    total = sum(-(-len(part) // recipe.batch) for part in parts)
    for number, part in enumerate(parts):
        if step + -(-len(part) // recipe.batch) < done:
            step += -(-len(part) // recipe.batch)
            continue
        chosen = [learner.chosen(found.train[row]) for row in part.tolist()]
        for rows in ordered(chosen, recipe.batch, seed=run.seed + number):
            step += 1
            if step <= done:
                continue
            loss, said = learner.learn([chosen[row] for row in rows], schedule(step, total))
            losses.append(loss)
            seen += [(row, float(value)) for row, value in zip(rows, said, strict=True)]
            if step % run.every == 0 or step == total:
                scores = found.development(learner.predict(found.dev))
                row = (step, round(sum(losses) / len(losses), 4), *(round(v, 4) for v in scores.values()))
                seconds = round(time.monotonic() - began)
                cards.append_row(run.work / "curve.csv", ("step", "loss", *scores, "seconds"), (*row, seconds))
                print(*row, seconds, flush=True)
                keep(learner, run, step, seen)
                losses = []
        if seen:
            move_patterns(learner, chosen, seen)
        seen = []


def move_patterns(learner: Learner, chosen: Sequence[Chosen], seen: Sequence[tuple[int, float]]) -> None:
    """Update the memory by the key sentences of the pairs that a round has seen with their ŷ."""
    if not len(learner.memory):
        return
    pairs = [(chosen[row], value) for row, value in seen]
    counts = [len(pair.key) for pair, _ in pairs]
    learner.memory = mtm_memory.updated(
        learner.memory,
        np.concatenate([pair.residuals for pair, _ in pairs]),
        np.concatenate([pair.patterns for pair, _ in pairs]),
        np.repeat(np.array([value for _, value in pairs], np.float32), counts),
        np.repeat(np.array([pair.sample.label for pair, _ in pairs], np.float32), counts),
        step=learner.recipe.step,
    )


def keep(learner: Learner, run: Run, step: int, seen: Sequence[tuple[int, float]]) -> None:
    """Write everything a run needs to go on; a half-written file never takes the place of a whole one."""
    state = {
        "step": step,
        "copies": learner.blocks.copies,
        "blocks": learner.blocks.optimizer.state_dict(),
        "mlp": learner.relevance.mlp.state_dict(),
        "net": learner.net.state_dict(),
        "memory": torch.from_numpy(learner.memory),
        "seen": list(seen),
        "random": torch.get_rng_state(),
    }
    torch.save(state, run.work / "checkpoint.part")
    (run.work / "checkpoint.part").replace(run.work / "checkpoint.pt")


def restore(learner: Learner, path: Path) -> tuple[int, list[tuple[int, float]]]:
    """Put a checkpoint's state into the learner; return the step after which it stopped and what its round has seen."""
    if not path.exists():
        return 0, []
    state = torch.load(path, map_location="cpu", weights_only=True)
    with torch.no_grad():
        for copy, kept in zip(learner.blocks.copies, state["copies"], strict=True):
            copy.copy_(kept)
    learner.blocks.publish()
    learner.blocks.optimizer.load_state_dict(state["blocks"])
    learner.relevance.mlp.load_state_dict(state["mlp"])
    learner.net.load_state_dict(state["net"])
    learner.memory = state["memory"].numpy()
    torch.set_rng_state(state["random"])
    return state["step"], [tuple(entry) for entry in state["seen"]]
