"""Measures of how hard Python is to read, and of how its docstrings and comments are written.

A measure says how much a reader meets in one statement. No formatter changes it, apart from the
share of long lines. Imports, docstrings and the statements nested in another are not counted
towards that other statement.
"""

from __future__ import annotations

import ast
import io
import re
import statistics
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

LONG_LINE = 100  # characters
MOST_PARAMETERS = 5
VAGUE_NAMES = frozenset(
    (
        "row rows part parts place places made found said told kept chosen given held near own "
        "ours mine theirs one ones known read seen taken left drawn around beside before after "
        "first last other others rest less more most least until anew whole alike like such so "
        "many much what which way ways thing things told asked named wanted got put"
    ).split()
)
# Words of a docstring or comment that a native reader would stop at, and the kind of mistake.
PROSE_PATTERNS = {
    "a clause with what as a noun": re.compile(
        r"\b(?:Return|Yield|Say|Tell|Give|Make|Show|Draw|Build|Read|of|by|from|to|for|with|about)"
        r" what\b"
    ),
    "is no, has not the": re.compile(
        r"\b(?:is|are|was|were) no (?!longer|more)[a-z]+\b|\b(?:has|have|had) not (?:the|an?|any)\b"
    ),
    "some for about": re.compile(r"\bsome \d"),
    "where for if": re.compile(r"\bwhere (?:there (?:is|are)|it|one|they|nobody|nothing|no) "),
    "nobody and somebody": re.compile(r"\b(?:[Nn]obody|[Ss]omebody|[Ww]hoever)\b"),
    "those of, that of": re.compile(r"\b(?:those|that) of\b"),
    "private term": re.compile(
        r"\b(?:borders?|sureness|stretch(?:es)?|the half that|learnt|shelf|desk|reckoned|worthy"
        r"|the seven|the sixty-three)\b"
    ),
}
COMMENT_WITHOUT_HEAD = re.compile(r"^(?:of|that|by|whose|than|which)\b")


@dataclass
class Readability:
    """The counts over some files, from which each measure is computed."""

    statement_sizes: list[int] = field(default_factory=list)
    tuple_assignments: int = 0
    ternaries: int = 0
    comprehensions: int = 0
    comments: int = 0
    lines: int = 0
    long_lines: int = 0
    names: int = 0
    name_characters: int = 0
    vague_names: int = 0
    functions: int = 0
    wide_functions: int = 0

    def add(self, source: str) -> None:
        """Count one file."""
        self.add_file(read_source(source))

    def add_file(self, file: FileReading) -> None:
        """Count a file that has been read."""
        self.lines += len(file.lines)
        self.long_lines += sum(len(line) >= LONG_LINE for line in file.lines)
        self.comments += len(file.comments)
        self.statement_sizes += file.counts.statement_sizes
        for name in COUNT_NAMES:
            setattr(self, name, getattr(self, name) + getattr(file.counts, name))

    def add_tree(self, tree: ast.Module) -> None:
        """Count the nodes of a syntax tree, and the size of each statement."""
        sizes: dict[int, int] = {}
        measured: list[ast.stmt] = []
        # Each node with the statement that it belongs to; a handler belongs to none.
        stack: list[tuple[ast.AST, ast.stmt | None]] = [(tree, None)]
        while stack:
            node, statement = stack.pop()
            if isinstance(node, ast.stmt):
                statement = node
                sizes[id(statement)] = 0
                if not _is_import_or_constant(statement):
                    measured.append(statement)
            elif isinstance(node, ast.excepthandler | ast.match_case):
                statement = None
            if statement is not None and not isinstance(node, ast.Load | ast.Store | ast.Del):
                sizes[id(statement)] += 1
            self._add_node(node)
            for child in ast.iter_child_nodes(node):
                stack.append((child, statement))
        self.statement_sizes += [sizes[id(statement)] for statement in measured]

    def _add_node(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            self.tuple_assignments += isinstance(node.value, ast.Tuple)
        if isinstance(node, ast.IfExp):
            self.ternaries += 1
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            self.comprehensions += 1
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.functions += 1
            self.wide_functions += parameter_count(node) > MOST_PARAMETERS
        name = bound_name(node)
        if name:
            self.names += 1
            self.name_characters += len(name)
            self.vague_names += name in VAGUE_NAMES

    def measures(self) -> dict[str, float]:
        """Return each measure by its name in words."""
        thousands = len(self.statement_sizes) / 1000
        return {
            "nodes per statement, mean": statistics.mean(self.statement_sizes),
            "nodes per statement, median": statistics.median(self.statement_sizes),
            "tuple assignments per 1,000 statements": self.tuple_assignments / thousands,
            "ternaries per 1,000 statements": self.ternaries / thousands,
            "comprehensions per 1,000 statements": self.comprehensions / thousands,
            "comments per 100 statements": self.comments / thousands / 10,
            "characters per name": self.name_characters / self.names,
            "vague names, percent": percent(self.vague_names, self.names),
            "functions over 5 parameters, percent": percent(self.wide_functions, self.functions),
            "lines of 100 characters, percent": percent(self.long_lines, self.lines),
        }


# The counts of a syntax tree, besides the sizes of its statements.
COUNT_NAMES = (
    "tuple_assignments",
    "ternaries",
    "comprehensions",
    "names",
    "name_characters",
    "vague_names",
    "functions",
    "wide_functions",
)


@dataclass(frozen=True)
class FileReading:
    """The parts of a file that are measured. Each file is read once for all tests."""

    lines: tuple[str, ...]  # those that are not blank
    comments: tuple[str, ...]
    docstrings: tuple[str, ...]
    class_names: tuple[str, ...]
    constant_names: tuple[str, ...]
    counts: Readability


@cache
def read_file(path: Path) -> FileReading:
    """Read a file, once in a process."""
    return read_source(path.read_text("utf-8"))


def read_source(source: str) -> FileReading:
    """Read the source of a file."""
    tree = ast.parse(source)
    counts = Readability()
    counts.add_tree(tree)
    class_names: list[str] = []
    constant_names: list[str] = []
    for statement in tree.body:
        class_names += _class_names(statement)
        constant_names += _constant_names(statement)
    return FileReading(
        lines=tuple(line for line in source.splitlines() if line.strip()),
        comments=tuple(comments(source)),
        docstrings=tuple(docstrings(tree)),
        class_names=tuple(class_names),
        constant_names=tuple(constant_names),
        counts=counts,
    )


def percent(count: int, total: int) -> float:
    """Return a share in percent, 0 of nothing."""
    return 100 * count / total if total else 0.0


def measure(paths: Iterable[Path]) -> dict[str, float]:
    """Return the measures of some files together."""
    readability = Readability()
    for path in paths:
        readability.add_file(read_file(path))
    return readability.measures()


def bound_name(node: ast.AST) -> str:
    """Return the name that a node binds, or an empty text. ``self``, ``cls`` and ``_`` are none."""
    name = ""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        name = node.id
    elif isinstance(node, ast.arg):
        name = node.arg
    return "" if name in ("self", "cls", "_") else name


def parameter_count(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of named parameters besides ``self`` and ``cls``."""
    arguments = function.args
    count = len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)
    if arguments.args and arguments.args[0].arg in ("self", "cls"):
        count -= 1
    return count


def comments(source: str) -> Iterator[str]:
    """Yield each comment without its ``#``."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield each docstring with its code spans left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring:
                yield re.sub(r"``[^`]*``", "X", docstring)


def odd_phrases(paths: Iterable[Path]) -> dict[str, int]:
    """Return how often each kind of odd phrase occurs in docstrings and comments."""
    counts = dict.fromkeys([*PROSE_PATTERNS, "a comment without a head noun"], 0)
    for path in paths:
        file = read_file(path)
        notes = file.comments
        for text in [*file.docstrings, *notes]:
            for kind, pattern in PROSE_PATTERNS.items():
                counts[kind] += len(pattern.findall(text))
        headless = [note for note in notes if COMMENT_WITHOUT_HEAD.match(note)]
        counts["a comment without a head noun"] += len(headless)
    return counts


def repeated_class_names(paths: Iterable[Path]) -> list[str]:
    """Return the names that several modules give to classes of their own."""
    modules: dict[str, set[Path]] = defaultdict(set)
    for path in paths:
        for name in read_file(path).class_names:
            modules[name].add(path)
    return sorted(name for name, places in modules.items() if len(places) > 1)


def widespread_constants(paths: Iterable[Path]) -> list[str]:
    """Return the names that three modules or more give to constants of their own."""
    modules: dict[str, set[Path]] = defaultdict(set)
    for path in paths:
        for name in read_file(path).constant_names:
            modules[name].add(path)
    return sorted(name for name, places in modules.items() if len(places) > 2)


def repeated_file_names(paths: Iterable[Path]) -> list[str]:
    """Return the file names that occur in several packages; ``tables.py`` is one by design."""
    folders: dict[str, set[Path]] = defaultdict(set)
    for path in paths:
        folders[path.name].add(path.parent)
    common = ("__init__.py", "tables.py")
    return sorted(
        name for name, places in folders.items() if len(places) > 1 and name not in common
    )


def _class_names(node: ast.stmt) -> list[str]:
    return [node.name] if isinstance(node, ast.ClassDef) else []


def _constant_names(node: ast.stmt) -> list[str]:
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    names = []
    for target in targets:
        if target is None:
            continue
        for child in ast.walk(target):
            if isinstance(child, ast.Name) and child.id.isupper() and len(child.id) > 1:
                names.append(child.id)
    return names


def _is_import_or_constant(node: ast.stmt) -> bool:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
