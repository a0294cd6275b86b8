"""The digest of the code that a cached value depends on, found by following imports.

A module depends on every module of this project that it imports, directly or through others, at
the top or inside a function. A data file of the same name as a module (``.toml``, ``.tsv``)
belongs to it. Comments, docstrings, imports and the names of modules do not count, so a cached
value survives a move.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("assistant", "bench", "features", "ranking", "training")
DATA_SUFFIXES = (".toml", ".tsv")


@cache
def code_digest(*modules: str, root: Path = ROOT) -> str:
    """Digest the code of some modules and of all modules that they reach.

    Raises: ModuleNotFoundError if there is no such module below the root.
    """
    reached = set().union(*(reachable_modules(module, root) for module in modules))
    reached |= {package for module in reached for package in _packages_around(module, root)}
    files = [file for module in reached for file in module_files(module, root)]
    digests = sorted(_file_digest(file) for file in files)
    return hashlib.sha256("".join(digests).encode()).hexdigest()


@cache
def reachable_modules(module: str, root: Path = ROOT) -> frozenset[str]:
    """List a module and the modules of this project that it imports, directly or through others."""
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        waiting.extend(imported_modules(name, root))
    return frozenset(reached)


@cache
def imported_modules(module: str, root: Path = ROOT) -> frozenset[str]:
    """List the modules of this project that the source of a module imports."""
    source = module_files(module, root)[0]
    is_package = source.name == "__init__.py"
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _imported_from(node, module, is_package)
            for alias in node.names:
                submodule = f"{base}.{alias.name}"
                names.add(submodule if _source_file(submodule, root) else base)
    project_names = {name for name in names if name.partition(".")[0] in PACKAGES}
    return frozenset(name for name in project_names if _source_file(name, root))


def module_files(module: str, root: Path = ROOT) -> list[Path]:
    """List the source file of a module and the data files of the same name.

    Raises: ModuleNotFoundError.
    """
    source = _source_file(module, root)
    if source is None:
        raise ModuleNotFoundError(f"There is no module {module} in {root}.")
    data = [source.with_suffix(suffix) for suffix in DATA_SUFFIXES]
    return [source, *(path for path in data if path.is_file())]


def _packages_around(module: str, root: Path) -> set[str]:
    """List the packages that a module is in.

    Their code counts, but their imports are not followed.
    """
    name_parts = module.split(".")
    packages = {".".join(name_parts[:depth]) for depth in range(1, len(name_parts))}
    return {package for package in packages if _source_file(package, root)}


def _source_file(module: str, root: Path) -> Path | None:
    """Find the source file of a module; a folder without ``__init__.py`` has none."""
    path = root.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def _imported_from(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    """Spell out the module of a ``from`` import, relative ones too."""
    if not node.level:
        return node.module or ""
    name_parts = module.split(".")
    dropped = node.level - 1 if is_package else node.level
    package = name_parts[: len(name_parts) - dropped]
    return ".".join([*package, *([node.module] if node.module else [])])


def _file_digest(file: Path) -> str:
    """Digest one file: data as it is, code without comments, docstrings and imports."""
    text = file.read_text("utf-8")
    if file.suffix == ".py":
        text = ast.dump(_WithoutWords().visit(ast.parse(text)))
    return hashlib.sha256(text.encode()).hexdigest()


class _WithoutWords(ast.NodeTransformer):
    """Removal of imports and of texts that stand alone, as docstrings do."""

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if isinstance(node.value, ast.Constant) else self.generic_visit(node)
