"""Every regular expression of the product, how it is used, and text made to keep it busy.

Found in the names of modules, at any depth of lists and tables, and in calls such as
``re.sub("...", ...)``.
"""

from __future__ import annotations

import ast
import importlib
import re
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

ROOT = Path(__file__).parents[2]
PRODUCT = ("assistant", "features", "ranking")
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split")
ANCHORED = ("match", "fullmatch")
LENGTHS = (40, 160, 640, 2560, 10_240)
LEAST_S = 0.004  # below it a clock measures itself
# Patterns that are only tried on a few characters, and on how many: the calls cut the text.
BOUNDED = {
    "assistant.transcripts.speaker_labels._COLON_LABEL_PATTERN": 300,
    "assistant.transcripts.speaker_labels._BRACKETED_LABEL_PATTERN": 300,
    "assistant.transcripts.turn_openings._ROLE_BRACKET_PATTERN": 300,
    "assistant.transcripts.turn_openings._TURN_LENGTH_PATTERN": 300,
    "assistant.transcripts.sentences._JOIN_PATTERNS": 40,
    "features.language.sentence_parts:": 300,
}
GROWTH = (
    8.5  # fourfold text takes a linear pattern four times as long, a quadratic one sixteen times
)
PATIENCE_S = 4.0
KINDS = " \tabA1.,:;!?-–\"'“”’([<{>])}*_#/&|@\n\x01éЖ♪\ufffd"
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


@dataclass(frozen=True)
class Used:
    """A pattern, where it stands, and whether it is only ever tried at the beginning of a text."""

    name: str
    pattern: re.Pattern
    anchored: bool


def used() -> list[Used]:
    """Return every pattern of the product, once for each place."""
    used_patterns: list[Used] = []
    calls = _calls()
    for module in _modules():
        loaded = importlib.import_module(module)
        for name, value in vars(loaded).items():
            for pattern in _inside(value):
                methods = calls.get(name, {"search"})
                used_patterns.append(Used(f"{module}.{name}", pattern, methods <= set(ANCHORED)))
        used_patterns += _inline(module, vars(loaded))
    return list(
        {
            (
                used_pattern.pattern.pattern,
                used_pattern.pattern.flags,
                used_pattern.anchored,
            ): used_pattern
            for used_pattern in used_patterns
        }.values()
    )


def worst(used_pattern: Used, random: Random) -> tuple[float, str]:
    """Return the largest growth of a pattern's time when the text gets four times as long, and the text's kind."""
    worst_growth = (0.0, "")
    for attack in _attacks(used_pattern.pattern, random):
        growth = _growth(used_pattern, attack)
        if growth > worst_growth[0]:
            worst_growth = growth, repr(attack)
        if growth > GROWTH:
            break
    return worst_growth


def _modules() -> Iterator[str]:
    for room in PRODUCT:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            if not name.startswith(("assistant.ui", "assistant.__main__")):
                yield name


def _inside(value: Any, depth: int = 0) -> Iterator[re.Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (list, tuple, set, frozenset)) and depth < 4:
        for inner_value in value:
            yield from _inside(inner_value, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        for inner_value in value.values():
            yield from _inside(inner_value, depth + 1)


def _trees() -> Iterator[ast.Module]:
    for room in PRODUCT:
        for path in (ROOT / room).rglob("*.py"):
            yield ast.parse(path.read_text("utf-8"))


def _calls() -> dict[str, set[str]]:
    """Return by the name of a pattern the methods that are called on it, or handed over as functions."""
    calls: dict[str, set[str]] = {}
    for tree in _trees():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in METHODS
                and isinstance(node.value, ast.Name)
            ):
                calls.setdefault(node.value.id, set()).add(node.attr)
    return calls


def _inline(module: str, names: dict[str, Any]) -> Iterator[Used]:
    path = ROOT / (module.replace(".", "/") + ".py")
    path = path if path.exists() else ROOT / module.replace(".", "/") / "__init__.py"
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        is_call = (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in METHODS
        )
        if not (
            is_call
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.args
        ):
            continue
        try:
            text = eval(compile(ast.Expression(node.args[0]), module, "eval"), dict(names))
        except NameError:
            continue  # a name of the function: a pattern of a table, which is found there
        flags = [eval(ast.unparse(arg), {"re": re}) for arg in node.args[2:] if _is_flag(arg)]
        flags += [eval(ast.unparse(k.value), {"re": re}) for k in node.keywords if k.arg == "flags"]
        pattern = (
            text if isinstance(text, re.Pattern) else re.compile(text, flags[0] if flags else 0)
        )
        yield Used(f"{module}:{node.lineno}", pattern, node.func.attr in ANCHORED)


def _is_flag(argument: ast.expr) -> bool:
    return re.fullmatch(r"re\.[A-Z]+(?: \| re\.[A-Z]+)*", ast.unparse(argument)) is not None


def _attacks(pattern: re.Pattern, random: Random) -> list[tuple[str, str, str]]:
    """Return texts as beginning, what is repeated, and end."""
    binary = isinstance(pattern.pattern, bytes)
    source = pattern.pattern.decode("latin-1") if binary else pattern.pattern
    tree = parser.parse(source, pattern.flags & ~re.UNICODE if binary else pattern.flags)
    ends = ("", "\x01", " ", "\n", "!")
    attacks = {("", kind, end) for kind in KINDS for end in ("", "\x01")}
    for _ in range(6):
        sample = _sample(tree, random)
        attacks |= {
            ("", sample, ""),
            ("", sample[: len(sample) // 2] or "a", ""),
            ("", sample + " ", "\x01"),
        }
        for prefix, body in _pumps(tree, "", random):
            attacks |= {(prefix, body, end) for end in ends} | {
                ("", prefix + body, "\x01"),
                ("", body, "\x01"),
            }
            attacks |= {(prefix, body + pad, "\x01") for pad in (" ", "\t")}
    return [
        attack
        for attack in sorted(attacks)
        if attack[1] and not (binary and max(map(ord, "".join(attack))) > 255)
    ]


def _pumps(tree: Any, prefix: str, random: Random) -> Iterator[tuple[str, str]]:
    """Yield what comes before a repeat of the pattern, and what may be repeated there."""
    for code, value in tree:
        if code in _REPEATS:
            minimum, maximum, body = value
            if maximum > 8:
                yield prefix, _sample(body, random)
            yield from _pumps(body, prefix, random)
        elif code is codes.SUBPATTERN:
            yield from _pumps(value[-1], prefix, random)
        elif code is codes.ATOMIC_GROUP:
            yield from _pumps(value, prefix, random)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _pumps(value[1], prefix, random)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from _pumps(branch, prefix, random)
        prefix += _sample([(code, value)], random)


def _sample(tree: Any, random: Random) -> str:
    """Return a text that a pattern, or a part of one, matches, but for what it asks of its neighbours."""
    sample = ""
    for code, value in tree:
        if code is codes.LITERAL:
            sample += chr(value)
        elif code is codes.NOT_LITERAL:
            sample += random.choice([c for c in "a A1" if ord(c) != value])
        elif code is codes.ANY:
            sample += random.choice("aA 1:*")
        elif code is codes.IN:
            sample += _member(value, random)
        elif code is codes.BRANCH:
            sample += _sample(random.choice(value[1]), random)
        elif code is codes.SUBPATTERN:
            sample += _sample(value[-1], random)
        elif code is codes.ATOMIC_GROUP:
            sample += _sample(value, random)
        elif code in _REPEATS:
            minimum, maximum, body = value
            sample += "".join(
                _sample(body, random)
                for _ in range(max(minimum, min(int(maximum), random.randrange(3))))
            )
    return sample


def _member(members: Any, random: Random) -> str:
    """Return a character of a class."""
    fits = re.compile("[" + "".join(map(_written, members)) + "]")
    candidates = [c for c in KINDS + "cdxyzBCZ023459\r" if fits.match(c)]
    literals = [chr(v) for k, v in members if k is codes.LITERAL and fits.match(chr(v))]
    return random.choice(
        candidates + literals or [chr(members[-1][1][0])]
        if candidates or literals
        else [_first(members)]
    )


def _first(members: Any) -> str:
    return next((chr(v[0]) for k, v in members if k is codes.RANGE), "a")


def _written(member: tuple[Any, Any]) -> str:
    kind, value = member
    if kind is codes.NEGATE:
        return "^"
    if kind is codes.LITERAL:
        return re.escape(chr(value))
    if kind is codes.RANGE:
        return re.escape(chr(value[0])) + "-" + re.escape(chr(value[1]))
    return {
        codes.CATEGORY_DIGIT: r"\d",
        codes.CATEGORY_NOT_DIGIT: r"\D",
        codes.CATEGORY_SPACE: r"\s",
        codes.CATEGORY_NOT_SPACE: r"\S",
        codes.CATEGORY_WORD: r"\w",
        codes.CATEGORY_NOT_WORD: r"\W",
    }[value]


def _growth(used_pattern: Used, attack: tuple[str, str, str]) -> float:
    """Return how many times longer a fourfold text took, at the first length that takes long enough to measure."""
    earlier_s = 0.0
    largest = 0.0
    longest = next(
        (size for name, size in BOUNDED.items() if used_pattern.name.startswith(name)), LENGTHS[-1]
    )
    for length in (length for length in LENGTHS if length <= longest):
        spent = _timed(used_pattern, _text(used_pattern, attack, length))
        if earlier_s and spent > LEAST_S:
            growth = spent / earlier_s
            if growth > GROWTH:  # once more, in case something else was running
                growth = min(
                    growth,
                    _timed(used_pattern, _text(used_pattern, attack, length))
                    / _timed(used_pattern, _text(used_pattern, attack, length // 4)),
                )
            largest = max(largest, growth)
            if growth > GROWTH or spent > PATIENCE_S:
                return largest
        earlier_s = max(spent, 1e-6)
        if length >= 2560 and spent < 2e-4:
            break  # a quadratic pattern takes milliseconds by now
    return largest


def _text(used_pattern: Used, attack: tuple[str, str, str], length: int) -> Any:
    prefix, body, end = attack
    text = prefix + body * (length // len(body)) + end
    return text.encode("latin-1") if isinstance(used_pattern.pattern.pattern, bytes) else text


def _timed(used_pattern: Used, text: Any) -> float:
    """Return the least of three runs in seconds.

    A run of seconds is broken off and counts as these seconds.
    """
    best = PATIENCE_S * 2
    for _ in range(3):
        began = time.thread_time()
        signal.setitimer(signal.ITIMER_REAL, PATIENCE_S)
        try:
            if used_pattern.anchored:
                used_pattern.pattern.match(text)
            else:
                for _ in used_pattern.pattern.finditer(text):
                    pass
        except TimeoutError:
            return PATIENCE_S * 2
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        best = min(best, time.thread_time() - began)
        if best > 0.2:
            break
    return best


def _alarm(*_: object) -> None:
    raise TimeoutError


signal.signal(signal.SIGALRM, _alarm)
