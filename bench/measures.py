"""Debates measured against the claims: candidates, the 19 measures and pair inputs, kept by content.

Calls the product (``assistant.measuring``, ``assistant.pairs``); every sentence is measured, dropped ones too. What
was made once is read again: the key is the debate's texts, the claims, the models and the settings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assistant.checkworthiness import CheckWorthiness
from assistant.claims.index import ClaimIndex
from assistant.measuring import candidates, measure
from assistant.pairs import NAMES, PairInputs, Spoken, pair_inputs
from bench.data import PAPER_CLAIMS, Debate, cached
from features.coverage import WordWeights
from features.models import Encoders

CODE = (
    "assistant/measuring.py",
    "assistant/pairs.py",
    "features/agreement.py",
    "features/coverage.py",
    "features/bm25.py",
)
_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Bench:
    """What measuring needs, and where its results are kept.

    ``nli_candidates``: pairs of a sentence that NLI reads; ``nli_of_linked``: the same for the sixty-three debates that
    only have links, which are ten times as many. ``paper_only``: search only the claims of the paper's database.
    """

    index: ClaimIndex
    encoders: Encoders
    check_worthiness: CheckWorthiness
    word_weights: WordWeights
    cache: Path
    nli_candidates: int = 15
    nli_of_linked: int = 0
    paper_only: bool = False
    linked_names: frozenset[str] = frozenset()

    @cached_property
    def ids(self) -> NDArray[np.str_]:
        """Return the claims' ids by position."""
        return np.array(self.index.ids)

    def usable(self, debate: Debate, *, as_of_event: bool) -> NDArray[np.bool_]:
        """Return which claims may be used for a debate, (m,): as of the event, those checked before its day."""
        may = np.ones(len(self.index), bool)
        if self.paper_only:
            may &= np.array([int(claim.rpartition("-")[2]) < PAPER_CLAIMS for claim in self.index.ids])
        return may & (self.index.review_days < debate.day) if as_of_event else may

    def inputs(self, debate: Debate, *, as_of_event: bool = False) -> PairInputs:
        """Return the pair inputs of all sentences of a debate."""
        X, found = self.measures(debate, as_of_event=as_of_event)
        worth = self.worthiness(debate)
        key = [
            self._key(debate, as_of_event),
            str(worth.tobytes()),
            code_digest(CODE),
            str(len(self.word_weights.weights)),
        ]

        def build() -> dict[str, NDArray]:
            spoken = Spoken(debate.texts, debate.speakers, worth, debate.day)
            made = pair_inputs(spoken, self.index, found, X, self.word_weights)
            return {name: getattr(made, name) for name in _ARRAYS}

        return PairInputs(NAMES, **cached(self.cache, f"pairs-{debate.name}", key, build))

    def measures(self, debate: Debate, *, as_of_event: bool) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """Return the measures (n, k, 19) and the candidates (n, k) of all sentences of a debate."""

        def build() -> dict[str, NDArray]:
            vectors = self.encoders.sbert.encode(debate.texts)
            may = self.usable(debate, as_of_event=as_of_event)
            found = candidates(debate.texts, vectors, self.index, allowed=may)
            budget = self.budget(debate)
            return {"X": measure(debate.texts, self.index, self.encoders, found, nli_candidates=budget), "found": found}

        kept = cached(self.cache, f"measures-{debate.name}", [self._key(debate, as_of_event)], build)
        return kept["X"], kept["found"]

    def budget(self, debate: Debate) -> int:
        """Return how many pairs of a sentence NLI reads in a debate."""
        return self.nli_of_linked if debate.name in self.linked_names else self.nli_candidates

    def worthiness(self, debate: Debate) -> NDArray[np.float32]:
        """Return the check-worthiness of all sentences of a debate, (n,)."""
        key = [*debate.texts, self.check_worthiness.digest]
        return cached(
            self.cache, f"worth-{debate.name}", key, lambda: {"score": self.check_worthiness.score(debate.texts)}
        )["score"]

    def _key(self, debate: Debate, as_of_event: bool) -> str:
        claims = hashlib.sha256("\0".join((*self.index.ids, *self.index.statements)).encode()).hexdigest()
        ready = f"{int(self.index.bodies_ready.sum())}"
        models = str(sorted(self.models.items())) + (self.encoders.nli.digest if self.budget(debate) else "")
        settings = f"{self.budget(debate)} {self.paper_only} {as_of_event} {debate.day}"
        return "\0".join((*debate.texts, claims, ready, models, settings, code_digest(CODE[:1])))

    @cached_property
    def models(self) -> dict[str, str]:
        """Return the digests of the models that every measure rests on."""
        return {part: getattr(self.encoders, part).digest[:16] for part in ("sbert", "simcse", "bertscore")}


_ARRAYS = ("values", "measures", "sentence", "claim", "place", "kind", "lifts", "opposed", "words")


def code_digest(files: Sequence[str]) -> str:
    """Return the digest of some source files: what they compute may change when they do."""
    return hashlib.sha256(b"".join((_ROOT / name).read_bytes() for name in files)).hexdigest()
