"""Time-aware ranking of evidence on MultiFC.

The paper's tables of labels from what ``training.time.train`` predicted.

    python -m bench.time.ranking --data DIR --work DIR [--part dev] [--csv FILE] [--json FILE]

Micro and macro F1 of a row are means over the domains, each alike, and over the seeds: only so do
the paper's rows fit its PolitiFact row (docs/temporal.md). The best order of a domain is chosen on
development claims; the choice on the claims themselves, as the paper's headline row seems to be
made, is an oracle and shown beside it. Expected: the BiLSTM base .5579 micro, .3523 macro; the
chosen orders gain nothing over it.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.command import command, data_option, option, table
from ranking.temporal import ORDERS
from training.shared.significance import Interval, bootstrap
from training.time.lists import ROWS
from training.time.multifc import Space, trained_claims
from training.time.scores import macro_f1, micro_f1
from training.time.train import STAGES
from training.time.vectors import ENCODERS

Ints = NDArray[np.integer]
Floats = NDArray[np.floating]
CHOSEN = "best order, chosen on dev"
ORACLE = "best order, oracle"
ROUNDS = 1000  # of the bootstrap
DOMAINS = 26  # of the paper's means
POLITIFACT = (
    0.2143,
    0.2089,
)  # the paper's BiLSTM base on the domain whose training part is missing


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


_PUBLISHED = [
    line.split("\t")
    for line in Path(__file__).with_name("published.tsv").read_text("utf-8").splitlines()[1:]
]
PAPER = {
    (encoder, row): Scores(float(micro), float(macro)) for encoder, row, micro, macro in _PUBLISHED
}
Found = Mapping[tuple[str, str], Ints]  # (row, stage) → labels (seeds, N)


def tested(data: Path) -> dict[str, Claims]:
    """Return the claims of each part whose domain has training claims."""
    parts = trained_claims(data)
    space = Space(parts["train"])
    return {
        part: Claims(
            [claim.id for claim in of_part],
            np.array([space.number(claim) for claim in of_part], int),
            np.array([claim.domain for claim in of_part], str),
        )
        for part, of_part in parts.items()
    }


def read(work: Path, encoder: str, part: str, ids: Sequence[str]) -> dict[tuple[str, str], Ints]:
    """Return what every row of an encoder predicted for claims, by row and stage, one line a seed.

    Claims that a row did not read have no prediction; the row is left out. So are rows without
    this part.
    """
    predictions: dict[tuple[str, str], list[list[int]]] = {}
    for row in ROWS:
        for path in sorted((work / "predictions").glob(f"{encoder}-{row}-[0-9]*.json")):
            stages = json.loads(path.read_text("utf-8")).get(part)
            place = {i: n for n, i in enumerate(stages["ids"])} if stages else {}
            if place.keys() >= set(ids):
                for stage in STAGES:
                    predictions.setdefault((row, stage), []).append(
                        [stages[stage][place[i]] for i in ids]
                    )
    return {key: np.array(lines) for key, lines in predictions.items()}


def scores(label: Ints, predictions: Ints) -> Scores:
    """Return the mean scores over seeds of labels (seeds, n) for claims (n,)."""
    return Scores(
        float(np.mean([micro_f1(label, one) for one in predictions])),
        float(np.mean([macro_f1(label, one) for one in predictions])),
    )


def mean_over_domains(on: Claims, predictions: Ints) -> Scores:
    """Return the mean scores over domains, each alike."""
    each = [
        scores(on.label[own], predictions[:, own])
        for name in np.unique(on.domain)
        for own in [on.of(name)]
    ]
    return Scores(*np.mean(each, axis=0).tolist())


def best_orders(on: Claims, predictions: Found, stage: str) -> dict[str, str]:
    """Return for each domain the order with the best mean of micro and macro F1.

    Of equals, that best in all domains.

    Raises: ValueError where an order has not been run.
    """
    if missing := [name for name in ORDERS if (name, stage) not in predictions]:
        raise ValueError(
            f"no predictions of {', '.join(missing)}; run training.time.train for them first"
        )
    whole = {name: sum(mean_over_domains(on, predictions[name, stage])) for name in ORDERS}
    best = {}
    for domain in np.unique(on.domain).tolist():
        own = on.of(domain)
        keys = {
            n: (round(sum(scores(on.label[own], predictions[n, stage][:, own])), 9), whole[n])
            for n in ORDERS
        }
        best[domain] = max(keys, key=keys.__getitem__)
    return best


def by_domain(on: Claims, predictions: Found, stage: str, best: Mapping[str, str]) -> Ints:
    """Return the labels (seeds, N) that the order of each claim's domain gives."""
    joined = np.zeros_like(predictions[next(iter(best.values())), stage])
    for domain, order in best.items():
        joined[:, on.of(domain)] = predictions[order, stage][:, on.of(domain)]
    return joined


def gain(
    on: Claims, better: Ints, base: Ints, kind: str, domains: Sequence[str]
) -> tuple[float, Interval]:
    """Return how much better one run is than another, ``micro`` or ``macro``, with the interval over claims.

    Both (seeds, N); the mean over ``domains``, each alike, claims drawn again within each domain,
    the same for both.
    """
    measure = {"micro": micro_f1, "macro": macro_f1}[kind]
    seeds = len(better)

    def difference(drawn: Floats, _: object) -> float:
        label, one, other = np.split(drawn.astype(int), (1, seeds + 1))
        return float(
            np.mean(
                [
                    measure(label[0], a) - measure(label[0], b)
                    for a, b in zip(one, other, strict=True)
                ]
            )
        )

    topics = []
    for domain in domains:
        own = on.of(domain)
        lines = np.vstack([on.label[own], better[:, own], base[:, own]]).astype(float)
        topics.append((lines, np.ones(own.sum(), bool)))
    return float(np.mean([difference(*topic) for topic in topics])), bootstrap(
        topics, difference, rounds=ROUNDS
    )


def majority(training: Claims, on: Claims) -> Ints:
    """Return for each claim the label that most training claims of its domain have, (1, N)."""
    usual = {
        name: np.bincount(training.label[training.of(name)]).argmax()
        for name in np.unique(on.domain).tolist()
    }
    return np.array([[usual[name] for name in on.domain.tolist()]])


def table_3(encoder: str, on: Claims, predictions: Found, extra: Mapping[str, Ints]) -> list[dict]:
    """Return the rows of Table 3, ours and the paper's on all domains."""
    rows: list[dict] = []
    for row in (*ROWS, CHOSEN, ORACLE):
        predicted = predictions.get((row, STAGES[-1]), extra.get(row))
        if predicted is not None:
            ours = {
                **_pair("", mean_over_domains(on, predicted)),
                "pooled": float(np.mean(predicted == on.label)),
            }
            paper = _pair("paper ", PAPER[encoder, row]) if (encoder, row) in PAPER else {}
            rows.append({"encoder": encoder, "row": row, "seeds": len(predicted), **ours, **paper})
    return rows


def _pair(name: str, pair: Scores) -> dict[str, float]:
    return {f"{name}micro": pair.micro, f"{name}macro": pair.macro}


def without_politifact(whole: Scores) -> Scores:
    """Return the paper's mean over the other 25 domains, from its mean over 26 and its PolitiFact row."""
    return Scores(
        *(
            (DOMAINS * all_ - one) / (DOMAINS - 1)
            for all_, one in zip(whole, POLITIFACT, strict=True)
        )
    )


def table_4(encoder: str, on: Claims, predictions: Found, best: Mapping[str, str]) -> list[dict]:
    """Return for each domain base and orders, the order chosen, and its gain with the interval."""
    stage = STAGES[-1]
    rows = []
    chosen = by_domain(on, predictions, stage, best)
    for domain, order in best.items():
        own = on.of(domain)
        row: dict = {
            "encoder": encoder,
            "domain": domain,
            "claims": int(own.sum()),
            "chosen": order,
        }
        for name in ("base", *ORDERS):
            row |= _pair(f"{name} ", scores(on.label[own], predictions[name, stage][:, own]))
        for kind in ("micro", "macro"):
            value, (low, high) = gain(on, chosen, predictions["base", stage], kind, [domain])
            row |= {f"gain {kind}": value, f"gain {kind} low": low, f"gain {kind} high": high}
        rows.append(row)
    return rows


def tables(work: Path, parts: Mapping[str, Claims], part: str) -> dict[str, list[dict]]:
    """Return the tables of all encoders that have base and every order.

    2, 3 and 4, and the gains over the base.
    """
    made: dict[str, list[dict]] = {"table 2": [], "table 3": [], "table 4": [], "gains": []}
    on = parts[part]
    dev = parts["dev"]
    usual = majority(parts["train"], on)
    shares = {
        **_pair("", mean_over_domains(on, usual)),
        "pooled": float(np.mean(usual == on.label)),
    }
    made["table 3"].append({"encoder": "none", "row": "most frequent label", "seeds": 1, **shares})
    for encoder in ENCODERS:
        predictions, on_dev = (
            read(work, encoder, name, ids) for name, ids in ((part, on.ids), ("dev", dev.ids))
        )
        if not all((name, STAGES[-1]) in predictions for name in ("base", *ORDERS)):
            continue
        for stage in STAGES:
            picked = by_domain(on, predictions, stage, best_orders(dev, on_dev, stage))
            ours = _pair("", mean_over_domains(on, picked))
            paper = _pair("paper ", PAPER[encoder, stage])
            made["table 2"].append({"encoder": encoder, "trained on": stage, **ours, **paper})
        best = best_orders(dev, on_dev, STAGES[-1])
        extra = {
            CHOSEN: by_domain(on, predictions, STAGES[-1], best),
            ORACLE: by_domain(
                on, predictions, STAGES[-1], best_orders(on, predictions, STAGES[-1])
            ),
        }
        made["table 3"] += table_3(encoder, on, predictions, extra)
        made["table 4"] += table_4(encoder, on, predictions, best)
        run = {
            row: labels
            for (row, stage), labels in predictions.items()
            if stage == STAGES[-1] and row != "base"
        }
        for row, labels in (run | {CHOSEN: extra[CHOSEN]}).items():
            made["gains"] += gains(encoder, row, on, labels, predictions["base", STAGES[-1]])
    return made


def gains(encoder: str, row: str, on: Claims, better: Ints, base: Ints) -> list[dict]:
    """Return the gain of a row over the base in micro and macro F1 over all domains."""
    lines = []
    for kind in ("micro", "macro"):
        value, (low, high) = gain(on, better, base, kind, np.unique(on.domain).tolist())
        lines.append(
            {
                "encoder": encoder,
                "row": row,
                "measure": kind,
                "gain": value,
                "low": low,
                "high": high,
            }
        )
    return lines


def show(made: Mapping[str, list[dict]]) -> None:
    """Print the tables."""
    for name, rows in made.items():
        print(f"\n{name}\n{table(rows, digits=4)}" if rows else f"\n{name}: none")
    for measure, value in without_politifact(PAPER["bilstm", "base"])._asdict().items():
        print(f"the paper's BiLSTM base without PolitiFact, {measure}: {value:.4f}")


def measure(options: argparse.Namespace) -> dict[str, list[dict]]:
    """Print and return the tables of what has been predicted."""
    made = tables(options.work, tested(options.data), options.part)
    show(made)
    if options.csv and made["table 4"]:
        with open(options.csv, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(made["table 4"][0]))
            writer.writeheader()
            for row in made["table 4"]:
                writer.writerow(
                    {k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()}
                )
    return made


main = command(
    measure,
    data_option,
    option(
        "--work", type=Path, required=True, metavar="DIR", help="the folder of training.time.train"
    ),
    option("--part", choices=("dev", "test"), default="test"),
    option("--csv", type=Path, metavar="FILE", help="write the table of the domains"),
)

if __name__ == "__main__":
    sys.exit(main())
