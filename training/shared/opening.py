"""Opening of what every bench needs.

The data folder, the index of its claims, the models, and the cache.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_cache_dir

from assistant.check import checkworthiness, loaded_models
from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import VerifiedClaim
from assistant.core.settings import EMBEDDED, RERANKERS
from features.models import reranker
from features.models.reranker import JointReranker, Reranker
from features.models.weight_files import LARGE_RERANKER, MODELS, read_card, reranker_folder
from features.similarity.coverage import WORD_WEIGHTS_FILE, WordWeights, load_word_weights
from training.shared.claims import politifact
from training.shared.debates import others
from training.shared.measures import Bench


def open_index(folder: Path) -> ClaimIndex:
    """Return the claim index that the embedded profile made in a folder, its articles as far as they are ready."""
    return ClaimIndex.open(folder, loaded_models.encoders(EMBEDDED))


class InMemory:
    """The claims of a file as ``ClaimIndex.build`` reads a store."""

    def __init__(self, claims: Iterable[VerifiedClaim]) -> None:
        self._claims = {claim.id: claim for claim in claims}
        ordered_claims = sorted(self._claims.items())
        self._fingerprints = {
            i: hashlib.sha256(repr(claim).encode()).hexdigest() for i, claim in ordered_claims
        }

    def fingerprints(self) -> dict[str, str]:
        """Return the digest of each claim, by id."""
        return self._fingerprints

    def many(self, ids: Iterable[str]) -> dict[str, VerifiedClaim]:
        """Return the claims with some ids."""
        return {i: self._claims[i] for i in ids if i in self._claims}


def add_options(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options that all benches share; ``required``: none works without the data folder."""
    parser.add_argument(
        "--data", type=Path, required=required, metavar="DIR", help="the data folder"
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path(user_cache_dir("lectern", False)) / "bench",
        metavar="DIR",
    )
    parser.add_argument(
        "--index",
        type=Path,
        metavar="DIR",
        help="a finished claim index (default: made in the cache)",
    )
    parser.add_argument(
        "--database",
        choices=("all", "paper"),
        default="all",
        help="all claims, or the paper's 16,636",
    )
    folds = "re-rankers that were each learnt without some debates, for these (training.reranker.train --folds)"
    parser.add_argument("--folds", type=Path, metavar="DIR", help=folds)
    parser.add_argument(
        "--reranker",
        choices=RERANKERS,
        default=EMBEDDED.reranker,
        help="re-ranker of a profile, with the ranker and the thresholds that belong to it",
    )
    budget = "pairs of a sentence that NLI reads"
    parser.add_argument(
        "--nli-candidates", type=int, default=EMBEDDED.nli_candidates, metavar="N", help=budget
    )
    of_linked = f"{budget} in the sixty-three debates, of check-worthy sentences only"
    parser.add_argument(
        "--nli-of-linked",
        type=int,
        default=EMBEDDED.nli_candidates,
        metavar="N",
        help=f"{of_linked}; 0: none",
    )


def add_models_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the folder that the trained weights are written to."""
    help_text = "ranker and thresholds (default: those that ship with the re-ranker)"
    parser.add_argument("--models", type=Path, metavar="DIR", help=help_text)


def models_folder(options: argparse.Namespace) -> Path:
    """Return the folder of the ranker and the thresholds that the options name."""
    chosen: Path | None = options.models
    return chosen or reranker_folder(options.reranker)


def open_bench(options: argparse.Namespace) -> Bench:
    """Return what measuring needs.

    Builds the index first where there is none (about 45 minutes).
    """
    encoders = loaded_models.encoders(EMBEDDED)
    if options.index:
        index = ClaimIndex.open(options.index, encoders)
    else:
        claims = InMemory(politifact(options.data))
        index = ClaimIndex.build(claims, options.cache / "index", encoders, progress=_tell)
    return Bench(
        index,
        encoders,
        checkworthiness.load(),
        load_word_weights()
        if (MODELS / WORD_WEIGHTS_FILE).is_file()
        else WordWeights.of(index.statements),
        options.cache,
        options.nli_candidates,
        options.nli_of_linked,
        options.database == "paper",
        frozenset(debate.name for debate in others(options.data)),
        held_out_rerankers(options.folds, options.reranker) if options.folds else {},
        options.reranker,
    )


def held_out_rerankers(folder: Path, name: str) -> dict[str, Reranker]:
    """Return for each debate that was left out for a fold the re-ranker of that fold.

    ``name``: the re-ranker of a profile; the larger one has files of its own beside the first's.
    """
    reranker_by_debate: dict[str, Reranker] = {}
    for path in sorted(folder.resolve().glob("fold-*.safetensors")):
        held_out: Reranker = reranker.load_single(str(path))
        if name == LARGE_RERANKER:
            larger = reranker.load_single(str(path.with_name(f"large-{path.name}")))
            held_out = JointReranker(held_out, larger)
        for debate in read_card(str(path))["without"]:
            reranker_by_debate[debate] = held_out
    return reranker_by_debate


def _tell(stage: str, done: int, total: int) -> None:
    print(
        f"\rindex: {stage} {done:,} of {total:,}  ",
        end="\n" if done == total else "",
        file=sys.stderr,
        flush=True,
    )
