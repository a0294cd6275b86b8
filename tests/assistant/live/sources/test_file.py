"""A growing file: appended to, truncated, renamed, half-written, with a line of a megabyte, read again later."""

from __future__ import annotations

import threading

import pytest

from assistant.live.live_lines import position_at
from assistant.live.sources.file import FilePosition, FileSource, _FileReader


@pytest.fixture
def path(tmp_path):
    return tmp_path / "live.txt"


@pytest.fixture
def follow(path):
    """Return a function that writes, polls the file until nothing more comes, and returns what came."""
    state = {"reader": None}

    def step(write=lambda: None, *, again=False):
        write()
        if state["reader"] is None or again:
            state["reader"] = _FileReader(
                "test", position_at(FilePosition, state.get("cursor", ""))
            )
        arrived_texts = []
        reader = state["reader"]
        try:
            came = list(reader.poll(path))
        except FileNotFoundError:
            came = list(reader.finish_gone_file())
        for arrival in came:
            state["cursor"] = (
                arrival.cursor if arrival.cursor is not None else state.get("cursor", "")
            )
            arrived_texts += [f"! {arrival.warning}"] if arrival.warning else []
            arrived_texts += [
                line.text if line.final else f"({line.text})" for line in arrival.lines
            ]
            state.setdefault("units", []).extend(line.unit for line in arrival.lines if line.final)
        return arrived_texts

    step.state = state
    return step


def append(path, text):
    with path.open("ab") as out:
        out.write(text.encode())


def test_lines_come_as_they_are_appended(follow, path):
    """Each once, in order, with a unit of its own."""
    assert follow(lambda: append(path, "One.\n")) == ["One."]
    assert follow(lambda: append(path, "Two.\nThree.\n")) == ["Two.", "Three."]
    assert follow() == []
    assert len(set(follow.state["units"])) == 3


def test_a_half_written_line_may_still_change(follow, path):
    """It is shown as unfinished, and comes once complete under the same unit."""
    assert follow(lambda: append(path, "We have bu")) == ["(We have bu)"]
    assert follow() == []
    assert follow(lambda: append(path, "ilt schools.\n")) == ["We have built schools."]


def test_a_character_cut_in_two_is_read_whole(follow, path):
    """Bytes of a letter that arrive apart make one letter."""
    half = "café".encode()
    path.write_bytes(half[:-1])
    follow()

    assert follow(lambda: path.write_bytes(half + b".\n")) == ["café."]


def test_a_truncated_file_is_read_from_its_start(follow, path):
    """LocalVocal can keep only the last sentence.

    Each is new, also where it is longer than the one before.
    """
    assert follow(lambda: path.write_text("One.\n")) == ["One."]
    assert follow(lambda: path.write_text("Another, longer one.\n")) == ["Another, longer one."]
    assert follow(lambda: path.write_text("No.\n")) == ["No."]
    assert len(set(follow.state["units"])) == 3


def test_a_renamed_file_is_read_to_its_end_and_the_new_one_from_its_start(follow, path):
    """What was written before the renaming is not lost, and a new file at the old path is new text."""
    follow(lambda: append(path, "One.\n"))

    def rename():
        append(path, "Two.\nThree")
        path.rename(path.with_suffix(".old"))

    assert follow(rename) == ["Two.", "(Three)", "Three"]
    assert follow() == []
    assert follow(lambda: append(path, "One.\n")) == ["One."]
    assert len(set(follow.state["units"])) == 4


def test_a_restart_goes_on_where_the_stored_lines_end(follow, path):
    """Nothing comes twice, what was written meanwhile comes, and units are the same as without a restart."""
    follow(lambda: append(path, "One.\nTwo.\n"))

    assert follow(lambda: append(path, "Three.\n"), again=True) == ["Three."]
    assert follow.state["units"] == ["0:0", "0:5", "0:10"]


def test_a_restart_after_the_file_was_written_anew_reads_all_of_it(follow, path):
    """The first bytes tell that it is another text."""
    follow(lambda: append(path, "One.\nTwo.\n"))

    assert follow(lambda: path.write_text("Quite another text.\nTwo.\n"), again=True) == [
        "Quite another text.",
        "Two.",
    ]


def test_an_open_cue_is_read_again_after_a_restart(follow, path):
    """The cursor stays before a cue that is not complete."""
    follow(
        lambda: append(
            path, "1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n00:00:02,000 --> 00:00:03,000\nTw"
        )
    )

    assert follow(lambda: append(path, "o words.\n\n"), again=True) == ["Two words."]


def test_a_line_of_a_megabyte_is_left_out_with_a_warning(follow, path):
    """Memory stays bounded; the lines around it come."""
    arrived_texts = follow(lambda: append(path, "One.\n" + "x" * 1_000_000 + "\nTwo.\n"))

    assert [text for text in arrived_texts if not text.startswith("!")] == ["One.", "Two."]
    assert [text for text in arrived_texts if text.startswith("!")] == [
        "! a line of more than 64 kB was left out."
    ]


def test_a_long_line_that_comes_in_pieces_is_left_out_once(follow, path):
    """One warning, and the end of the line is no line."""
    arrived_texts = [follow(lambda: append(path, "y" * 50_000)) for _ in range(3)]
    arrived_texts.append(follow(lambda: append(path, "end\nTwo.\n")))

    assert arrived_texts[-1] == ["Two."]
    assert sum("left out" in text for texts in arrived_texts for text in texts) == 1


def test_a_file_that_is_not_there_yet_is_waited_for(path):
    """One warning, then its lines, and the source ends when it is stopped."""
    stop = threading.Event()
    came = []
    source = FileSource(path, poll_s=0.01)
    for arrival in source.follow("", stop):
        came.append(arrival)
        if arrival.warning:
            path.write_text("One.\n")
        else:
            stop.set()

    assert [a.warning for a in came] == ["live.txt is not there; waiting for it.", ""]
    assert [line.text for line in came[1].lines] == ["One."]
