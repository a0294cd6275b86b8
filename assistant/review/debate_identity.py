"""Which decisions belong to the debate of a transcript, whatever its title and its speakers' names.

The same file is the same debate. Another file of the same day is the same debate if most sentences
of the shorter one are in the longer one. A title and a date alone prove nothing: two debates of one
evening may both be ``transcript.txt``.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

from assistant.core.domain import Report, Sentence
from assistant.review.decision_store import Anchor, DecisionStore, Record
from features.language.same_words import same_words

MIN_SHARED_SENTENCES = 0.6  # of the shorter transcript
MIN_SHARED_COUNT = 2
MIN_SENTENCE_WORDS = 4  # a shorter sentence, "Thank you.", is said in many debates
HASH_BYTES = 4
# The first byte of each hash says whether the sentence has enough words.
_IS_LONG = 1


def note_debate(store: DecisionStore, report: Report, anchor: Anchor) -> None:
    """Note the sentences of a transcript, so that another file of its debate is recognised."""
    store.note_sentences(anchor, _fingerprint(report.transcript))


def records_of(store: DecisionStore, report: Report) -> list[Record]:
    """Return the newest versions of the decisions on the debate of a report."""
    transcript = report.transcript
    records = store.of_document(transcript.source.sha256)
    others = store.of_other_documents(
        transcript.source.sha256, transcript.title, transcript.event_date
    )
    # Most debates have decisions of their own file only; their sentences need no hashes.
    if not others:
        return records
    fingerprint = _fingerprint(transcript)
    sentences = list(transcript)
    by_transcript: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in others:
        by_transcript[record.anchor.document, record.anchor.title].append(record)
    for other_records in by_transcript.values():
        anchor = other_records[0].anchor
        noted = store.sentences_of(anchor)
        if noted is not None:
            if is_same_debate(fingerprint, noted):
                records += other_records
        elif anchor.title == transcript.title:
            # An earlier Lectern noted no sentences: each decision proves itself.
            records += [it for it in other_records if _has_context(it.anchor, sentences)]
    return records


def is_same_debate(sentences: bytes, other_sentences: bytes) -> bool:
    """Return whether most sentences of the shorter transcript are in the longer one."""
    hashes = _hashes(sentences)
    other_hashes = _hashes(other_sentences)
    if hashes == other_hashes:
        return bool(hashes)
    long_hashes = {value for value in hashes if value[0] == _IS_LONG}
    other_long_hashes = {value for value in other_hashes if value[0] == _IS_LONG}
    shared = _shared(hashes, other_hashes)
    shared_long = _shared(long_hashes, other_long_hashes)
    if min(shared, shared_long) < MIN_SHARED_SENTENCES:
        return False
    is_contained = shared == 1.0 and len(hashes & other_hashes) >= MIN_SHARED_COUNT
    return is_contained or len(long_hashes & other_long_hashes) >= MIN_SHARED_COUNT


def same_surroundings(anchor: Anchor, sentences: Sequence[Sentence], index: int) -> int:
    """Count the sentences beside a decided sentence that are beside the sentence at an index."""
    previous_text = sentences[index - 1].text if index > 0 else ""
    next_text = sentences[index + 1].text if index + 1 < len(sentences) else ""
    pairs = ((previous_text, anchor.text_before), (next_text, anchor.text_after))
    return sum(bool(text) and same_words(text) == same_words(other) for text, other in pairs)


def _shared(hashes: set[bytes], other_hashes: set[bytes]) -> float:
    """Return the share of the smaller set that is in the other."""
    return len(hashes & other_hashes) / max(1, min(len(hashes), len(other_hashes)))


def _fingerprint(sentences: Iterable[Sentence]) -> bytes:
    """Return the hashes of the different sentences, in a fixed order."""
    # A set: a sentence that is said often counts once.
    hashes = set()
    for sentence in sentences:
        words = same_words(sentence.text)
        is_long = words.count(" ") + 1 >= MIN_SENTENCE_WORDS
        digest = hashlib.sha256(words.encode("utf-8", "replace")).digest()
        hashes.add(bytes([is_long]) + digest[: HASH_BYTES - 1])
    return b"".join(sorted(hashes))


def _hashes(fingerprint: bytes) -> set[bytes]:
    starts = range(0, len(fingerprint), HASH_BYTES)
    return {fingerprint[start : start + HASH_BYTES] for start in starts}


def _has_context(anchor: Anchor, sentences: Sequence[Sentence]) -> bool:
    """Return whether its speaker said the decided sentence beside one of the same sentences."""
    words = same_words(anchor.text)
    for index, sentence in enumerate(sentences):
        is_same_speaker = (sentence.speaker or "") == anchor.speaker
        if is_same_speaker and same_words(sentence.text) == words:
            if same_surroundings(anchor, sentences, index):
                return True
    return False
