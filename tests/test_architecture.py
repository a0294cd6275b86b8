"""Who may import whom, deferred imports included.

The drawing in docs/explanation/architecture.md, held by a test.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("assistant", "features", "ranking")
# The rooms from the ground up. A module may import its own room and those of lower steps.
STEPS = (
    ("features",),
    ("ranking",),
    ("assistant.client",),
    ("assistant.core",),
    ("assistant.web",),
    ("assistant.passages",),
    ("assistant.report",),
    ("assistant.transcription",),
    ("assistant.transcripts",),
    ("assistant.claims",),
    ("assistant.explain",),
    ("assistant.reports",),
    ("assistant.check",),
    ("assistant.pipeline",),
    ("assistant.live", "assistant.review", "assistant.jobs"),
    ("assistant.archive",),
    ("assistant.alerts",),
    ("assistant.api",),
    ("assistant.ui",),
    ("assistant.commands",),
    ("app", "assistant.__main__"),
)
SHORT_NAMES = (
    "assistant.domain",
    "assistant.errors",
    "assistant.settings",
)  # kept for programs outside
# Libraries that only some rooms may touch.
ONLY = {
    "streamlit": ("app", "assistant.ui"),
    # the connection, copies of whole databases, and a module of tables each for what the rooms
    # store
    "sqlalchemy": (
        "assistant.core.schema",
        "assistant.core.database",
        "assistant.core.postgres_limits",
        "assistant.core.backup_verification",
        "assistant.core.database_copies",
        "assistant.core.audit",
        "assistant.alerts.tables",
        "assistant.alerts.channel_store",
        "assistant.alerts.outbox",
        "assistant.alerts.event_tables",
        "assistant.alerts.feed_store",
        "assistant.api.check_records",
        "assistant.api.usage",
        "assistant.archive.alerts",
        "assistant.archive.repeats",
        "assistant.archive.transcript_search",
        "assistant.archive.archive_store",
        "assistant.archive.tables",
        "assistant.claims.claim_rows",
        "assistant.claims.claim_sources",
        "assistant.claims.claim_reading",
        "assistant.claims.claim_store",
        "assistant.claims.stored_tables",
        "assistant.claims.claim_versions",
        "assistant.claims.current_reviews",
        "assistant.claims.fact_check_search",
        "assistant.claims.incoming",
        "assistant.claims.statement_corrections",
        "assistant.claims.withdrawals",
        "assistant.live.event_log",
        "assistant.live.tables",
        "assistant.live.access_tokens",
        "assistant.review.assignment_store",
        "assistant.review.comment_store",
        "assistant.review.decision_store",
        "assistant.review.presence_store",
        "assistant.jobs.report_store",
        "assistant.jobs.tables",
        "assistant.jobs.recordings",
        "assistant.jobs.corrections",
        "assistant.jobs.voiceprints",
        "assistant.jobs.reading_choices",
    ),
    "distributed": ("assistant.archive.cluster",),
    "fastapi": ("assistant.api",),
    "pydantic": ("assistant.api",),
    "prometheus_client": ("assistant.commands.monitor",),
    "torch": ("features",),
    "transformers": ("features",),
    "onnxruntime": ("features",),
    "openvino": ("features",),
    "sentence_transformers": ("features",),
    "bert_score": ("features",),
    "simcse": ("features",),
    "faster_whisper": ("assistant.transcription",),
    "ctranslate2": ("assistant.transcription",),
    "av": ("assistant.transcription",),
    "webview": ("assistant.ui.desktop",),
    "PySide6": ("assistant.ui.desktop",),
}


def modules() -> dict[str, Path]:
    files = [ROOT / "app.py", *(p for room in PRODUCT for p in (ROOT / room).rglob("*.py"))]
    return {dotted(p): p for p in files if p.exists()}


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def named(path: Path, *, top: bool = False) -> frozenset[tuple[str, str]]:
    """Return what a file imports, as (module, name in it or "").

    Wherever it stands, or at the ``top`` alone.
    """
    tree = ast.parse(path.read_text("utf-8"))
    imported_names = set()
    for node in tree.body if top else ast.walk(tree):
        if isinstance(node, ast.Import):
            imported_names |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            imported_names |= {(node.module, alias.name) for alias in node.names}
    return frozenset(imported_names)


def imports(path: Path) -> set[str]:
    """Return every module that a file names in an import, wherever in the file it stands."""
    return {
        name for module, inner in named(path) for name in (module, f"{module}.{inner}".rstrip("."))
    }


def needed(path: Path) -> set[str]:
    """Return our modules whose names a file uses.

    ``from room import module`` uses the module, not its room.
    """
    return {
        full if (full := f"{module}.{inner}") in MODULES else module
        for module, inner in named(path)
    } & set(MODULES)


def within(module: str, room: str) -> bool:
    return module == room or module.startswith(room + ".")


def room_of(module: str) -> tuple[int, str]:
    """Return the step and the room that hold a module."""
    return next(
        (step, room) for step, rooms in enumerate(STEPS) for room in rooms if within(module, room)
    )


MODULES = modules()


@pytest.mark.parametrize("module", sorted(MODULES.keys() - {"assistant"}))
def test_imports_point_down(module):
    """A module imports its own room or one of a lower step.

    Nothing imports bench, training or tests.
    """
    step, room = room_of(module)

    foreign = [
        module_name for module_name in needed(MODULES[module]) if not within(module_name, room)
    ]
    upwards = [
        module_name
        for module_name in foreign
        if module_name != "assistant" and room_of(module_name)[0] >= step
    ]
    outside = [
        n for n in imports(MODULES[module]) if n.split(".")[0] in ("bench", "training", "tests")
    ]

    assert upwards + outside == []


def test_ranking_knows_features_in_one_place_only():
    """ranking takes arrays; its one function for programs outside reads texts, by features."""
    users = [
        m
        for m in MODULES
        if within(m, "ranking") and any(within(n, "features") for n in needed(MODULES[m]))
    ]

    assert users == ["ranking.evidence"]


@pytest.mark.parametrize("module", sorted(m for m in MODULES if within(m, "features")))
def test_features_knows_only_itself(module):
    """features imports nothing of ours outside its own room."""
    assert [name for name in needed(MODULES[module]) if not within(name, "features")] == []


@pytest.mark.parametrize("module", sorted(m for m in MODULES if within(m, "assistant.reports")))
def test_report_forms_know_reports_only(module):
    """A report form asks the report view, and knows nothing of claims or of explanations."""
    allowed_modules = ("assistant.core", "assistant.report", "assistant.reports")

    foreign = [
        name
        for name in needed(MODULES[module])
        if name != "assistant" and not any(within(name, package) for package in allowed_modules)
    ]

    assert foreign == []


@pytest.mark.parametrize("short", SHORT_NAMES)
def test_a_short_name_is_the_module_of_the_core_package(short):
    """Programs outside import domain, errors and settings from ``assistant``.

    Packages say ``core``.
    """
    long = short.replace("assistant.", "assistant.core.")

    assert importlib.import_module(short) is importlib.import_module(long)
    assert [m for m, path in MODULES.items() if short in imports(path)] == []


def test_imports_never_go_in_a_circle():
    """No module needs itself, by whatever way round.

    Not at the top of a file and not inside a function.
    """
    graph = {m: needed(path) - {m} for m, path in MODULES.items()}
    while free := [m for m, names in graph.items() if not names & graph.keys()]:
        graph = {m: names for m, names in graph.items() if m not in free}

    assert sorted(graph) == []  # what is left stands in a circle, or needs one that does


@pytest.mark.parametrize("library", sorted(ONLY))
def test_a_library_stays_in_its_room(library):
    """Heavy and framework libraries are imported only where the drawing says."""
    users = [m for m, p in MODULES.items() if any(within(n, library) for n in imports(p))]

    assert [m for m in users if not any(within(m, room) for room in ONLY[library])] == []


@pytest.mark.parametrize("module", sorted(MODULES))
def test_heavy_libraries_are_imported_inside_functions(module):
    """torch, transformers and onnxruntime are loaded when first used, never when a module is imported."""
    names = {name for name, _ in named(MODULES[module], top=True)}

    heavy = (
        "torch",
        "transformers",
        "onnxruntime",
        "openvino",
        "sentence_transformers",
        "bert_score",
        "simcse",
    )
    heavy += ("faster_whisper", "ctranslate2", "av")
    assert (
        within(module, "features.articles") or [n for n in names if n.split(".")[0] in heavy] == []
    )


def test_the_first_screen_needs_no_library_that_learns():
    """Streamlit imports what a page imports while somebody waits.

    Scikit-learn alone would take two seconds.
    """
    learning = "('sklearn', 'torch', 'pandas')"
    code = f"import sys, assistant.ui.welcome, assistant.ui.results; print([m for m in {learning} if m in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


def test_importing_the_application_is_light():
    """``import assistant`` loads neither a model library nor the web framework."""
    heavy = "('torch', 'transformers', 'streamlit', 'onnxruntime', 'sqlalchemy')"
    code = f"import sys, assistant; print([m for m in {heavy} if m in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


RESEARCH = ("training", "bench")


def research(room: str) -> dict[str, Path]:
    return {dotted(path): path for path in (ROOT / room).rglob("*.py")}


def topic(module: str) -> str:
    """Return the topic of a research module.

    ``training.mtm`` of its modules, ``bench.speed`` of itself.
    """
    return ".".join(module.split(".")[:2])


def test_training_never_imports_the_benches():
    """Benches measure what training makes, and read its shared loaders.

    Training knows no bench.
    """
    users = [
        m
        for m, path in research("training").items()
        if any(within(name, "bench") for name in imports(path))
    ]

    assert users == []


@pytest.mark.parametrize("room", RESEARCH)
def test_modules_of_research_never_import_each_other_in_a_circle(room):
    modules = research(room)
    waiting = {
        module: {name for name in imports(path) if name in modules}
        for module, path in modules.items()
    }
    while free := [module for module, needed in waiting.items() if not needed & waiting.keys()]:
        waiting = {module: needed for module, needed in waiting.items() if module not in free}

    assert sorted(waiting) == []


@pytest.mark.parametrize("room", RESEARCH)
def test_topics_of_research_never_go_in_a_circle(room):
    """No topic of training or bench needs itself by way of another.

    What they share is below them all.
    """
    graph: dict[str, set[str]] = {}
    for module, path in research(room).items():
        names = {topic(name) for name in imports(path) if within(name, room) and name != room}
        graph[topic(module)] = graph.get(topic(module), set()) | names - {topic(module)}
    while free := [name for name, needed_names in graph.items() if not needed_names & graph.keys()]:
        graph = {name: needed_names for name, needed_names in graph.items() if name not in free}

    assert sorted(graph) == []
