"""Match strength: ``python -m training.ranker.strength --data DIR [--half teach|test] [--write]``.

Scores the pairs that were read (``training/ranker/readings.tsv``, by a language model that follows
docs/research/annotation-guidelines.md) with the shipped rankers and the re-ranker, each pair by itself, and takes the best
pair of each sentence twice: among all fact-checks (the morning after), and among those published
before the event (the night).

``--half teach`` uses the debates that the shipped re-ranker has not learnt from, and chooses the
thresholds: the lowest at which enough matches of a step are right in both settings, first for all
strong matches, then a lower one for those that leave no part open. ``--half
test`` shows what the shipped thresholds do on the other half. ``--write`` puts the thresholds, or
the figures, into strength.json, from which screens, README and docs take them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistant.check import match_tiers
from assistant.check.cross_encoding import reranker_odds
from assistant.check.pair_features import NLI, compare, cross_encode
from assistant.check.pairs import Pairs
from assistant.check.ranker_inputs import SpokenSentences, add_cross_encoding, add_inputs
from assistant.check.rankers import LECTERN, TIERS, PairsFirst, load
from assistant.core import files
from assistant.core.domain import Agreement, Strength
from assistant.report.measured_strength import (
    AS_OF_EVENT,
    MORNING_AFTER,
    STRENGTH_FILE,
    StrengthThresholds,
    is_verbatim,
    strength_step,
)
from features.language.agreement import agreement
from features.language.open_parts.partial_coverage import uncovered_parts
from features.models import reranker
from features.models.weight_files import read_card, reranker_folder
from training.shared import debates as data
from training.shared.cards import restricted_data
from training.shared.command import flags, status
from training.shared.debates import Debate, cached
from training.shared.measures import Bench, said_before
from training.shared.opening import add_models_option, add_options, models_folder, open_bench
from training.shared.readings import NO, SETTLED, TEACH, TEST, Pair, halves, read

MODULE = "training.ranker.strength"  # its name when it is run as a script, too
SETTINGS = (MORNING_AFTER, AS_OF_EVENT)

STRONG_SHARE = 0.9  # share of strong matches that settle the statement
# Two in three good matches are of use; three in a hundred are to spare for harder debates.
GOOD_SHARE = 0.70
# Lower ones are not tried: on all 35 debates that teach, held out by folds, fewer than nine in ten
# were settled there (docs/research/confidence.md). The ten debates that are read here are too few to go below.
STRONG_STEPS = (1.5, 1.75, 2.0, 2.25, 2.5)
WHOLE_STEPS = tuple(np.arange(0.0, 2.5, 0.25).tolist())
GOOD_STEPS = tuple(np.arange(-2.5, 1.5, 0.25).tolist())
DRAWS = 1000


class ScoredPair(NamedTuple):
    """A read pair: its log-odds that it is settled, its tier, its doubts, and its label.

    ``was_published``: whether the fact-check was published before the event. ``verbatim``: whether
    the sentence is the statement word for word. ``has_open_part``: a part of one text that the
    other lacks is known.
    """

    debate: str
    line: int
    label: str
    was_published: bool
    log_odds: float
    tier_number: int
    has_doubt: bool
    verbatim: bool = False
    has_open_part: bool = True


class StepFigures(NamedTuple):
    """The best pairs of sentences that have one strength: how many, and how they were read.

    ``settled`` and ``in_part`` (settled or in part): shares of them. ``found``: the share of all
    settled sentences that are among them and settled.
    """

    rows: int
    settled: float
    in_part: float
    found: float


Figures = dict[str, dict[Strength, StepFigures]]


def scored_pairs(bench: Bench, debate: Debate, labels: Mapping[Pair, str]) -> list[ScoredPair]:
    """Return the read pairs of a debate, scored with the shipped rankers."""
    position_by_id = {claim: position for position, claim in enumerate(bench.index.ids)}
    sentence_by_line = {line: position for position, line in enumerate(debate.lines)}
    read_pairs = []
    for name, line, claim in sorted(labels):
        if name == debate.name and line in sentence_by_line and claim in position_by_id:
            read_pairs.append((line, claim))
    sentences = [sentence_by_line[line] for line, _ in read_pairs]
    claims = np.array([position_by_id[claim] for _, claim in read_pairs], np.int32)
    if not read_pairs:
        return []

    def build() -> dict[str, NDArray]:
        return _scores(bench, debate, sentences, claims)

    texts = "\0".join([*debate.texts, *debate.speakers])
    used = reranker.load(bench.reranker_name)
    key = [texts, str(read_pairs), bench.index.digest, used.digest]
    name = f"strength-{debate.name}"
    scores = cached(bench.cache, name, key, build, modules=(MODULE,))
    was_published = bench.index.review_days[claims] < debate.day
    scored = []
    for position, (line, claim) in enumerate(read_pairs):
        text = debate.texts[sentences[position]]
        verified_claim = bench.index.claim(int(claims[position]))
        statement = verified_claim.statement
        open_parts = uncovered_parts(text, statement, verified_claim.claimant)
        scored.append(
            ScoredPair(
                debate=debate.name,
                line=line,
                label=labels[debate.name, line, claim],
                was_published=bool(was_published[position]),
                log_odds=float(scores["log_odds"][position]),
                tier_number=int(scores["tier"][position]),
                has_doubt=bool(scores["has_doubt"][position]),
                verbatim=is_verbatim(text, statement),
                has_open_part=bool(open_parts),
            )
        )
    return scored


def _scores(
    bench: Bench, debate: Debate, sentences: Sequence[int], claims: NDArray[np.int32]
) -> dict[str, NDArray]:
    """Return log-odds, tier and doubts of pairs (p,), each as the only pair of its sentence."""
    ranker = load(LECTERN, reranker_folder(bench.reranker_name))
    assert isinstance(ranker, PairsFirst)
    spoken = _spoken(bench, debate, sentences)
    statements = bench.index.statements
    pairs = Pairs.from_claims([claims[i : i + 1] for i in range(len(claims))])
    pairs = compare(pairs, spoken.texts, bench.index, bench.encoders)
    pairs = add_inputs(pairs, spoken, bench.index, bench.word_weights)
    read_by_nli = cross_encode(pairs, spoken.texts, bench.index, bench.encoders, nli_candidates=1)
    pairs = add_cross_encoding(pairs, read_by_nli.similarities[:, NLI], read_by_nli.same_claim)
    # The strength of a pair does not depend on its rating.
    pairs = replace(pairs, may_raise_sentence=np.ones(len(pairs), bool))

    every_pair = np.arange(len(pairs))
    used = reranker.load(bench.reranker_name)
    odds = reranker_odds(pairs, every_pair, spoken, bench.index, used)
    ranking = ranker.rerank(ranker.rank(pairs), pairs, every_pair, odds)
    days = match_tiers.Days(debate.day, bench.index.claim_days)
    ranking = match_tiers.capped(ranking, pairs, spoken.texts, statements, days)
    has_doubt = []
    for pair, claim in enumerate(claims.tolist()):
        claim_day = int(bench.index.claim_days[claim])
        compared = agreement(spoken.texts[pair], statements[claim], debate.day, claim_day)
        differs = Agreement.DIFFERENT in [Agreement(value) for value in compared.values()]
        has_doubt.append(differs or pair in ranking.conflicts)
    return {
        "log_odds": ranking.sureness,
        "tier": ranking.pair_tiers,
        "has_doubt": np.array(has_doubt, bool),
    }


def _spoken(bench: Bench, debate: Debate, sentences: Sequence[int]) -> SpokenSentences:
    """Return some sentences of a debate, one per pair, with the sentences before each."""
    return SpokenSentences(
        texts=[debate.texts[sentence] for sentence in sentences],
        speakers=[debate.speakers[sentence] for sentence in sentences],
        worthiness=bench.worthiness(debate)[list(sentences)],
        event_day=debate.day,
        before=[
            said_before(debate.windows[sentence], debate.texts[sentence]) for sentence in sentences
        ],
    )


def usable_pairs(pairs: Iterable[ScoredPair], setting: str) -> list[ScoredPair]:
    """Return the pairs whose fact-check can be used in a setting."""
    return [pair for pair in pairs if setting == MORNING_AFTER or pair.was_published]


def best_pairs(pairs: Iterable[ScoredPair]) -> list[ScoredPair]:
    """Return the pair of each sentence with the highest log-odds, a verbatim one before others."""
    best: dict[tuple[str, int], ScoredPair] = {}
    for pair in pairs:
        sentence = (pair.debate, pair.line)
        other = best.get(sentence)
        if other is None or (pair.verbatim, pair.log_odds) > (other.verbatim, other.log_odds):
            best[sentence] = pair
    return list(best.values())


def step_of(pair: ScoredPair, thresholds: StrengthThresholds) -> Strength | None:
    """Return the strength of a read pair."""
    tier = TIERS[pair.tier_number]
    return strength_step(
        tier,
        pair.log_odds,
        thresholds,
        has_doubt=pair.has_doubt,
        is_verbatim=pair.verbatim,
        has_open_part=pair.has_open_part,
    )


def figures_of(pairs: Sequence[ScoredPair], thresholds: StrengthThresholds) -> Figures:
    """Return the figures of each strength in each setting."""
    figures: Figures = {}
    for setting in SETTINGS:
        usable = usable_pairs(pairs, setting)
        settled_sentences = {(pair.debate, pair.line) for pair in usable if pair.label == SETTLED}
        best = best_pairs(usable)
        figures[setting] = {}
        for strength in Strength:
            labels = [pair.label for pair in best if step_of(pair, thresholds) is strength]
            figures[setting][strength] = step_figures(labels, len(settled_sentences))
    return figures


def step_figures(labels: Sequence[str], settled_count: int) -> StepFigures:
    """Return the figures of the pairs of one strength, from their labels.

    ``settled_count``: the number of sentences that any read fact-check settles.
    """
    settled = sum(label == SETTLED for label in labels)
    in_part = sum(label != NO for label in labels)
    return StepFigures(
        rows=len(labels),
        settled=settled / max(len(labels), 1),
        in_part=in_part / max(len(labels), 1),
        found=settled / max(settled_count, 1),
    )


def chosen_thresholds(pairs: Sequence[ScoredPair]) -> StrengthThresholds:
    """Return the lowest thresholds at which enough matches are right in both settings."""
    strong = STRONG_STEPS[-1]
    for threshold in reversed(STRONG_STEPS):
        figures = figures_of(pairs, StrengthThresholds(threshold, threshold))
        if any(_too_few(figures[setting][Strength.STRONG]) for setting in SETTINGS):
            break
        strong = threshold
    whole = strong
    for threshold in reversed([step for step in WHOLE_STEPS if step < strong]):
        figures = figures_of(pairs, StrengthThresholds(strong, threshold, threshold))
        if any(_too_few(figures[setting][Strength.STRONG]) for setting in SETTINGS):
            break
        whole = threshold
    good = strong
    for threshold in reversed([step for step in GOOD_STEPS if step < strong]):
        figures = figures_of(pairs, StrengthThresholds(strong, threshold, whole))
        if any(_too_few_of_use(figures[setting][Strength.GOOD]) for setting in SETTINGS):
            break
        good = threshold
    return StrengthThresholds(strong, good, whole)


def _too_few(figures: StepFigures) -> bool:
    return figures.rows > 0 and figures.settled < STRONG_SHARE


def _too_few_of_use(figures: StepFigures) -> bool:
    return figures.rows > 0 and figures.in_part < GOOD_SHARE


def with_intervals(
    pairs: Sequence[ScoredPair], thresholds: StrengthThresholds, seed: int
) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the figures as JSON values, the shares with 95 % intervals over redrawn debates."""
    pairs_by_debate: dict[str, list[ScoredPair]] = {}
    for pair in pairs:
        pairs_by_debate.setdefault(pair.debate, []).append(pair)
    rng = np.random.default_rng(seed)
    names = sorted(pairs_by_debate)
    drawn_figures = []
    for _ in range(DRAWS):
        drawn_pairs = []
        for copy, debate in enumerate(rng.integers(0, len(names), len(names)).tolist()):
            for pair in pairs_by_debate[names[debate]]:
                drawn_pairs.append(pair._replace(debate=f"{pair.debate} {copy}"))
        drawn_figures.append(figures_of(drawn_pairs, thresholds))
    return {
        setting: {
            str(strength): _step_row(figures, [drawn[setting][strength] for drawn in drawn_figures])
            for strength, figures in by_strength.items()
        }
        for setting, by_strength in figures_of(pairs, thresholds).items()
    }


def _step_row(figures: StepFigures, drawn: Sequence[StepFigures]) -> dict[str, Any]:
    row: dict[str, Any] = {"rows": figures.rows}
    for name in ("settled", "in_part", "found"):
        shares = [getattr(each, name) for each in drawn]
        low, high = np.percentile(shares, (2.5, 97.5)).tolist()
        row[name] = [round(share, 4) for share in (getattr(figures, name), low, high)]
    return row


def main(arguments: Sequence[str] | None = None) -> int:
    """Choose the thresholds, or measure them on the other half."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ranker.strength", description=(__doc__ or "").split("\n")[0]
    )
    add_options(parser)
    parser.add_argument("--half", choices=(TEACH, TEST), default=TEACH)
    add_models_option(parser)
    parser.add_argument("--seed", type=int, default=17, help="of the redrawn debates")
    parser.add_argument("--write", action="store_true", help="write strength.json")
    return status(_measured, parser.parse_args(arguments))


def _measured(options: argparse.Namespace) -> None:
    bench = open_bench(options)
    labels = {pair: reading.label for pair, reading in read().items()}
    pairs = []
    for debate in debates_of_half(options.data, options.half):
        pairs += scored_pairs(bench, debate, labels)
    path = models_folder(options) / STRENGTH_FILE
    values: dict[str, Any] = {}
    if path.is_file():
        values = json.loads(path.read_text("utf-8"))
    if options.half == TEACH:
        values["thresholds"] = chosen_thresholds(pairs)._asdict()
    thresholds = StrengthThresholds(**values["thresholds"])
    figures = with_intervals(pairs, thresholds, options.seed)
    print(json.dumps({"thresholds": thresholds._asdict(), "figures": figures}, indent=1))
    if options.write:
        name = "figures" if options.half == TEST else "figures of the half that teaches"
        values[name] = figures
        values["reranker"] = reranker.load(options.reranker).digest[:12]
        values["card"] = _card(values.get("card", {}), options, bench, pairs)
        files.write(path, (json.dumps(values, indent=1) + "\n").encode())


def debates_of_half(folder: Path, half: str) -> list[Debate]:
    """Return the debates of a half; of those for training the ones that the re-ranker hasn't read."""
    debates = [*data.seven(folder), *data.others(folder)]
    if half == TEACH:
        unlearnt = read_card(reranker.RERANKER_WEIGHTS_FILE)["without"]
        return [debate for debate in debates if debate.name in unlearnt]
    half_by_debate = halves(debate.name for debate in debates)
    return [debate for debate in debates if half_by_debate[debate.name] == TEST]


def _card(
    card: Mapping[str, Any], options: argparse.Namespace, bench: Bench, pairs: Sequence[ScoredPair]
) -> dict[str, Any]:
    """Return the card with the data behind the figures of one half."""
    about = {
        "debates": len({pair.debate for pair in pairs}),
        "pairs": len(pairs),
        "articles indexed": int(bench.index.bodies_ready.sum()),
        "command": "python -m training.ranker.strength --data DIR "
        + flags(options, "reranker", "half", "write"),
        "seed": options.seed,
    }
    return {
        **card,
        "what": "thresholds of match strength, and how the matches of each step were read",
        "data": (
            "pairs of debates and fact-checks, read by a language model that follows "
            "docs/research/annotation-guidelines.md"
        ),
        "licence": "Apache-2.0 (thresholds and shares only)",
        "restricted_data": restricted_data("strength"),
        options.half: about,
    }


if __name__ == "__main__":
    sys.exit(main())
