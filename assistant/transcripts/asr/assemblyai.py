"""AssemblyAI: utterances by lettered speakers, times in milliseconds; without diarisation, words or only the text."""

from __future__ import annotations

from assistant.transcripts import language
from assistant.transcripts.asr.json_fields import content, keys, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has the service's utterances or its audio address beside a text."""
    data = content(source)
    return keys(data, "text") and ("utterances" in data or keys(data, "audio_url", "status"))


def parse(source: RawSource) -> Parsed:
    """Return one piece an utterance, else stretches of words, else the text."""
    data = content(source)
    warnings = language.declared(data.get("language_code"))
    turns = [turn for turn in objects(data.get("utterances")) if string(turn.get("text"))]
    if turns:
        return Parsed([_turn(number, turn) for number, turn in enumerate(turns, 1)], warnings)
    words = [word for word in objects(data.get("words")) if word.get("text")]
    if words:
        return Parsed(pieces(_word(number, word) for number, word in enumerate(words, 1)), warnings)
    text = string(data.get("text"))
    return Parsed([Piece(text, 1)] if text else [], warnings)


def _turn(number: int, turn: dict) -> Piece:
    start, end = time(turn.get("start"), 1000), time(turn.get("end"), 1000)
    return Piece(string(turn["text"]), number, named(turn.get("speaker")), start, end, True)


def _word(number: int, word: dict) -> Word:
    start, end = time(word.get("start"), 1000), time(word.get("end"), 1000)
    return Word(string(word["text"]), number, start, end, named(word.get("speaker")))
