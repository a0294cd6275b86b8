"""The page about the threat model: people, the limits of each, and the tests that hold them.

A test names its person with ``@pytest.mark.threat("visitor")``; its own name is the line of the
page. ``python -m bench.docs`` writes the page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from bench.lexicon import lexicon

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
MARK = "pytest.mark.threat"
TEXTS = lexicon(__file__)


def threat_page() -> str:
    """Return the page: for each person the limits, then one test per line."""
    lines_of_people: dict[str, list[str]] = {person: [] for person in TEXTS.people}
    for path in sorted(TESTS.rglob("test_*.py")):
        source = path.read_text("utf-8")
        if MARK not in source:
            continue
        for person, test_name in marked_tests(source):
            lines_of_people[person].append(_test_line(test_name, path))
    sections = []
    for person, lines in lines_of_people.items():
        text = TEXTS.people[person]
        limits = "\n".join(f"- {limit}" for limit in text["never"])
        table = "| test | file |\n|---|---|\n" + "\n".join(lines)
        sections.append(f"\n## {text['title']}\n\n{text['who']} Never:\n\n{limits}\n\n{table}\n")
    return TEXTS.head + "".join(sections)


def marked_tests(source: str) -> Iterator[tuple[str, str]]:
    """Yield the person and the name of each marked test of a file, in the order of the file.

    Raises: ValueError for a person who isn't on the page.
    """
    module = ast.parse(source)
    people_of_file = []
    for statement in module.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "pytestmark":
            people_of_file = _people(statement.value)
    for function in ast.walk(module):
        is_function = isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        if not is_function or not function.name.startswith("test_"):
            continue
        people = [*people_of_file]
        for decorator in function.decorator_list:
            people += _people(decorator)
        for person in dict.fromkeys(people):
            if person not in TEXTS.people:
                message = f"{function.name}: {person!r} is not a person of the threat model"
                raise ValueError(f"{message}; use one of {', '.join(TEXTS.people)}.")
            yield person, function.name


def _people(expression: ast.expr) -> list[str]:
    """Return the people whom the marks of an expression name."""
    people = []
    for call in ast.walk(expression):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == MARK:
            people += [ast.literal_eval(argument) for argument in call.args]
    return people


def _test_line(test_name: str, path: Path) -> str:
    """Return the line of the page for a test: its name as words, and a link to its file."""
    words = test_name.removeprefix("test_").replace("_", " ")
    address = path.relative_to(ROOT).as_posix()
    return f"| {words} | [{path.name}](../../{address}) |"
