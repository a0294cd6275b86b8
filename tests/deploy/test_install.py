"""What pip is told about indexes, certificates and its cache is told to uv."""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "deploy" / "install.py"


@pytest.fixture(scope="module")
def install():
    spec = importlib.util.spec_from_file_location("install", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_variable_wins_over_the_section_install_and_that_over_global(install):
    listed = "install.index-url='https://b/simple'\n:env:.timeout='9'\nglobal.index-url='https://a/simple'\n"
    listed += "global.timeout='5'\nlist.format='json'\n"

    assert install.settings_of_pip(listed) == {"index-url": "https://b/simple", "timeout": "9"}


def test_a_mirror_its_certificate_and_folders_of_wheels_are_passed_on(install):
    pip = {"index-url": "https://mirror/simple", "cert": "/ca.pem", "find-links": "/wheels /more"}

    uv = install.settings_of_uv(pip, {"PATH": "/bin"})

    assert uv["UV_DEFAULT_INDEX"] == "https://mirror/simple"
    assert uv["SSL_CERT_FILE"] == "/ca.pem"
    assert uv["UV_FIND_LINKS"] == "/wheels,/more"
    assert uv["PATH"] == "/bin"


def test_what_is_set_for_uv_itself_is_not_overruled(install):
    uv = install.settings_of_uv(
        {"index-url": "https://mirror/simple"}, {"UV_DEFAULT_INDEX": "https://own/simple"}
    )

    assert uv["UV_DEFAULT_INDEX"] == "https://own/simple"


def test_a_cache_that_was_moved_holds_both(install):
    assert install.settings_of_uv({}, {"PIP_CACHE_DIR": "/kept"})["UV_CACHE_DIR"] == "/kept/uv"


def test_pip_installs_where_uv_fails(install, monkeypatch):
    """The arguments are the same, and the status is pip's."""
    called = []

    class Ended:
        stdout = ""

        def __init__(self, command):
            self.returncode = 1 if "uv" in command else 0

    monkeypatch.setattr(
        install.subprocess, "run", lambda command, **_: called.append(command) or Ended(command)
    )

    assert install.main(["--no-deps", "simcse"]) == 0
    assert called[-1][1:] == ["-m", "pip", "install", "--quiet", "--no-deps", "simcse"]


def test_uv_does_not_read_the_settings_for_locking(install):
    """They leave torch out of what is installed."""
    assert "--no-config" in install.UV
