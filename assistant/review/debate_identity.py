"""Which decisions belong to the debate of a transcript, whatever its title and its speakers' names.

The same file is the same debate. Another file of the same day is the same debate if most sentences
of the shorter one are in the longer one. A title and a date alone prove nothing: two debates of one
evening may both be ``transcript.txt``.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Protocol, TypeVar

from assistant.core.domain import Report, Sentence, Transcript
from assistant.core.identity_cache import IdentityCache
from assistant.review.assignment_store import transcript_anchor
from assistant.review.decision_store import Anchor, DecisionStore, Record
from features.language.same_words import same_words

MIN_SHARED_SENTENCES = 0.6  # of the shorter transcript
MIN_SHARED_COUNT = 2
MIN_SENTENCE_WORDS = 4  # a shorter sentence, "Thank you.", is said in many debates
# The hash of a sentence: its first byte is 1 if the sentence has enough words, else 0.
HASH_BYTES = 4
LIVE_DOCUMENT = ""  # a live event has no file: its title and its day tell it apart
_LONG_SENTENCE_MARK = 1
# Every decision on a debate asks for it, and its sentences stay the same objects.
_FINGERPRINT_BY_SENTENCES: IdentityCache[bytes] = IdentityCache(16)


def note_debate(store: DecisionStore, report: Report, anchor: Anchor) -> None:
    """Note the sentences of a transcript, so that another file of its debate is recognised."""
    store.note_sentences(anchor, _fingerprint(report.transcript))


def renew_live_note(store: DecisionStore, transcript: Transcript) -> None:
    """Note all sentences of a live event on whose matches somebody decided or commented.

    At that moment the event had fewer sentences: too few, perhaps, to recognise it in a file.
    """
    event_anchor = transcript_anchor(LIVE_DOCUMENT, transcript.title, transcript.event_date)
    if store.sentences_of(event_anchor) is not None:
        store.note_sentences(event_anchor, _fingerprint(transcript))


class Anchored(Protocol):
    """A record about a sentence of a transcript."""

    @property
    def anchor(self) -> Anchor:
        """Return the transcript and the sentence."""


AnchoredT = TypeVar("AnchoredT", bound=Anchored, covariant=True)


class AnchoredStore(Protocol[AnchoredT]):
    """A store of records about sentences of transcripts."""

    def of_debate(self, document: str, title: str, event_date: date | None) -> Sequence[AnchoredT]:
        """Return the records on a file, and on other files that may be of the same debate."""


def records_of(store: DecisionStore, report: Report) -> list[Record]:
    """Return the newest versions of the decisions on the debate of a report."""
    return records_of_debate(store, store, report)


def records_of_debate(
    store: AnchoredStore[AnchoredT], transcripts: DecisionStore, report: Report
) -> list[AnchoredT]:
    """Return the records on the debate of a report, whatever its file.

    ``transcripts`` has the noted sentences of each transcript.
    """
    transcript = report.transcript
    file_digest = transcript.source.sha256
    records: list[AnchoredT] = []
    records_on_other_files: list[AnchoredT] = []
    for record in store.of_debate(file_digest, transcript.title, transcript.event_date):
        if file_digest and record.anchor.document == file_digest:
            records.append(record)
        else:
            records_on_other_files.append(record)
    # Most debates have records of their own file only; their sentences need no hashes.
    if not records_on_other_files:
        return records

    records_by_transcript: dict[tuple[str, str], list[AnchoredT]] = defaultdict(list)
    for record in records_on_other_files:
        document_and_title = (record.anchor.document, record.anchor.title)
        records_by_transcript[document_and_title].append(record)
    for other_records in records_by_transcript.values():
        records += _records_of_same_debate(other_records, transcripts, transcript)
    return records


def _records_of_same_debate(
    records: Sequence[AnchoredT], transcripts: DecisionStore, transcript: Transcript
) -> list[AnchoredT]:
    """Return those records of one other file that are on the debate of a transcript."""
    anchor = records[0].anchor
    if _is_same_event(anchor, transcript):
        return list(records)
    sentences = list(transcript)
    noted_hashes = transcripts.sentences_of(anchor)
    if noted_hashes is not None:
        return list(records) if is_same_debate(_fingerprint(sentences), noted_hashes) else []
    if anchor.title != transcript.title:
        return []
    # An earlier Lectern noted no sentences: each record proves itself.
    return [record for record in records if _has_context(record.anchor, sentences)]


def is_same_debate(fingerprint: bytes, other_fingerprint: bytes) -> bool:
    """Return whether most sentences of the shorter transcript are in the longer one."""
    hashes = _split_fingerprint(fingerprint)
    other_hashes = _split_fingerprint(other_fingerprint)
    if hashes == other_hashes:
        return bool(hashes)

    # Short sentences, as "Thank you.", are said in all debates: the long ones must agree, too.
    long_hashes = _hashes_of_long_sentences(hashes)
    other_long_hashes = _hashes_of_long_sentences(other_hashes)
    shared_fraction = _shared_fraction(hashes, other_hashes)
    shared_fraction_of_long = _shared_fraction(long_hashes, other_long_hashes)
    if min(shared_fraction, shared_fraction_of_long) < MIN_SHARED_SENTENCES:
        return False

    if len(long_hashes & other_long_hashes) >= MIN_SHARED_COUNT:
        return True
    is_contained = shared_fraction == 1.0
    return is_contained and len(hashes & other_hashes) >= MIN_SHARED_COUNT


def count_same_neighbours(anchor: Anchor, sentences: Sequence[Sentence], index: int) -> int:
    """Count the sentences beside a decided sentence that are beside the sentence at an index."""
    is_first = index == 0
    is_last = index == len(sentences) - 1
    previous_text = "" if is_first else sentences[index - 1].text
    next_text = "" if is_last else sentences[index + 1].text
    same_count = 0
    if previous_text and same_words(previous_text) == same_words(anchor.text_before):
        same_count += 1
    if next_text and same_words(next_text) == same_words(anchor.text_after):
        same_count += 1
    return same_count


def _hashes_of_long_sentences(hashes: set[bytes]) -> set[bytes]:
    return {sentence_hash for sentence_hash in hashes if sentence_hash[0] == _LONG_SENTENCE_MARK}


def _shared_fraction(hashes: set[bytes], other_hashes: set[bytes]) -> float:
    """Return the fraction of the smaller set that is in the other set too."""
    smaller_size = min(len(hashes), len(other_hashes))
    return len(hashes & other_hashes) / max(1, smaller_size)


def _fingerprint(sentences: Iterable[Sentence]) -> bytes:
    """Return the hashes of the different sentences, in a fixed order."""
    listed_sentences = list(sentences)
    return _FINGERPRINT_BY_SENTENCES.result(
        listed_sentences, lambda: _computed_fingerprint(listed_sentences)
    )


def _computed_fingerprint(sentences: Iterable[Sentence]) -> bytes:
    # A set: a sentence that is said often counts once.
    hashes = set()
    for sentence in sentences:
        normalized_text = same_words(sentence.text)
        word_count = normalized_text.count(" ") + 1
        is_long = word_count >= MIN_SENTENCE_WORDS
        # A hash has one byte that says whether the sentence is long, then bytes of its digest.
        length_byte = bytes([_LONG_SENTENCE_MARK if is_long else 0])
        digest = hashlib.sha256(normalized_text.encode("utf-8", "replace")).digest()
        hashes.add(length_byte + digest[: HASH_BYTES - 1])
    return b"".join(sorted(hashes))


def _split_fingerprint(fingerprint: bytes) -> set[bytes]:
    starts = range(0, len(fingerprint), HASH_BYTES)
    return {fingerprint[start : start + HASH_BYTES] for start in starts}


def _is_same_event(anchor: Anchor, transcript: Transcript) -> bool:
    """Return whether a record is on the live event that a transcript is of.

    A running event grows: its first sentence alone would not be recognised later.
    """
    if anchor.document != LIVE_DOCUMENT or transcript.source.sha256 != LIVE_DOCUMENT:
        return False
    return (anchor.title, anchor.event_date) == (transcript.title, transcript.event_date)


def _has_context(anchor: Anchor, sentences: Sequence[Sentence]) -> bool:
    """Return whether its speaker said the decided sentence beside one of the same sentences."""
    decided_text = same_words(anchor.text)
    for index, sentence in enumerate(sentences):
        speaker = sentence.speaker or ""
        if speaker != anchor.speaker or same_words(sentence.text) != decided_text:
            continue
        if count_same_neighbours(anchor, sentences, index) > 0:
            return True
    return False
