"""Loading of MTM's weights.

Only the tensors that training changed are stored.

A weights file holds the word weights, the patterns and both small nets in full. For the linear
layers of changed blocks it holds the change alone, as two thin matrices (``NAME.up`` times
``NAME.down``), and for their other tensors the new values. The rest comes from the packaged MiniLM
and from the trunk that the card names, whose digest must match.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from features.articles.mtm import key_sentences
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.model import KEY_SENTENCES_PER_ARTICLE, Mtm
from features.models.model_spec import ModelUnavailable
from features.models.weight_files import embedded_folder, file_digest, read_card

if TYPE_CHECKING:
    from torch import Tensor

    from features.articles.mtm.network import Relevance, RougeGuided

MTM_WEIGHTS_FILE = "mtm.safetensors"


@lru_cache(maxsize=4)
def load(folder: Path) -> Mtm:
    """Return the MTM of a folder such as ``models/``, loaded once in a process.

    Raises: ModelUnavailable if its weights, the trunk they change or the packaged word vectors are
    missing or do not belong together.
    """
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    model_card = card(folder)
    package_folder = embedded_folder()
    trained_tensors = load_file(folder / MTM_WEIGHTS_FILE)
    packaged_tensors = load_file(package_folder / "model.safetensors")
    word_vectors = packaged_tensors["embeddings.word_embeddings.weight"].astype(np.float32)
    word_weights = trained_tensors["space.weights"].astype(np.float32)
    tokenizer = Tokenizer.from_file(str(package_folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Mtm(
        tokenizer,
        StaticSpace(word_vectors, word_weights),
        trained_tensors["memory"].astype(np.float32),
        lambda: network(folder, model_card),
        weights=key_sentences.ScoreWeights(*model_card["score_weights"]),
        key=model_card.get("key", KEY_SENTENCES_PER_ARTICLE),
    )


def card(folder: Path) -> dict[str, Any]:
    """Return the card of MTM's weights.

    Raises: ModelUnavailable if it or the weights are missing.
    """
    path = Path(folder).resolve() / MTM_WEIGHTS_FILE
    about: dict[str, Any] = {}
    if path.is_file():
        about = read_card(str(path))
    if not about:
        raise ModelUnavailable(
            f"{MTM_WEIGHTS_FILE} and its model card aren't in the folder {folder}. "
            "Restore the models folder, or run `python -m training.mtm.train`."
        )
    return about


def trunk(folder: Path, name: str) -> dict[str, Tensor]:
    """Return the tensors of the BERT that training started from.

    They are the packaged ones, with those in the weights file ``name`` in their place.

    Raises: ModelUnavailable if that file is not in the folder.
    """
    from safetensors.torch import load_file

    # The trunk is the shared lower part of the network; a file may change some of its tensors.
    tensors = load_file(embedded_folder() / "model.safetensors")
    if name:
        if not (folder / name).is_file():
            raise ModelUnavailable(
                f"{name}, on which MTM's weights are based, isn't in the folder {folder}. "
                "Restore the models folder."
            )
        tensors.update(load_file(folder / name))
    return tensors


def network(folder: Path, card: Mapping[str, Any]) -> tuple[RougeGuided, Relevance]:
    """Return both transformers with the trained changes, in evaluation mode.

    Raises: ModelUnavailable if the trunk is not the one of the training.
    """
    from safetensors.torch import load_file

    from features.articles.mtm.network import Relevance, RougeGuided, Shape, copy_bert_weights

    trunk_tensors = trunk(folder, card["trunk"])
    if card["trunk"] and file_digest(folder / card["trunk"]) != card["trunk_sha256"]:
        raise ModelUnavailable(
            f"{MTM_WEIGHTS_FILE} was trained on a different {card['trunk']} "
            f"than the one in the folder {folder}. Run `python -m training.mtm.train` again."
        )
    rouge_guided = RougeGuided(Shape())
    relevance = Relevance(Shape())
    copy_bert_weights(rouge_guided, relevance, trunk_tensors)
    stored = load_file(folder / MTM_WEIGHTS_FILE)
    add_changes(rouge_guided, _tensors_by_prefix("rot.", stored))
    add_changes(relevance, _tensors_by_prefix("relevance.", stored))
    return rouge_guided.eval(), relevance.eval()


def _tensors_by_prefix(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin with a prefix, by the rest of their names."""
    tensors_by_rest = {}
    for name, tensor in tensors.items():
        if name.startswith(prefix):
            tensors_by_rest[name.removeprefix(prefix)] = tensor
    return tensors_by_rest


def add_changes(network: Any, stored: Mapping[str, Tensor]) -> None:
    """Add stored changes to a network that has the weights from before training."""
    import torch

    with torch.no_grad():
        for name, tensor in stored.items():
            if name.endswith(".up"):
                # A change in two factors, (rows, rank) and (rank, columns).
                changed_name = name.removesuffix(".up")
                change = tensor.float() @ stored[f"{changed_name}.down"].float()
                network.get_parameter(changed_name).add_(change)
            elif not name.endswith(".down"):
                network.get_parameter(name).copy_(tensor)
