"""The list of checks on this computer: what was found, as words and as a strip."""

from __future__ import annotations

from assistant.jobs.report_store import TimelinePoint
from assistant.ui import report_list


def test_a_strip_has_a_mark_a_match_where_it_was_said():
    """The stronger the higher, in the colour of the class, from left to right."""
    timeline_html = report_list.mini_timeline(
        [
            TimelinePoint(0.0, "FALSE", "likely", "strong"),
            TimelinePoint(0.25, "OTHER", "likely", "good"),
            TimelinePoint(0.5, "TRUE", "possible", "possible"),
        ]
    )

    assert '<i class="lx-false lx-high" style="left:0.0%"></i>' in timeline_html
    assert '<i class="lx-other lx-medium" style="left:25.0%"></i>' in timeline_html
    assert '<i class="lx-true" style="left:50.0%"></i>' in timeline_html
    assert 'aria-hidden="true"' in timeline_html


def test_a_strip_without_strengths_stands_high_for_likely():
    """A report of the published method, and a head from before strengths were stored."""
    timeline_html = report_list.mini_timeline([TimelinePoint(*(0.5, "TRUE", "likely"))])

    assert '<i class="lx-true lx-high" style="left:50.0%"></i>' in timeline_html
