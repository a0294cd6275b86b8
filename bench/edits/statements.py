"""Published statements as sentences.

Spoken, edited by seeded rules, and the tiers that Lectern gives their claims.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.check.match_tiers import capped
from assistant.check.pairs import Pairs
from assistant.check.rankers import Ranker, Ranking
from bench.edits.confusions import Words
from bench.edits.spoken import spoken
from bench.label_files import label_rows
from training.shared import debates as data
from training.shared import loaders
from training.shared.loaders import held_out_claims, training_claims
from training.shared.measures import Bench

LONGEST = 40  # words
TITLES = frozenset(
    "President Senator Governor Congressman Representative Planned Social White Wall".split()
)
Rows = Mapping[str, Mapping[str, Any]]
Rule = Callable[[str, random.Random, Any], str | None]


@dataclass(frozen=True, slots=True)
class Edited:
    """A sentence and the claim whose tier counts ("" for any claim), with the statement as spoken before the edit.

    ``seen``: a text model was trained with the statement.
    """

    kind: str
    text: str
    speaker: str
    claim: str
    original: str = ""
    seen: bool = False


def claim_rows(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the claims of the data folder by id."""
    return {claim["id"]: claim for claim in loaders.rows(folder / "politifact" / "claims.jsonl.gz")}


def words_of(statements: Iterable[str], claimants: Iterable[str]) -> Words:
    """Return what edits look up.

    People whom statements name in full, words that are names, and a vocabulary.
    """
    text = "\n".join(statements)
    people = [name for name in sorted(set(claimants)) if _is_person(name) and text.count(name) >= 8]
    small = Counter(re.findall(r"\b[a-z]+\b", text))
    tall = Counter(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", text))
    names = {word for word, times in tall.items() if times > small[word.lower()]}
    vocabulary = defaultdict(list)
    for word in sorted(set(re.findall(r"(?<= )[a-z]{4,11}(?= )", text))):
        vocabulary[word[0] + word[-1]].append(word)
    return Words(
        tuple(people), frozenset(names), {key: tuple(value) for key, value in vocabulary.items()}
    )


def _is_person(name: str) -> bool:
    first_name, _, surname = name.partition(" ")
    return (
        first_name.istitle()
        and surname[:1].isupper()
        and surname.isalpha()
        and not surname.isupper()
        and first_name not in TITLES
    )


def words_of_rows(claims_by_id: Rows) -> Words:
    """Return what edits look up in all statements of the database."""
    return words_of(
        [claim["statement"] for claim in claims_by_id.values()],
        [claim["speaker"] for claim in claims_by_id.values()],
    )


def unseen_claims(folder: Path, claims_by_id: Rows) -> list[str]:
    """Return the claims that no text model was trained on, flip-o-meter entries and duplicates left out."""
    held_out = held_out_claims(folder) - {claim["id"] for claim in training_claims(folder)}
    return plain_claims(sorted(held_out), claims_by_id)


def plain_claims(claims: Iterable[str], claims_by_id: Rows) -> list[str]:
    """Return the claims that are neither a duplicate nor rated by the flip-o-meter."""
    return [
        i
        for i in claims
        if not claims_by_id[i].get("duplicate_of") and "Fl" not in claims_by_id[i]["rating"][-5:]
    ]


def spoken_statements(claims: Iterable[str], claims_by_id: Rows) -> dict[str, str]:
    """Return the statements of claims as sentences of at most ``LONGEST`` words, by claim, those that can be spoken."""
    texts = {claim: spoken(claims_by_id[claim]["statement"]) for claim in claims}
    return {claim: text for claim, text in texts.items() if text and len(text.split()) <= LONGEST}


def edited(
    rules: Mapping[str, Rule],
    pools: Sequence[Mapping[str, str]],
    claims_by_id: Rows,
    lookup: object,
    *,
    each: int,
    refused: frozenset[tuple[str, str]],
) -> list[Edited]:
    """Return for each rule its first ``each`` edits of spoken statements, without the (kind, claim) that are refused.

    ``pools``: statements by claim; the second pool, which text models have seen, serves where the first does not do.
    """
    edits: list[Edited] = []
    for kind, rule in rules.items():
        of_kind = islice(_edits_of_kind(kind, rule, pools, claims_by_id, lookup), each)
        edits += [edit for edit in of_kind if (kind, edit.claim) not in refused]
    return edits


def _edits_of_kind(
    kind: str, rule: Rule, pools: Sequence[Mapping[str, str]], claims_by_id: Rows, lookup: object
) -> Iterator[Edited]:
    """Yield the edits of statements by one rule, the statements in the order of their digests."""
    for pool_index, pool in enumerate(pools):
        for claim in shuffled(pool, kind):
            original = pool[claim]
            text = rule(original, random.Random(f"{kind} {claim}"), lookup)
            if text and text != original:
                claimant = speaker(kind, claim, claims_by_id[claim]["speaker"])
                yield Edited(kind, text, claimant, claim, original, pool_index > 0)


def shuffled(claims: Iterable[str], kind: str) -> list[str]:
    """Return claims in the order of their digests with a kind.

    One claim more or less changes no other's place.
    """
    return sorted(claims, key=lambda claim: hashlib.sha256(f"{kind} {claim}".encode()).digest())


def speaker(kind: str, claim: str, claimant: str) -> str:
    """Return the claimant for half of the sentences, "" for the others."""
    return claimant if random.Random(f"speaker {kind} {claim}").random() < 0.5 else ""


def refused_edits(name: str) -> frozenset[tuple[str, str]]:
    """Return the (kind, claim) of a label file.

    Edits that went wrong, in what they say or as language.
    """
    return frozenset((record[0], record[1]) for record in label_rows(name))


def ranked(
    sentences: Sequence[Edited], bench: Bench, ranker: Ranker
) -> tuple[Pairs, Ranking, NDArray[np.int_], NDArray[np.int_]]:
    """Return the inputs, the ranking, the tiers and the wanted claims' positions of all pairs of some sentences.

    The sentences are those of one undated event: no measure depends on the sentences around. A
    sentence that is dropped as not worth checking has tier 0; the position is -1 where a sentence
    names no claim.
    """
    texts, speakers = zip(
        *((sentence.text, sentence.speaker) for sentence in sentences), strict=True
    )
    debate = data.Debate("confusers", 0, tuple(range(1, len(sentences) + 1)), texts, speakers)
    inputs = bench.inputs(debate)
    ranking = capped(
        bench.ranked(debate, inputs, ranker), inputs, debate.texts, bench.index.statements
    )
    position = {claim: i for i, claim in enumerate(bench.ids.tolist())}
    claim_positions = np.array([position.get(sentence.claim, -1) for sentence in sentences])[
        inputs.sentence_index
    ]
    worthy = bench.worthiness(debate) >= bench.check_worthiness.threshold
    return (
        inputs,
        ranking,
        np.where(worthy[inputs.sentence_index], ranking.pair_tiers, 0),
        claim_positions,
    )


def by_kind(
    sentences: Sequence[Edited], values: Sequence[Any], kinds: Iterable[str]
) -> Iterator[tuple[str, list[Any]]]:
    """Yield each kind with its sentences' (sentence, value)."""
    for kind in kinds:
        yield (
            kind,
            [
                (sentence, value)
                for sentence, value in zip(sentences, values, strict=True)
                if sentence.kind == kind
            ],
        )
