"""Time-aware evidence ranking on MultiFC: the tables of the paper from what ``training/time/train.py`` predicted.

    python -m bench.time.verdicts --data DIR --work DIR [--part dev] [--csv FILE] [--json FILE]

Micro and macro F1 of a row are means over the domains, each alike, and over the seeds: only so do the paper's rows fit
their PolitiFact row (docs/temporal.md). The best order of a domain is chosen on development claims; the choice on the
claims themselves, as the paper's headline row seems to be made, is an oracle and stands beside it.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ranking.significance import Interval, bootstrap
from ranking.temporal import ORDERS
from training.time.lists import ROWS
from training.time.multifc import PARTS, SAME_SCALE, Space, claims
from training.time.scores import macro_f1, micro_f1
from training.time.train import STAGES
from training.time.vectors import ENCODERS

Ints = NDArray[np.integer]
Floats = NDArray[np.floating]
CHOSEN, ORACLE = "best order, chosen on dev", "best order, oracle"
ROUNDS = 1000  # of the bootstrap
DOMAINS = 26  # of the paper's means
# Allein et al. 2021, Table 3, micro and macro F1 on all 26 domains; the transformer is DistilBERT.
PAPER = {
    "bilstm": [
        (0.5521, 0.3185), (0.5383, 0.2919), (0.5468, 0.2864), (0.5794, 0.3227), (0.5668, 0.3215), (0.5532, 0.3029),
        (0.4756, 0.2417), (0.6265, 0.3673),
    ],
    "rnn": [
        (0.5053, 0.2691), (0.5196, 0.2818), (0.4782, 0.2372), (0.5359, 0.2905), (0.5271, 0.3082), (0.4981, 0.2700),
        (0.5356, 0.3019), (0.5899, 0.3453),
    ],
    "minilm": [
        (0.5558, 0.2909), (0.5040, 0.2495), (0.4793, 0.2264), (0.5424, 0.2660), (0.4791, 0.2391), (0.5257, 0.2644),
        (0.5759, 0.2962), (0.5921, 0.3135),
    ],
}  # fmt: skip
POLITIFACT = (0.2143, 0.2089)  # the paper's BiLSTM base on the domain whose training part is missing
# The paper's Table 2: best method a domain, trained on all domains, on each, and on all then each.
PAPER_STAGES = {
    "bilstm": [(0.5998, 0.3436), (0.6072, 0.3525), (0.6265, 0.3673)],
    "rnn": [(0.5425, 0.2960), (0.5862, 0.3513), (0.5899, 0.3453)],
    "minilm": [(0.5891, 0.3282), (0.5424, 0.2859), (0.5921, 0.3135)],
}


class Scores(NamedTuple):
    """Micro and macro F1."""

    micro: float
    macro: float


class Claims(NamedTuple):
    """The claims of a part that are tested on: id, number of the label, domain, (N,) each."""

    ids: list[str]
    label: Ints
    domain: NDArray[np.str_]

    def of(self, domain: str) -> NDArray[np.bool_]:
        """Return which claims are a domain's, (N,)."""
        return self.domain == domain


Found = Mapping[tuple[str, str], Ints]  # (row, stage) → labels (seeds, N)


def tested(data: Path) -> dict[str, Claims]:
    """Return the claims of each part whose domain has training claims, and apart those read through another domain."""
    parts = claims(data)
    space = Space([claim for claim in parts["train"] if claim.domain not in SAME_SCALE])
    found = {}
    for part in PARTS:
        for name, through in ((part, False), (f"{part} through another", True)):
            own = [claim for claim in parts[part] if (claim.domain in SAME_SCALE) is through]
            numbers = np.array([space.number(claim) for claim in own], int)
            found[name] = Claims([c.id for c in own], numbers, np.array([c.domain for c in own], str))
    return found


def read(work: Path, encoder: str, part: str, ids: Sequence[str]) -> dict[tuple[str, str], Ints]:
    """Return what every row of an encoder predicted for claims, by row and stage, one line a seed.

    Claims that a row did not read have no prediction; the row is left out. So are rows without this part.
    """
    found: dict[tuple[str, str], list[list[int]]] = {}
    for row in ROWS:
        for path in sorted((work / "predictions").glob(f"{encoder}-{row}-[0-9]*.json")):
            stages = json.loads(path.read_text("utf-8")).get(part)
            place = {i: n for n, i in enumerate(stages["ids"])} if stages else {}
            if place.keys() >= set(ids):
                for stage in STAGES:
                    found.setdefault((row, stage), []).append([stages[stage][place[i]] for i in ids])
    return {key: np.array(lines) for key, lines in found.items()}


def scores(label: Ints, found: Ints) -> Scores:
    """Return the mean scores over seeds of labels (seeds, n) for claims (n,)."""
    return Scores(
        float(np.mean([micro_f1(label, one) for one in found])), float(np.mean([macro_f1(label, one) for one in found]))
    )


def mean_over_domains(on: Claims, found: Ints) -> Scores:
    """Return the mean scores over domains, each alike."""
    each = [scores(on.label[own], found[:, own]) for name in np.unique(on.domain) for own in [on.of(name)]]
    return Scores(*np.mean(each, axis=0).tolist())


def best_orders(on: Claims, found: Found, stage: str) -> dict[str, str]:
    """Return for each domain the order with the best mean of micro and macro F1; of equals, that best in all domains.

    Raises: ValueError where an order has not been run.
    """
    if missing := [name for name in ORDERS if (name, stage) not in found]:
        raise ValueError(f"no predictions of {', '.join(missing)}; run training.time.train for them first")
    whole = {name: sum(mean_over_domains(on, found[name, stage])) for name in ORDERS}
    best = {}
    for domain in np.unique(on.domain).tolist():
        own = on.of(domain)
        keys = {n: (round(sum(scores(on.label[own], found[n, stage][:, own])), 9), whole[n]) for n in ORDERS}
        best[domain] = max(keys, key=keys.__getitem__)
    return best


def by_domain(on: Claims, found: Found, stage: str, best: Mapping[str, str]) -> Ints:
    """Return the labels (seeds, N) that the order of each claim's domain gives."""
    joined = np.zeros_like(found[next(iter(best.values())), stage])
    for domain, order in best.items():
        joined[:, on.of(domain)] = found[order, stage][:, on.of(domain)]
    return joined


def gain(on: Claims, better: Ints, base: Ints, kind: str, domains: Sequence[str]) -> tuple[float, Interval]:
    """Return how much better one run is than another, ``micro`` or ``macro``, with the interval over claims.

    Both (seeds, N); the mean over ``domains``, each alike, claims drawn again within each domain, the same for both.
    """
    measure, seeds = {"micro": micro_f1, "macro": macro_f1}[kind], len(better)

    def difference(drawn: Floats, _: object) -> float:
        label, one, other = np.split(drawn.astype(int), (1, seeds + 1))
        return float(np.mean([measure(label[0], a) - measure(label[0], b) for a, b in zip(one, other, strict=True)]))

    topics = []
    for domain in domains:
        own = on.of(domain)
        lines = np.vstack([on.label[own], better[:, own], base[:, own]]).astype(float)
        topics.append((lines, np.ones(own.sum(), bool)))
    return float(np.mean([difference(*topic) for topic in topics])), bootstrap(topics, difference, rounds=ROUNDS)


def majority(training: Claims, on: Claims) -> Ints:
    """Return for each claim the label that most training claims of its domain have, (1, N)."""
    usual = {name: np.bincount(training.label[training.of(name)]).argmax() for name in np.unique(on.domain).tolist()}
    return np.array([[usual[name] for name in on.domain.tolist()]])


def table_3(encoder: str, on: Claims, found: Found, extra: Mapping[str, Ints]) -> list[dict]:
    """Return the rows of Table 3, ours beside the paper's on all domains and, for the BiLSTM, without PolitiFact."""
    rows: list[dict] = []
    for i, row in enumerate((*ROWS, CHOSEN, ORACLE)):
        ours = found.get((row, STAGES[-1]), extra.get(row))
        if ours is None:
            continue
        mine, paper = mean_over_domains(on, ours), PAPER[encoder][min(i, len(ROWS))]
        pooled = float(np.mean(ours == on.label))
        rows.append({"encoder": encoder, "row": row, "seeds": len(ours), **_pair("", mine), "pooled": pooled})
        if row != CHOSEN:
            rows[-1] |= _pair("paper ", Scores(*paper))
    return rows


def _pair(name: str, pair: Scores) -> dict[str, float]:
    return {f"{name}micro": pair.micro, f"{name}macro": pair.macro}


def without_politifact(whole: Scores) -> Scores:
    """Return the paper's mean over the other 25 domains, from its mean over 26 and its PolitiFact row."""
    return Scores(*((DOMAINS * all_ - one) / (DOMAINS - 1) for all_, one in zip(whole, POLITIFACT, strict=True)))


def table_4(encoder: str, on: Claims, found: Found, best: Mapping[str, str]) -> list[dict]:
    """Return for each domain base and orders, the order chosen, and its gain with the interval."""
    stage, rows = STAGES[-1], []
    chosen = by_domain(on, found, stage, best)
    for domain, order in best.items():
        own = on.of(domain)
        row: dict = {"encoder": encoder, "domain": domain, "claims": int(own.sum()), "chosen": order}
        for name in ("base", *ORDERS):
            row |= _pair(f"{name} ", scores(on.label[own], found[name, stage][:, own]))
        for kind in ("micro", "macro"):
            value, (low, high) = gain(on, chosen, found["base", stage], kind, [domain])
            row |= {f"gain {kind}": value, f"gain {kind} low": low, f"gain {kind} high": high}
        rows.append(row)
    return rows


def tables(work: Path, parts: Mapping[str, Claims], part: str) -> dict[str, list[dict]]:
    """Return the tables of all encoders that have base and every order: 2, 3 and 4, the gains, and PolitiFact apart."""
    made: dict[str, list[dict]] = {"table 2": [], "table 3": [], "table 4": [], "gains": [], "through another": []}
    on, apart, dev = parts[part], parts[f"{part} through another"], parts["dev"]
    usual = majority(parts["train"], on)
    shares = {**_pair("", mean_over_domains(on, usual)), "pooled": float(np.mean(usual == on.label))}
    made["table 3"].append({"encoder": "none", "row": "most frequent label", "seeds": 1, **shares})
    for encoder in ENCODERS:
        found, seen = read(work, encoder, part, on.ids), read(work, encoder, "dev", dev.ids)
        if not all((name, STAGES[-1]) in found for name in ("base", *ORDERS)):
            continue
        for i, stage in enumerate(STAGES):
            picked = by_domain(on, found, stage, best_orders(dev, seen, stage))
            pairs = {"": mean_over_domains(on, picked), "paper ": Scores(*PAPER_STAGES[encoder][i])}
            line = {"encoder": encoder, "trained on": stage}
            made["table 2"].append(line | {k: v for name, pair in pairs.items() for k, v in _pair(name, pair).items()})
        best = best_orders(dev, seen, STAGES[-1])
        extra = {
            CHOSEN: by_domain(on, found, STAGES[-1], best),
            ORACLE: by_domain(on, found, STAGES[-1], best_orders(on, found, STAGES[-1])),
        }
        made["table 3"] += table_3(encoder, on, found, extra)
        made["table 4"] += table_4(encoder, on, found, best)
        run = {row: labels for (row, stage), labels in found.items() if stage == STAGES[-1] and row != "base"}
        for row, labels in (run | {CHOSEN: extra[CHOSEN]}).items():
            made["gains"] += gains(encoder, row, on, labels, found["base", STAGES[-1]])
        for (row, stage), labels in read(work, encoder, part, apart.ids).items():
            if len(apart.ids) and stage == STAGES[-1]:
                made["through another"].append(
                    {"encoder": encoder, "row": row, **_pair("", scores(apart.label, labels))}
                )
    return made


def gains(encoder: str, row: str, on: Claims, better: Ints, base: Ints) -> list[dict]:
    """Return the gain of a row over the base in micro and macro F1 over all domains."""
    lines = []
    for kind in ("micro", "macro"):
        value, (low, high) = gain(on, better, base, kind, np.unique(on.domain).tolist())
        lines.append({"encoder": encoder, "row": row, "measure": kind, "gain": value, "low": low, "high": high})
    return lines


def show(made: Mapping[str, list[dict]]) -> None:
    """Print the tables."""
    for name, rows in made.items():
        print(f"\n{name}")
        heads = list(dict.fromkeys(head for row in rows for head in row))
        print("\t".join(heads))
        for row in rows:
            print("\t".join(f"{v:.4f}" if isinstance(v := row.get(head, ""), float) else str(v) for head in heads))
    for measure, value in without_politifact(Scores(*PAPER["bilstm"][0]))._asdict().items():
        print(f"the paper's BiLSTM base without PolitiFact, {measure}: {value:.4f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables of what has been predicted, and write them where asked."""
    parser = argparse.ArgumentParser(prog="python -m bench.time.verdicts", description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    parser.add_argument("--work", type=Path, required=True, help="the folder of training.time.train")
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table of the domains")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    made = tables(options.work, tested(options.data), options.part)
    show(made)
    if options.csv and made["table 4"]:
        with open(options.csv, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(made["table 4"][0]))
            writer.writeheader()
            writer.writerows(
                {k: round(v, 4) if isinstance(v, float) else v for k, v in r.items()} for r in made["table 4"]
            )
    if options.json:
        options.json.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
