"""Installs packages with uv, set up as pip is, and with pip where uv cannot.

``python deploy/install.py ARGUMENTS``.

The arguments are those of ``pip install``. uv is faster than pip, but reads neither pip's
configuration files nor its variables; this passes on what they say about indexes, certificates and
the cache. Needs the standard library and pip only.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Mapping

PIP = [sys.executable, "-m", "pip"]
UV = [
    sys.executable,
    "-m",
    "uv",
    "pip",
    "install",
    "--python",
    sys.executable,
    "--quiet",
    "--only-binary",
    ":all:",
]
# [tool.uv] in pyproject.toml is for `make lock`, and leaves torch out
UV += ["--no-config"]
# An index supplies only packages that no index before it has; pip's main index comes first
UV += ["--index-strategy", "first-index"]
PYPI = "https://pypi.org/simple"
SECTIONS = ("global", "install", ":env:")  # a later one wins
# setting of pip: (variable of uv, separator of its values)
PASSED_ON = {
    "find-links": ("UV_FIND_LINKS", ","),
    "no-index": ("UV_NO_INDEX", " "),
    "trusted-host": ("UV_INSECURE_HOST", " "),
    "cert": ("SSL_CERT_FILE", " "),
    "proxy": ("ALL_PROXY", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
}


def settings_of_pip(listed: str) -> dict[str, str]:
    """Return pip's settings by name, from what ``pip config list`` prints.

    ``section.name='value'`` a line.
    """
    found: dict[tuple[str, str], str] = {}
    for line in listed.splitlines():
        name, _, value = line.partition("=")
        section, _, setting = name.rpartition(".")
        if section in SECTIONS:
            found[section, setting] = str(ast.literal_eval(value))
    return {
        setting: found[section, setting]
        for section in SECTIONS
        for s, setting in found
        if s == section
    }


def settings_of_uv(pip: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of uv: what is set for uv itself wins over what is set for pip.

    A cache that was moved for pip holds uv's too, since whoever keeps one between installations
    means both.
    """
    passed = {
        variable: separator.join(pip[name].split())
        for name, (variable, separator) in PASSED_ON.items()
        if name in pip
    }
    indexes = [*pip.get("index-url", PYPI).split(), *pip.get("extra-index-url", "").split()]
    *first_indexes, last_index = indexes
    if first_indexes or "index-url" in pip:
        passed["UV_DEFAULT_INDEX"] = last_index  # uv asks it after all others
    if first_indexes:
        passed["UV_INDEX"] = " ".join(first_indexes)
    if cache := pip.get("cache-dir", environment.get("PIP_CACHE_DIR")):
        passed["UV_CACHE_DIR"] = os.path.join(cache, "uv")
    return {**passed, **environment}


def main(arguments: list[str]) -> int:
    """Install; return pip's status where uv is not there or does not succeed."""
    listed = subprocess.run(
        [*PIP, "config", "list"], capture_output=True, text=True, check=False
    ).stdout
    environment = settings_of_uv(settings_of_pip(listed), os.environ)
    if (
        subprocess.run(
            [*UV, *arguments], env=environment, stderr=subprocess.DEVNULL, check=False
        ).returncode
        == 0
    ):
        return 0
    return subprocess.run([*PIP, "install", "--quiet", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
