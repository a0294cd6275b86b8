"""Measures of the sentences of the docs, the errors and the help of the command line.

``make prose`` prints them; ``python -m tests.prose COMMIT`` prints the docs of a commit
beside them. Code, headings, links and the pages that a program writes are not counted. A cell of a
table counts if it has eight words or more.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.commands.cli import parser

ROOT = Path(__file__).parent.parent
PACKAGES = ("assistant", "features", "ranking")
LONG_SENTENCE_WORDS = 30
TABLE_SENTENCE_WORDS = 8
# bench.docs, bench.ratios, bench.articles.patterns and deploy/sbom.py write these; two are lists.
GENERATED_PAGES = frozenset(
    (
        "api.md command-line.md features.md transcript-formats.md threat-model.md licences.md "
        "measures.md transcripts.md modules.md patterns.md ratios.md moved-modules.md"
    ).split()
)
WHAT_AS_A_NOUN = re.compile(
    r"(?:\b(?:of|by|from|to|for|in|with|and|or|about|than|all|that|on|is|are|as|beside|against) what\b"
    r"|^What [^?]*$|[:;,] what\b)"
)
YOU = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
SENTENCE_END = re.compile(
    r"(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)(?<!Dr\.)(?<!\bal\.)(?<!\bNo\.)(?<!CheckThat!)(?<=[.!?])"
    r"[*)\"”]*\s+(?=[\"“(*`A-Z0-9])"
)
FENCE = re.compile(r"^ *(```|~~~).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
# A list item, a cell of a table or a blank line ends a passage.
PASSAGE_START = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")


@dataclass(frozen=True)
class Prose:
    """The counts over some sentences."""

    sentences: int
    words: int
    long: int
    with_semicolon: int
    what_as_noun: int
    with_you: int

    def line(self) -> str:
        """Return the measures in one line."""
        return (
            f"{self.sentences:5} sentences, {self.words_per_sentence:4.1f} words each, "
            f"{self.percent(self.long):4.1f}% over {LONG_SENTENCE_WORDS} words, "
            f"{self.percent(self.with_semicolon):4.1f}% with a semicolon, "
            f"{self.percent(self.what_as_noun):4.1f}% with what as a noun, "
            f"{self.percent(self.with_you):4.1f}% with you"
        )

    @property
    def words_per_sentence(self) -> float:
        """Return the mean number of words."""
        return self.words / max(self.sentences, 1)

    def percent(self, count: int) -> float:
        """Return the share of the sentences in percent."""
        return 100 * count / max(self.sentences, 1)


def measure(sentences: Iterable[str]) -> Prose:
    """Count the words and patterns of some sentences."""
    all_sentences = list(sentences)
    lengths = [len(sentence.split()) for sentence in all_sentences]
    return Prose(
        sentences=len(all_sentences),
        words=sum(lengths),
        long=sum(length > LONG_SENTENCE_WORDS for length in lengths),
        with_semicolon=sum(";" in sentence for sentence in all_sentences),
        what_as_noun=sum(bool(WHAT_AS_A_NOUN.search(sentence)) for sentence in all_sentences),
        with_you=sum(bool(YOU.search(sentence)) for sentence in all_sentences),
    )


def page_sentences(markdown: str) -> Iterator[str]:
    """Yield the sentences of a page, without code, headings and addresses."""
    text = re.sub(r"<!--.*?-->", "", markdown, flags=re.DOTALL)
    text = FENCE.sub("\n", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "X", text)
    passage: list[str] = []
    for line in [*text.splitlines(), ""]:
        is_table = line.lstrip().startswith("|")
        is_indented_code = line.startswith("    ") and not passage
        starts_passage = PASSAGE_START.match(line) is not None
        ends_passage = not line.strip() or is_table or starts_passage or line.startswith("#")
        if ends_passage and passage:
            yield from split_sentences(" ".join(passage))
            passage = []
        if is_table:
            for cell in line.strip().strip("|").split("|"):
                for sentence in split_sentences(cell):
                    if len(sentence.split()) >= TABLE_SENTENCE_WORDS:
                        yield sentence
        elif line.strip() and not line.startswith("#") and not is_indented_code:
            passage.append(PASSAGE_START.sub("", line).strip())


def split_sentences(text: str) -> list[str]:
    """Split a passage at the ends of its sentences; a single word does not count."""
    sentences = SENTENCE_END.split(text.strip().replace("**", ""))
    return [sentence.strip() for sentence in sentences if len(sentence.split()) > 1]


def docs_sentences() -> Iterator[str]:
    """Yield the sentences of README and of the pages of docs/ that people write."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if page.name not in GENERATED_PAGES:
            yield from page_sentences(page.read_text("utf-8"))


def sentences_of_commit(commit: str) -> Iterator[str]:
    """Yield the sentences of README and docs/ as a commit has them."""
    names = _git("ls-tree", "-r", "--name-only", commit, "README.md", "docs").splitlines()
    for name in names:
        if name.endswith(".md") and Path(name).name not in GENERATED_PAGES:
            yield from page_sentences(_git("show", f"{commit}:{name}"))


def error_sentences() -> Iterator[str]:
    """Yield the sentences of the errors that the product raises."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                    yield from _texts_of_call(node.exc)


def help_sentences() -> Iterator[str]:
    """Yield the help of every command and argument."""
    yield from _helps(parser())


def arguments_without_help() -> Iterator[str]:
    """Yield the command and name of every argument that has no help."""
    for command in _commands(parser()):
        for action in command._actions:
            is_group_of_verbs = isinstance(action, argparse._SubParsersAction)
            if not action.help and not is_group_of_verbs:
                yield f"{command.prog} {'/'.join(action.option_strings) or action.dest}"


def _commands(command: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield command
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in dict.fromkeys(action.choices.values()):
                yield from _commands(verb)


def _helps(root: argparse.ArgumentParser) -> Iterator[str]:
    seen_texts: set[str] = set()
    for command in _commands(root):
        texts = [command.description or "", command.epilog or ""]
        for action in command._actions:
            texts.append(action.help or "")
            if isinstance(action, argparse._SubParsersAction):
                texts += [choice.help or "" for choice in action._choices_actions]
        for text in texts:
            if text and text not in seen_texts:
                seen_texts.add(text)
                yield from split_sentences(text)


def _texts_of_call(call: ast.Call) -> Iterator[str]:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    for argument in arguments:
        text = _text(argument)
        if len(text.split()) > 1:
            yield from split_sentences(text)


def _text(expression: ast.expr) -> str:
    """Return a string as it reads, with X for each value."""
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        return expression.value
    if isinstance(expression, ast.JoinedStr):
        return "".join(
            _text(value) if isinstance(value, ast.Constant) else "X" for value in expression.values
        )
    return ""


def _git(*arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout


def main() -> None:
    options = argparse.ArgumentParser(description="Measure the sentences of docs, errors and help.")
    options.add_argument("commit", nargs="?", help="commit whose docs are measured, too")
    commit = options.parse_args().commit
    measures = {
        "docs": measure(docs_sentences()),
        "errors": measure(error_sentences()),
        "help": measure(help_sentences()),
    }
    if commit:
        measures[f"docs at {commit}"] = measure(sentences_of_commit(commit))
    for name, prose in measures.items():
        sys.stdout.write(f"{name:16} {prose.line()}\n")


if __name__ == "__main__":
    main()
