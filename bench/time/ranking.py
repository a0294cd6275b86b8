"""Time-aware ranking of evidence on MultiFC.

The paper's tables of labels from what ``training.time.train`` predicted.

    python -m bench.time.ranking --data DIR --work DIR [--part dev] [--csv FILE] [--json FILE]

Micro and macro F1 of a row are means over the domains, each alike, and over the seeds: only so do
the paper's rows fit its PolitiFact row (docs/research/what-did-not-work.md). The best order of a domain is chosen on
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
    claims_by_part = trained_claims(data)
    space = Space(claims_by_part["train"])
    return {
        part_name: Claims(
            [claim.id for claim in of_part],
            np.array([space.number(claim) for claim in of_part], int),
            np.array([claim.domain for claim in of_part], str),
        )
        for part_name, of_part in claims_by_part.items()
    }


def read(work: Path, encoder: str, part: str, ids: Sequence[str]) -> dict[tuple[str, str], Ints]:
    """Return what every row of an encoder predicted for claims, by row and stage, one line a seed.

    Claims that a row did not read have no prediction; the row is left out. So are rows without
    this part.
    """
    predictions: dict[tuple[str, str], list[list[int]]] = {}
    for row_name in ROWS:
        for path in sorted((work / "predictions").glob(f"{encoder}-{row_name}-[0-9]*.json")):
            stages = json.loads(path.read_text("utf-8")).get(part)
            position_by_id = {i: n for n, i in enumerate(stages["ids"])} if stages else {}
            if position_by_id.keys() >= set(ids):
                for stage in STAGES:
                    predictions.setdefault((row_name, stage), []).append(
                        [stages[stage][position_by_id[i]] for i in ids]
                    )
    return {key: np.array(lines) for key, lines in predictions.items()}


def scores(label: Ints, predictions: Ints) -> Scores:
    """Return the mean scores over seeds of labels (seeds, n) for claims (n,)."""
    return Scores(
        float(np.mean([micro_f1(label, run_labels) for run_labels in predictions])),
        float(np.mean([macro_f1(label, run_labels) for run_labels in predictions])),
    )


def mean_over_domains(on: Claims, predictions: Ints) -> Scores:
    """Return the mean scores over domains, each alike."""
    each = [
        scores(on.label[members], predictions[:, members])
        for name in np.unique(on.domain)
        for members in [on.of(name)]
    ]
    return Scores(*np.mean(each, axis=0).tolist())


def best_orders(on: Claims, predictions: Found, stage: str) -> dict[str, str]:
    """Return for each domain the order with the best mean of micro and macro F1.

    Of equals, that best in all domains.

    Raises: ValueError where an order has not been run.
    """
    missing = [name for name in ORDERS if (name, stage) not in predictions]
    if missing:
        raise ValueError(
            f"no predictions of {', '.join(missing)}; run training.time.train for them first"
        )
    overall = {name: sum(mean_over_domains(on, predictions[name, stage])) for name in ORDERS}
    best = {}
    for domain in np.unique(on.domain).tolist():
        members = on.of(domain)
        keys = {}
        for name in ORDERS:
            domain_scores = scores(on.label[members], predictions[name, stage][:, members])
            keys[name] = (round(sum(domain_scores), 9), overall[name])
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
    """Return how much better one run is than another in ``micro`` or ``macro`` F1, with interval.

    Claims are drawn again within each domain.
    """
    measure = {"micro": micro_f1, "macro": macro_f1}[kind]
    seeds = len(better)

    def difference(resampled: Floats, _: object) -> float:
        label, better_labels, base_labels = np.split(resampled.astype(int), (1, seeds + 1))
        differences = []
        for better_run, base_run in zip(better_labels, base_labels, strict=True):
            differences.append(measure(label[0], better_run) - measure(label[0], base_run))
        return float(np.mean(differences))

    topics = []
    for domain in domains:
        members = on.of(domain)
        # labels of the claims of a domain: gold, then both runs by seed, (1 + 2 seeds, n)
        labels = np.vstack([on.label[members], better[:, members], base[:, members]])
        topics.append((labels.astype(float), np.ones(members.sum(), bool)))
    mean_difference = float(np.mean([difference(*topic) for topic in topics]))
    return mean_difference, bootstrap(topics, difference, rounds=ROUNDS)


def majority(training: Claims, on: Claims) -> Ints:
    """Return for each claim the label that most training claims of its domain have, (1, N)."""
    usual = {}
    for name in np.unique(on.domain).tolist():
        usual[name] = np.bincount(training.label[training.of(name)]).argmax()
    return np.array([[usual[name] for name in on.domain.tolist()]])


def table_3(encoder: str, on: Claims, predictions: Found, extra: Mapping[str, Ints]) -> list[dict]:
    """Return the rows of Table 3, ours and the paper's on all domains."""
    table_rows: list[dict] = []
    for row_name in (*ROWS, CHOSEN, ORACLE):
        predicted = predictions.get((row_name, STAGES[-1]), extra.get(row_name))
        if predicted is not None:
            our_scores = {
                **_pair("", mean_over_domains(on, predicted)),
                "pooled": float(np.mean(predicted == on.label)),
            }
            paper = (
                _pair("paper ", PAPER[encoder, row_name]) if (encoder, row_name) in PAPER else {}
            )
            table_rows.append(
                {
                    "encoder": encoder,
                    "row": row_name,
                    "seeds": len(predicted),
                    **our_scores,
                    **paper,
                }
            )
    return table_rows


def _pair(name: str, pair: Scores) -> dict[str, float]:
    return {f"{name}micro": pair.micro, f"{name}macro": pair.macro}


def without_politifact(mean_all: Scores) -> Scores:
    """Return the paper's mean over the other 25 domains, from its mean over 26 and its PolitiFact row."""
    return Scores(
        *(
            (DOMAINS * all_ - politifact_score) / (DOMAINS - 1)
            for all_, politifact_score in zip(mean_all, POLITIFACT, strict=True)
        )
    )


def table_4(encoder: str, on: Claims, predictions: Found, best: Mapping[str, str]) -> list[dict]:
    """Return for each domain base and orders, the order chosen, and its gain with the interval."""
    stage = STAGES[-1]
    table_rows = []
    chosen_labels = by_domain(on, predictions, stage, best)
    for domain, order in best.items():
        members = on.of(domain)
        table_row: dict = {
            "encoder": encoder,
            "domain": domain,
            "claims": int(members.sum()),
            "chosen": order,
        }
        for name in ("base", *ORDERS):
            table_row |= _pair(
                f"{name} ", scores(on.label[members], predictions[name, stage][:, members])
            )
        for kind in ("micro", "macro"):
            value, (low, high) = gain(on, chosen_labels, predictions["base", stage], kind, [domain])
            table_row |= {f"gain {kind}": value, f"gain {kind} low": low, f"gain {kind} high": high}
        table_rows.append(table_row)
    return table_rows


def tables(work: Path, claims_by_part: Mapping[str, Claims], part: str) -> dict[str, list[dict]]:
    """Return the tables of all encoders that have base and every order.

    2, 3 and 4, and the gains over the base.
    """
    tables: dict[str, list[dict]] = {"table 2": [], "table 3": [], "table 4": [], "gains": []}
    claims = claims_by_part[part]
    dev_claims = claims_by_part["dev"]
    stage = STAGES[-1]
    usual_labels = majority(claims_by_part["train"], claims)
    majority_row = {"encoder": "none", "row": "most frequent label", "seeds": 1}
    majority_row |= _pair("", mean_over_domains(claims, usual_labels))
    majority_row["pooled"] = float(np.mean(usual_labels == claims.label))
    tables["table 3"].append(majority_row)
    for encoder in ENCODERS:
        predictions = read(work, encoder, part, claims.ids)
        dev_predictions = read(work, encoder, "dev", dev_claims.ids)
        if not all((name, stage) in predictions for name in ("base", *ORDERS)):
            continue
        for tested_stage in STAGES:
            orders = best_orders(dev_claims, dev_predictions, tested_stage)
            labels = by_domain(claims, predictions, tested_stage, orders)
            columns = {"encoder": encoder, "trained on": tested_stage}
            columns |= _pair("", mean_over_domains(claims, labels))
            columns |= _pair("paper ", PAPER[encoder, tested_stage])
            tables["table 2"].append(columns)
        dev_orders = best_orders(dev_claims, dev_predictions, stage)
        oracle_orders = best_orders(claims, predictions, stage)
        extra = {
            CHOSEN: by_domain(claims, predictions, stage, dev_orders),
            ORACLE: by_domain(claims, predictions, stage, oracle_orders),
        }
        tables["table 3"] += table_3(encoder, claims, predictions, extra)
        tables["table 4"] += table_4(encoder, claims, predictions, dev_orders)
        labels_by_row = {}
        for (row_name, row_stage), labels in predictions.items():
            if row_stage == stage and row_name != "base":
                labels_by_row[row_name] = labels
        labels_by_row[CHOSEN] = extra[CHOSEN]
        base = predictions["base", stage]
        for row_name, labels in labels_by_row.items():
            tables["gains"] += gains(encoder, row_name, claims, labels, base)
    return tables


def gains(encoder: str, row_name: str, on: Claims, better: Ints, base: Ints) -> list[dict]:
    """Return the gain of a row over the base in micro and macro F1 over all domains."""
    lines = []
    for kind in ("micro", "macro"):
        value, (low, high) = gain(on, better, base, kind, np.unique(on.domain).tolist())
        lines.append(
            {
                "encoder": encoder,
                "row": row_name,
                "measure": kind,
                "gain": value,
                "low": low,
                "high": high,
            }
        )
    return lines


def show(tables_by_name: Mapping[str, list[dict]]) -> None:
    """Print the tables."""
    for name, table_rows in tables_by_name.items():
        print(f"\n{name}\n{table(table_rows, digits=4)}" if table_rows else f"\n{name}: none")
    for measure, value in without_politifact(PAPER["bilstm", "base"])._asdict().items():
        print(f"the paper's BiLSTM base without PolitiFact, {measure}: {value:.4f}")


def measure(options: argparse.Namespace) -> dict[str, list[dict]]:
    """Print and return the tables of what has been predicted."""
    tables_by_name = tables(options.work, tested(options.data), options.part)
    show(tables_by_name)
    if options.csv and tables_by_name["table 4"]:
        with open(options.csv, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(tables_by_name["table 4"][0]))
            writer.writeheader()
            for table_row in tables_by_name["table 4"]:
                writer.writerow(
                    {
                        k: round(value, 4) if isinstance(value, float) else value
                        for k, value in table_row.items()
                    }
                )
    return tables_by_name


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
