"""Pairs of the same claim whose licences all permit commercial use, for the permissive training.

They come from claims, arguments and paraphrases that people labelled, and from edits of FEVER
claims and MultiNLI sentences by rule. As in ``training.edits.same_claim``, the premise stands
for the verified statement and the hypothesis for the spoken sentence. The digest of the
premise puts a pair into one part, so that no premise is in two parts.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from training.edits import claim_edits, same_claim
from training.entailment.further_mixture import apart
from training.entailment.permissive_mixture import CLAIMS, Permitted, records, repeated
from training.shared.loaders import LABELS, Pair, detokenised, names, normal, word_rarity, words

REWORDED = 0.6  # least share of words in common of a pair that says the same in other words
NEAR = 0.45  # least share of words in common of a pair that looks the same and is not
SUPPORTED = 0.5  # least share of a claim's words, by rarity, in the sentence that supports it
STATEMENT_WORDS = range(8, 31)
NOISY = 0.5  # share of the natural pairs that get the noise of speech
OPEN_SETS = ("SNLI, generation", "wanli", "mnli", "MultiNLI, generation")
_NAME = re.compile(r"[A-Z][a-z]+(?: (?:(?:of|the|de|van) )?[A-Z][a-z]+)*")
_LIST_BETWEEN = re.compile(r"^(?:,|and|or|&|[/()\"]|-|–|with|versus|vs\.?|between|\s)*$")


def pairs(data: Path, permitted: Permitted, *, seed: int) -> dict[str, list[Pair]]:
    """Return the labelled pairs of each set by name, without the texts that are kept out."""
    rng = random.Random(seed)
    sentences = statements(permitted.sets["mnli"])
    fever = permitted.sets["fever"]
    fever_claims = sorted({pair.hypothesis for pair in fever if LABELS[pair.label] == "entailment"})
    other_pairs = [pair for name in OPEN_SETS for pair in permitted.sets[name]]
    sets = {
        "perspectives": labelled(data, "perspectives", rng),
        "key points": even_labels(labelled(data, "key points"), rng),
        "antonyms": labelled(data, "antonyms"),
        "exchanged names": exchanged(data, rng),
        "evidence": evidence(data),
        "edits": edited(fever_claims, sentences, seed=seed) + neighbours(fever),
        "sentences": edited(
            rng.sample(sentences, min(6_000, len(sentences))), sentences, seed=seed
        ),
        "rewordings": even_labels(list(rewordings(other_pairs)), rng),
    }
    natural = ("perspectives", "exchanged names", "evidence", "rewordings")
    for name in natural:
        sets[name] = [noisy(pair, sentences, rng) for pair in sets[name]]
    for name, set_pairs in sets.items():
        sets[name] = [pair for pair in set_pairs if apart(pair, permitted.kept_out)]
    return sets


def mixture(sets: dict[str, list[Pair]], *, seed: int) -> list[Pair]:
    """Return the training pairs in order, every set's share well mixed."""
    rng = random.Random(seed)
    order = []
    for name, one in CLAIMS.items():
        order += repeated(part(sets[name], "train"), one["permissive"], rng)
    rng.shuffle(order)
    return order


def development(sets: dict[str, list[Pair]]) -> list[Pair]:
    """Return the pairs that are not learnt from and serve to choose the scale of the log-odds."""
    return [pair for set_pairs in sets.values() for pair in part(set_pairs, "dev")]


def part(some: Iterable[Pair], name: str) -> list[Pair]:
    """Return the pairs of a part, train or dev, by the digest of their premise."""
    return [pair for pair in some if same_claim.part_of(normal(pair.premise)) == name]


def labelled(data: Path, name: str, rng: random.Random | None = None) -> list[Pair]:
    """Return the pairs of a file of two texts and a label; ``rng`` exchanges the sides of half.

    The second text is the shorter wording of the claim, so it is the premise.
    """
    pairs_found = []
    for record in records(data, CLAIMS[name]):
        claim = record["text2"]
        sentence = record["text1"]
        if rng is not None and rng.random() < 0.5:
            claim, sentence = sentence, claim
        pairs_found.append(Pair(claim, sentence, int(record["label"]), name))
    return pairs_found


def even_labels(some: list[Pair], rng: random.Random) -> list[Pair]:
    """Return all pairs of the rarer label and as many of the other."""
    same = [pair for pair in some if pair.label == 1]
    different = [pair for pair in some if pair.label == 0]
    count = min(len(same), len(different))
    return rng.sample(same, count) + rng.sample(different, count)


def exchanged(data: Path, rng: random.Random) -> list[Pair]:
    """Return PAWS paraphrases, and for each the first text with two of its names exchanged."""
    pairs_found = []
    for record in records(data, CLAIMS["exchanged names"]):
        first = detokenised(record["text1"])
        second = detokenised(record["text2"])
        swapped = roles_exchanged(first, rng)
        if swapped:
            pairs_found.append(Pair(first, second, 1, "exchanged names"))
            pairs_found.append(Pair(first, swapped, 0, "exchanged names"))
    return pairs_found


def roles_exchanged(text: str, rng: random.Random) -> str | None:
    """Return the text with two different names exchanged that are not a list; None without such names.

    "A beat B" becomes "B beat A". "A and B" would say the same, so it is left alone.
    """
    names_in_text = [match for match in _NAME.finditer(text) if match.start() > 0]
    exchangeable = []
    for i, first in enumerate(names_in_text):
        for second in names_in_text[i + 1 :]:
            between = _NAME.sub("", text[first.end() : second.start()])
            if first[0] != second[0] and not _LIST_BETWEEN.match(between):
                exchangeable.append((first, second))
    if not exchangeable:
        return None
    first, second = rng.choice(exchangeable)
    return (
        text[: first.start()]
        + second[0]
        + text[first.end() : second.start()]
        + first[0]
        + text[second.end() :]
    )


def evidence(data: Path) -> list[Pair]:
    """Return FEVER claims with a sentence that restates them, or that refutes them."""
    rows_read = []
    for record in records(data, CLAIMS["evidence"]):
        claim = detokenised(record["hypothesis"])
        rows_read.append((claim, detokenised(record["premise"]), record["label"]))
    rarity = word_rarity([claim for claim, _, _ in rows_read])
    pairs_found = []
    for claim, sentence, relation in rows_read:
        if relation == "contradiction":
            pairs_found.append(Pair(claim, sentence, 0, "evidence"))
        elif same_claim.overlap(claim, sentence, rarity)[0] >= SUPPORTED:
            pairs_found.append(Pair(claim, sentence, 1, "evidence"))
    return pairs_found


def statements(mnli: Sequence[Pair]) -> list[str]:
    """Return the premises of MultiNLI that are one whole statement of usual length."""
    unique_premises = dict.fromkeys(
        pair.premise
        for pair in mnli
        if len(pair.premise.split()) in STATEMENT_WORDS
        and re.fullmatch(r"[A-Z][^.?!]*[a-z]\.", pair.premise)
    )
    return list(unique_premises)


def edited(texts: Sequence[str], others: Sequence[str], *, seed: int) -> list[Pair]:
    """Return up to two keeping and two breaking edits of each text, named after their kind."""
    return same_claim.edited([{"statement": text} for text in texts], others, seed=seed)


def neighbours(fever: Sequence[Pair]) -> list[Pair]:
    """Return different claims of FEVER about one name that the same evidence is given for."""
    by_evidence: dict[str, list[Pair]] = defaultdict(list)
    for pair in dict.fromkeys(fever):
        by_evidence[pair.premise].append(pair)
    pairs_found = []
    for group in by_evidence.values():
        for first, second in zip(group, group[1:], strict=False):
            supported = {LABELS[first.label], LABELS[second.label]}
            unlike = shared_ratio(first.hypothesis, second.hypothesis) < NEAR
            if not set(names(first.hypothesis)) & set(names(second.hypothesis)):
                continue
            if supported == {"entailment", "contradiction"} or unlike:
                pairs_found.append(Pair(first.hypothesis, second.hypothesis, 0, "neighbour"))
    return pairs_found


def rewordings(some: Iterable[Pair]) -> Iterator[Pair]:
    """Yield entailment pairs that say the same in other words, and others as like that do not."""
    for pair in some:
        ratio = shared_ratio(pair.premise, pair.hypothesis)
        if pair.label != LABELS.index("entailment"):
            if ratio >= NEAR:
                yield pair._replace(label=0, source="rewordings")
        elif ratio >= REWORDED:
            yield pair._replace(label=1, source="rewordings")


def shared_ratio(first: str, second: str) -> float:
    """Return the share of the words of two texts that both have."""
    first_words = set(words(first))
    second_words = set(words(second))
    return len(first_words & second_words) / max(1, len(first_words | second_words))


def noisy(pair: Pair, others: Sequence[str], rng: random.Random) -> Pair:
    """Return the pair, by chance with the noise of speech in its hypothesis."""
    if rng.random() >= NOISY:
        return pair
    return pair._replace(hypothesis=claim_edits.noisy(pair.hypothesis, rng, others))
