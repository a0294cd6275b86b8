"""The page about the HTTP API: its operations from the OpenAPI description, and runnable examples.

``python -m bench.docs`` writes the page. ``tests/assistant/api/test_examples.py`` runs the examples.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assistant.api.application import make_app
from assistant.api.services import ApiServices
from assistant.core.settings import Settings
from bench.lexicon import lexicon

TEXTS = lexicon(__file__)
METHODS = ("get", "post", "put", "delete")
ADDRESS = "http://127.0.0.1:8600"


def api_page() -> str:
    """Return the page: each operation with scope, parameters, body, example and answers."""
    description = make_app(ApiServices(Settings(home=Path()))).openapi()
    sections = []
    for path, path_item in description["paths"].items():
        for method in METHODS:
            if method in path_item:
                sections.append(_section(method, path, path_item[method], description))
    schemas = description["components"]["schemas"]
    values = [_schema_table(name, schema) for name, schema in sorted(schemas.items())]
    return "".join([TEXTS.head, *sections, TEXTS.values_head, *filter(None, values)])


def example_of(method: str, path: str) -> dict[str, Any]:
    """Return the example of an operation: query, body and headers that follow its address."""
    example: dict[str, Any] = TEXTS.examples[f"{method.upper()} {path}"]
    return example


def _section(method: str, path: str, operation: dict[str, Any], description: dict[str, Any]) -> str:
    lines = [f"\n## {method.upper()} {path}\n", operation["description"], ""]
    scopes = [scope for rule in operation.get("security", ()) for scope in rule["token"]]
    if scopes:
        lines.append(f"Scope: `{scopes[0]}`.\n")
    parameters = operation.get("parameters", ())
    if parameters:
        lines += ["| parameter | in | type | |", "|---|---|---|---|"]
        lines += [_parameter_line(parameter) for parameter in parameters]
        lines.append("")
    content = operation.get("requestBody", {}).get("content", {})
    for media_type, body in content.items():
        lines.append(f"Body: {_type_words(body['schema'])} (`{media_type}`).\n")
    lines += ["```", _curl(method, path), "```", ""]
    lines.append(_answers(operation["responses"]))
    return "\n".join(lines) + "\n"


def _parameter_line(parameter: dict[str, Any]) -> str:
    schema = parameter["schema"]
    words = parameter.get("description") or schema.get("description", "")
    if parameter.get("required"):
        words = f"required; {words}".rstrip("; ")
    return f"| `{parameter['name']}` | {parameter['in']} | {_type_words(schema)} | {words} |"


def _curl(method: str, path: str) -> str:
    """Return the command of an example, one option per line."""
    example = example_of(method, path)
    lines = [f"curl '{ADDRESS}{example['address']}'"]
    if path not in TEXTS.open_paths:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if method not in ("get", "post"):
        lines.append(f"-X {method.upper()}")
    for name, value in example.get("headers", {}).items():
        lines.append(f"-H '{name}: {value}'")
    if "json" in example:
        lines += ["-H 'Content-Type: application/json'", f"-d '{json.dumps(example['json'])}'"]
    if "file" in example:
        lines.append(
            f"-H 'Content-Type: application/octet-stream' --data-binary @{example['file']}"
        )
    return " \\\n  ".join(lines)


def _answers(responses: dict[str, Any]) -> str:
    """Return a line with the value of the answer and the statuses of problems."""
    successes = []
    problems = []
    for status, response in sorted(responses.items()):
        if int(status) >= 400:
            problems.append(status)
            continue
        schemas = [body.get("schema", {}) for body in response.get("content", {}).values()]
        words = _type_words(schemas[0]) if schemas else "nothing"
        successes.append(f"{status} with {words}")
    return f"Answers: {', '.join(successes)}. Problems: {', '.join(problems) or 'none'}."


def _schema_table(name: str, schema: dict[str, Any]) -> str:
    properties = schema.get("properties")
    if properties is None:
        if "enum" not in schema:
            return ""
        names = ", ".join(f"`{value}`" for value in schema["enum"])
        return f"\n### {name}\n\n{names}\n"
    head = f"\n### {name}\n\n{schema.get('description', '').strip()}\n\n| field | type | |\n|---|---|---|\n"
    required = schema.get("required", ())
    lines = []
    for field_name, field_schema in properties.items():
        words = field_schema.get("description", "")
        if field_name not in required and "default" in field_schema:
            words = f"{words} (default: `{json.dumps(field_schema['default'])}`)".strip()
        lines.append(f"| `{field_name}` | {_type_words(field_schema)} | {words} |")
    return head + "\n".join(lines) + "\n"


def _type_words(schema: dict[str, Any]) -> str:
    """Return the type of a value in words; other values are links."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_type_words(choice) for choice in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"] if value)
    kind = schema.get("type", "value")
    if kind == "array":
        return f"list of {_type_words(schema.get('items', {}))}"
    return str(schema.get("format") or kind)
