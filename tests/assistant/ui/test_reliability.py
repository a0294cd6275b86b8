"""The reliability diagram on About: the figures of the bench, and words on where they hold."""

from __future__ import annotations

from assistant.ui import reliability


def test_the_diagram_shows_every_group_of_the_bench():
    """The share that was right against the chance given, and the line on which both are the same."""
    groups = reliability.reliability_groups()
    line, dots = reliability.diagram(groups)["layer"]

    assert [g.right for g in groups] == [dot["right"] for dot in dots["data"]["values"]]
    assert all(end["chance"] == end["right"] for end in line["data"]["values"])
    assert sorted(g.chance for g in groups) == [g.chance for g in groups]


def test_without_the_file_there_is_no_diagram(tmp_path):
    """An installation without docs/ says less instead of failing."""
    assert reliability.reliability_groups(tmp_path / "missing.csv") == []
