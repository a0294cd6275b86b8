"""The site of the documentation: Sphinx builds it from the pages of docs/ (``make site``)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
NAVIGATION = """

```{toctree}
:hidden:
:caption: Reporters and editors

tutorial/first-debate
tutorial/live-night
how-to/check-a-transcript
how-to/check-a-recording
how-to/review-matches
how-to/work-with-colleagues
how-to/export-a-report
how-to/follow-a-live-event
how-to/load-fact-checks
how-to/find-repeated-claims
how-to/alerts
how-to/fix-common-problems
reference/keyboard
reference/glossary
explanation/what-strong-means
explanation/limitations
explanation/how-matching-works
```

```{toctree}
:hidden:
:glob:
:caption: Administrators

admin/install
admin/deploy
admin/users-and-roles
admin/backup-upgrade-delete
admin/monitor
admin/privacy
admin/threat-model
reference/settings
reference/command-line
reference/licences
```

```{toctree}
:hidden:
:caption: Other programs

reference/api
reference/webhooks
reference/live-api
reference/json-report
reference/report-formats
reference/transcript-formats
reference/speaker-labels
reference/fact-check-formats
examples/README
```

```{toctree}
:hidden:
:caption: Developers and researchers

explanation/architecture
reference/features
reference/moved-modules
research/results
research/ranking
research/passages
research/confidence
research/evidence
research/entailment
research/numbers-and-dates
research/check-worthiness
research/speech
research/speed
research/reproduce-shaar
research/annotation-guidelines
research/what-did-not-work
research/data/patterns
research/data/ratios
```
"""

project = "Lectern"
author = "The Lectern developers"
extensions = ["myst_parser"]
root_doc = "index"
html_theme = "furo"
html_title = "Lectern"
html_copy_source = False
myst_heading_anchors = 4
# The help of the command line and captions of code have no language of their own.
highlight_language = "none"
suppress_warnings = ["myst.header"]


def without_outside_links(app: Any, page_name: str, source: list[str]) -> None:
    """Replace links to files that the site does not contain by their text.

    The index also gets the navigation, which the pages on a code host do not need.
    """
    folder = (DOCS / page_name).parent

    def text_or_link(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(folder / link[2]))
        is_page = target.suffix == ".md" and target.is_relative_to(DOCS)
        return link[0] if is_page else link[1]

    source[0] = LINK.sub(text_or_link, source[0])
    if page_name == root_doc:
        source[0] += NAVIGATION


def setup(app: Any) -> None:
    """Register the change of links."""
    app.connect("source-read", without_outside_links)
