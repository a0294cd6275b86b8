"""Keeps two people of one name apart by the roles in brackets behind it in their labels.

``John Smith (Mayor):`` and ``John Smith (Challenger):`` become two speakers. A name with one role
stays without it, so that ``John Smith:`` is the same person.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from assistant.core.bracketed_roles import bracketed_roles, may_be_one_person
from assistant.transcripts.speaker_labels import SpeakerLabel


def with_roles(
    written_labels: Sequence[str], labels: Sequence[SpeakerLabel | None]
) -> list[SpeakerLabel | None]:
    """Return the labels of lines with the role in the name, if the name has two different roles.

    ``written_labels`` are the heads of the lines as written, with their roles.
    """
    roles_of_lines: list[tuple[str, ...]] = []
    roles_by_name: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for written_label, label in zip(written_labels, labels, strict=True):
        roles: tuple[str, ...] = ()
        if label is not None and label.speaker:
            roles = bracketed_roles(written_label)
        roles_of_lines.append(roles)
        if label is not None and roles:
            roles_by_name[label.name.casefold()].add(roles)
    shared_names = set()
    for name, different_roles in roles_by_name.items():
        if any(not may_be_one_person(*pair) for pair in combinations(different_roles, 2)):
            shared_names.add(name)
    labels_with_roles: list[SpeakerLabel | None] = []
    for label, roles in zip(labels, roles_of_lines, strict=True):
        if label is not None and roles and label.name.casefold() in shared_names:
            name = " ".join([label.name, *(f"({role.strip()})" for role in roles)])
            label = replace(label, name=name, speaker=name)
        labels_with_roles.append(label)
    return labels_with_roles
