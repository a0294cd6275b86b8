"""The first visitors of an app that has just started come together.

Each thread imports while the others do.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TOGETHER = """
import sys, threading
from assistant.ui.desktop.server_process import _import_first

def run(imports):
    try:
        imports()
    except BaseException as error:
        wrong.append(repr(error))

wrong, first, pages = [], {first!r}, {pages!r}
sys.setswitchinterval(1e-5)
visitors = [lambda page=page: exec(first + page, {{}}) for page in pages]
threads = [threading.Thread(target=run, args=(visitor,)) for visitor in (_import_first, *visitors)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*wrong, sep="\\n", end="")
"""


def imports(path: Path) -> str:
    """Return the imports of a file, without what it does."""
    statements = ast.parse(path.read_text("utf-8")).body
    return (
        "\n".join(ast.unparse(s) for s in statements if isinstance(s, ast.Import | ast.ImportFrom))
        + "\n"
    )


@pytest.mark.parametrize("page", ["check", pytest.param("archive", marks=pytest.mark.slow)])
def test_visitors_who_come_together_import_the_same_modules(page):
    """A window of its own, which imports ahead, and two visitors of a page."""
    pages = [
        imports(ROOT / "assistant" / "ui" / "pages" / f"{page}_page.py").replace(
            "from __future__", "pass #"
        )
    ] * 2
    first_import = imports(ROOT / "app.py").replace("from __future__", "pass #")

    ran = subprocess.run(
        [sys.executable, "-c", TOGETHER.format(first=first_import, pages=pages)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )

    assert ran.returncode == 0
    assert ran.stdout == ""
