"""The data folder's values, on a small folder of the same form: exclusions, folds, caches."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.shared import debates as data
from training.shared import gold


def write_jsonl(path: Path, records: list[dict]) -> None:
    """Write rows as gzip'd JSON lines, making the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One of the seven and two other debates in the debates' files, with one link each."""
    names = ("20170803_Trump_WV", "20160301_B", "20160201_A")
    records = [
        {"debate": n, "line": i, "speaker": "X", "text": f"{n} {i}"} for n in names for i in (1, 2)
    ]
    write_jsonl(tmp_path / "debates" / "transcripts.jsonl.gz", records)
    links = [{"debate": n, "line": 2, "claim": f"c{i}"} for i, n in enumerate(names)]
    write_jsonl(tmp_path / "debates" / "links.jsonl.gz", links)
    for name, lines in {
        "train_queries.tsv.gz": "20170803_Trump_WV_0002\ta\n20160201_A_0002\tb\n",
        "train_qrels.tsv.gz": "20170803_Trump_WV_0002\t0\tc0\t1\n20160201_A_0002\t0\tc2\t1\n",
    }.items():
        (tmp_path / name).write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def test_the_seven_are_never_among_the_others(folder: Path) -> None:
    """What trains a ranker for the seven cannot contain them, whatever the file's own flags say."""
    assert [debate.name for debate in data.linked(folder / "debates")] == sorted(
        ("20170803_Trump_WV", "20160301_B", "20160201_A")
    )
    assert [debate.name for debate in data.others(folder)] == ["20160201_A", "20160301_B"]


def test_queries_of_the_seven_are_dropped(folder: Path) -> None:
    """Neither their texts nor their qrels are left, unless asked for."""
    texts, qrels = data.queries(folder, "train")
    assert list(texts) == list(qrels) == ["20160201_A_0002"]
    assert len(data.queries(folder, "train", seven_too=True)[0]) == 2


def test_folds_go_by_name_alone(folder: Path) -> None:
    """The alphabetical place modulo seven; each of the seven is a fold of its own."""
    names = [f"2016{month:02d}01_{letter}" for month, letter in enumerate("ABCDEFGHI", 1)]
    debates = [data.Debate(name, 1, (), (), ()) for name in reversed(names)]
    assert [data.folds(debates)[name] for name in names] == [0, 1, 2, 3, 4, 5, 6, 0, 1]
    seven_debates = [data.Debate(name, 1, (), (), ()) for name in data.SEVEN]
    assert sorted(data.folds(seven_debates).values()) == list(range(7))


@given(st.integers(1, 40), st.sets(st.integers(0, 39)), st.integers(1, 9))
def test_a_thinned_debate_keeps_what_has_a_pair_and_one_in_so_many(
    n: int, paired: set[int], one_in: int
) -> None:
    """Lines, texts and speakers stay together, pairs stay as they are."""
    pairs = tuple(data.Pair(10 + line_index, "c", linked=True) for line_index in sorted(paired))
    columns = (
        tuple(f"{column_name} {line_index}" for line_index in range(n))
        for column_name in ("text", "speaker")
    )
    whole_debate = data.Debate("20160101_X", 1, tuple(range(10, 10 + n)), *columns, pairs)
    thin = whole_debate.thinned(one_in)
    kept_lines = [
        line_index for line_index in range(n) if line_index in paired or line_index % one_in == 0
    ]
    assert thin.lines == tuple(10 + line_index for line_index in kept_lines)
    assert thin.pairs == pairs
    assert tuple(f"text {line_index}" for line_index in kept_lines) == thin.texts
    assert tuple(f"speaker {line_index}" for line_index in kept_lines) == thin.speakers


def test_a_linked_debate_under_another_name_is_not_unlinked(folder: Path) -> None:
    """One that shares a twentieth of its longer sentences is out, and so are broken lines.

    The rest has a date.
    """
    long = [f"The {number} schools of this whole city are open today." for number in range(40)]
    records = [
        {"debate": "20160301_B", "line": i, "speaker": "X", "text": text}
        for i, text in enumerate(long[:3])
    ]
    write_jsonl(folder / "debates" / "transcripts.jsonl.gz", records)
    fact_checks = {
        ("2nd Debate (A)", "Sep 12, 2019, 8 p.m. ET"): [*long[:3], *long[3:]],
        ("1st Debate", "June 26, 2019, 9 p.m. ET"): [
            long[2].upper(),
            *long[4:],
            r"He said \x89 so.",
            "Thank you.",
        ],
    }
    unlinked = [
        {"id": str(line), "text": text, "speaker": "Y", "debate": title, "time": time}
        for (title, time), texts in fact_checks.items()
        for line, text in enumerate(texts, 7)
    ]
    write_jsonl(folder / "checkworthy" / "debates_2019_2020_unlabelled.jsonl.gz", unlinked)

    (debate,) = data.unlinked(folder)

    assert debate.name == "20190626_1st_Debate"
    assert debate.pairs == ()
    assert (long[2].upper(), *long[4:], "Thank you.") == debate.texts
    assert debate.lines[0] == 7
    assert debate.lines[-1] == 7 + len(debate.texts)


def test_a_debate_without_a_date_is_named() -> None:
    """The error says which one and how it should look."""
    with pytest.raises(data.DataFolderError, match="'debate1'"):
        data.event_day("debate1")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The error gives the path and the flag to use."""
    with pytest.raises(data.DataFolderError, match=r"transcripts.jsonl.gz: no such file. .*--data"):
        data.linked(tmp_path)


def test_arrays_are_made_once_for_the_same_content(tmp_path: Path) -> None:
    """A second call reads; another key makes again."""
    builds = []

    def build() -> dict[str, np.ndarray]:
        builds.append(1)
        return {"x": np.arange(3)}

    for key in (["a"], ["a"], ["b"]):
        assert data.cached(tmp_path, "x", key, build)["x"].tolist() == [0, 1, 2]
    assert len(builds) == 2


def test_arrays_are_made_again_by_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key contains the digest of the module of the builder and of all that it imports."""
    builds = []

    def build() -> dict[str, np.ndarray]:
        builds.append(1)
        return {"x": np.arange(3)}

    for digest in ("first", "first", "second"):
        monkeypatch.setattr(
            data, "code_digest", lambda *modules, digest=digest: f"{modules} {digest}"
        )
        data.cached(tmp_path, "x", ["a"], build)

    assert len(builds) == 2


PAIRS = (
    data.Pair(1, "c1", "true", "agree", True),
    data.Pair(1, "c2", "unknown", "discuss", True),
    data.Pair(2, "c3", "unknown", "agree", True),
    data.Pair(3, "c4", "", "agree", True),
    data.Pair(4, "c5", linked=True),
)
DEBATE = data.Debate("20160201_A", 1, (1, 2, 3, 4), ("",) * 4, ("",) * 4, PAIRS)


def test_a_sentence_is_relevant_if_a_pair_has_a_verdict() -> None:
    """Unknown and empty verdicts do not count, nor does a mere link.

    The right claims are those with a verdict.
    """
    verdicts = gold.verdicts([DEBATE])
    assert verdicts.sentences == {"20160201_A": {"1": 1}}
    assert verdicts.claims == {"20160201_A_0001": {"c1": 1}}


def test_the_published_slips_are_options() -> None:
    """The empty verdict as a positive; every related pair as a right claim."""
    assert gold.verdicts([DEBATE], slips=gold.Slips(empty_verdict=True)).sentences == {
        "20160201_A": {"1": 1, "3": 1}
    }
    assert gold.verdicts([DEBATE], slips=gold.Slips(wide_claims=True)).claims == {
        "20160201_A_0001": {"c1": 1, "c2": 1}
    }


def test_a_claim_that_may_not_be_used_settles_nothing() -> None:
    """As of the event, a sentence whose only fact-check came later is not relevant."""
    assert gold.verdicts([DEBATE], usable={"c2", "c3"}).sentences == {"20160201_A": {}}


def test_a_link_to_a_half_true_claim_does_not_make_a_sentence_relevant() -> None:
    """The second row counts such links too."""
    assert gold.links([DEBATE], {"c5"}).sentences == {"20160201_A": {}}
    assert gold.links([DEBATE], set()).sentences == {"20160201_A": {"4": 1}}


def test_settled_sentences_are_told_by_debate() -> None:
    """Ids across debates become lines of each."""
    assert gold.verdicts([DEBATE]).settled_lines({"20160201_A_0001", "20160201_B_0001"}) == {
        "20160201_A": {"1"}
    }
