"""Labels of sentences with and without a link: what the table counts."""

from __future__ import annotations

from collections import Counter

from bench.label_files import label_rows
from bench.matches import links
from bench.matches.links import BANDS, Label

DRAWN = dict(zip(BANDS, (80, 80, 40, 49, 20, 49, 20), strict=True))


def test_what_was_read_is_what_was_to_be_drawn() -> None:
    """As many of each band as the draw gave, each pair once in a band, each label a word that readers were given."""
    labels = [Label(*fields) for fields in label_rows("links_read.tsv")]
    assert Counter(label.band for label in labels) == DRAWN
    assert len({label[:4] for label in labels}) == len(labels)
    assert {answer for label in labels for answer in (label.one, label.other)} <= {
        "yes",
        "no",
        "unsure",
    }


def test_a_band_is_settled_by_both_labels_or_by_either() -> None:
    """Unsure is no yes."""
    pairs = [("yes", "yes"), ("yes", "no"), ("unsure", "no"), ("no", "no")]
    first_shares = links.shares(
        [Label(BANDS[0], "20160101_A", str(i), "c", *pair) for i, pair in enumerate(pairs)]
    )[0]
    assert first_shares["labelled"] == 4
    assert first_shares["settled by both"].value == 0.25
    assert first_shares["by either"].value == 0.5


def test_the_table_needs_no_data(capsys) -> None:
    """Without options the labels are counted."""
    assert links.main([]) == 0
    assert "agree on" in capsys.readouterr().out
