"""The weights that choose the phrase which a match leaves open."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from features.language.open_parts.leftover_phrases import leftover_phrases
from features.language.open_parts.likely_phrases import phrase_features, phrase_model
from training.open_parts import train
from training.open_parts.train import LabelledMatch

SENTENCE = "We closed the pier because of the storm."
STATEMENT = "The council closed the pier in Lorne."


def written(folder: Path, file_name: str, records: list[dict]) -> None:
    path = folder / file_name
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one debate and one claim, and labels of its three sentences."""
    texts = (SENTENCE, "We closed the pier in Lorne because of the storm.", "We had a storm.")
    written(
        tmp_path,
        "debates/transcripts.jsonl.gz",
        [
            {"debate": "20200101_Lorne", "line": line, "text": text, "speaker": "Ames"}
            for line, text in enumerate(texts, 1)
        ],
    )
    written(tmp_path, "debates/links.jsonl.gz", [])
    written(tmp_path, "politifact/claims.jsonl.gz", [{"id": "c1", "statement": STATEMENT}])
    labels = tmp_path / "labels.tsv"
    label_lines = ["# comment", "1\tc1\tp\t5 6 8\t6 7", "2\tc1\ts\t\t", "3\tc1\tn\t\t"]
    debate = "20200101_Lorne\t"
    labels.write_text(
        "\n".join([label_lines[0], *(debate + line for line in label_lines[1:])]) + "\n", "utf-8"
    )
    monkeypatch.setattr(train, "LABELS", labels)
    return tmp_path


def test_a_phrase_is_open_if_it_has_a_word_that_the_labels_name(data_folder: Path) -> None:
    matches, names = train.labelled_matches(data_folder)

    assert [match.label for match in matches] == ["p", "s"]
    in_part, settled = matches
    assert in_part.is_open.any()
    assert not settled.is_open.any()
    assert set(names) == set(phrase_model().weights)


def match_of(event: str, *, is_open: bool) -> LabelledMatch:
    return LabelledMatch(
        event, train.PART, np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([is_open, not is_open])
    )


def test_the_phrases_of_an_event_are_scored_by_weights_of_the_other_events() -> None:
    """The second phrase is open in event A alone, so its weights choose the wrong one."""
    matches = [match_of(event, is_open=event != "A") for event in "ABCD"]

    outcome = train.held_out_outcome(matches, penalty=10)

    assert outcome.is_right[0] == np.False_
    assert outcome.is_right[1:].all()


def test_shares_count_matches_in_part_and_settled_ones_apart() -> None:
    matches = [match_of("A", is_open=True), match_of("A", is_open=True)]
    matches.append(LabelledMatch("A", train.SETTLED, np.zeros((1, 2)), np.array([False])))
    outcome = train.Outcome(np.array([True, True, True]), np.array([True, False, False]), 0.5)

    shares = train.shares(matches, outcome)

    assert shares["settled in part: right"][0] == 0.5
    assert shares["settled in part: wrong"][0] == 0.5
    assert shares["settled: named"][0] == 1


def test_the_labels_name_matches_without_their_texts() -> None:
    label_cells = [
        line.split("\t")
        for line in train.LABELS.read_text("utf-8").splitlines()
        if not line.startswith("#")
    ]

    card = json.loads((train.MODELS / train.WEIGHTS_FILE).read_text("utf-8"))["card"]
    assert len({tuple(cells[:3]) for cells in label_cells}) == len(label_cells)
    assert {cells[3] for cells in label_cells} == {"s", "p", "n"}
    assert all(
        number.isdigit() for cells in label_cells for cell in cells[4:] for number in cell.split()
    )
    labelled_events = {cells[0] for cells in label_cells if cells[3] != "n"}
    assert card["events"] <= len(labelled_events)


def test_the_shipped_weights_are_those_of_the_features() -> None:
    [phrase] = leftover_phrases(SENTENCE, STATEMENT)

    assert phrase_features(phrase, is_said=True).keys() == phrase_model().weights.keys()
    assert all(np.isfinite(weight) for weight in phrase_model().weights.values())
