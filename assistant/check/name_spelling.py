"""Abbreviated names: a sentence is compared with a claim as the claim spells its names.

"The EPA" and "the Environmental Protection Agency" share no word, and no model here knows that they
are the same. Only Lectern's ranker reads sentences in this way; the published method reads them
as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assistant.check import pair_features
from assistant.check.loaded_models import Models
from assistant.check.pair_features import Encoded
from assistant.check.pairs import Ints, Mask, Pairs
from assistant.claims.claim_index import ClaimIndex
from assistant.core.progress_callback import Progress, no_progress
from features.language.abbreviations import may_be_respelled, spelled_like
from features.models.profile_models import Encoders


def texts_in_claims_spelling(
    pairs: Pairs, chosen_pairs: Ints, texts: Sequence[str], index: ClaimIndex
) -> list[str]:
    """Return the sentence of each of some pairs (r,), with names spelled as the claim spells them."""
    sentences = pairs.sentence_index[chosen_pairs]
    claims = pairs.claim_index[chosen_pairs]
    respelled_texts = [texts[sentence] for sentence in sentences.tolist()]
    # Few texts have a name that can be spelled in two ways.
    rows = np.flatnonzero(_may_be_respelled(sentences, texts))
    rows = rows[_may_be_respelled(claims[rows], index.statements)]
    for row in rows.tolist():
        respelled_texts[row] = spelled_like(
            respelled_texts[row], index.statements[int(claims[row])]
        )
    return respelled_texts


def _may_be_respelled(positions: Ints, texts: Sequence[str]) -> Mask:
    """Return whether the text at each position (r,) has a name that may be spelled otherwise."""
    different_positions, position_row = np.unique(positions, return_inverse=True)
    has_name = [may_be_respelled(texts[position]) for position in different_positions.tolist()]
    return np.array(has_name, bool)[position_row]


def compare(
    pairs: Pairs,
    texts: Sequence[str],
    index: ClaimIndex,
    models: Models,
    *,
    encoded: Encoded | None = None,
    progress: Progress = no_progress,
) -> Pairs:
    """Return the pairs with their similarity features as the ranker reads names.

    ``encoded`` and ``progress``: as for ``pair_features.compare``.
    """
    pairs = pair_features.compare(
        pairs, texts, index, models.encoders, encoded=encoded, progress=progress
    )
    if models.ranker.spells_names:
        pairs = compare_respelled_pairs(pairs, texts, index, models.encoders)
    return pairs


def compare_respelled_pairs(
    pairs: Pairs, texts: Sequence[str], index: ClaimIndex, encoders: Encoders
) -> Pairs:
    """Return compared pairs; those whose claim spells a name in another way are compared again.

    Their similarity features are computed from the respelled sentence.
    """
    # Whether the sentence has names in another spelling than the claim, (p,), and the sentence of
    # each pair with the names as the claim spells them
    is_respelled, respelled_text_by_pair = respelled(pairs, texts, index)
    pairs_by_text: dict[str, list[int]] = {}
    for pair in np.flatnonzero(is_respelled).tolist():
        pairs_by_text.setdefault(respelled_text_by_pair[pair], []).append(pair)
    if not pairs_by_text:
        return pairs
    # A second table of pairs, in which each respelled text is a sentence of its own
    respelled_texts = list(pairs_by_text)
    claims_by_text = [pairs.claim_index[pairs_of_text] for pairs_of_text in pairs_by_text.values()]
    respelled_pairs = Pairs.from_claims(claims_by_text)
    respelled_pairs = pair_features.compare(respelled_pairs, respelled_texts, index, encoders)
    # The rows of its pairs in the first table, in the order of the second table: by text
    replaced_rows = np.concatenate(list(pairs_by_text.values()))
    similarities = pairs.similarities.copy()
    similarities[replaced_rows] = respelled_pairs.similarities
    return replace(pairs, similarities=similarities)


def respelled(pairs: Pairs, texts: Sequence[str], index: ClaimIndex) -> tuple[Mask, list[str]]:
    """Return which pairs (p,) have another spelling of the sentence, and the spelled texts, (p,)."""
    all_pairs = np.arange(len(pairs))
    respelled_texts = texts_in_claims_spelling(pairs, all_pairs, texts, index)
    is_respelled = []
    sentences = pairs.sentence_index.tolist()
    for sentence, spelled_text in zip(sentences, respelled_texts, strict=True):
        is_respelled.append(spelled_text != texts[sentence])
    return np.array(is_respelled, bool), respelled_texts
