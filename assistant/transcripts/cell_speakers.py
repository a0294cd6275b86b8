"""Finds the speakers of a table that has no column for them: labels at the head of its cells.

A saved chat says "From NAME to NAME : words" in each cell; any other table is given to the label
finder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.core.domain import DoubtfulLabel
from assistant.transcripts.label_finder import FoundLabel, LineWithLayout, find_labels
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece, doubt_warning

MIN_CHAT_SHARE = 0.8  # share of the cells
_CHAT_HEAD_PATTERN = re.compile(
    r"^From\s{1,9}(?P<sender>[^:]{1,80}?)(?:\s{1,9}to\s{1,9}(?P<receiver>[^:]{1,80}?))?\s{0,9}:\s+(?=\S)",
    re.IGNORECASE,
)
_DIRECT_MESSAGE_PATTERN = re.compile(r"\bdirect message\b|\bprivately\b", re.IGNORECASE)


def take_speakers_from_cells(parsed: ParsedTranscript) -> bool:
    """Give pieces without a speaker the one that their cells name; return whether any does."""
    # A chat begins each message with its time and sender.
    chat_heads = [_CHAT_HEAD_PATTERN.match(piece.text) for piece in parsed.pieces]
    head_count = sum(head is not None for head in chat_heads)
    if chat_heads and head_count >= MIN_CHAT_SHARE * len(chat_heads):
        _name_senders(parsed, chat_heads)
        return True
    findings = find_labels([LineWithLayout(piece.text) for piece in parsed.pieces])
    if not any(found and not found.is_doubtful for found in findings.labels):
        return False
    _name_speakers(parsed, findings.labels)
    return True


def _name_speakers(parsed: ParsedTranscript, found_labels: Sequence[FoundLabel | None]) -> None:
    """Take the speakers from the labels at the head of the cells, one or none per cell."""
    named_pieces: list[SpeechPiece] = []
    for piece, found in zip(parsed.pieces, found_labels, strict=True):
        if found is None:
            # A cell without a label goes on with the speaker of the cell above.
            speaker = named_pieces[-1].speaker if named_pieces else None
            named_pieces.append(replace(piece, speaker=speaker))
            continue
        label = found.label
        spoken = piece.text[label.end :].strip()
        if found.is_doubtful:
            spoken = piece.text
            parsed.doubtful_labels.append(DoubtfulLabel(piece.line_number, label.name, piece.text))
        named_pieces.append(replace(piece, text=spoken, speaker=label.speaker, starts_turn=True))
    parsed.pieces = [piece for piece in named_pieces if piece.text]
    if parsed.doubtful_labels:
        parsed.warnings.append(doubt_warning(parsed.doubtful_labels))


def _name_senders(parsed: ParsedTranscript, chat_heads: Sequence[re.Match[str] | None]) -> None:
    """Give the messages of a chat their senders; say how many were private."""
    private_count = 0
    messages = []
    for piece, head in zip(parsed.pieces, chat_heads, strict=True):
        if head is None:
            messages.append(piece)
            continue
        if _DIRECT_MESSAGE_PATTERN.search(head["receiver"] or ""):
            private_count += 1
        text = piece.text[head.end() :]
        sender = head["sender"].strip()
        messages.append(replace(piece, text=text, speaker=sender, starts_turn=True))
    parsed.pieces = messages
    parsed.warnings.append("this is a saved chat: the words were written, not said")
    if private_count:
        parsed.warnings.append(f"private messages (direct message) among them: {private_count}")
