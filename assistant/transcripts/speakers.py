"""Speakers of a transcript: labels of one person are merged, and users rename or reassign them.

Merging is careful: labels that could be two people stay two, and a warning reports every merger.
Corrections by a user return a new transcript; the original is never changed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os.path import commonprefix

from assistant.core import bracketed_roles
from assistant.core.domain import SpeakerEvidence, Transcript
from assistant.core.errors import TranscriptError
from assistant.core.person_names import LabelParts, label_parts
from assistant.transcripts.speech_pieces import SpeechPiece

# A rare label is a typing error of a label that is so many times more frequent, if they differ by
# one letter.
MIN_TYPO_RATIO = 20
MAX_TYPO_COUNT = 2  # a more frequent label is no typing error
MIN_TYPO_LETTERS = 4
MAX_SHOWN_NUMBERS = 5
_CAPITALISED_PATTERN = re.compile(r"\b[^\W\d_a-z]\w+")
MAX_LABELS = 300  # a file with more labels is not a debate, and none are merged


def merged(pieces: Sequence[SpeechPiece]) -> tuple[list[SpeechPiece], list[str]]:
    """Return the pieces with one label per person, the fullest, and a warning for each merger."""
    label_counts = Counter(piece.speaker for piece in pieces if piece.speaker)
    if len(label_counts) > MAX_LABELS:
        warning = f"the speakers have {len(label_counts)} different labels; none were merged"
        return list(pieces), [warning]
    spoken_names: frozenset[str] = frozenset()
    if _may_have_typos(label_counts):
        spoken_names = _capitalised_words(pieces)
    # The fullest label of its person, by each label
    person_labels = same_people(label_counts, spoken_names)
    warnings = []
    for label, person_label in sorted(person_labels.items()):
        if label != person_label:
            turn_count = label_counts[label]
            warnings.append(f"{label} was taken for {person_label} (turns or cues: {turn_count})")
    is_any_merged = bool(warnings)
    warnings += _namesake_warnings(Counter(person_labels.values()))
    if not is_any_merged:
        return list(pieces), warnings
    merged_pieces = []
    for piece in pieces:
        if piece.speaker:
            piece = replace(piece, speaker=person_labels[piece.speaker])
        merged_pieces.append(piece)
    return merged_pieces, warnings


def _namesake_warnings(labels: Collection[str]) -> list[str]:
    """Return warnings about people of one name, and about labels that may be several people."""
    people = {label: label_parts(label) for label in sorted(labels)}
    labels_by_name: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for label, person in people.items():
        if person.bracketed_roles and person.names:
            labels_by_name[person.names].append(label)
    warnings = []
    for namesakes in labels_by_name.values():
        if len(namesakes) > 1:
            warnings.append(
                f"the same name has different roles, and each was read as a person: "
                f"{', '.join(namesakes)}"
            )
    for label, person in people.items():
        possible_labels = []
        for other_label, other_person in people.items():
            has_more = _says_more(other_person, person)
            if has_more and _may_be_same_person(person, other_person):
                possible_labels.append(other_label)
        if len(possible_labels) > 1:
            shown_labels = f"{', '.join(possible_labels[:-1])} or {possible_labels[-1]}"
            warnings.append(f"{label} may be {shown_labels}, and was read as another person")
    return warnings


def _says_more(fuller: LabelParts, person: LabelParts) -> bool:
    """Return whether a label has more names than another, or as many and a role in brackets."""
    if len(fuller.names) != len(person.names):
        return len(fuller.names) > len(person.names)
    return bool(fuller.bracketed_roles) and not person.bracketed_roles


def _may_have_typos(label_counts: Counter[str]) -> bool:
    """Return whether a label is rare enough to be a typing error of another."""
    counts = label_counts.values()
    return bool(counts) and MIN_TYPO_RATIO * min(counts) <= max(counts)


def _capitalised_words(pieces: Sequence[SpeechPiece]) -> frozenset[str]:
    """Return the words of the speech that begin with a capital, in capitals."""
    words: set[str] = set()
    for piece in pieces:
        words.update(_CAPITALISED_PATTERN.findall(piece.text))
    return frozenset(word.upper() for word in words)


def same_people(
    label_counts: Counter[str], spoken_names: Collection[str] = frozenset()
) -> dict[str, str]:
    """Return the label of its person for each label, by how often each label occurs.

    A name among ``spoken_names``, in capitals, is never taken for a typing error of another.
    """
    people = {label: label_parts(label) for label in label_counts}

    def by_fullness(label: str) -> tuple[int, int, str]:
        """Put labels with more names first, then the more frequent ones."""
        return -len(people[label].names), -label_counts[label], label

    # The labels of each person
    groups: list[list[str]] = []
    for label in sorted(label_counts, key=by_fullness):
        compatible_groups = []
        for group in groups:
            if all(_may_be_same_person(people[label], people[member]) for member in group):
                compatible_groups.append(group)
        # A label that fits two people is not merged with either.
        if len(compatible_groups) == 1:
            compatible_groups[0].append(label)
        else:
            groups.append([label])

    person_labels: dict[str, str] = {}
    for group in _join_typos(groups, label_counts, people, spoken_names):
        fullest_label = _fullest_label(group, label_counts, people)
        for label in group:
            person_labels[label] = fullest_label
    return person_labels


def _may_be_same_person(person: LabelParts, candidate: LabelParts) -> bool:
    """Return whether two labels can be one person: same last name, and no contradiction."""
    if not person.names or not candidate.names or person.surname != candidate.surname:
        return False
    # "Hale and Reyes" are two people, "Hale" and "Hale Jr." also.
    if person.is_joint or candidate.is_joint or person.suffix != candidate.suffix:
        return False
    # "George W. Bush" and "George H. W. Bush"
    are_initials_known = bool(person.middle_initials and candidate.middle_initials)
    if are_initials_known and person.middle_initials != candidate.middle_initials:
        return False
    # "J. Hale" and "Tom Hale"
    if not (_fits_initial(person, candidate) and _fits_initial(candidate, person)):
        return False
    # "Mr. Hale" and "Ms. Hale"
    if person.gender and candidate.gender and person.gender != candidate.gender:
        return False
    # "Jane Hale (Mayor)" and "Jane Hale (Clerk)"
    if not bracketed_roles.may_be_one_person(person.bracketed_roles, candidate.bracketed_roles):
        return False
    # "Senator Hale" and "Hale", but not "Senator Hale" and "Mayor Hale"
    are_only_surnames = len(person.names) == 1 and len(candidate.names) == 1
    if are_only_surnames:
        return person.offices <= candidate.offices or candidate.offices <= person.offices
    # "Jane Hale" and "Hale", but not "Jane Hale" and "Tom Hale"
    is_only_one_surname = len(person.names) == 1 or len(candidate.names) == 1
    return is_only_one_surname or person.names[0] == candidate.names[0]


def _fits_initial(person: LabelParts, candidate: LabelParts) -> bool:
    """Return whether the initial of a person can be that person's given name in another label."""
    # "J. Hale" may be "Jane Hale", but not "Tom Hale".
    if not person.initial:
        return True
    given_name = candidate.initial
    if len(candidate.names) > 1 and not given_name:
        given_name = candidate.names[0]
    return not given_name or given_name[0] == person.initial


def _join_typos(
    groups: list[list[str]],
    label_counts: Counter[str],
    people: dict[str, LabelParts],
    spoken_names: Collection[str],
) -> list[list[str]]:
    """Return the groups with each rare group joined to the frequent one that it misspells.

    The last names differ by one letter.
    """

    def turn_count(group: Sequence[str]) -> int:
        return sum(label_counts[label] for label in group)

    # The groups so far, with the turns that each had by itself, the most frequent first
    joined_groups: list[tuple[int, list[str]]] = []
    for group in sorted(groups, key=turn_count, reverse=True):
        count = turn_count(group)
        members = [people[label] for label in group]
        surname = members[0].surname
        # A name that is spoken in the text is not a typing error.
        is_rare = count <= MAX_TYPO_COUNT
        may_be_typo = is_rare and _are_plain_surnames(members) and surname not in spoken_names
        possible_groups: list[list[str]] = []
        if may_be_typo:
            for correct_count, correct_group in joined_groups:
                is_frequent = correct_count >= MIN_TYPO_RATIO * count
                correct_surname = people[correct_group[0]].surname
                if is_frequent and _is_misspelling(surname, correct_surname):
                    possible_groups.append(correct_group)
        # A name that may misspell two others stays as it is.
        if len(possible_groups) == 1:
            possible_groups[0].extend(group)
        else:
            joined_groups.append((count, group))
    return [group for _, group in joined_groups]


def _are_plain_surnames(members: Sequence[LabelParts]) -> bool:
    # "Hale", but not "Jane Hale" or "Hale and Reyes"
    return all(len(member.names) == 1 and not member.is_joint for member in members)


def _is_misspelling(wrong: str, right: str) -> bool:
    """Return whether two names of four letters or more differ by one letter.

    It may be added, left out, changed, or swapped with the next.
    """
    length_difference = abs(len(wrong) - len(right))
    if min(len(wrong), len(right)) < MIN_TYPO_LETTERS or wrong == right or length_difference > 1:
        return False
    # The letters from the first difference on: both must agree after it.
    same_beginning = commonprefix([wrong, right])
    wrong_end = wrong[len(same_beginning) :]
    right_end = right[len(same_beginning) :]
    is_letter_added = wrong_end[1:] == right_end  # "Halle"
    is_letter_left_out = wrong_end == right_end[1:]  # "Hle"
    is_letter_changed = wrong_end[1:] == right_end[1:]  # "Hele"
    swapped_end = right_end[1:2] + right_end[:1] + right_end[2:]
    are_letters_swapped = wrong_end == swapped_end  # "Hlae"
    return is_letter_added or is_letter_left_out or is_letter_changed or are_letters_swapped


def _fullest_label(
    group: Iterable[str], label_counts: Counter[str], people: dict[str, LabelParts]
) -> str:
    """Return the label with the most names, the most frequent of these."""

    def fullness(label: str) -> tuple[int, int, str]:
        return len(people[label].names), label_counts[label], label

    return max(group, key=fullness)


def turn_counts(
    pieces: Sequence[SpeechPiece],
    labelled_pieces: Sequence[SpeechPiece],
    label_evidence: Mapping[str, str],
) -> tuple[SpeakerEvidence, ...]:
    """Return the speakers in the order of their first turn, with the grounds for their labels.

    ``labelled_pieces`` are the pieces before labels were merged: a speaker has the evidence of all
    labels that were.
    """
    # Labels of the same person were merged: "Hale" may have become "Jane Hale".
    speaker_by_label = {}
    for labelled_piece, piece in zip(labelled_pieces, pieces, strict=True):
        speaker_by_label[labelled_piece.speaker] = piece.speaker
    evidence_by_speaker: dict[str, list[str]] = defaultdict(list)
    for label, speaker in speaker_by_label.items():
        if label and speaker and label in label_evidence:
            evidence_by_speaker[speaker].append(f"{label}: {label_evidence[label]}")
    return tuple(
        SpeakerEvidence(speaker, turn_count, "; ".join(evidence_by_speaker[speaker]))
        for speaker, turn_count in _count_turns(pieces).items()
    )


def _count_turns(pieces: Sequence[SpeechPiece]) -> Counter[str]:
    """Return the number of turns per named speaker, in the order of their first turns."""
    turn_count_by_speaker: Counter[str] = Counter()
    previous_speaker = None
    for piece in pieces:
        begins_turn = piece.starts_turn or piece.speaker != previous_speaker
        if piece.speaker and begins_turn:
            turn_count_by_speaker[piece.speaker] += 1
        previous_speaker = piece.speaker
    return turn_count_by_speaker


def speakers(transcript: Transcript) -> Counter[str | None]:
    """Return the number of sentences per speaker, in the order of first appearance.

    None is the unknown speaker.
    """
    return Counter(sentence.speaker for sentence in transcript.sentences)


def rename(transcript: Transcript, names: Mapping[str, str | None]) -> Transcript:
    """Return the transcript with speakers renamed, ``{old: new}``.

    Two speakers with the same new name are merged. A new name of None or "" makes the speaker
    unknown. Raises TranscriptError if an old name doesn't occur.
    """
    sentence_counts = speakers(transcript)
    unknown_names = [old_name for old_name in names if old_name not in sentence_counts]
    if unknown_names:
        names_in_transcript = ", ".join(name for name in sentence_counts if name) or "nobody"
        raise TranscriptError(
            f"the transcript has no sentence by {', '.join(unknown_names)}.",
            where=transcript.title,
            remedy=f"The speakers are {names_in_transcript}.",
        )
    new_name_by_old_name = {}
    for old_name, new_name in names.items():
        new_name_by_old_name[old_name] = _tidy_name(new_name)
    sentences = []
    for sentence in transcript.sentences:
        if sentence.speaker in new_name_by_old_name:
            sentence = replace(sentence, speaker=new_name_by_old_name[sentence.speaker])
        sentences.append(sentence)
    role_by_speaker = {}
    for old_name, role in transcript.speaker_roles:
        speaker = new_name_by_old_name.get(old_name, old_name)
        if speaker:
            role_by_speaker[speaker] = role
    return replace(
        transcript, sentences=tuple(sentences), speaker_roles=tuple(role_by_speaker.items())
    )


def rename_in_order(transcript: Transcript, new_names: Sequence[str]) -> Transcript:
    """Return the transcript with its speakers renamed in the order of their first appearance.

    An empty name leaves a speaker unchanged. The unknown speaker does not count. Raises
    TranscriptError if there are more names than speakers.
    """
    old_names = [name for name in speakers(transcript) if name]
    # A single empty name is allowed even if the transcript names no speaker: nothing is renamed.
    is_nothing_to_rename = len(new_names) <= 1 and not "".join(new_names).strip()
    if len(new_names) > len(old_names) and not is_nothing_to_rename:
        raise TranscriptError(
            f"the transcript has {len(old_names)} speakers, but {len(new_names)} names were given.",
            where=transcript.title,
            remedy=f"The speakers are {', '.join(old_names)}." if old_names else "",
        )
    new_name_by_old_name = {}
    for old_name, new_name in zip(old_names, new_names, strict=False):
        if new_name.strip():
            new_name_by_old_name[old_name] = new_name
    return rename(transcript, new_name_by_old_name)


def reassign(transcript: Transcript, numbers: Collection[int], speaker: str | None) -> Transcript:
    """Return the transcript with the sentences of these numbers assigned to a speaker.

    None or "" makes the speaker unknown. Raises TranscriptError if a number doesn't occur.
    """
    reassigned_numbers = set(numbers)
    existing_numbers = {sentence.number for sentence in transcript.sentences}
    missing_numbers = sorted(reassigned_numbers - existing_numbers)
    if missing_numbers:
        shown_numbers = ", ".join(map(str, missing_numbers[:MAX_SHOWN_NUMBERS]))
        raise TranscriptError(
            f"the transcript has no sentence {shown_numbers}.",
            where=transcript.title,
            remedy=f"The sentences are numbered 1 to {len(transcript)}.",
        )
    name = _tidy_name(speaker)
    sentences = []
    for sentence in transcript.sentences:
        if sentence.number in reassigned_numbers:
            sentence = replace(sentence, speaker=name)
        sentences.append(sentence)
    return replace(transcript, sentences=tuple(sentences))


def _tidy_name(name: str | None) -> str | None:
    return " ".join((name or "").split()) or None
