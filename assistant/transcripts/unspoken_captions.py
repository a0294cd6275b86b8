"""Takes captions of pictures and links from the speaker around them.

They stay in the transcript, since a rule may be wrong, but without a speaker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.core.domain import Sentence
from assistant.transcripts.speech_pieces import SpeechPiece, shortened
from features.language.picture_captions import is_caption_or_link

MAX_QUOTED_CAPTIONS = 5


def pieces_without_speaker(pieces: Sequence[SpeechPiece]) -> list[SpeechPiece]:
    """Return the pieces of a transcript, with no speaker for captions and links.

    A caption is then never joined to the speech after it in one sentence.
    """
    spoken_pieces = []
    for piece in pieces:
        if piece.speaker and is_caption_or_link(piece.text):
            piece = replace(piece, speaker=None)
        spoken_pieces.append(piece)
    return spoken_pieces


def sentences_without_speaker(sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[str]]:
    """Return the sentences, with no speaker for captions and links, and a warning that lists these."""
    checked_sentences = []
    captions = []
    for sentence in sentences:
        if is_caption_or_link(sentence.text):
            captions.append(sentence)
            sentence = replace(sentence, speaker=None)
        checked_sentences.append(sentence)
    if not captions:
        return checked_sentences, []
    quoted = ", ".join(
        f"line {caption.line} “{shortened(caption.text)}”"
        for caption in captions[:MAX_QUOTED_CAPTIONS]
    )
    warning = f"captions of pictures or links to articles were left without a speaker ({len(captions)}): {quoted}"
    return checked_sentences, [warning]
