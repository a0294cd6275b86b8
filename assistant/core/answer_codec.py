"""The format of a reader's answer: JSON, with a tag before each value that JSON does not have.

A reader that was taken over may send any bytes. Decoding them runs no code of theirs: it makes
plain values, dates and instances of value classes, and changes no class, module or function.
"""

from __future__ import annotations

import base64
import importlib
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import cache
from typing import Any

from assistant.core.errors import LecternError

# The packages of the readers and of the values that they return.
VALUE_PACKAGES = tuple(
    f"assistant.{name}"
    for name in ("claims", "core", "live", "transcription", "transcripts", "web")
)
ENCODING = "utf-8"
SURROGATES = "surrogatepass"  # texts of damaged files may have halves of characters
_SCALARS = frozenset((type(None), bool, int, float, str))
_NO_VALUE = ["absent"]  # a field that was never set
_ISO_CLASSES: dict[str, Any] = {"date": date, "datetime": datetime, "time": time}
_GROUP_CLASSES: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
_GROUP_TAGS = {group_class: tag for tag, group_class in _GROUP_CLASSES.items()}
_ISO_TAGS = {iso_class: tag for tag, iso_class in _ISO_CLASSES.items()}


def encode(value: Any) -> bytes:
    """Return the bytes of a value. Raises: TypeError if no answer may have it."""
    text = json.dumps(_encode_value(value), ensure_ascii=False, separators=(",", ":"))
    return text.encode(ENCODING, SURROGATES)


def decode(data: bytes) -> Any:
    """Return the value in the bytes of an answer. Raises: ValueError if it isn't one."""
    try:
        return _decode_value(json.loads(data.decode(ENCODING, SURROGATES)))
    except (ValueError, MemoryError):
        raise
    except Exception as error:  # as many kinds as there are ways to lie
        raise ValueError(f"the answer of a reader cannot be decoded ({error!r}).") from error


def _encode_value(value: Any) -> Any:
    value_class = type(value)
    if value_class in _SCALARS:
        return value
    if value_class in _GROUP_TAGS:
        return [_GROUP_TAGS[value_class], *_coded_each(value)]
    if value_class in _ISO_TAGS:
        return [_ISO_TAGS[value_class], value.isoformat()]
    if value_class is dict:
        return ["dict", *_coded_each(value), *_coded_each(value.values())]
    if value_class in (bytes, bytearray):
        return [value_class.__name__, base64.b64encode(value).decode("ascii")]
    if value_class is timedelta:
        return ["timedelta", value.days, value.seconds, value.microseconds]
    return _coded_instance(value, value_class)


def _coded_each(values: Iterable[Any]) -> list[Any]:
    return [value if type(value) in _SCALARS else _encode_value(value) for value in values]


def _coded_instance(value: Any, value_class: type) -> list[Any]:
    """Return the parts of an instance of a value class, an enum or an error of Lectern."""
    module = value_class.__module__
    class_name = value_class.__qualname__
    value_kind = _tag_of_class(value_class)
    if value_kind == "member":
        return [value_kind, module, class_name, value.name]
    if value_kind == "error":
        return [
            value_kind,
            module,
            class_name,
            str(value.what),
            str(value.where),
            str(value.remedy),
        ]
    if value_kind == "named":  # a named tuple
        return [value_kind, module, class_name, *_coded_each(value)]
    coded_instance: list[Any] = [value_kind, module, class_name]
    for name in _field_names(value_class):
        # A field with a slot may have no value yet.
        coded_value = _encode_value(getattr(value, name)) if hasattr(value, name) else _NO_VALUE
        coded_instance.append(coded_value)
    return coded_instance


def _tag_of_class(value_class: type) -> str:
    """Return the tag of the instances of a class. Raises: TypeError if an answer has none."""
    if issubclass(value_class, Enum):
        return "member"
    if issubclass(value_class, LecternError):
        return "error"
    if issubclass(value_class, tuple):
        return "named"
    if is_dataclass(value_class):
        return "record"
    raise TypeError(
        "the answer of a reader must not contain "
        f"{value_class.__module__}.{value_class.__qualname__}."
    )


@cache
def _field_names(value_class: type) -> tuple[str, ...]:
    return tuple(class_field.name for class_field in fields(value_class))


def _decode_value(coded: Any) -> Any:
    if type(coded) in _SCALARS:
        return coded
    if type(coded) is not list:
        raise ValueError("the answer of a reader must not contain JSON objects.")
    tag, *parts = coded
    if tag in _GROUP_CLASSES:
        return _GROUP_CLASSES[tag](_decoded_each(parts))
    if tag in _ISO_CLASSES:
        (iso_text,) = parts
        return _ISO_CLASSES[tag].fromisoformat(iso_text)
    return _DECODERS[tag](*parts)


def _decoded_each(parts: Iterable[Any]) -> list[Any]:
    return [part if type(part) in _SCALARS else _decode_value(part) for part in parts]


def _decoded_dict(*parts: Any) -> dict[Any, Any]:
    # All keys come first, then all values.
    key_count = len(parts) // 2
    keys = _decoded_each(parts[:key_count])
    values = _decoded_each(parts[key_count:])
    return dict(zip(keys, values, strict=True))


def _decoded_bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _decoded_bytearray(text: str) -> bytearray:
    return bytearray(_decoded_bytes(text))


def _decoded_member(module: str, class_name: str, name: str) -> Any:
    return _value_class(module, class_name, "member").__members__[name]  # type: ignore[attr-defined]


def _decoded_error(module: str, class_name: str, *texts: Any) -> LecternError:
    error_class = _value_class(module, class_name, "error")
    what, where, remedy = texts
    if not all(type(text) is str for text in texts):
        raise ValueError("an error in the answer of a reader must consist of strings.")
    error: LecternError = error_class.__new__(error_class)
    LecternError.__init__(error, what, where=where, remedy=remedy)
    return error


def _decoded_named(module: str, class_name: str, *parts: Any) -> Any:
    named_class = _value_class(module, class_name, "named")
    return named_class._make(_decoded_each(parts))  # type: ignore[attr-defined]


def _decoded_record(module: str, class_name: str, *coded_values: Any) -> Any:
    """Return an instance of a value class; no method of the class runs."""
    record_class = _value_class(module, class_name, "record")
    # ``object`` makes the instance and sets its fields, so that no code of the class runs.
    record: Any = object.__new__(record_class)
    for name, coded_value in zip(_field_names(record_class), coded_values, strict=True):
        if coded_value != _NO_VALUE:
            value = coded_value if type(coded_value) in _SCALARS else _decode_value(coded_value)
            object.__setattr__(record, name, value)
    return record


@cache
def _value_class(module: str, class_name: str, tag: str) -> Any:
    """Return the class that a module of Lectern defines. Raises: ValueError if it has none."""
    allowed_prefixes = tuple(f"{package}." for package in VALUE_PACKAGES)
    # A name with dots would reach what the module itself has imported.
    if module.startswith(allowed_prefixes) and class_name.isidentifier():
        loaded_module = sys.modules.get(module) or importlib.import_module(module)
        value_class: Any = vars(loaded_module).get(class_name)
        is_defined_there = isinstance(value_class, type) and value_class.__module__ == module
        if is_defined_there and _tag_of_class(value_class) == tag:
            return value_class
    raise ValueError(f"the answer of a reader must not contain {module}.{class_name}.")


_DECODERS: dict[str, Callable[..., Any]] = {
    "dict": _decoded_dict,
    "bytes": _decoded_bytes,
    "bytearray": _decoded_bytearray,
    "timedelta": timedelta,
    "member": _decoded_member,
    "error": _decoded_error,
    "named": _decoded_named,
    "record": _decoded_record,
}
