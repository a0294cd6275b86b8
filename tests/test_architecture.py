"""Who may import whom, deferred imports included: the drawing in docs/architecture.md, held by a test."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("assistant", "features", "ranking")
# The layers of the application, from the ground up. A module may import its own layer or a lower one.
LAYERS = (
    ("assistant.domain", "assistant.errors"),
    ("features", "ranking"),
    ("assistant",),  # everything of the application that is not named in another layer
    ("assistant.pipeline",),
    ("assistant.reports", "assistant.live", "assistant.review", "assistant.jobs", "assistant.desk"),
    ("assistant.ui", "assistant.preparing"),
    ("assistant.cli", "assistant.__main__"),
    ("app",),
)
# Libraries that only some rooms may touch.
ONLY = {
    "streamlit": ("app", "assistant.ui"),
    # the connection, and a module of tables each for fact-checks, live events and decisions
    "sqlalchemy": ("assistant.database", "assistant.claims.store", "assistant.live.log", "assistant.decisions"),
    "torch": ("features", "ranking.mtm", "ranking.evidence", "ranking.relation"),
    "transformers": ("features", "ranking.mtm", "ranking.evidence", "ranking.relation"),
    "onnxruntime": ("features", "ranking.mtm", "ranking.evidence", "ranking.relation"),
    "sentence_transformers": ("features",),
    "bert_score": ("features",),
    "simcse": ("features",),
}


def modules() -> dict[str, Path]:
    files = [ROOT / "app.py", *(p for room in PRODUCT for p in (ROOT / room).rglob("*.py"))]
    return {dotted(p): p for p in files if p.exists()}


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> set[str]:
    """Return every module that a file names in an import, wherever in the file it stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def needed(path: Path) -> set[str]:
    """Return our modules whose names a file uses; ``from room import module`` uses the module, not its room."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            inner = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            found |= {full if full in MODULES else node.module for full in inner.values()}
    return found & MODULES.keys()


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


def layer(module: str) -> int:
    """Return the layer whose most specific name holds the module."""
    fits = [(len(room), i) for i, rooms in enumerate(LAYERS) for room in rooms if within(module, room)]
    return max(fits)[1] if fits else -1


MODULES = modules()


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_point_down(module):
    """A module imports its own layer or a lower one, and nothing imports bench, training or tests."""
    known = [name for name in imports(MODULES[module]) if name.split(".")[0] in (*PRODUCT, "app")]

    upwards = [name for name in known if layer(name) > layer(module)]
    outside = [n for n in imports(MODULES[module]) if n.split(".")[0] in ("bench", "training", "tests")]

    assert [] == upwards + outside


@pytest.mark.parametrize("module", sorted(m for m in MODULES if m.split(".")[0] in ("features", "ranking")))
def test_features_and_ranking_know_only_themselves(module):
    """features and ranking import nothing of ours outside their own room."""
    room = module.split(".")[0]

    foreign = [n for n in imports(MODULES[module]) if n.split(".")[0] in PRODUCT and n.split(".")[0] != room]

    assert [] == foreign


def test_imports_never_go_in_a_circle():
    """No module needs itself, by whatever way round: not at the top of a file and not inside a function."""
    graph = {m: needed(path) - {m} for m, path in MODULES.items()}
    while free := [m for m, names in graph.items() if not names & graph.keys()]:
        graph = {m: names for m, names in graph.items() if m not in free}

    assert [] == sorted(graph)  # what is left stands in a circle, or needs one that does


@pytest.mark.parametrize("library", sorted(ONLY))
def test_a_library_stays_in_its_room(library):
    """Heavy and framework libraries are imported only where the drawing says."""
    users = [m for m, p in MODULES.items() if any(within(n, library) for n in imports(p))]

    assert [] == [m for m in users if not any(within(m, room) for room in ONLY[library])]


@pytest.mark.parametrize("module", sorted(MODULES))
def test_heavy_libraries_are_imported_inside_functions(module):
    """torch, transformers and onnxruntime are loaded when first used, never when a module is imported."""
    tree = ast.parse(MODULES[module].read_text("utf-8"))
    top = [n for n in tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]

    names = {a.name for n in top if isinstance(n, ast.Import) for a in n.names}
    names |= {n.module for n in top if isinstance(n, ast.ImportFrom) and n.module}

    heavy = ("torch", "transformers", "onnxruntime", "sentence_transformers", "bert_score", "simcse")
    allowed = any(within(module, room) for room in ("ranking.mtm", "ranking.evidence", "ranking.relation"))
    assert allowed or [] == [n for n in names if n.split(".")[0] in heavy]


def test_importing_the_application_is_light():
    """``import assistant`` loads neither a model library nor the web framework."""
    heavy = "('torch', 'transformers', 'streamlit', 'onnxruntime', 'sqlalchemy')"
    code = f"import sys, assistant; print([m for m in {heavy} if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert "[]" == done.stdout.strip()
