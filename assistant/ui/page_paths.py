"""The scripts of the pages, by absolute paths: in an installed package app.py is in another folder."""

from __future__ import annotations

from pathlib import Path

PAGES_FOLDER = Path(__file__).parent / "pages"
CHECK_PAGE = PAGES_FOLDER / "check_page.py"
ARCHIVE_PAGE = PAGES_FOLDER / "archive_page.py"
