"""Mentions in a comment: ``@`` and the name of a person who uses this data directory.

``@Ada Lovelace``, ``@ada@example.org`` and, if it is clear who is meant, ``@Ada`` and ``@ada``.
"""

from __future__ import annotations

import getpass
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assistant.core.access import EVERY_ACCOUNT, GROUP_PREFIX, PROVIDER_SEPARATOR, ascii_lower

# Actors in the activity log that have no name: browsers and tokens.
_UNNAMED_ACTOR_PATTERN = re.compile(r"visitor [0-9a-f]{1,6}|token .*", re.DOTALL)
_MENTION_SIGN_PATTERN = re.compile(r"(?<![\w@])@(?=\w)")
_UNKNOWN_NAME_PATTERN = re.compile(r"[\w@.+/-]*[\w]")
# After a name: no letter, and nothing that continues an address or a double name.
_NAME_END = r"(?![\w@]|[.+-]\w)"
_NEVER = r"(?!)"  # matches no text


@dataclass(frozen=True, slots=True)
class Mentioned:
    """The people whom a text mentions, and the names in it that could not be told."""

    people: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def known_people(
    names: Iterable[str], *, actors: Iterable[str] = (), entries: Iterable[str] = ()
) -> list[str]:
    """Return people who may be mentioned, in alphabetical order, each once.

    ``names`` are of people who have decided or commented, ``actors`` those in the activity log, and
    ``entries`` the accounts of ``[access]``. Groups, browsers without a name, tokens and the
    account of the command line are left out.
    """
    people_in_log = [name for name in actors if _is_person(name)]
    listed_accounts = [entry for entry in entries if _is_account(entry)]
    # "Ada@example.org" and "ada@example.org" are one person, in the spelling that comes first:
    # stored records come before the settings.
    spelling_by_lower_name: dict[str, str] = {}
    for name in [*sorted(names), *sorted(people_in_log), *listed_accounts]:
        if name.strip():
            spelling_by_lower_name.setdefault(ascii_lower(name), name)
    return sorted(spelling_by_lower_name.values(), key=str.casefold)


def mentioned(text: str, people: Iterable[str]) -> Mentioned:
    """Return whom a text mentions among some people, in the order of the text."""
    people_by_name = _people_by_name(people)
    known_name_pattern = _pattern_of_any(people_by_name)
    # The keys of these dictionaries are in the order of the text, each once.
    mentioned_people: dict[str, None] = {}
    unknown_names: dict[str, None] = {}
    for mention_sign in _MENTION_SIGN_PATTERN.finditer(text):
        named_people: set[str] = set()
        known_name = known_name_pattern.match(text, mention_sign.end())
        if known_name:
            named_people = people_by_name.get(known_name[0].casefold(), set())
        if len(named_people) == 1:
            [person] = named_people
            mentioned_people[person] = None
        else:
            # No name, or one that several people have.
            unknown_name = _UNKNOWN_NAME_PATTERN.match(text, mention_sign.end())
            written_name = unknown_name[0] if unknown_name else ""
            unknown_names[written_name] = None
    return Mentioned(tuple(mentioned_people), tuple(unknown_names))


def _pattern_of_any(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of all these names, of which the longest that fits is found."""
    names_longest_first = sorted(names, key=len, reverse=True)
    any_name = "|".join(re.escape(name) for name in names_longest_first)
    return re.compile(f"(?:{any_name}){_NAME_END}" if any_name else _NEVER, re.IGNORECASE)


def _people_by_name(people: Iterable[str]) -> Mapping[str, set[str]]:
    """Return the people by each name, in lower case, that may stand for them.

    A whole name stands for its person alone, also if it is a part of another one.
    """
    people_by_name: dict[str, set[str]] = defaultdict(set)
    person_of_whole_name = {}
    for person in people:
        person_of_whole_name[person.casefold()] = person
        for short_name in _short_names(person):
            people_by_name[short_name.casefold()].add(person)
    # After all short names, so that "alex" is the account alex, not also Alex Kim.
    for whole_name, person in person_of_whole_name.items():
        people_by_name[whole_name] = {person}
    return people_by_name


def _short_names(person: str) -> list[str]:
    """Return the parts of a name by which a person may be called."""
    _, _, account = person.rpartition(PROVIDER_SEPARATOR)
    local_name, _, _ = account.partition("@")
    first_name = person.split()[0] if person.split() else person
    return [name for name in (account, local_name, first_name) if name]


def _is_person(name: str) -> bool:
    """Return whether an actor of the activity log is a person with a name."""
    if not name.strip() or _UNNAMED_ACTOR_PATTERN.fullmatch(name):
        return False
    return name != _system_account()


def _is_account(entry: str) -> bool:
    """Return whether an entry of ``[access]`` is one account, not a group or all accounts."""
    _, _, account = entry.rpartition(PROVIDER_SEPARATOR)
    return account != EVERY_ACCOUNT and not ascii_lower(entry).startswith(GROUP_PREFIX)


def _system_account() -> str:
    """Return the name under which the command line acts, "" if there is none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
