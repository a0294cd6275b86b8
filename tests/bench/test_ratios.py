"""The page of ratios has a line a commit."""

from bench.profiling import Stages
from bench.ratios import page


def test_the_newest_commit_comes_first_and_a_family_that_was_not_measured_is_empty():
    records = [{"commit": "aaaaaaa", "day": "2026-11-21", "nli": 1.9}]
    records.append({"commit": "bbbbbbb", "day": "2026-11-22", "nli": 2.0, "bm25": 150.0})

    lines = page(records).splitlines()[-4:]

    assert lines[0] == "| commit | day | nli | bm25 |"
    assert lines[2:] == [
        "| bbbbbbb | 2026-11-22 | 2.0 | 150.0 |",
        "| aaaaaaa | 2026-11-21 | 1.9 |  |",
    ]


def test_a_stage_that_comes_back_is_added_to():
    """The time between two stages belongs to the first of them."""
    stages = Stages()
    for stage in ("one", "one", "two", "one", "end"):
        stages(stage)

    assert list(stages.rows) == ["models", "one", "two"]
    assert all(stage_row["seconds"] >= 0 for stage_row in stages.rows.values())
