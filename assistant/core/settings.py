"""Settings and profiles: flag > LECTERN_* variable > TOML file > default.

A profile names the models of a check. Values are cast and checked here; all other code trusts a
``Settings`` or a ``Profile``.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from assistant.core import access, mail_server
from assistant.core.access import Access
from assistant.core.database_url import sqlite_url
from assistant.core.errors import SettingsError
from assistant.core.mail_server import MAIL_PASSWORD_VARIABLE, MailServer
from features.models.model_spec import ModelSpec

DEFAULT_HOME = "~/.lectern"
RANKERS = ("lectern", "ranksvm-max-skip")
RERANKERS = ("embedded", "large")
MODEL_PARTS = ("sbert", "simcse", "nli", "bertscore")
HOME_VARIABLE = "LECTERN_HOME"
DATABASE_VARIABLE = "LECTERN_DATABASE_URL"
NETWORK_VARIABLE = "LECTERN_NETWORK"
LIVE_FOLDER_VARIABLE = "LECTERN_LIVE_FOLDER"
SPEECH_MODEL_VARIABLE = "LECTERN_SPEECH_MODEL"
SHARED_INDEX_VARIABLE = "LECTERN_SHARED_INDEX"
VOICES_VARIABLE = "LECTERN_VOICES"
GOOGLE_KEY_VARIABLE = "LECTERN_GOOGLE_KEY"
OPEN_VARIABLE = "LECTERN_OPEN"
VARIABLE_PREFIX = "LECTERN_"
# The variables of the documentation, of the files in deploy, and of the tests and tools.
KNOWN_VARIABLES = frozenset(
    f"{VARIABLE_PREFIX}{name}"
    for name in (
        "HOME DATABASE_URL PROFILE NETWORK PRIVATE_NETWORKS LIVE_FOLDER LIVE_TOKEN SPEECH_MODEL "
        "SHARED_INDEX CACHE MODELS VOICES GOOGLE_KEY OPEN LOG MAIL_PASSWORD CONFINED "
        "SITE APPS DOOR EVENT API API_TOKEN API_TEST_S DATA STORE_LOOKS"
    ).split()
)
SWITCH_WORDS = {"1": True, "true": True, "0": False, "false": False}
_MINILM = "all-MiniLM-L6-v2"
# Types of the fields of a profile that are neither models nor numbers with a fraction.
_FIELD_TYPES: Mapping[str, type] = {
    "name": str,
    "ranker": str,
    "reranker": str,
    "nli_candidates": int,
    "matches_shown": int,
}
_TYPE_WORDS: Mapping[type, str] = {str: "a text", int: "a whole number", float: "a number"}
_MODEL_KEYS: tuple[tuple[str, tuple[type, ...], str], ...] = (
    ("name", (str,), "a text"),
    ("weights", (str,), "a text"),
    ("pooling", (str,), "a text"),
    ("layer", (int, type(None)), "a whole number"),
    ("max_length", (int,), "a whole number"),
    ("rescale", (bool,), "true or false"),
)
_LEAST_NUMBERS = {"nli_candidates": 0, "matches_shown": 1}
_TEXT = ((str,), "a text")
_SWITCH = ((bool, str, int), "true or false")
_TABLE = ((dict,), "a table")
# The keys of ``lectern.toml``, with the types of their values.
_FILE_KEYS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "database_url": _TEXT,
    "profile": _TEXT,
    "network": _SWITCH,
    "live_folder": _TEXT,
    "speech_model": _TEXT,
    "shared_index": _TEXT,
    "voices": _SWITCH,
    "google_key": _TEXT,
    "access": _TABLE,
    "mail": _TABLE,
    "settings": _TABLE,
}


@dataclass(frozen=True, slots=True)
class Profile:
    """The models of a check, the number of candidates for NLI, and the thresholds.

    A threshold that is None is the one stored with the classifier or the ranker. ``reranker``: the
    embedded one alone, or a larger one as well.
    """

    name: str
    sbert: ModelSpec
    simcse: ModelSpec
    nli: ModelSpec
    bertscore: ModelSpec
    ranker: str = "lectern"
    reranker: str = "embedded"
    check_worthiness: float | None = None
    likely: float | None = None
    possible: float | None = None
    nli_candidates: int = 15  # NLI is the slowest feature: only the best candidates get it
    matches_shown: int = 10


EMBEDDED = Profile(
    name="embedded",
    sbert=ModelSpec(_MINILM),
    simcse=ModelSpec(_MINILM, weights="simcse.safetensors"),
    nli=ModelSpec(_MINILM, weights="nli.safetensors", max_length=128),
    bertscore=ModelSpec(_MINILM, layer=6),
    # Two thirds of the classifier's own threshold: a dropped sentence cannot be found any more.
    check_worthiness=0.027,
)
# Its larger re-ranker needs packages that `make large` installs.
LARGE = replace(EMBEDDED, name="large", reranker="large")
PAPER = Profile(
    name="paper",
    sbert=ModelSpec("sentence-transformers/bert-large-nli-stsb-mean-tokens"),
    simcse=ModelSpec("princeton-nlp/sup-simcse-bert-base-uncased", pooling="pooler"),
    nli=ModelSpec("ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"),
    bertscore=ModelSpec("roberta-large", layer=17, rescale=True),
)
PROFILES = {profile.name: profile for profile in (EMBEDDED, LARGE, PAPER)}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force.

    ``home``: the data directory. ``network``: whether publishers' pages may be fetched; None leaves
    it to the person who uses Lectern on this computer. ``live_folder``: folder of files that the
    app may follow as they grow, None for none. ``is_open``: other computers may use the app
    without a login. ``speech_model``: name or folder of the speech model; "" is the embedded one.
    ``shared_index``: folder from which data directories fetch an index that one of them built,
    None for none. ``voices``: voices may be stored under a name and recognised later.
    ``google_key``: the key of Google's Fact Check Tools API; "" keeps that source off.
    ``mail``: the server for alerts by mail.
    """

    home: Path = field(default_factory=lambda: Path(DEFAULT_HOME).expanduser())
    database_url: str = ""
    profile: Profile = EMBEDDED
    network: bool | None = None
    live_folder: Path | None = None
    is_open: bool = False
    access: Access = Access()
    speech_model: str = ""
    shared_index: Path | None = None
    voices: bool = False
    google_key: str = field(default="", repr=False)
    mail: MailServer = MailServer()

    @property
    def database(self) -> str:
        """Return the URL of the database, by default the SQLite file in the data directory."""
        return self.database_url or sqlite_url(self.home / "lectern.db")


def load(
    *,
    home: str | None = None,
    database_url: str | None = None,
    profile: str | None = None,
    network: bool | None = None,
    speech_model: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Load the settings. The arguments are the flags of the command line.

    ``home`` also chooses the database in that folder, whatever ``LECTERN_DATABASE_URL`` says,
    because a flag beats a variable.

    The TOML file is ``lectern.toml`` in the data directory. It may contain ``database_url``,
    ``profile``, ``network``, ``live_folder``, ``speech_model``, ``shared_index``, ``voices``,
    ``google_key``, a table ``[access]`` (see ``Access``), a table ``[mail]`` (see ``MailServer``)
    and a table ``[settings]`` whose keys override fields of the profile.

    Raises: SettingsError for an unknown name or a value of the wrong kind.
    """
    environ = os.environ if environ is None else environ
    _require_no_blanks(environ)
    folder = _expanded(home or environ.get(HOME_VARIABLE) or DEFAULT_HOME)
    path = folder / "lectern.toml"
    table = _read_toml(path) if path.is_file() else {}
    where = str(path)
    _require_known_keys(table, where)

    def text(flag: str | None, variable: str, key: str, default: str = "") -> str:
        # A flag comes before the environment, which comes before the file.
        return flag or environ.get(variable) or str(table.get(key, default))

    url_environ = {} if home else environ  # the folder that a flag names has its own database
    base_profile = load_profile(text(profile, "LECTERN_PROFILE", "profile", "embedded"))
    is_voices_on = environ.get(VOICES_VARIABLE) or table.get("voices", False)
    return Settings(
        home=folder,
        database_url=(
            database_url or url_environ.get(DATABASE_VARIABLE) or str(table.get("database_url", ""))
        ),
        profile=_override(base_profile, table.get("settings") or {}, where=where),
        network=_network(environ, table, where) if network is None else network,
        live_folder=_folder(environ.get(LIVE_FOLDER_VARIABLE) or table.get("live_folder")),
        is_open=_switch(environ.get(OPEN_VARIABLE) or False, OPEN_VARIABLE),
        access=access.read_access(table.get("access", {}), where=where),
        speech_model=text(speech_model, SPEECH_MODEL_VARIABLE, "speech_model"),
        shared_index=_folder(environ.get(SHARED_INDEX_VARIABLE) or table.get("shared_index")),
        voices=_switch(is_voices_on, VOICES_VARIABLE, where),
        google_key=text(None, GOOGLE_KEY_VARIABLE, "google_key"),
        mail=mail_server.read_mail_server(
            table.get("mail", {}), environ.get(MAIL_PASSWORD_VARIABLE, ""), where=where
        ),
    )


def load_profile(name: str) -> Profile:
    """Return a built-in profile, or the one in a TOML file.

    The file has fields of ``Profile``, a table per model, and ``base``, the profile that it
    changes.

    Raises: SettingsError if the name is neither built in nor a file, or a key is unknown.
    """
    if name in PROFILES:
        return PROFILES[name]
    path = _expanded(name)
    if not path.is_file():
        known_names = ", ".join(PROFILES)
        remedy = f"Use one of {known_names}, or the path of a TOML file."
        raise SettingsError(f"there is no profile named {name!r}.", remedy=remedy)
    profile_values = _read_toml(path)
    # The base profile has the settings that the file lacks.
    base_name = profile_values.pop("base", "embedded")
    if base_name not in tuple(PROFILES):
        message = f"there is no profile named {base_name!r}, which base names."
        raise SettingsError(message, where=str(path), remedy=f"Use one of {', '.join(PROFILES)}.")
    return _override(PROFILES[base_name], {"name": path.stem, **profile_values}, where=str(path))


def _read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises: SettingsError."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"isn't a valid TOML file ({error})."
        raise SettingsError(message, where=str(path), remedy="Correct the file.") from error


def _network(environ: Mapping[str, str], table: Mapping[str, Any], where: str) -> bool | None:
    """Return the switch ``network``, None if it is not set."""
    if environ.get(NETWORK_VARIABLE):
        return _switch(environ[NETWORK_VARIABLE], NETWORK_VARIABLE)
    if "network" in table:
        return _switch(table["network"], "network", where)
    return None


def _folder(value: Any) -> Path | None:
    """Return the folder that a setting names, None if it is empty."""
    return _expanded(str(value)) if value else None


def _require_known_keys(table: Mapping[str, Any], where: str) -> None:
    """Refuse keys of ``lectern.toml`` that no setting has, and values of another kind.

    Raises: SettingsError.
    """
    for key, value in table.items():
        if key not in _FILE_KEYS:
            remedy = f"Known settings: {', '.join(sorted(_FILE_KEYS))}."
            raise SettingsError(f"unknown setting {key!r}.", where=where, remedy=remedy)
        allowed_types, type_words = _FILE_KEYS[key]
        if not isinstance(value, allowed_types):
            message = f"the setting {key} is {value!r}, but must be {type_words}."
            raise SettingsError(message, where=where)


def _expanded(text: str) -> Path:
    """Return a path, with the folder of a user in place of ``~``. Raises: SettingsError."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        message = f"the path {text!r} begins with a user that this computer doesn't have."
        raise SettingsError(message, remedy="Write the whole path.") from error


def _require_no_blanks(environ: Mapping[str, str]) -> None:
    """Refuse a variable that has only spaces; an empty one counts as not set.

    Raises: SettingsError.
    """
    for name, value in environ.items():
        if name.startswith(VARIABLE_PREFIX) and value and not value.strip():
            raise SettingsError(f"the variable {name} is blank.", remedy="Set it, or unset it.")


def _switch(value: Any, name: str, where: str = "") -> bool:
    """Return the value of a switch. Raises: SettingsError if it is neither true nor false."""
    is_on = SWITCH_WORDS.get(str(value).strip().lower())
    if is_on is None:
        raise SettingsError(
            f"the setting {name} is {value!r}, but must be true or false.", where=where
        )
    return is_on


def _override(profile: Profile, profile_values: Mapping[str, Any], *, where: str) -> Profile:
    """Return a profile with the fields of a table changed. Raises: SettingsError."""
    known_settings = {profile_field.name for profile_field in fields(Profile)}
    changes: dict[str, Any] = {}
    for setting_name, value in profile_values.items():
        if setting_name not in known_settings:
            remedy = f"Known settings: {', '.join(sorted(known_settings))}."
            raise SettingsError(f"unknown setting {setting_name!r}.", where=where, remedy=remedy)
        if setting_name in MODEL_PARTS:
            changes[setting_name] = _model_spec(value, where, setting_name)
        else:
            changes[setting_name] = _converted_setting(setting_name, value, where)
    changed_profile = replace(profile, **changes)
    likely, possible = changed_profile.likely, changed_profile.possible
    if likely is not None and possible is not None and likely < possible:
        message = f"likely is {likely}, but must be at least possible, which is {possible}."
        raise SettingsError(message, where=where)
    return changed_profile


def _model_spec(value: Any, where: str, part: str) -> ModelSpec:
    """Return the model that a name or a table specifies. Raises: SettingsError."""
    if isinstance(value, str):
        return ModelSpec(value)
    try:
        spec = ModelSpec(**value)
    except TypeError as error:
        message = f"[{part}] doesn't describe a model ({error})."
        raise SettingsError(
            message, where=where, remedy="Set at least `name` in this table."
        ) from error
    for key, types, words in _MODEL_KEYS:
        key_value = getattr(spec, key)
        # Python takes a bool for an int.
        is_wrong_bool = isinstance(key_value, bool) and bool not in types
        if not isinstance(key_value, types) or is_wrong_bool:
            message = f"[{part}] {key} is {key_value!r}, but must be {words}."
            raise SettingsError(message, where=where)
    return spec


def _converted_setting(key: str, value: Any, where: str) -> Any:
    """Return a value as the type of its field. Raises: SettingsError."""
    field_type = _FIELD_TYPES.get(key, float)
    # Python takes a bool for an int; a whole number is a number, too.
    allowed_types = (int, float) if field_type is float else (field_type,)
    is_number = field_type is not str
    if not isinstance(value, allowed_types) or (is_number and not _is_allowed(key, value)):
        message = f"{key} is {value!r}, not {_TYPE_WORDS[field_type]}{_range_words(key)}."
        raise SettingsError(message, where=where)
    converted_value = field_type(value)
    known_names = {"ranker": RANKERS, "reranker": RERANKERS}.get(key)
    if known_names and converted_value not in known_names:
        remedy = f"Use one of {', '.join(known_names)}."
        raise SettingsError(
            f"there is no {key} named {converted_value!r}.", where=where, remedy=remedy
        )
    return converted_value


def _is_allowed(key: str, number: Any) -> bool:
    """Return whether a number is in the range of its setting."""
    if isinstance(number, bool) or not math.isfinite(number):
        return False
    if key == "check_worthiness":
        return 0 <= number <= 1
    return number >= _LEAST_NUMBERS.get(key, -math.inf)


def _range_words(key: str) -> str:
    """Return the words for the range of a setting, "" if it has none."""
    if key == "check_worthiness":
        return " from 0 to 1"
    return f" from {_LEAST_NUMBERS[key]} on" if key in _LEAST_NUMBERS else ""
