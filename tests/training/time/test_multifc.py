"""Claims with their snippets and dates, from a small folder in the form of the data."""

from __future__ import annotations

import gzip
import json
import os
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.time import multifc
from training.time.lists import Texts, listed, vocabulary

FOLDER = os.environ.get("LECTERN_DATA", "")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Thu 3 Mar 2016, 6:04am", date(2016, 3, 3)),
        ("4:39 PM 03/21/2018", date(2018, 3, 21)),
        ("2011-01-04T21:58:42", date(2011, 1, 4)),
        ("Dec 18th 2016, 8:30 PM", date(2016, 12, 18)),
        ("[' The Wall Street Journal, 31 Oct. 2016 ']", date(2016, 10, 31)),
        ("Nov 21 2017 6:28 pm, Last Updated: Nov 23 2017", date(2017, 11, 21)),
        ("Jan 15", None),
        ("31/02/2016 or 31 February 2016", None),
        (None, None),
    ],
)
def test_the_first_full_date_of_a_text(text: str | None, day: date | None) -> None:
    """The forms of the twenty-six publishers; a day without a year is no date."""
    assert multifc.day_in(text) == day


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_written_form_of_a_day_gives_the_day(day: date) -> None:
    """There and back, with full and short names of months."""
    forms = ("%Y-%m-%d", "%m/%d/%Y", "%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b. %Y")
    assert {multifc.day_in(day.strftime(form)) for form in forms} == {day}


@pytest.mark.parametrize(
    ("text", "day", "rest"),
    [
        (
            "Sep 4, 2018 ... People marched. ... Again.",
            date(2018, 9, 4),
            "People marched. ... Again.",
        ),
        ("3 days ago ... People marched.", None, "3 days ago ... People marched."),
        (
            "On Sep 4, 2018 people marched ... again.",
            None,
            "On Sep 4, 2018 people marched ... again.",
        ),
        ("Sep 4, 2018 people marched.", None, "Sep 4, 2018 people marched."),
    ],
)
def test_only_a_date_that_stands_alone_dates_a_snippet(
    text: str, day: date | None, rest: str
) -> None:
    """What is before the first dots must be nothing but a date; then it is no part of the text."""
    assert multifc.parted(text) == (day, rest)


def claim(i: int, domain: str, label: str, **other_fields: object) -> dict:
    """Return a row of a claims file."""
    fields = {"claim_id": f"{domain}-{i}", "claim": f"Claim {i}.", "label": label, "domain": domain}
    return {**fields, "publish_date": "May 5, 2016", "claim_date": None, **other_fields}


def found(rank: int, text: str) -> dict:
    """Return a snippet of a row of snippets."""
    return {"rank": rank, "title": "Title", "text": text, "site": "example.org"}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a data folder of a few claims."""
    splits = {
        "train": [
            claim(1, "para", "true", speaker="Ann", tags="['Tax', 'Work']"),
            claim(2, "para", "false", publish_date=None),
            claim(3, "snes", "scam", entities="['None']"),
        ],
        "dev": [claim(4, "snes", "legend")],
        "test": [
            claim(5, "pomt", "true", publish_date=None, claim_date="2015-12-02"),
            claim(6, "lost", "true"),
        ],
    }
    snippets = [
        {
            "claim_id": "para-1",
            "snippets": [found(3, "Later."), found(1, "May 4, 2016 ... First.")],
        },
        {
            "claim_id": "para-2",
            "snippets": [found(1, "Jan 2, 2016 ... Old."), found(2, "Jan 9, 2016 ... New.")],
        },
    ]
    (tmp_path / "multifc").mkdir()
    for name, lines in {
        **{f"multifc_{split}": split_claims for split, split_claims in splits.items()},
        "snippets": snippets,
    }.items():
        with gzip.open(tmp_path / "multifc" / f"{name}.jsonl.gz", "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
    return tmp_path


def test_claims_have_their_snippets_in_the_order_of_the_search(data: Path) -> None:
    """The title is read with the text; metadata become words.

    The claim's own date stands in for the check's.
    """
    splits = multifc.claims(data)
    first_claim = splits["train"][0]
    assert [(snippet.text, snippet.day, snippet.place) for snippet in first_claim.snippets] == [
        ("Title First.", date(2016, 5, 4), 1),
        ("Title Later.", None, 3),
    ]
    assert first_claim.about == ("speaker=Ann", "tags=tax", "tags=work")
    assert splits["train"][2].about == splits["train"][2].snippets == ()
    assert splits["test"][0].day == date(2015, 12, 2)


def test_a_domain_without_training_claims_is_left_out(data: Path) -> None:
    """PolitiFact, of which there is only a test part.

    A label that training lacks has no number.
    """
    splits = multifc.trained_claims(data)
    assert multifc.claims(data)["test"]
    assert not splits["test"]
    space = multifc.Space(splits["train"])
    assert space.labels == [("para", "false"), ("para", "true"), ("snes", "scam")]
    assert [
        space.number(multifc_claim) for multifc_claim in (*splits["train"], *splits["dev"])
    ] == [1, 0, 2, -1]
    assert space.mask("para") == [True, True, False]


def test_lists_have_days_from_the_claim_and_orders_to_learn(data: Path) -> None:
    """A claim without a date has the orders that do without.

    What is no snippet is masked in every row.
    """
    train = multifc.claims(data)["train"]
    texts = Texts(train, 3)
    space = multifc.Space(train)
    lists = listed(train, texts, space, vocabulary(train), 3)
    assert np.array_equal(
        lists.snippets >= 0, [[True, True, False], [True, True, False], [False] * 3]
    )
    assert np.isnan(lists.days[0, 1])
    assert lists.days[0, 0] == -1
    assert lists.ranks("evidence-date", seed=1).tolist() == [[1, 0, 0], [1, 2, 0], [0, 0, 0]]
    assert lists.ranks("claim-centred", seed=1).tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert lists.ranks("search", seed=1)[0].tolist() == [3, 2, 0]
    assert not lists.ranks("base", seed=1).any()
    chance = lists.ranks("random", seed=1)
    assert np.array_equal(chance > 0, lists.snippets >= 0)
    assert chance[0, 0] != chance[0, 1]
    with pytest.raises(ValueError, match="'newest' is no row"):
        lists.ranks("newest", seed=1)


def test_texts_are_numbered_once_place_by_place(data: Path) -> None:
    """Claims, then first snippets, then second ones; a text that comes again keeps its number."""
    train = multifc.claims(data)["train"]
    texts = Texts([*train, *train], 2)
    assert [len(group) for group in texts.groups] == [3, 2, 2]
    assert sorted(texts.row, key=texts.row.__getitem__) == [
        text for group in texts.groups for text in group
    ]


def test_rare_metadata_words_are_not_learnt(data: Path) -> None:
    """Three training claims at least; numbers begin at 1."""
    first_claim = multifc.claims(data)["train"][0]
    assert vocabulary([first_claim] * 2) == {}
    assert vocabulary([first_claim] * 3) == {"speaker=Ann": 1, "tags=tax": 2, "tags=work": 3}


@pytest.mark.data
@pytest.mark.skipif(not FOLDER, reason="LECTERN_DATA does not name the data folder")
def test_the_counts_of_the_page_are_those_of_the_data() -> None:
    """docs/research/what-did-not-work.md has the same counts."""
    splits = multifc.claims(Path(FOLDER))
    snippets = [
        snippet
        for split in splits.values()
        for split_claims in split
        for snippet in split_claims.snippets
    ]
    assert len(snippets) == 191_626
    assert sum(snippet.day is not None for snippet in snippets) == 127_957
    kept_splits = multifc.trained_claims(Path(FOLDER))
    assert [len(split_claims) for split_claims in kept_splits.values()] == [15_631, 1_953, 1_953]
    assert (
        sum(
            snippet.day is None for split_claims in kept_splits.values() for snippet in split_claims
        )
        == 429
    )
    space = multifc.Space(kept_splits["train"])
    assert all(
        space.number(snippet) >= 0
        for split_claims in kept_splits.values()
        for snippet in split_claims
    )
