"""The confusers' edits: what changes, what stays, and the files of ids that go with them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.edits.confusions import MUST, MUST_NOT, Words, other_figure, rounding
from bench.edits.spoken import spoken
from bench.edits.statements import edited as edited_statements
from bench.edits.statements import refused_edits
from bench.label_files import label_rows
from training.shared.intervals import Share

VOCABULARY = {
    "dt": ("doubt",),
    "ey": ("early",),
    "oa": ("opera",),
    "ad": ("amid",),
    "pt": ("pilot",),
    "ts": ("tents",),
}
WORDS = Words(("Ron Johnson",), frozenset({"Ron", "Iran"}), VOCABULARY)
CLAIM = "President Obama has added $4 billion in debt every day in Texas since 2009."


def edited(kind: str, text: str, seed: int = 0) -> str:
    """The text after one edit."""
    return {**MUST_NOT, **MUST}[kind](text, random.Random(seed), WORDS)


@pytest.mark.parametrize("kind", sorted({**MUST_NOT, **MUST}))
def test_every_edit_follows_its_seed(kind: str) -> None:
    """The same seed gives the same sentence, and a sentence that is edited is never left as it was."""
    assert edited(kind, CLAIM) == edited(kind, CLAIM) != CLAIM


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("negation", "Crime in Germany is way up.", "Crime in Germany isn't way up."),
        ("opposite direction", "Crime in Germany is way up.", "Crime in Germany is way down."),
        ("caption", "The U.S. lost 3.5 percent, they say.", "the us lost 3.5 percent they say"),
        ("narrower", "Voters liked it.", None),
        ("other year", "Nothing of the kind was said.", None),
        ("rounding", "We stopped 78 percent.", "We stopped nearly 80 percent."),
        ("rounding", "It was 67 percent of them.", "It was about two thirds of them."),
    ],
)
def test_edits_by_hand(kind: str, text: str, expected: str | None) -> None:
    """Single edits as they are documented; None where a rule does not fit."""
    assert edited(kind, text) == expected


@given(st.integers(3, 10**7), st.integers(0, 500))
def test_another_figure_is_beyond_rounding(figure: int, seed: int) -> None:
    """At least a fifth away from the true one."""
    text = other_figure(f"They built {figure:,} homes.", random.Random(seed), WORDS)
    figure_said = int(text.split()[2].replace(",", "")) if text else figure * 2
    assert abs(figure_said / figure - 1) >= 0.2


@given(st.integers(2101, 10**7), st.integers(0, 500))
def test_a_rounding_is_near(figure: int, seed: int) -> None:
    """At most 7 percent away, and hedged."""
    text = rounding(f"They built {figure} homes.", random.Random(seed), WORDS)
    figures = [word for word in text.split() if word[0].isdigit()]
    assert abs(float(figures[0].replace(",", "")) / figure - 1) <= 0.07
    assert text.split()[2] in ("about", "nearly", "over", "roughly")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('Says he was "totally against" the war in Iraq', "I was totally against the war in Iraq."),
        (
            '"Barack Obama (himself) said so on television."',
            "Barack Obama himself said so on television.",
        ),
        ("Says it. Then he says that again and again.", None),
        ("Too short.", None),
    ],
)
def test_a_statement_is_spoken_without_its_frame(statement: str, expected: str | None) -> None:
    """Quotation marks, "Says" and brackets go; several sentences and scraps are left out."""
    assert spoken(statement) == expected


def test_the_first_pool_is_edited_before_what_models_have_seen() -> None:
    """As many of a kind as wanted, from the first pool as far as it goes.

    Refused ones are left out afterwards.
    """
    claim_records = {claim: {"speaker": "A Person"} for claim in "abcd"}
    pools = [{"a": "One.", "b": "Two."}, {"c": "Three.", "d": "Four."}]
    rules = {
        "louder": lambda text, rng, mark: text.replace(".", mark),
        "unchanged": lambda text, rng, mark: text,
    }

    edited = edited_statements(
        rules, pools, claim_records, "!", each=3, refused=frozenset({("louder", "a")})
    )

    assert (edited[0].claim, edited[0].text, edited[0].original, edited[0].seen) == (
        "b",
        "Two!",
        "Two.",
        False,
    )
    assert len(edited) == 2
    assert edited[1].claim in "cd"
    assert edited[1].seen
    assert {edit.kind for edit in edited} == {"louder"}
    assert {edit.speaker for edit in edited} <= {
        "",
        "A Person",
    }


def test_files_of_ids_hold_no_text_but_rewordings() -> None:
    """Refused edits and read sentences are named by kind, claim, debate and line alone."""
    known_ids = {**MUST_NOT, **MUST}
    assert all(
        kind in known_ids and claim.startswith("vclaim-")
        for kind, claim in refused_edits("refused_edits.tsv")
    )
    assert all(line.isdigit() for _, line in label_rows("no_match.tsv"))
    assert len(label_rows("rewordings.tsv")) >= 60


@given(st.integers(0, 200), st.integers(1, 200))
def test_an_interval_holds_its_share(hits: int, of: int) -> None:
    """Within 0 and 1, around the share, and never empty."""
    share = Share(min(hits, of), of)
    low, high = share.interval
    assert 0 <= low <= share.value + 1e-12
    assert share.value - 1e-12 <= high <= 1
    assert low < high


def test_wilsons_interval_by_hand() -> None:
    """Five of ten: .237 to .763, as in the tables."""
    assert Share(5, 10).interval == pytest.approx((0.2366, 0.7634), abs=1e-4)
