"""The published numbers of the paper's Tables 2 to 6, by the names of our rows, from published.tsv.

Source: Shaar et al., Assisting the Human Fact-Checkers: Detecting All Previously Fact-Checked
Claims in a Document, arXiv 2109.07410. Its body cosines do not say which of the four they are:
they are compared with the best.
"""

from __future__ import annotations

from pathlib import Path

COLUMNS = ("MAP", "MAP_0_1", "MAP_0_3", "MAP_05_1", "MAP_05_3", "MAP_H_1", "MAP_H_3")
_LINES = [
    line.split("\t")
    for line in Path(__file__).with_suffix(".tsv").read_text("utf-8").splitlines()[1:]
]


def _counts(table: str) -> dict[str, tuple[int, ...]]:
    return {name: tuple(map(int, values)) for number, name, *values in _LINES if number == table}


def _measures(table: str) -> dict[str, dict[str, float]]:
    values_by_name = {}
    for number, name, *values in _LINES:
        if number == table:
            values_by_name[name] = map(float, values)
    return {
        name: dict(zip(COLUMNS, values, strict=True)) for name, values in values_by_name.items()
    }


TABLE_2 = _counts("2")
TABLE_4 = _counts("4")
TABLE_3 = {name: float(values[0]) for number, name, *values in _LINES if number == "3"}
SINGLE, RANKSVM, ABLATIONS = map(_measures, ("5m", "5", "6"))


def beside(system: str) -> dict[str, float] | None:
    """Return the paper's columns for one of our rows of Table 5 or 6, None where it has none.

    Our row of RankSVM is named method/reading/kernel/N=5, one of Table 6 ends in reading/kernel;
    the paper tells neither reading nor kernel.
    """
    method, *variant = system.split("/")
    depth = variant[-1].removeprefix("N=") if variant and variant[-1].startswith("N=") else ""
    return SINGLE.get(system) or RANKSVM.get(f"{method} {depth}") or ABLATIONS.get(method)
