"""The documentation builds as a web site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.slow
def test_site_builds_without_warnings(tmp_path):
    """Every page is in the navigation, and every link and picture leads somewhere."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    run = subprocess.run(
        [*command, str(ROOT / "docs"), str(tmp_path / "site"), "-d", str(tmp_path / "cache")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.stderr == ""
    assert run.returncode == 0
    assert (tmp_path / "site" / "tutorial" / "first-debate.html").is_file()
