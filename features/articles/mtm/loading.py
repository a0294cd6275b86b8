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
    weights_path = Path(folder).resolve() / MTM_WEIGHTS_FILE
    model_card: dict[str, Any] = {}
    if weights_path.is_file():
        model_card = read_card(str(weights_path))
    if not model_card:
        raise ModelUnavailable(
            f"{MTM_WEIGHTS_FILE} and its model card aren't in the folder {folder}. "
            "Restore the models folder, or run `python -m training.mtm.train`."
        )
    return model_card


def trunk(folder: Path, changes_file: str) -> dict[str, Tensor]:
    """Return the tensors of the BERT that training started from.

    They are the packaged ones, with those in the weights file ``changes_file`` in their place.

    Raises: ModelUnavailable if that file is not in the folder.
    """
    from safetensors.torch import load_file

    # The trunk is the shared lower part of the network; a file may change some of its tensors.
    trunk_tensors = load_file(embedded_folder() / "model.safetensors")
    if changes_file:
        if not (folder / changes_file).is_file():
            raise ModelUnavailable(
                f"{changes_file}, on which MTM's weights are based, isn't in the folder {folder}. "
                "Restore the models folder."
            )
        trunk_tensors.update(load_file(folder / changes_file))
    return trunk_tensors


def network(folder: Path, model_card: Mapping[str, Any]) -> tuple[RougeGuided, Relevance]:
    """Return both transformers with the trained changes, in evaluation mode.

    Raises: ModelUnavailable if the trunk is not the one of the training.
    """
    from safetensors.torch import load_file

    from features.articles.mtm.network import Relevance, RougeGuided, Shape, copy_bert_weights

    trunk_tensors = trunk(folder, model_card["trunk"])
    if (
        model_card["trunk"]
        and file_digest(folder / model_card["trunk"]) != model_card["trunk_sha256"]
    ):
        raise ModelUnavailable(
            f"{MTM_WEIGHTS_FILE} was trained on a different {model_card['trunk']} "
            f"than the one in the folder {folder}. Run `python -m training.mtm.train` again."
        )
    rouge_guided = RougeGuided(Shape())
    relevance = Relevance(Shape())
    copy_bert_weights(rouge_guided, relevance, trunk_tensors)
    stored_tensors = load_file(folder / MTM_WEIGHTS_FILE)
    add_changes(rouge_guided, _tensors_by_prefix("rot.", stored_tensors))
    add_changes(relevance, _tensors_by_prefix("relevance.", stored_tensors))
    return rouge_guided.eval(), relevance.eval()


def _tensors_by_prefix(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin with a prefix, by the rest of their names."""
    tensors_by_rest = {}
    for name, tensor in tensors.items():
        if name.startswith(prefix):
            tensors_by_rest[name.removeprefix(prefix)] = tensor
    return tensors_by_rest


def add_changes(network: Any, stored_tensors: Mapping[str, Tensor]) -> None:
    """Add stored changes to a network that has the weights from before training."""
    import torch

    with torch.no_grad():
        for tensor_name, tensor in stored_tensors.items():
            if tensor_name.endswith(".up"):
                # A change in two factors, (rows, rank) and (rank, columns).
                parameter_name = tensor_name.removesuffix(".up")
                change = tensor.float() @ stored_tensors[f"{parameter_name}.down"].float()
                network.get_parameter(parameter_name).add_(change)
            elif not tensor_name.endswith(".down"):
                network.get_parameter(tensor_name).copy_(tensor)
