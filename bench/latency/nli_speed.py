"""How many pairs a second the cross-encoder reads in each runtime of this machine, and what each does to its answers.

    python -m bench.latency.nli_speed --data DIR [--weights FILE] [--count N] [--rounds N] [--json FILE]

Pairs of MultiNLI matched with 40 to 50 word pieces, read in turn by torch in float32 (the peer), torch in bfloat16,
onnxruntime in float32 as the product does, and there in int8 by dynamic quantisation. Ratios are of processor time, the
least of the rounds, which others at work disturb least. Answers are compared on development pairs: accuracy on MultiNLI
matched, the order of "same claim" on edits of held-out statements. Expected: onnxruntime in float32 a little faster
than torch, equal to 1e-4, and in int8 twice as fast.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.speed import Clock
from features.batching import in_batches, padded, threads
from features.onnx import OnnxRunner, classifier, cross_encoder_runner, export
from features.spec import Floats, Runner, Tokens
from features.weights import embedded_folder
from training.edits import same_claim
from training.shared.loaders import Pair, nli_pairs, training_claims

PEER = "torch float32"
OURS = "onnxruntime float32 (shipped)"
MAX_LENGTH = 128
ABOUT = (40, 50)  # word pieces of a timed pair
BATCH = 32
READ = 1_000  # development pairs of each task


class TorchHeads:
    """The network in torch, both heads. Implements ``features.spec.Runner``."""

    def __init__(self, model: Any, tokenizer: OnnxRunner) -> None:
        self.digest, self.cells, self.at_once = "", BATCH * 512, 1  # torch has its own threads
        self.tokens, self._model = tokenizer.tokens, model

    def run(self, batch: Sequence[Tokens]) -> tuple[Floats, ...]:
        """Return logits (b, 3) and the log-odds of the same claim (b,)."""
        import torch

        with torch.inference_mode():
            outputs = self._model(*map(torch.from_numpy, padded(batch)), return_dict=False)
        return tuple(output.float().numpy() for output in outputs)


def runtimes(weights: str, folder: Path) -> dict[str, Runner]:
    """Return the network in every runtime, by name; int8 graphs are written to ``folder``."""
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic

    torch.set_num_threads(threads())
    ours = cross_encoder_runner(weights, MAX_LENGTH)
    plain, small = folder / "float32.onnx", folder / "int8.onnx"
    export(classifier(weights, attention="eager"), plain, ("logits", "same"))
    quantize_dynamic(plain, small, per_channel=True, weight_type=QuantType.QInt8)
    return {
        PEER: TorchHeads(classifier(weights, attention="sdpa"), ours),
        "torch bfloat16": TorchHeads(classifier(weights, attention="sdpa").bfloat16(), ours),
        OURS: ours,
        "onnxruntime int8, dynamic": OnnxRunner(small, embedded_folder() / "tokenizer.json", MAX_LENGTH, ""),
    }


def outputs(runner: Runner, tokens: Sequence[Tokens]) -> tuple[Floats, Floats]:
    """Return the logits (n, 3) and the log-odds of the same claim (n,) of all pairs."""
    logits, same = np.zeros((len(tokens), 3), np.float32), np.zeros(len(tokens), np.float32)
    for rows, (first, second) in in_batches(runner, tokens, BATCH):
        logits[rows], same[rows] = first, second
    return logits, same


def speeds(readers: dict[str, Runner], tokens: Sequence[Tokens], rounds: int) -> dict[str, dict[str, float]]:
    """Return pairs a second by the clock and by the processor, and how many times the peer's the latter is."""
    clock = Clock()
    for reader in readers.values():
        outputs(reader, tokens[:BATCH])  # loaded
    for i in range(rounds):
        for name, reader in readers.items():
            clock(f"{name}: round {i + 1}", lambda reader=reader: outputs(reader, tokens))
    found = {}
    for name in readers:
        rows = [clock.rows[f"{name}: round {i + 1}"] for i in range(rounds)]
        found[name] = {unit: len(tokens) / min(row[unit] for row in rows) for unit in ("seconds", "processor")}
    return {
        name: {
            "pairs_a_second": round(row["seconds"], 1),
            "pairs_a_processor_second": round(row["processor"], 1),
            "times_the_peer": round(row["processor"] / found[PEER]["processor"], 2),
        }
        for name, row in found.items()
    }


def answers(reader: Runner, nli: Sequence[Pair], same: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Return the logits (n, 3) of the pairs of one task and the log-odds (m,) of those of the other."""
    return outputs(reader, tokens_of(reader, nli))[0], outputs(reader, tokens_of(reader, same))[1]


def compared(
    said: tuple[Floats, Floats], exact: tuple[Floats, Floats], nli: Sequence[Pair], same: Sequence[Pair]
) -> dict[str, float]:
    """Return accuracy and area under the curve of a runtime's answers, and how far they are from the exact ones."""
    from scipy.stats import spearmanr
    from sklearn.metrics import roc_auc_score

    labels = said[0].argmax(1)
    found = {
        "matched_accuracy": np.mean(labels == [pair.label for pair in nli]),
        "labels_as_the_peer": np.mean(labels == exact[0].argmax(1)),
        "largest_logit_difference": np.abs(said[0] - exact[0]).max(),
        "same_auc": roc_auc_score([pair.label for pair in same], said[1]),
        "same_spearman_with_the_peer": spearmanr(said[1], exact[1]).statistic,
    }
    return {name: round(float(value), 5) for name, value in found.items()}


def tokens_of(reader: Runner, pairs: Sequence[Pair]) -> list[Tokens]:
    """Return the tokens of pairs."""
    return reader.tokens([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the bench and print what it measured."""
    given = options(arguments)
    matched = nli_pairs(given.data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")
    held_out = [claim for claim in training_claims(given.data) if same_claim.part_of(claim["id"]) == "dev"]
    heard = same_claim.unlinked_sentences(given.data, seed=given.seed, count=READ)
    claims = same_claim.edited(held_out, heard, seed=given.seed, held_out=True)
    samples = [random.Random(given.seed).sample(pairs, min(READ, len(pairs))) for pairs in (matched, claims)]
    with tempfile.TemporaryDirectory() as folder:
        readers = runtimes(str(given.weights.resolve()), Path(folder))
        about = [t for t in tokens_of(readers[OURS], matched) if ABOUT[0] <= len(t[0]) <= ABOUT[1]][: given.count]
        found: dict[str, dict[str, float]] = speeds(readers, about, given.rounds)
        said = {name: answers(reader, *samples) for name, reader in readers.items()}
    for name, row in found.items():
        row |= compared(said[name], said[PEER], *samples)
    mean = sum(len(ids) for ids, _ in about) / len(about)
    print(f"{len(about)} pairs of {mean:.1f} word pieces, {threads()} threads, the least of {given.rounds} rounds")
    for name, row in found.items():
        print(f"  {name:30} {row}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), "utf-8")


def options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=Path("models/nli.safetensors"))
    parser.add_argument("--count", type=int, default=512, help="pairs that are timed")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--json", type=Path)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
