"""Secrets and databases reach neither git nor an image."""

import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECRET_FILES = (
    ".streamlit/secrets.toml",
    "deploy/secrets.toml",
    "deploy/.env",
    ".env",
    ".env.production",
    "deploy/newsroom.env",
    "certificates/key.pem",
    "deploy/site.key",
    "lectern.db",
    "home/lectern.db-wal",
    "backups/monday.backup",
)
NEVER_IN_AN_IMAGE = (
    *SECRET_FILES,
    ".git/config",
    ".venv/bin/python",
    "home/recordings/a.mp4",
    "assistant/.env",
    "models/secrets.toml",
    "assistant/core/__pycache__/files.pyc",
    "deploy/Caddyfile",
    "notes.txt",
)
READ_BY_THE_PRODUCT = (
    "app.py",
    "assistant/core/files.py",
    "models/simcse.safetensors",
    "deploy/install.py",
    "sample_claims/samples.jsonl",
    ".streamlit/config.toml",
    "docs/curves/reliability.csv",
    "requirements.lock",
    "Makefile",
)


def is_left_out(path: str, patterns: list[str]) -> bool:
    """Apply the rules of Docker: the last pattern that fits the path or a folder above it wins."""
    names = path.split("/")
    prefixes = ["/".join(names[: depth + 1]) for depth in range(len(names))]
    left_out = False
    for pattern in patterns:
        is_exception = pattern.startswith("!")
        rule = pattern.lstrip("!")
        if any(fits(prefix, rule) for prefix in prefixes):
            left_out = not is_exception
    return left_out


def fits(path: str, rule: str) -> bool:
    """Return whether a rule names a path; a star stays within one folder, two stars do not."""
    if rule.startswith("**/"):
        return fnmatchcase(path.split("/")[-1], rule[3:])
    names = path.split("/")
    patterns = rule.split("/")
    return len(names) == len(patterns) and all(map(fnmatchcase, names, patterns))


def patterns_of(name: str) -> list[str]:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.threat("operator")
@pytest.mark.parametrize("path", SECRET_FILES)
def test_git_ignores_secrets_and_databases(path):
    ignored = subprocess.run(("git", "check-ignore", "-q", "--no-index", path), cwd=ROOT)

    assert ignored.returncode == 0


def test_git_ignores_no_file_of_the_repository():
    command = ("git", "ls-files", "-ci", "--exclude-standard")

    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout == ""


@pytest.mark.threat("operator")
@pytest.mark.parametrize("path", NEVER_IN_AN_IMAGE)
def test_no_secret_goes_into_an_image(path):
    assert is_left_out(path, patterns_of(".dockerignore"))


@pytest.mark.parametrize("path", READ_BY_THE_PRODUCT)
def test_an_image_has_what_the_product_reads(path):
    assert (ROOT / path).exists()
    assert not is_left_out(path, patterns_of(".dockerignore"))


def test_docker_and_podman_leave_out_the_same():
    assert patterns_of(".dockerignore") == patterns_of(".containerignore")
