"""AssemblyAI: utterances by lettered speakers, times in milliseconds.

Without diarisation, words or only the text.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import content, having, numbered, string, timed
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = having("text utterances", "text audio_url status")


def parse(source: RawSource) -> Parsed:
    """Return one piece for each utterance, else the joined words, else the text."""
    data = content(source)
    turns = [
        Piece(line=line, starts_turn=True, **timed(row, per_second=1000))
        for line, row in numbered(data.get("utterances"))
        if string(row.get("text"))
    ]
    words = [
        Word(line=line, **timed(row, per_second=1000)) for line, row in numbered(data.get("words"))
    ]
    text = string(data.get("text"))
    spoken = turns or pieces(words) or ([Piece(text, 1)] if text else [])
    return Parsed(spoken, language=string(data.get("language_code")))
