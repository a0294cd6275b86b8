"""Settings and profiles: flag > LECTERN_* variable > TOML file > default.

A profile names the models of a check.

Values are cast and checked here; everything else trusts a ``Settings`` or a ``Profile``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from assistant.core import access
from assistant.core.access import Access
from assistant.core.errors import SettingsError
from features.models.model_spec import ModelSpec

DEFAULT_HOME = "~/.lectern"
RANKERS = ("lectern", "ranksvm-max-skip")
PARTS = ("sbert", "simcse", "nli", "bertscore")
NETWORK = "LECTERN_NETWORK"
LIVE_FOLDER = "LECTERN_LIVE_FOLDER"
SPEECH_MODEL = "LECTERN_SPEECH_MODEL"
SHARED_INDEX = "LECTERN_SHARED_INDEX"
VOICES = "LECTERN_VOICES"
OPEN = "LECTERN_OPEN"
SWITCH = {"1": True, "true": True, "0": False, "false": False}
_MINILM = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class Profile:
    """Which models compute the measures, how many candidates NLI reads, and the thresholds of the tiers."""

    name: str
    sbert: ModelSpec
    simcse: ModelSpec
    nli: ModelSpec
    bertscore: ModelSpec
    ranker: str = "lectern"
    check_worthiness: float | None = None  # None: the threshold stored with the classifier
    likely: float | None = None  # None: the calibrated thresholds stored with the ranker
    possible: float | None = None
    nli_candidates: int = 15  # NLI is the slowest measure: it reads the best candidates only
    matches_shown: int = 10


EMBEDDED = Profile(
    name="embedded",
    sbert=ModelSpec(_MINILM),
    simcse=ModelSpec(_MINILM, weights="simcse.safetensors"),
    nli=ModelSpec(_MINILM, weights="nli.safetensors", max_length=128),
    bertscore=ModelSpec(_MINILM, layer=6),
    check_worthiness=0.027,  # two thirds of the classifier's own: what it drops cannot be found any more
)
PAPER = Profile(
    name="paper",
    sbert=ModelSpec("sentence-transformers/bert-large-nli-stsb-mean-tokens"),
    simcse=ModelSpec("princeton-nlp/sup-simcse-bert-base-uncased", pooling="pooler"),
    nli=ModelSpec("ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"),
    bertscore=ModelSpec("roberta-large", layer=17, rescale=True),
)
PROFILES = {p.name: p for p in (EMBEDDED, PAPER)}


@dataclass(frozen=True, slots=True)
class Settings:
    """Where Lectern stores its files, how it checks, who may do what, and what the operator has decided.

    ``network``: whether publishers' pages may be asked; None leaves it to whoever uses Lectern on this computer.
    ``live_folder``: where files lie that the app may follow as they grow; None is nowhere. ``is_open``: other computers
    may use the app without a login. ``speech_model``: name or folder of the model that hears; "" is the embedded one.
    ``shared_index``: a folder from which homes fetch the index that one of them has built; None is nowhere.
    ``voices``: voices may be kept under a name and are known again.
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

    @property
    def database(self) -> str:
        """Return the URL of the claim store.

        The one that was set, or the SQLite file in the home folder.
        """
        return self.database_url or f"sqlite:///{self.home / 'lectern.db'}"


def load(
    *,
    home: str | None = None,
    database_url: str | None = None,
    profile: str | None = None,
    network: bool | None = None,
    speech_model: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Return the settings in force. Arguments are the flags of the command line.

    The TOML file is ``lectern.toml`` in the home folder; it may contain ``database_url``, ``profile``, ``network``,
    ``live_folder``, ``speech_model``, ``shared_index``, ``voices``, a table ``[access]`` (see ``Access``) and a table
    ``[settings]`` whose keys override fields of the profile.

    Raises: SettingsError for an unknown name or a value of the wrong kind.
    """
    environ = os.environ if environ is None else environ
    folder = Path(home or environ.get("LECTERN_HOME") or DEFAULT_HOME).expanduser()
    path = folder / "lectern.toml"
    table = _read_toml(path) if path.is_file() else {}
    where = str(path)
    named = profile or environ.get("LECTERN_PROFILE") or str(table.get("profile", "embedded"))
    return Settings(
        home=folder,
        database_url=database_url
        or environ.get("LECTERN_DATABASE_URL")
        or str(table.get("database_url", "")),
        profile=_override(load_profile(named), table.get("settings") or {}, where=where),
        network=network if network is not None else _network(environ, table, where),
        live_folder=_folder(environ.get(LIVE_FOLDER) or table.get("live_folder")),
        is_open=_switch(environ.get(OPEN) or False, OPEN),
        access=access.read(table.get("access", {}), where=where),
        speech_model=speech_model
        or environ.get(SPEECH_MODEL)
        or str(table.get("speech_model", "")),
        shared_index=_folder(environ.get(SHARED_INDEX) or table.get("shared_index")),
        voices=_switch(environ.get(VOICES) or table.get("voices", False), VOICES, where),
    )


def load_profile(name: str) -> Profile:
    """Return a built-in profile, or the one in a TOML file.

    ``base``, fields of Profile, a table per part.

    Raises: SettingsError if the name is neither built in nor a file, or a key is unknown.
    """
    if name in PROFILES:
        return PROFILES[name]
    path = Path(name).expanduser()
    if not path.is_file():
        known = ", ".join(PROFILES)
        raise SettingsError(
            f"no profile named {name!r}.", remedy=f"Use one of {known}, or the path of a TOML file."
        )
    table = _read_toml(path)
    base = PROFILES.get(str(table.pop("base", "embedded")), EMBEDDED)
    return _override(base, {"name": path.stem, **table}, where=str(path))


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"not a TOML file ({error}).", where=str(path), remedy="Mend or remove it."
        ) from error


def _network(environ: Mapping[str, str], table: Mapping[str, Any], where: str) -> bool | None:
    if environ.get(NETWORK):
        return _switch(environ[NETWORK], NETWORK)
    return _switch(table["network"], "network", where) if "network" in table else None


def _folder(given: Any) -> Path | None:
    return Path(str(given)).expanduser() if given else None


def _switch(given: Any, name: str, where: str = "") -> bool:
    switch = SWITCH.get(str(given).strip().lower())
    if switch is None:
        raise SettingsError(f"{name} is {given!r}, neither true nor false.", where=where)
    return switch


def _override(profile: Profile, table: Mapping[str, Any], *, where: str) -> Profile:
    known = {f.name for f in fields(Profile)}
    changes: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            raise SettingsError(
                f"unknown setting {key!r}.",
                where=where,
                remedy=f"Known: {', '.join(sorted(known))}.",
            )
        changes[key] = _model(value, where, key) if key in PARTS else _cast(key, value, where)
    return replace(profile, **changes)


def _model(value: Any, where: str, part: str) -> ModelSpec:
    if isinstance(value, str):
        return ModelSpec(value)
    try:
        return ModelSpec(**value)
    except TypeError as error:
        raise SettingsError(
            f"[{part}] is not a model ({error}).", where=where, remedy="Give at least name."
        ) from error


def _cast(key: str, value: Any, where: str) -> Any:
    kinds: dict[str, type] = {
        "name": str,
        "ranker": str,
        "nli_candidates": int,
        "matches_shown": int,
    }
    try:
        cast = kinds.get(key, float)(value)
    except (TypeError, ValueError) as error:
        raise SettingsError(
            f"{key} is {value!r}, not a {kinds.get(key, float).__name__}.", where=where
        ) from error
    if key == "ranker" and cast not in RANKERS:
        raise SettingsError(
            f"no ranker named {cast!r}.", where=where, remedy=f"Use one of {', '.join(RANKERS)}."
        )
    return cast
