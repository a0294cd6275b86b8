"""No command deletes or replaces a file that Lectern did not write, whatever the operator mistypes.

The commands and their options are read from the parser: a new command is tried, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from assistant import pipeline
from assistant.alerts.alert_sender import AlertSender
from assistant.api import server
from assistant.api.services import ApiServices
from assistant.archive import alerts, bulk_run, cluster
from assistant.claims import datacommons, politifact
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import ImportReport
from assistant.commands import desktop, live, monitor, prepare, run_app, serve
from assistant.commands.cli import main, parser
from assistant.core import database_copies
from assistant.core.domain import Decision
from assistant.jobs.recordings import Recording, RecordingStore
from assistant.review import deciding
from assistant.review.decision_store import DecisionStore
from tests.assistant import made_up
from tests.assistant.test_pipeline import CLAIMS

RUN_LIMIT_S = 120
TEXT = "RIVERA: The tunnel has been open since 1994.\n"
OBSTACLES = ("file", "link", "hard link", "dangling link", "pipe", "folder")
STOPPED = "a command that waits"
BACKUP = "monday.backup"
# Values of arguments with which a command does its work; others get the transcript.
WORKING_VALUES = {
    "date": "2024-09-10",
    "event": "city",
    "format": "json,html,text",
    "at": "0:01-0:02",
    "name": "city",
    "older_than": "1",
    "order": "best",
    "out": "exports",
    "port": "0",
    "limit": "1",
    "processes": "1",
    "publisher": "politifact",
    "scheduler": "tcp://127.0.0.1:1",
    "address": "tcp://127.0.0.1:1",
    "speed": "0",
    "to": "sqlite:///moved.db",
    "url": "http://127.0.0.1:1/",
}


@dataclass(frozen=True)
class Leaf:
    """A command with its own parser."""

    words: tuple[str, ...]
    parser: argparse.ArgumentParser

    @property
    def arguments(self) -> list[argparse.Action]:
        """List the arguments and options that take a value."""
        actions = []
        for action in self.parser._actions:
            if action.nargs != 0 and not isinstance(action, argparse._HelpAction):
                actions.append(action)
        return actions

    def line(self, changed: argparse.Action | None = None, value: str = "") -> list[str]:
        """Return a command line that works, with one argument changed."""
        line = [*self.words]
        for action in self.arguments:
            is_changed = action is changed
            is_needed = action.required or action.dest == "out"
            if action.nargs in ("*", "?") and not action.option_strings:
                is_needed = False
            if not is_changed and not is_needed:
                continue
            text = value if is_changed else WORKING_VALUES.get(action.dest, "night.txt")
            if action.option_strings:
                line.append(f"{action.option_strings[0]}={text}")
            else:
                line.append(text)
        flags = [action.option_strings[0] for action in self.parser._actions if action.nargs == 0]
        if "--yes" in flags and changed is not None:
            line.append("--yes")
        return line


def leaves(
    command: argparse.ArgumentParser | None = None, words: tuple[str, ...] = ()
) -> Iterator[Leaf]:
    """Yield every command of the command line."""
    command = command or parser()
    children = [a for a in command._actions if isinstance(a, argparse._SubParsersAction)]
    if not children:
        yield Leaf(words, command)
    for action in children:
        for word, child in action.choices.items():
            yield from leaves(child, (*words, word))


LEAVES = list(leaves())
WRITING_LEAVES = [
    leaf
    for leaf in LEAVES
    if leaf.words == ("backup",) or "--out" in leaf.parser._option_string_actions
]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    """A folder with a production home, the same as the operator's, and a home restored from it."""
    folder = tmp_path_factory.mktemp("furnished")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        fill(Path("production"))
        shutil.copytree("production", "home")
        url = f"sqlite:///{folder / 'production' / 'lectern.db'}"
        database_copies.back_up(url, Path(BACKUP), progress=lambda *_: None)
        database_copies.restore(
            Path(BACKUP),
            f"sqlite:///{folder / 'copy' / 'lectern.db'}",
            progress=lambda *_: None,
        )
    return folder


@pytest.fixture
def desk(tmp_path, monkeypatch, furnished):
    """A folder with files of the operator, a production home, and a home restored from it."""
    shutil.copytree(furnished, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LECTERN_CONFINED", "1")
    monkeypatch.setenv("LECTERN_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LECTERN_DATABASE_URL", f"sqlite:///{tmp_path / 'home' / 'lectern.db'}")
    Path("night.txt").write_text(TEXT)
    Path("notes.md").write_text("notes of the operator")
    Path("link.txt").symlink_to("notes.md")
    Path("dangling").symlink_to("nowhere")
    Path("folder").mkdir()
    Path("folder/night.json").write_text("{}")
    Path("folder/link").symlink_to("../notes.md")
    os.mkfifo("pipe")
    without_waiting(monkeypatch)
    return tmp_path


def fill(home: Path) -> None:
    """Fill a data directory with fact-checks, a decision, a recording and a file of the operator."""
    url = f"sqlite:///{home.resolve() / 'lectern.db'}"
    with ClaimStore.open(url) as claims, DecisionStore.open(url) as decisions:
        claims.upsert(CLAIMS, source="test")
        placed = deciding.DecidedReport(made_up.report())
        match = made_up.report().sentences[0].matches[0]
        deciding.decide(decisions, placed, (1, match), Decision("confirm", by="Ada"))
    recordings = home.resolve() / "recordings"
    recordings.mkdir()
    (recordings / "night.mp3").write_bytes(b"sound")
    (home / "notes.txt").write_text("a file of the operator in the data directory")
    with RecordingStore.open_in(home.resolve(), url) as store:
        store.add(Recording("d" * 64, "night.mp3", recordings / "night.mp3", True, added=1e9))


def without_waiting(monkeypatch) -> None:
    """Replace models, the network and servers, so that each command ends at once."""

    def stop(*_, **__):
        raise KeyboardInterrupt(STOPPED)

    fetched = ImportReport()
    monkeypatch.setattr(pipeline, "open_index", lambda *_, **__: CLAIMS)
    empty_index = argparse.Namespace(ids=(), long_article_count=lambda: 0)
    monkeypatch.setattr(pipeline, "build_index", lambda *_, **__: empty_index)
    monkeypatch.setattr(pipeline, "check", lambda *_, **__: made_up.report())
    monkeypatch.setattr(prepare, "_check_first_sample", lambda *_: "")
    monkeypatch.setattr(politifact, "fetch_politifact", lambda *_, **__: fetched)
    monkeypatch.setattr(datacommons, "fetch_datacommons", lambda *_, **__: fetched)
    monkeypatch.setattr(bulk_run, "run_checks", lambda *_, **__: bulk_run.RunSummary(0, 0, 0))
    monkeypatch.setattr(alerts, "compare_new_claims", lambda *_, **__: 0)
    monkeypatch.setattr(cluster, "serve", stop)
    monkeypatch.setattr(live, "open_engines", stop)
    monkeypatch.setattr(serve, "open_engines", stop)
    monkeypatch.setattr(server, "run", stop)
    monkeypatch.setattr(server, "run_workers", stop)
    monkeypatch.setattr(ApiServices, "warm", lambda _: None)
    monkeypatch.setattr(monitor, "app", stop)
    monkeypatch.setattr(AlertSender, "run", stop)
    monkeypatch.setattr(desktop, "_require_window_support", stop)
    monkeypatch.setattr(run_app.os, "execve", stop)  # it would replace the process of the tests


def files_of_the_operator(folder: Path) -> dict[str, bytes | str]:
    """Return the content of all files, except those that Lectern made in its data directories."""
    contents: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        is_home = name.startswith(("home/", "copy/")) and path.name != "notes.txt"
        if is_home or name.endswith(("-wal", "-shm")):
            continue
        mode = path.lstat().st_mode
        if path.is_symlink():
            contents[name] = f"link to {os.readlink(path)}"
        elif name == BACKUP and database_copies._is_sealed_backup(path):
            contents[name] = "a sound backup"  # `backup` may replace it by a newer one
        elif stat.S_ISREG(mode):
            contents[name] = path.read_bytes()
        else:
            contents[name] = str(stat.S_IFMT(mode))
    return contents


def lost_files(before: dict[str, bytes | str], folder: Path) -> list[str]:
    """List the files of the operator that are deleted or changed."""
    after = files_of_the_operator(folder)
    return [name for name, content in before.items() if after.get(name) != content]


def run(line: list[str]) -> str:
    """Run a command as the operator types it, and return how it ended, with its time limited."""

    def expired(*_):
        raise TimeoutError(f"{' '.join(line)} took longer than {RUN_LIMIT_S} s")

    signal.signal(signal.SIGALRM, expired)
    signal.alarm(RUN_LIMIT_S)
    try:
        return str(main(line))
    except SystemExit as ended:
        return f"usage {ended.code}"
    finally:
        signal.alarm(0)


def mistakes(desk: Path) -> list[str]:
    """List the values that an operator may give by mistake, for an argument of any kind."""
    return [
        "-1",
        "0",
        "",
        "night.txt",
        "notes.md",
        "link.txt",
        "dangling",
        "pipe",
        "folder",
        ".",
        BACKUP,
        str(desk / "home" / "lectern.db"),
        str(desk / "production" / "lectern.db"),
        f"sqlite:///{desk / 'production' / 'lectern.db'}",
        f"sqlite:///{desk / 'notes.md'}",
        str(desk / "production" / "recordings" / "night.mp3"),
        str(desk / "copy"),
        os.fsdecode(b"caf\xe9.txt"),
        "/dev/zero",
    ]


def make_obstacle(path: Path, kind: str) -> None:
    """Put a file of the operator where a command would write."""
    if kind == "file":
        path.write_text("a file of the operator")
    elif kind == "link":
        path.symlink_to(path.parent.resolve().parent / "notes.md")
    elif kind == "hard link":
        path.hardlink_to("notes.md")
    elif kind == "dangling link":
        path.symlink_to("nowhere")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()


@pytest.mark.long
@pytest.mark.threat("operator")
@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: " ".join(leaf.words))
def test_no_mistyped_value_loses_a_file(leaf, desk):
    before = files_of_the_operator(desk)
    for action in leaf.arguments:
        if action.dest in ("to", "database_url", "home"):
            continue  # the next test: the named database is changed on purpose
        for value in mistakes(desk):
            run(leaf.line(action, value))
            after = files_of_the_operator(desk)
            lost = [name for name, content in before.items() if after.get(name) != content]
            assert (action.dest, value, lost) == (action.dest, value, [])
            before = after


@pytest.mark.long
@pytest.mark.threat("operator")
@pytest.mark.parametrize("leaf", LEAVES, ids=lambda leaf: " ".join(leaf.words))
@pytest.mark.parametrize("option", ["--home", "--database-url"])
def test_no_mistyped_database_loses_a_file(leaf, option, desk):
    if option not in leaf.parser._option_string_actions:
        pytest.skip("a command without a database")
    action = leaf.parser._option_string_actions[option]
    for value in ("notes.md", "folder", "pipe", "link.txt", "", "copy", str(desk / "copy")):
        # An empty database that `move` has made may be filled by the next one.
        (desk / "moved.db").unlink(missing_ok=True)
        text = f"sqlite:///{value}" if option == "--database-url" else value
        before = files_of_the_operator(desk)
        run(leaf.line(action, text))
        assert (value, lost_files(before, desk)) == (value, [])


@pytest.mark.slow
@pytest.mark.threat("operator")
@pytest.mark.parametrize("leaf", WRITING_LEAVES, ids=lambda leaf: " ".join(leaf.words))
def test_what_a_command_writes_replaces_no_file_of_the_operator(leaf, desk):
    before = files_of_the_operator(desk)
    with_new_name = [word.replace("exports", "first-run") for word in leaf.line()]
    if leaf.words == ("backup",):
        with_new_name = ["backup", "first-run"]
    run(with_new_name)
    assert lost_files(before, desk) == []
    written = sorted(set(files_of_the_operator(desk)) - set(before))
    for number, name in enumerate(written):
        for kind in OBSTACLES:
            folder = f"second-{number}-{kind.replace(' ', '-')}"
            target = Path(name.replace("first-run", folder, 1))
            if str(target) == name or target == Path(folder):
                continue
            target.parent.mkdir(exist_ok=True)
            make_obstacle(target, kind)
            before_run = files_of_the_operator(desk)
            ending = run([word.replace("first-run", folder) for word in with_new_name])
            assert (name, kind, ending) == (name, kind, "1")
            assert lost_files(before_run, desk) == []


@pytest.mark.parametrize("words", [("check",), ("archive", "export"), ("review", "export")])
def test_the_commands_that_export_are_tried_with_files_that_they_write(words, desk):
    (leaf,) = [leaf for leaf in LEAVES if leaf.words == words]

    assert run(leaf.line()) == "0"

    assert len(list(Path("exports").iterdir())) > 1
