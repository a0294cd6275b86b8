"""Loading of MTM's weights.

Only what training changed is stored, and small changes as few numbers.

A weights file holds the word weights, the patterns and both small nets in full; of the linear
layers of changed blocks a low-rank factorisation of the change (``NAME.up`` times ``NAME.down``),
of their other tensors the new values. The rest comes from the packaged MiniLM and from the trunk
that the card names, whose digest must match.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from features.articles.mtm import key_sentences
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.model import KEY, Mtm
from features.models.model_spec import ModelUnavailable
from features.models.weight_files import embedded_folder, file_digest, read_card

if TYPE_CHECKING:
    from torch import Tensor

    from features.articles.mtm.network import Relevance, RougeGuided

WEIGHTS = "mtm.safetensors"


@lru_cache(maxsize=4)
def load(folder: Path) -> Mtm:
    """Return the MTM of a folder such as ``models/``, loaded once in a process.

    Raises: ModelUnavailable if its weights, the trunk they change or the packaged word vectors are
    missing or others.
    """
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    about = card(folder)
    package = embedded_folder()
    stored = load_file(folder / WEIGHTS)
    vectors = load_file(package / "model.safetensors")["embeddings.word_embeddings.weight"].astype(
        np.float32
    )
    tokenizer = Tokenizer.from_file(str(package / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Mtm(
        tokenizer,
        StaticSpace(vectors, stored["space.weights"].astype(np.float32)),
        stored["memory"].astype(np.float32),
        lambda: network(folder, about),
        weights=key_sentences.Weights(*about["score_weights"]),
        key=about.get("key", KEY),
    )


def card(folder: Path) -> dict[str, Any]:
    """Return the card of MTM's weights.

    Raises: ModelUnavailable if it or the weights are missing.
    """
    path = Path(folder).resolve() / WEIGHTS
    about = read_card(str(path)) if path.is_file() else {}
    if not about:
        raise ModelUnavailable(
            f"{WEIGHTS} and its card are not in {folder}. Check out models/ again, or train them: "
            "python -m training.mtm.train"
        )
    return about


def trunk(folder: Path, name: str) -> dict[str, Tensor]:
    """Return the BERT that training started from.

    The package's, with the tensors of the weights file ``name``.

    Raises: ModelUnavailable if that file is not in the folder.
    """
    from safetensors.torch import load_file

    tensors = load_file(embedded_folder() / "model.safetensors")
    if name:
        if not (folder / name).is_file():
            raise ModelUnavailable(
                f"{name}, which MTM's weights change, is not in {folder}. Check out models/ again."
            )
        tensors.update(load_file(folder / name))
    return tensors


def network(folder: Path, card: Mapping[str, Any]) -> tuple[RougeGuided, Relevance]:
    """Return both transformers with the trained changes, in evaluation mode.

    Raises: ModelUnavailable if the trunk is not the one of the training.
    """
    from safetensors.torch import load_file

    from features.articles.mtm.network import Relevance, RougeGuided, Shape, start

    bert = trunk(folder, card["trunk"])
    if card["trunk"] and file_digest(folder / card["trunk"]) != card["trunk_sha256"]:
        raise ModelUnavailable(
            f"{WEIGHTS} changes another {card['trunk']} than the one in {folder}. "
            "Train it again on this one: python -m training.mtm.train"
        )
    rot = RougeGuided(Shape())
    relevance = Relevance(Shape())
    start(rot, relevance, bert)
    stored = load_file(folder / WEIGHTS)
    for prefix, part in (("rot.", rot), ("relevance.", relevance)):
        apply(part, {k.removeprefix(prefix): v for k, v in stored.items() if k.startswith(prefix)})
    return rot.eval(), relevance.eval()


def apply(part: Any, stored: Mapping[str, Tensor]) -> None:
    """Add stored changes to a part that has the weights from before training."""
    import torch

    with torch.no_grad():
        for name, tensor in stored.items():
            if name.endswith(".up"):
                target = name.removesuffix(".up")
                part.get_parameter(target).add_(tensor.float() @ stored[f"{target}.down"].float())
            elif not name.endswith(".down"):
                part.get_parameter(name).copy_(tensor)
