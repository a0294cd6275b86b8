"""A transcript before its check: as it was read, with a person's changes to labels and speakers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from assistant import transcripts
from assistant.core.domain import SpeakerEvidence, SpeakerRole, Transcript
from assistant.jobs.reading_choices import LabelVerdict, ReadingChoice, TranscriptShape
from assistant.transcripts import LabelChoices, speakers
from assistant.transcripts.speaker_labels import is_standard_label
from assistant.transcripts.text_decoding import NO_CHOICES

# Line, text and count of a sentence among its equals: the number changes when labels are accepted
SentenceKey = tuple[int, str, int]


@dataclass(frozen=True, slots=True)
class SpeakerSummary:
    """A speaker of a draft: turns and sentences, the labels that were read, and the grounds.

    ``speaker`` is None for unknown. ``read_names`` are the names as they were read: several if
    a person merged them.
    """

    speaker: str | None
    turn_count: int
    sentence_count: int
    read_names: tuple[str, ...] = ()
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptDraft:
    """A transcript as it was read, and the changes to it. A change makes a new draft.

    ``data`` are the bytes of the file, None for a recording or a stored transcript: these cannot
    be read again. ``new_names`` has new names by name as read, None for unknown.
    ``sentence_speakers`` has the speakers of single sentences. ``reused`` are the choices that were
    stored for an earlier file. ``roles`` has the roles that a person chose, by name as read, or by the
    name that a person gave to single sentences.
    """

    as_read: Transcript
    shape: TranscriptShape
    data: bytes | None = None
    label_choices: LabelChoices = NO_CHOICES
    new_names: Mapping[str, str | None] = field(default_factory=dict)
    sentence_speakers: Mapping[SentenceKey, str | None] = field(default_factory=dict)
    reused: tuple[ReadingChoice, ...] = ()
    roles: Mapping[str, SpeakerRole] = field(default_factory=dict)

    @property
    def transcript(self) -> Transcript:
        """Return the transcript with all changes."""
        # ``as_read`` is the transcript as the reader of its format gave it, without a
        # person's changes.
        speakers_in_file = speakers.speakers(self.as_read)
        new_names = {}
        for read_name, new_name in self.new_names.items():
            if read_name in speakers_in_file:
                new_names[read_name] = new_name
        changed_transcript = speakers.rename(self.as_read, new_names)
        # Changes to single sentences count after new names.
        if self.sentence_speakers:
            sentences = []
            for key, sentence in zip(sentence_keys(self.as_read), changed_transcript, strict=True):
                speaker = self.sentence_speakers.get(key, sentence.speaker)
                sentences.append(replace(sentence, speaker=speaker))
            changed_transcript = replace(changed_transcript, sentences=tuple(sentences))
        return replace(changed_transcript, speaker_roles=self._present_roles(changed_transcript))

    def _present_roles(self, changed_transcript: Transcript) -> tuple[tuple[str, SpeakerRole], ...]:
        """Return the chosen roles of the speakers of the changed transcript."""
        speakers_in_transcript = speakers.speakers(changed_transcript)
        role_by_speaker = {}
        for name, role in self.roles.items():
            speaker = self.new_names.get(name, name)
            if speaker in speakers_in_transcript and speaker is not None:
                role_by_speaker[speaker] = role
        return tuple(role_by_speaker.items())

    def accepting(self, label: str) -> TranscriptDraft:
        """Return the draft with a label taken for a speaker. Raises: TranscriptError."""
        refused = _without_labels(self.label_choices.refused, [label])
        accepted = (*_without_labels(self.label_choices.accepted, [label]), label)
        return self._read_with_labels(LabelChoices(accepted, refused))

    def refusing(self, label: str) -> TranscriptDraft:
        """Return the draft with a doubtful label taken for speech. Raises: TranscriptError."""
        accepted = _without_labels(self.label_choices.accepted, [label])
        refused = (*_without_labels(self.label_choices.refused, [label]), label)
        return self._read_with_labels(LabelChoices(accepted, refused))

    def undecided(self, label: str) -> TranscriptDraft:
        """Return the draft without a verdict on a label. Raises: TranscriptError."""
        accepted = _without_labels(self.label_choices.accepted, [label])
        refused = _without_labels(self.label_choices.refused, [label])
        return self._read_with_labels(LabelChoices(accepted, refused))

    def without_speaker(self, speaker: str) -> TranscriptDraft:
        """Return the draft with the labels of a speaker taken for speech.

        If the format itself names the speaker, or the file cannot be read again, the speaker of
        the words is unknown instead. Raises: TranscriptError.
        """
        draft = self
        for read_name in self.read_names(speaker):
            labels = _labels_of_speaker(self.as_read.speaker_evidence, read_name)
            accepted_labels = _without_labels(draft.label_choices.accepted, labels)
            refused_labels = (*_without_labels(draft.label_choices.refused, labels), *labels)
            reread_draft = draft._read_with_labels(LabelChoices(accepted_labels, refused_labels))
            is_still_named = read_name in speakers.speakers(reread_draft.as_read)
            if is_still_named:
                # A tag of the format names the speaker, which the choice of labels does not change.
                draft = replace(draft, new_names={**draft.new_names, read_name: None})
            else:
                draft = reread_draft
        # None stands for an unknown speaker.
        sentence_speakers = dict(draft.sentence_speakers)
        for key, name in draft.sentence_speakers.items():
            if name == speaker:
                sentence_speakers[key] = None
        return replace(draft, sentence_speakers=sentence_speakers)

    def renamed(self, speaker: str, new_name: str) -> TranscriptDraft:
        """Return the draft with another name for a speaker; a present name merges the two."""
        tidy_name = " ".join(new_name.split()) or None
        new_names = dict(self.new_names)
        for read_name in self.read_names(speaker):
            new_names[read_name] = tidy_name
            if tidy_name == read_name:
                # The name in the file needs no change.
                del new_names[read_name]
        sentence_speakers = dict(self.sentence_speakers)
        for key, name in self.sentence_speakers.items():
            if name == speaker:
                sentence_speakers[key] = tidy_name
        roles = dict(self.roles)
        is_named_by_person = speaker in roles and speaker not in speakers.speakers(self.as_read)
        if is_named_by_person and tidy_name:
            roles[tidy_name] = roles.pop(speaker)
        return replace(self, new_names=new_names, sentence_speakers=sentence_speakers, roles=roles)

    def with_role(self, speaker: str, role: SpeakerRole) -> TranscriptDraft:
        """Return the draft with the role of a speaker, which overrules the one in the words."""
        roles = dict(self.roles)
        for name in self.read_names(speaker) or [speaker]:
            roles[name] = role
        return replace(self, roles=roles)

    def without_role(self, name: str) -> TranscriptDraft:
        """Return the draft without the role chosen for a name."""
        return replace(
            self, roles={read: role for read, role in self.roles.items() if read != name}
        )

    def with_read_name(self, read_name: str) -> TranscriptDraft:
        """Return the draft with a speaker under the name as read; this splits a merged speaker."""
        new_names = {read: new for read, new in self.new_names.items() if read != read_name}
        return replace(self, new_names=new_names)

    def reassigned(self, numbers: Collection[int], speaker: str | None) -> TranscriptDraft:
        """Return the draft with the sentences of these numbers assigned to a speaker."""
        # An empty name stands for an unknown speaker, None.
        tidy_name = " ".join((speaker or "").split()) or None
        # A key stays the same if the file is read again and its sentences get other numbers.
        keys = sentence_keys(self.as_read)
        sentence_speakers = dict(self.sentence_speakers)
        for key, sentence in zip(keys, self.as_read, strict=True):
            if sentence.number in numbers:
                sentence_speakers[key] = tidy_name
        return replace(self, sentence_speakers=sentence_speakers)

    def with_read_sentences(self) -> TranscriptDraft:
        """Return the draft without changes to single sentences."""
        return replace(self, sentence_speakers={})

    def read_names(self, speaker: str) -> list[str]:
        """Return the names as read of a speaker, in the order of their first sentence."""
        present = speakers.speakers(self.as_read)
        return [name for name in present if name and self.new_names.get(name, name) == speaker]

    def unaffected_sentences(self) -> int:
        """Return how many changed sentences the file no longer has, since it was read again."""
        keys = set(sentence_keys(self.as_read))
        return sum(key not in keys for key in self.sentence_speakers)

    def summaries(self) -> list[SpeakerSummary]:
        """Return the speakers in the order of their first sentence."""
        transcript = self.transcript
        # A run of sentences with the same speaker is a turn.
        turn_counts = Counter(speaker for speaker, _ in groupby(_speakers_of(transcript)))
        sentence_counts = speakers.speakers(transcript)
        evidence_by_name = {item.speaker: item for item in self.as_read.speaker_evidence}
        summaries = []
        for speaker, sentence_count in sentence_counts.items():
            # The names in the file of this speaker, who may have been renamed or joined
            read_names = tuple(self.read_names(speaker)) if speaker else ()
            evidence_of_speaker = [
                evidence_by_name[name] for name in read_names if name in evidence_by_name
            ]
            turn_count = turn_counts[speaker]
            # The format may know turns better, unless a person moved sentences.
            if evidence_of_speaker and not self.sentence_speakers:
                turn_count = sum(item.turn_count for item in evidence_of_speaker)
            reasons = "; ".join(_reasons(item) for item in evidence_of_speaker if item.evidence)
            summary = SpeakerSummary(speaker, turn_count, sentence_count, read_names, reasons)
            summaries.append(summary)
        return summaries

    def choices(self, by: str, at: float) -> list[ReadingChoice]:
        """Return the choices to store for the next file of this shape.

        A name for a numbered voice, a role or a single letter is left out: the next file has
        another person under the same label.
        """
        source = self.as_read.source
        format_name = self.shape.format_name
        # Each choice as (shape, label, verdict, new name or role). A shape stands for the transcripts
        # to which the choice applies.
        verdicts: list[tuple[str, str, LabelVerdict, str]] = []
        for label in self.label_choices.accepted:
            verdicts.append((format_name, label, LabelVerdict.SPEAKER, ""))
        for label in self.label_choices.refused:
            verdicts.append((format_name, label, LabelVerdict.NOT_A_SPEAKER, ""))
        present = speakers.speakers(self.as_read)
        for read_name, new_name in self.new_names.items():
            if read_name in present and not is_anonymous(read_name):
                shape = self.shape.with_labels
                verdicts.append((shape, read_name, LabelVerdict.RENAMED, new_name or ""))
        for read_name, role in self.roles.items():
            if read_name in present and not is_anonymous(read_name):
                verdicts.append((self.shape.with_roles, read_name, LabelVerdict.ROLE, str(role)))
        return [
            ReadingChoice(
                shape,
                label,
                verdict,
                new_name,
                source.sha256,
                self.as_read.title,
                self.as_read.event_date,
                by,
                at,
            )
            for shape, label, verdict, new_name in verdicts
        ]

    def without_reused(self) -> TranscriptDraft:
        """Return the draft without the choices of an earlier file. Raises: TranscriptError."""
        reused_labels = [choice.label for choice in self.reused]
        accepted_labels = _without_labels(self.label_choices.accepted, reused_labels)
        refused_labels = _without_labels(self.label_choices.refused, reused_labels)
        # The names and roles that a person gave in this file stay.
        new_names = dict(self.new_names)
        roles = dict(self.roles)
        for label in reused_labels:
            new_names.pop(label, None)
            roles.pop(label, None)
        draft = replace(self, new_names=new_names, roles=roles, reused=())
        # Other labels may divide the text into other turns.
        return draft._read_with_labels(LabelChoices(accepted_labels, refused_labels))

    def _read_with_labels(self, label_choices: LabelChoices) -> TranscriptDraft:
        if self.data is None or label_choices == self.label_choices:
            return replace(self, label_choices=label_choices)
        as_read = transcripts.read_bytes(self.data, self.as_read.source.name, choices=label_choices)
        return replace(self, as_read=as_read, label_choices=label_choices)


def of_transcript(transcript: Transcript) -> TranscriptDraft:
    """Return the draft of a transcript whose file is not at hand."""
    return TranscriptDraft(transcript, _shape(transcript), roles=dict(transcript.speaker_roles))


def read_draft(data: bytes, name: str) -> TranscriptDraft:
    """Return the draft of a file, read without any choice. Raises: as ``transcripts.read``."""
    as_read = transcripts.read_bytes(data, name)
    return TranscriptDraft(as_read, _shape(as_read), data)


def with_stored_choices(
    draft: TranscriptDraft, choices: Sequence[ReadingChoice]
) -> TranscriptDraft:
    """Return the draft with the choices of an earlier file of its shape. Raises: TranscriptError."""
    accepted_labels = []
    refused_labels = []
    new_name_by_label: dict[str, str | None] = {}
    role_by_label = {}
    for choice in choices:
        if choice.verdict is LabelVerdict.SPEAKER:
            accepted_labels.append(choice.label)
        elif choice.verdict is LabelVerdict.NOT_A_SPEAKER:
            refused_labels.append(choice.label)
        elif choice.verdict is LabelVerdict.RENAMED:
            # None stands for an unknown speaker.
            new_name_by_label[choice.label] = choice.new_name or None
        elif choice.verdict is LabelVerdict.ROLE:
            # The column of the new name also stores the role.
            role_by_label[choice.label] = SpeakerRole(choice.new_name)
    new_draft = draft._read_with_labels(LabelChoices(tuple(accepted_labels), tuple(refused_labels)))
    return replace(
        new_draft, new_names=new_name_by_label, roles=role_by_label, reused=tuple(choices)
    )


def sentence_keys(transcript: Transcript) -> list[SentenceKey]:
    """Return a key for each sentence that stays when the file is read again."""
    # A line may have the same sentence several times: their number tells these apart.
    count_by_line_and_text: Counter[tuple[int, str]] = Counter()
    keys = []
    for sentence in transcript:
        line_and_text = (sentence.line, sentence.text)
        count_by_line_and_text[line_and_text] += 1
        keys.append((sentence.line, sentence.text, count_by_line_and_text[line_and_text]))
    return keys


def is_anonymous(label: str) -> bool:
    """Return whether a label names a voice, a role or a letter instead of a person."""
    has_digit = any(character.isdigit() for character in label)
    return has_digit or len(label) == 1 or is_standard_label(label)


def unused_labels(transcript: Transcript, accepted: Collection[str]) -> list[str]:
    """Return the accepted labels that no line of a transcript begins with."""
    present = set()
    for found in transcript.speaker_evidence:
        for label in _labels_of_speaker(transcript.speaker_evidence, found.speaker):
            present.add(_folded(label))
    return [label for label in accepted if _folded(label) not in present]


def _shape(transcript: Transcript) -> TranscriptShape:
    """Return the shape of a transcript that was read without any choice."""
    labels = {doubtful.label: None for doubtful in transcript.doubtful_labels}
    for speaker in speakers.speakers(transcript):
        if speaker:
            labels.update(dict.fromkeys(_labels_of_speaker(transcript.speaker_evidence, speaker)))
    return TranscriptShape(transcript.source.format, tuple(labels))


def _labels_of_speaker(evidence: Sequence[SpeakerEvidence], speaker: str) -> list[str]:
    """Return the labels of a speaker: the name, and the labels that were merged under it."""
    # A dict without values keeps each label once, in order.
    labels = {speaker: None}
    for speaker_evidence in evidence:
        if speaker_evidence.speaker == speaker and speaker_evidence.evidence:
            # Evidence is written "LABEL: reason; LABEL: reason".
            for label_and_reason in speaker_evidence.evidence.split("; "):
                label, _, _ = label_and_reason.partition(": ")
                labels[label] = None
    return list(labels)


def _reasons(found: SpeakerEvidence) -> str:
    """Return the grounds for a speaker, without the label if it is the name itself."""
    label, _, grounds = found.evidence.partition(": ")
    has_one_label = "; " not in grounds
    return grounds if has_one_label and label == found.speaker else found.evidence


def _without_labels(labels: Sequence[str], removed: Collection[str]) -> tuple[str, ...]:
    removed_labels = {_folded(label) for label in removed}
    return tuple(label for label in labels if _folded(label) not in removed_labels)


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


def _speakers_of(transcript: Transcript) -> list[str | None]:
    return [sentence.speaker for sentence in transcript]
