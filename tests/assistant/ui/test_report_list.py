"""The list of checks on this computer: what was found, as words and as a strip."""

from __future__ import annotations

from assistant.jobs.report_store import TimelinePoint
from assistant.ui import report_list


def test_a_strip_has_a_mark_a_match_where_it_was_said():
    """High for likely, low for possible, in the colour of the class, from left to right."""
    timeline_html = report_list.mini_timeline(
        [TimelinePoint(0.0, "FALSE", "likely"), TimelinePoint(0.5, "TRUE", "possible")]
    )

    assert '<i class="lx-false lx-high" style="left:0.0%"></i>' in timeline_html
    assert '<i class="lx-true" style="left:50.0%"></i>' in timeline_html
    assert 'aria-hidden="true"' in timeline_html
