"""Other sets whose sentences people marked as evidence: WiCE's training part and FM2 dev. Neither is of fact-checks.

Their test parts, and WiCE's dev, are read by nothing. What they would add is in docs/evidence.md: they do harm.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from training.evidence.articles import Article
from training.shared.loaders import rows

LONGEST = 80  # sentences: PolitiHop's longest article has 78
ABOUT_THE_PAGE = "(meta data)"  # what WiCE's title and date begin with


def wice(data: Path) -> list[Article]:
    """Return claims of Wikipedia with the web pages they cite; of alternative sets of evidence the union counts.

    Longer pages than ``LONGEST`` are left out, and so are blank sentences and what is about the page.
    """
    found = []
    for row in rows(data / "fever_like" / "wice_claim_nst_train.jsonl.gz"):
        decides = {i for alternative in row["supporting_sentences"] for i in alternative}
        said = [i for i, text in enumerate(row["evidence"]) if text.strip() and not text.startswith(ABOUT_THE_PAGE)]
        target = np.array([i in decides for i in said], np.float32)
        if target.any() and len(said) <= LONGEST:
            found.append(Article(row["claim"], tuple(row["evidence"][i] for i in said), target, "wice"))
    return found


def fm2(data: Path, *, seed: int = 17) -> list[Article]:
    """Return claims of FM2 dev with retrieved sentences of their page, which come in no order: they are shuffled."""
    rng, found = random.Random(seed), []
    for row in rows(data / "fever_like" / "fm2_dev.jsonl.gz"):
        texts = rng.sample(row["retrieved"], len(row["retrieved"]))
        target = np.array([text in row["gold"] for text in texts], np.float32)
        if target.any():
            found.append(Article(row["claim"], tuple(texts), target, "fm2"))
    return found


ALSO: dict[str, Callable[[Path], list[Article]]] = {"wice": wice, "fm2": fm2}


def also(data: Path, names: Sequence[str], most: int = 0, *, seed: int = 17) -> list[Article]:
    """Return the articles of some sets by name, up to ``most`` (0: all) of each, drawn."""
    found = []
    for name in names:
        articles = ALSO[name](data)
        found += random.Random(seed).sample(articles, min(most or len(articles), len(articles)))
    return found
