"""Who the speakers of a transcript are.

Labels of one person are merged, and users rename, merge or reassign them.

Merging is careful: labels that could be two people stay two, and a warning reports every merger.
Corrections by a user return a new transcript; the given one is never changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from assistant.core.domain import Transcript
from assistant.core.errors import TranscriptError
from assistant.core.person_names import LabelParts, label_parts
from assistant.transcripts.speech_pieces import Piece

TYPO_SHARE = 5  # a label so many times rarer than another that differs by one letter is a typing error of it,
TYPO_MOST = 2  # if it occurs no more often than this
MOST_LABELS = 300  # a file with more different labels is no debate: nothing is merged


def merged(pieces: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """Return the pieces with one label for each person, the fullest, and a warning for each merger."""
    counts = Counter(piece.speaker for piece in pieces if piece.speaker)
    if len(counts) > MOST_LABELS:
        return list(pieces), [f"the speakers have {len(counts)} different labels; none were merged"]
    target = same_people(counts)
    changed = {old: new for old, new in target.items() if old != new}
    warnings = [
        f"{old} was taken for {new} (turns or cues: {counts[old]})"
        for old, new in sorted(changed.items())
    ]
    if not changed:
        return list(pieces), []
    return [replace(p, speaker=target[p.speaker]) if p.speaker else p for p in pieces], warnings


def same_people(counts: Counter[str]) -> dict[str, str]:
    """Return for each label the label of its person.

    ``counts`` says how often each label occurs.
    """
    people = {label: label_parts(label) for label in counts}
    groups: list[list[str]] = []
    for label in sorted(counts, key=lambda name: (-len(people[name].names), -counts[name], name)):
        homes = [
            group
            for group in groups
            if all(_compatible(people[label], people[other]) for other in group)
        ]
        if len(homes) == 1:
            homes[0].append(label)
        else:
            groups.append([label])
    groups = _with_typos(groups, counts, people)
    return {label: _fullest(group, counts, people) for group in groups for label in group}


def _compatible(one: LabelParts, other: LabelParts) -> bool:
    """Whether two labels can be one person: same last name, and nothing else speaks against it."""
    if not one.names or not other.names or one.surname != other.surname:
        return False
    if one.gender and other.gender and one.gender != other.gender:
        return False
    if len(one.names) == 1 and len(other.names) == 1:
        return one.offices <= other.offices or other.offices <= one.offices
    shorter, longer = sorted((one.names, other.names), key=len)
    return len(shorter) == 1 or shorter[0] == longer[0]


def _with_typos(
    groups: list[list[str]], counts: Counter[str], people: dict[str, LabelParts]
) -> list[list[str]]:
    """Return the groups with rare ones joined to a frequent one whose last name differs by one letter."""
    sized = [(sum(counts[label] for label in group), group) for group in groups]
    homes: list[tuple[int, list[str]]] = []
    for size, group in sorted(sized, key=lambda pair: -pair[0]):
        surname = people[group[0]].surname
        rare = size <= TYPO_MOST and all(len(people[label].names) == 1 for label in group)
        near = [
            home
            for home_size, home in homes
            if rare
            and home_size >= TYPO_SHARE * size
            and _one_slip(surname, people[home[0]].surname)
        ]
        if len(near) == 1:
            near[0].extend(group)
        else:
            homes.append((size, group))
    return [group for _, group in homes]


def _one_slip(wrong: str, right: str) -> bool:
    """Whether two names of at least four letters differ by one letter added, left out, changed or swapped."""
    if min(len(wrong), len(right)) < 4 or wrong == right or abs(len(wrong) - len(right)) > 1:
        return False
    start = next(
        (i for i, (a, b) in enumerate(zip(wrong, right, strict=False)) if a != b),
        min(len(wrong), len(right)),
    )
    w = wrong[start:]
    r = right[start:]
    return w[1:] == r or w == r[1:] or w[1:] == r[1:] or (w[:2] == r[1::-1] and w[2:] == r[2:])


def _fullest(group: Iterable[str], counts: Counter[str], people: dict[str, LabelParts]) -> str:
    """Return the label with the most names, the most frequent of these."""
    return max(group, key=lambda label: (len(people[label].names), counts[label], label))


def speakers(transcript: Transcript) -> Counter[str | None]:
    """Return how many sentences each speaker has, in the order of first appearance.

    None is the unknown.
    """
    return Counter(sentence.speaker for sentence in transcript.sentences)


def rename(transcript: Transcript, names: Mapping[str, str | None]) -> Transcript:
    """Return the transcript with speakers renamed, ``{old: new}``.

    Two given the same name are merged.

    A new name of None or "" makes the speaker unknown. Raises TranscriptError if an old name is
    not there.
    """
    present = speakers(transcript)
    missing = [old for old in names if old not in present]
    if missing:
        known = ", ".join(name for name in present if name) or "nobody"
        raise TranscriptError(
            f"no sentence is by {', '.join(missing)}.",
            where=transcript.title,
            remedy=f"Speakers are: {known}.",
        )
    renamed = {old: _cleaned(new) for old, new in names.items()}
    return replace(
        transcript,
        sentences=tuple(
            replace(s, speaker=renamed[s.speaker]) if s.speaker in renamed else s
            for s in transcript.sentences
        ),
    )


def named(transcript: Transcript, names: Sequence[str]) -> Transcript:
    """Return the transcript with its speakers renamed in the order of their first appearance.

    An empty name leaves a speaker as it is; the unknown has no place in the order. Raises
    TranscriptError if there are more names than speakers.
    """
    present = [name for name in speakers(transcript) if name]
    if len(names) > max(1, len(present)) or (names and names[-1].strip() and not present):
        raise TranscriptError(
            f"has {len(present)} speakers, and {len(names)} names were given.",
            where=transcript.title,
            remedy=f"Speakers are: {', '.join(present) or 'nobody'}.",
        )
    return rename(
        transcript, {old: new for old, new in zip(present, names, strict=False) if new.strip()}
    )


def reassign(transcript: Transcript, numbers: Collection[int], speaker: str | None) -> Transcript:
    """Return the transcript with the sentences of these numbers given to a speaker.

    None or "" makes them unknown.

    Raises TranscriptError if a number is not there.
    """
    wanted = set(numbers)
    missing = sorted(wanted - {sentence.number for sentence in transcript.sentences})
    if missing:
        raise TranscriptError(
            f"has no sentence {', '.join(map(str, missing[:5]))}.",
            where=transcript.title,
            remedy=f"Sentences are numbered 1 to {len(transcript)}.",
        )
    name = _cleaned(speaker)
    return replace(
        transcript,
        sentences=tuple(
            replace(s, speaker=name) if s.number in wanted else s for s in transcript.sentences
        ),
    )


def _cleaned(name: str | None) -> str | None:
    return " ".join((name or "").split()) or None
