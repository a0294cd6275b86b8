"""The live bench: what it expects of lines, and how it counts."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from assistant.live.event import Outcome
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Line
from bench.latency import live
from training.shared.debates import Debate

EVENT = Debate(
    "20240101_City",
    738886,
    (1, 2, 3),
    ("We built 400 schools.", "  ", "Taxes rose. They fell."),
    ("Reyes", "", ""),
)


def test_lines_are_spoken_again_and_again() -> None:
    """Blank sentences are none; a speaker stands before each; after the last comes the first."""
    lines = ["REYES: We built 400 schools.", "UNKNOWN: Taxes rose. They fell."]

    assert list(islice(live.spoken([EVENT]), 3)) == [*lines, lines[0]]


def test_a_sentence_is_expected_for_every_sentence_of_a_line() -> None:
    """The whole text cut in one go."""
    assert live.expected(list(islice(live.spoken([EVENT]), 2))) == [
        "We built 400 schools.",
        "Taxes rose.",
        "They fell.",
    ]


def test_latency_is_told_from_the_written_line(tmp_path: Path) -> None:
    """Sentences that were written while nobody ran are counted apart; a missing one is lost."""
    run = live.Run(tmp_path, tmp_path, away=[(100.0, 110.0)])
    for at, line in (
        (50.0, "REYES: We built 400 schools."),
        (105.0, "REYES: We built 500 roads."),
        (200.0, "REYES: No."),
    ):
        run.write(line)
        run.written[list(run.written)[-1]] = at
    with EventLog.open(f"sqlite:///{tmp_path / 'live.db'}") as log:
        log.begin(live.EVENT, 0.0)
        for offset, text, now in (
            (0, "We built 400 schools.", 50.2),
            (29, "We built 500 roads.", 111.0),
        ):
            log.store_lines("bench", "f", (Line("f", f"0:{offset}", text),), now=now)
            (sentence,) = log.waiting("bench", now=now, limit=9)
            log.store_outcome(sentence, Outcome(0.9, True), now=now + 0.3)

    line = live.measured(run)

    assert (line["lost"], line["doubled"], line["in_order"]) == (1, 0, False)
    assert line["kept_while_running"] == {"n": 1, "p50": 0.5, "p95": 0.5, "p99": 0.5, "max": 0.5}
    assert line["kept_all"]["max"] == 6.3


FOLLOW = """
import sys, time
from pathlib import Path
from assistant.live.engine import Engine
from assistant.live.event_log import EventLog
from assistant.live.sources.file import FileSource
from bench.latency.live import EVENT
from tests.assistant.live.following import WordChecker

folder = Path(sys.argv[1])
with EventLog.open(f"sqlite:///{folder / 'live.db'}") as log:
    log.begin(EVENT, time.time())
    engine = Engine(log, EVENT, WordChecker())
    engine.follow(FileSource(folder / "live.txt"))
    (folder / "ready").touch()
    engine.run()
"""


def test_a_run_with_a_kill_loses_nothing(tmp_path: Path) -> None:
    """Lines at their pace, a real process killed on the way.

    Each sentence once, in order, checked.
    """
    run = live.Run(tmp_path, tmp_path, follower=("-c", FOLLOW))

    live.drive(run, live.spoken([EVENT]), seconds=4.0, kills=1, seed=1)

    latency_row = live.measured(run)
    assert tuple(
        latency_row[name]
        for name in ("lost", "doubled", "in_order", "unchecked", "numbers_once", "kills")
    ) == (0, 0, True, 0, True, 1)
    assert latency_row["memory_mb"]["most"] > 0
