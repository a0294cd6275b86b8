"""The page Debates: drop a transcript, watch the check, read and review the results."""

from __future__ import annotations

from assistant.core.errors import LecternError
from assistant.ui.debates import draw_debates
from assistant.ui.shared_resources import check_service
from assistant.ui.shown_text import draw_error

try:
    draw_debates(check_service())
except LecternError as error:
    draw_error(error)
