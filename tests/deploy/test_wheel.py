"""The wheel has the code and all that a checkout has beside it, and works in an empty environment."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
import zipfile
from contextlib import suppress
from email.parser import Parser
from pathlib import Path

import httpx
import pytest

import assistant
from tests.free_ports import free_port

ROOT = Path(__file__).parents[2]
SERVED_WITHIN_S = 900
SHIPPED_FOLDERS = {
    "sample_claims": "assistant/shipped/sample_claims",
    "sample_transcripts": "assistant/shipped/sample_transcripts",
    "models": "features/weights",
    "static": "assistant/shipped/static",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    subprocess.run([*command, "--directory", str(folder)], cwd=ROOT, check=True)
    (path,) = folder.glob("lectern-*.whl")
    return path


@pytest.fixture(scope="module")
def names(wheel) -> set[str]:
    """The names of the files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
@pytest.mark.parametrize("folder", SHIPPED_FOLDERS)
def test_the_wheel_has_what_a_checkout_has(names, folder):
    tracked = subprocess.run(
        ["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True
    )
    expected = {
        line.replace(folder, SHIPPED_FOLDERS[folder], 1) for line in tracked.stdout.splitlines()
    }

    assert expected
    assert expected - names == set()


@pytest.mark.slow
def test_the_wheel_has_the_app_its_settings_and_figures(names):
    shipped = {
        "assistant/shipped/app.py",
        "assistant/shipped/.streamlit/config.toml",
        "assistant/shipped/docs/curves/reliability.csv",
        "assistant/shipped/NOTICE",
    }

    assert shipped - names == set()


@pytest.mark.slow
def test_the_wheel_has_no_tests_research_or_secrets(names):
    top_folders = {name.split("/")[0] for name in names}

    assert {name for name in top_folders if not name.endswith(".dist-info")} == {
        "assistant",
        "features",
        "ranking",
    }
    assert [name for name in names if "secret" in name and name.endswith(".toml")] == []


@pytest.mark.slow
def test_the_wheel_needs_what_requirements_txt_lists(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (metadata_name,) = [
            name for name in archive.namelist() if name.endswith(".dist-info/METADATA")
        ]
        metadata = Parser().parsestr(archive.read(metadata_name).decode("utf-8"))
    listed = []
    for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines():
        requirement = line.partition("#")[0].strip()
        if requirement:
            listed.append(requirement.lower())

    needed = metadata.get_all("Requires-Dist")

    assert len(needed) == len(listed)
    assert metadata["Version"] == assistant.__version__


@pytest.mark.long
def test_an_empty_environment_runs_the_command(wheel, tmp_path):
    """The locked packages and the wheel are installed; samples are loaded and the app answers."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = environment / "bin" / "python"
    _install(python, "--no-deps", "--require-hashes", "-r", ROOT / "deploy" / "uv.lock")
    install_script = ROOT / "deploy" / "install.py"
    for arguments in (
        ["--no-deps", "--require-hashes", "-r", ROOT / "deploy" / "torch.lock"],
        ["--no-deps", "--require-hashes", "-r", ROOT / "deploy" / "torch-cpu.lock"],
        ["--no-deps", "--require-hashes", "-r", ROOT / "requirements.lock"],
        ["--no-deps", wheel],
    ):
        done = subprocess.run([python, install_script, *arguments], check=False)
        if done.returncode:
            pytest.skip(f"the packages cannot be installed here: {arguments[-1]}")
    port = free_port()
    home = tmp_path / "home"
    variables = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("LECTERN_", "PYTHON"))
    }
    command = [environment / "bin" / "lectern", "run", "--home", home, "--port", str(port)]
    app = subprocess.Popen(command, cwd=tmp_path, env=variables)

    try:
        status = _first_status(f"http://127.0.0.1:{port}/", app)
    finally:
        app.terminate()
        app.wait()

    assert status == 200
    assert (home / "lectern.db").is_file()


def _install(python: Path, *arguments: object) -> None:
    """Install with pip, or skip the test if the packages cannot be had."""
    done = subprocess.run([python, "-m", "pip", "install", "--quiet", *arguments], check=False)
    if done.returncode:
        pytest.skip("the packages cannot be installed here")


def _first_status(url: str, process: subprocess.Popen) -> int:
    """Return the status of the first answer; 0 if the process ends or is too late."""
    end = time.monotonic() + SERVED_WITHIN_S
    while time.monotonic() < end and process.poll() is None:
        with suppress(httpx.TransportError):
            return httpx.get(url, trust_env=False, timeout=5).status_code
        time.sleep(0.5)
    return 0
