"""The bench of the picture: the long debate that it draws."""

from __future__ import annotations

from assistant.reports import picture
from bench.latency.picture import longer
from tests.assistant.ui import factory


def test_a_debate_is_repeated_to_the_length_that_was_asked_for() -> None:
    """As many sentences and four seconds each; every repetition has its marks."""
    report = factory.report(20)
    made = longer(report, 50)

    assert list(range(1, 51)) == [c.sentence.number for c in made.sentences]
    assert 196.0 == made.transcript.sentences[-1].start
    assert [m.number for m in picture.marks(made) if m.number <= 20] == [m.number for m in picture.marks(report)]
    assert len(picture.marks(made)) > 2 * len(picture.marks(report))
