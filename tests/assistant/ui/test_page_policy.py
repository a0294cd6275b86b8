"""The policy of pages, and Streamlit's internal routes."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest
import streamlit as st
from starlette.responses import PlainTextResponse
from streamlit import file_util

from assistant.ui import page_policy

testclient = pytest.importorskip("starlette.testclient")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def directives():
    parts = (directive.partition(" ") for directive in page_policy.policy().split("; "))
    return {name: sources.split() for name, _, sources in parts}


@pytest.mark.threat("visitor")
def test_a_page_is_never_framed_by_any_site(directives):
    assert directives["frame-ancestors"] == ["'none'"]


@pytest.mark.threat("publisher")
def test_a_page_never_loads_anything_from_outside(directives):
    """No picture of a title, no script, no style, no connection: a source is this server or the page itself."""
    sources = {source for listed in directives.values() for source in listed}
    hashes = {source for source in sources if source.startswith("'sha256-")}

    assert sources - hashes <= {
        "'self'",
        "'none'",
        "'unsafe-inline'",
        "'unsafe-eval'",
        "data:",
        "blob:",
    }
    assert directives["default-src"] == ["'self'"]
    assert "'unsafe-inline'" not in directives["script-src"]
    assert "data:" not in directives["script-src"]


def test_the_script_within_the_page_is_known_by_its_hash(directives):
    page = (Path(file_util.get_static_dir()) / "index.html").read_text("utf-8")
    script = page.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()

    assert f"'sha256-{digest}'" in directives["script-src"]


@pytest.mark.threat("visitor")
def test_no_other_site_is_ever_trusted_with_commands_to_the_app():
    """Streamlit trusts all of streamlit.app by default."""
    page_policy.trust_no_parent()

    assert st.get_option("client.allowedOrigins") == []
    assert "allowedOrigins = []" in (ROOT / ".streamlit" / "config.toml").read_text("utf-8")


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/_stcore/health", 200),
        ("/_stcore/host-config", 200),
        ("/_stcore/upload_file/session/file", 200),
        ("/claims", 200),
        ("/_stcore/metrics", 404),
        ("/lectern/_stcore/metrics", 404),
        ("/_stcore/script-health-check", 404),
        ("/_stcore/agent/interact", 404),
        ("/_stcore/agent/mcp", 404),
        ("/_stcore/agent/openapi.json", 404),
        ("/_stcore/healthy", 404),
        ("/_stcore//metrics", 404),
        ("/_stcore/", 404),
    ],
)
def test_counters_and_programs_ways_into_the_app_are_never_answered(path, status):
    client = testclient.TestClient(page_policy.InternalRoutes(PlainTextResponse("passed on")))

    assert client.get(path).status_code == status
    assert client.post(path).status_code == status
