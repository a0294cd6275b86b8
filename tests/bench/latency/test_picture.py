"""The bench of the picture: the long debate that it draws."""

from __future__ import annotations

from assistant.report import timeline
from assistant.report.view import ReportView
from bench.latency.picture import longer
from tests.assistant.ui import factory


def test_a_debate_is_repeated_to_the_length_that_was_asked_for() -> None:
    """As many sentences and four seconds each; every repetition has its marks."""
    report = factory.report(20)
    longer_report = longer(report, 50)

    assert list(range(1, 51)) == [c.sentence.number for c in longer_report.sentences]
    assert longer_report.transcript.sentences[-1].start == 196.0
    assert [m.number for m in timeline.marks(ReportView(longer_report)) if m.number <= 20] == [
        m.number for m in timeline.marks(ReportView(report))
    ]
    assert len(timeline.marks(ReportView(longer_report))) > 2 * len(
        timeline.marks(ReportView(report))
    )
