"""Where settings come from, and which wins."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.core import settings
from assistant.core.database import Database
from assistant.core.errors import SettingsError


def test_flag_beats_variable_beats_file_beats_default(tmp_path):
    """The order of precedence is flag, variable, TOML file, default."""
    (tmp_path / "lectern.toml").write_text(
        'database_url = "sqlite:///file.db"\nprofile = "paper"\n'
    )
    home = {"LECTERN_HOME": str(tmp_path)}
    variable = {
        **home,
        "LECTERN_DATABASE_URL": "sqlite:///variable.db",
        "LECTERN_PROFILE": "embedded",
    }

    assert settings.load(environ=home).database == "sqlite:///file.db"
    assert settings.load(environ=home).profile.name == "paper"
    assert settings.load(environ=variable).database == "sqlite:///variable.db"
    assert settings.load(environ=variable).profile.name == "embedded"
    assert (
        settings.load(environ=variable, database_url="sqlite:///flag.db").database
        == "sqlite:///flag.db"
    )
    assert settings.load(environ={}).database.endswith("lectern.db")


def test_the_network_is_off_until_somebody_allows_it(tmp_path):
    """Flag beats variable beats file here too, in both directions.

    A word that is neither yes nor no is refused.
    """
    (tmp_path / "lectern.toml").write_text("network = true\n")
    file = {"LECTERN_HOME": str(tmp_path)}
    off = {"LECTERN_HOME": str(tmp_path), "LECTERN_NETWORK": "0"}

    assert not settings.load(environ={}).network
    assert settings.load(environ=file).network
    assert not settings.load(environ=off).network
    assert settings.load(environ=off, network=True).network
    with pytest.raises(SettingsError, match="LECTERN_NETWORK is 'maybe'"):
        settings.load(environ={**file, "LECTERN_NETWORK": "maybe"})


def test_the_profile_large_differs_in_its_re_ranker_alone(tmp_path):
    """A file may name the larger re-ranker too, and no other one."""
    large = settings.load_profile("large")
    path = tmp_path / "mine.toml"
    path.write_text('reranker = "large"\n')

    assert replace(large, name="embedded", reranker="embedded") == settings.EMBEDDED
    assert settings.load_profile(str(path)).reranker == large.reranker == "large"
    path.write_text('reranker = "huge"\n')
    with pytest.raises(SettingsError, match="there is no reranker named 'huge'"):
        settings.load_profile(str(path))


def test_a_toml_file_names_any_model_per_part(tmp_path):
    """A third profile starts from a built-in one and replaces what it names."""
    path = tmp_path / "mine.toml"
    path.write_text(
        'base = "embedded"\nlikely = 0.7\n[sbert]\nname = "/models/mine"\npooling = "cls"\n'
    )

    profile = settings.load_profile(str(path))

    assert (*(profile.name, profile.sbert.name, profile.sbert.pooling, profile.likely),) == (
        "mine",
        "/models/mine",
        "cls",
        0.7,
    )
    assert settings.EMBEDDED.nli == profile.nli


def test_settings_in_the_home_file_override_the_profile(tmp_path):
    """Thresholds can be set without a profile of one's own."""
    (tmp_path / "lectern.toml").write_text("[settings]\ncheck_worthiness = 0.4\n")

    assert settings.load(environ={"LECTERN_HOME": str(tmp_path)}).profile.check_worthiness == 0.4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("likley = 0.7", "likley"),
        ('likely = "high"', "high"),
        ('ranker = "best"', "best"),
        ("sbert = {pooling = 'cls'}", "sbert"),
        ("= 3", "TOML"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path, text, said):
    """A typing error in a profile is refused with its name, and the file it stands in."""
    path = tmp_path / "mine.toml"
    path.write_text(text)

    with pytest.raises(SettingsError, match=said) as caught:
        settings.load_profile(str(path))
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("netwrok = true", "unknown setting 'netwrok'"),
        ("[acess]", "unknown setting 'acess'"),
        ('database_url = ["x"]', "database_url is .'x'., but must be a text"),
        ("shared_index = 5", "shared_index is 5, but must be a text"),
        ("settings = 5", "settings is 5, but must be a table"),
        ("access = 5", "access is 5, but must be a table"),
        ('mail = "x"', "mail is 'x', but must be a table"),
        ("[settings.sbert]\nname = 5", "name is 5, but must be a text"),
        ("[settings]\nnli_candidates = 3.7", "nli_candidates is 3.7, not a whole number"),
        ("[settings]\nnli_candidates = true", "nli_candidates is True, not a whole number"),
        ("[settings]\nmatches_shown = -3", "matches_shown is -3, not a whole number from 1 on"),
        ("[settings]\ncheck_worthiness = 99", "99, not a number from 0 to 1"),
        ("[settings]\nlikely = nan", "likely is nan, not a number"),
        ("[settings]\nlikely = 0.1\npossible = 0.9", "at least possible, which is 0.9"),
    ],
)
def test_a_wrong_line_of_the_home_file_is_named(tmp_path, text, said):
    """An unknown key or a value of another kind has no effect but an error with file and key."""
    (tmp_path / "lectern.toml").write_text(text)

    with pytest.raises(SettingsError, match=said) as caught:
        settings.load(environ={"LECTERN_HOME": str(tmp_path)})
    assert str(tmp_path / "lectern.toml") in str(caught.value)


def test_an_unknown_base_of_a_profile_is_refused(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "papre"\n')

    with pytest.raises(SettingsError, match="there is no profile named 'papre'"):
        settings.load_profile(str(path))


def test_every_documented_variable_is_known():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "settings.md").read_text("utf-8")

    assert set(re.findall(r"LECTERN_[A-Z_]+", page)) <= settings.KNOWN_VARIABLES


def test_an_unknown_profile_is_refused_with_the_known_names():
    """The message lists what could have been meant."""
    with pytest.raises(SettingsError, match="embedded, large, paper"):
        settings.load_profile("embeded")


@pytest.mark.threat("operator")
def test_the_folder_of_a_flag_has_its_own_database_whatever_the_variable_says(tmp_path):
    variable = {"LECTERN_DATABASE_URL": "sqlite:///production.db"}

    chosen = settings.load(home=str(tmp_path), environ=variable)

    assert chosen.database == f"sqlite:///{tmp_path / 'lectern.db'}"


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no ? in a name")
@pytest.mark.parametrize("name", ["what?", "what?mode=memory", "100%41", "a#b&c=d", "ü ü"])
def test_the_database_is_in_its_folder_whatever_the_folder_is_called(tmp_path, name):
    """The path is written so that the URL leads back to it."""
    chosen = settings.load(home=str(tmp_path / name), environ={})

    Database.open(chosen.database).close()

    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name / "lectern.db").is_file()


def test_a_variable_for_the_database_counts_beside_one_for_the_folder(tmp_path):
    variables = {"LECTERN_DATABASE_URL": "sqlite:///own.db", "LECTERN_HOME": str(tmp_path)}

    assert settings.load(environ=variables).database == "sqlite:///own.db"


def test_a_database_in_the_file_of_the_named_folder_counts(tmp_path):
    (tmp_path / "lectern.toml").write_text('database_url = "sqlite:///file.db"\n')
    variable = {"LECTERN_DATABASE_URL": "sqlite:///production.db"}

    assert settings.load(home=str(tmp_path), environ=variable).database == "sqlite:///file.db"


@pytest.mark.parametrize("name", ["LECTERN_HOME", "LECTERN_DATABASE_URL", "LECTERN_PROFILE"])
def test_a_blank_variable_is_refused_and_an_empty_one_is_not_set(tmp_path, name):
    variables = {"LECTERN_HOME": str(tmp_path)}

    with pytest.raises(SettingsError, match=f"the variable {name} is blank"):
        settings.load(environ={**variables, name: "  "})
    empty = settings.load(home=str(tmp_path), environ={**variables, name: ""})

    assert empty == settings.load(home=str(tmp_path), environ=variables)


def test_a_folder_of_an_unknown_user_is_refused(tmp_path):
    variables = {"LECTERN_SHARED_INDEX": "~nosuchuser/x"}

    with pytest.raises(SettingsError, match="'~nosuchuser/x' begins with a user"):
        settings.load(home="~nosuchuser/x", environ={})
    with pytest.raises(SettingsError, match="'~nosuchuser/x' begins with a user"):
        settings.load(home=str(tmp_path), environ=variables)
