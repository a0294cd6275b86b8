"""The changes that training made to MTM, in few numbers.

Low-rank factors of changed matrices, new values of all else.

``features.articles.mtm.loading.apply`` puts them back.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor


def changes(
    trained_tensors: Mapping[str, Tensor], start_tensors: Mapping[str, Tensor], *, rank: int
) -> dict[str, Tensor]:
    """Return what is stored of trained tensors, in fp16.

    Factors of the changes of matrices in ``start_tensors``, else values.

    ``rank``: how many singular values of a change are kept, 0 for the whole new matrix.
    """
    stored: dict[str, Tensor] = {}
    for name, tensor in trained_tensors.items():
        start = start_tensors.get(name)
        if start is None:
            stored[name] = tensor
        elif torch.equal(tensor, start):
            continue
        elif tensor.dim() == 2 and rank:
            up, down = factors(tensor - start, rank)
            stored[f"{name}.up"] = up
            stored[f"{name}.down"] = down
        else:
            stored[name] = tensor
    return {name: tensor.to(torch.float16).contiguous() for name, tensor in stored.items()}


def factors(change: Tensor, rank: int) -> tuple[Tensor, Tensor]:
    """Return (o, r) and (r, i) whose product is the nearest of that rank to a matrix (o, i) (Eckart and Young 1936)."""
    left, values, right = torch.linalg.svd(change, full_matrices=False)
    root = values[:rank].sqrt()
    return left[:, :rank] * root, root[:, None] * right[:rank]
