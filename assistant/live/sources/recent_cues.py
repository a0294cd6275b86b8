"""The latest cues or lines of a live source, read together as ``check`` reads those of a file.

A label is often confirmed, and rolling captions are recognised, only by later cues. So new cues are
read with those before them, and the lines that now read differently are returned again. Cues that
arrive together are read together: the result is the same as if each had been read on arrival.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.live.live_lines import Line, LineCut
from assistant.transcripts import caption_speech
from assistant.transcripts.caption_speech import EarlierSpeech
from assistant.transcripts.speech_pieces import SpeechPiece
from assistant.transcripts.webvtt import identified_speakers

MAX_RECENT_CUES = 80  # cues that are read together
SETTLED_AT_ONCE = 40  # oldest cues that are not read again, once the limit is reached
MAX_SETTLED_NAMES = 300  # latest speakers of settled cues, whose labels need no evidence
MIN_DOUBLE_WORDS = 3  # a shorter line may have been said twice within a second
DOUBLE_WITHIN_S = 1.0


@dataclass
class RecentCue:
    """A cue or line with the time of its arrival, and its latest reading.

    ``lines`` are the lines that it was returned as, by unit; ``spoken_pieces`` are the speech in it.
    """

    key: str
    pieces: Sequence[SpeechPiece]
    arrival_s: float
    identifier: str = ""
    lines: dict[str, Line] = field(default_factory=dict)
    spoken_pieces: Sequence[SpeechPiece] = ()

    def pieces_by(self, speaker: str | None) -> Sequence[SpeechPiece]:
        """Return the pieces, those without a speaker by this one."""
        if speaker is None:
            return self.pieces
        return [replace(piece, speaker=piece.speaker or speaker) for piece in self.pieces]

    def spoken_lines(self) -> list[Line]:
        """Return the lines of the latest reading: an earlier one may have had others."""
        return [line for line in self.lines.values() if line.text]

    def speakers(self) -> list[str]:
        """Return the speakers of the latest reading."""
        return [line.speaker for line in self.spoken_lines() if line.speaker]


@dataclass
class RecentCues:
    """The latest cues of one source. ``earlier_speech`` is known from the cues before them.

    ``has_settled``: the first cue only shows what comes before the second. It is not changed,
    because the cue before it is gone. ``unread_count`` counts the cues to be read yet,
    ``cue_count`` all cues so far. The ``line`` of a piece is the number of its cue.
    """

    source: str
    cut: LineCut
    earlier_speech: EarlierSpeech
    cues: list[RecentCue] = field(default_factory=list)
    has_settled: bool = False
    unread_count: int = 0
    cue_count: int = 0
    settled_names: dict[str, None] = field(default_factory=dict)  # latest at the end

    def copy(self) -> RecentCues:
        """Return cues that can be read without changing these."""
        copied_cues = [replace(cue, lines=dict(cue.lines)) for cue in self.cues]
        copied_names = dict(self.settled_names)
        return replace(self, cues=copied_cues, settled_names=copied_names)

    def add(self, cue: RecentCue, *, more_follow: bool = False) -> list[Line]:
        """Return the lines that are new or read differently with one more cue.

        If ``more_follow``, the cue is read with the next ones, and the list is mostly empty.
        """
        # The number of a cue stands in the ``line`` of its pieces.
        cue.pieces = [replace(piece, line_number=self.cue_count) for piece in cue.pieces]
        self.cues.append(cue)
        self.cue_count += 1
        self.unread_count += 1
        # The oldest cues leave the list, and are not read again, once it is full.
        is_full = len(self.cues) >= MAX_RECENT_CUES
        if more_follow and not is_full:
            return []
        changed_lines = self.read_again()
        if is_full:
            self._settle_oldest()
        return changed_lines

    def read_again(self) -> list[Line]:
        """Return the lines that read differently since the last reading."""
        if not self.unread_count:
            return []
        self.unread_count = 0
        changed_lines: list[Line] = []
        pieces_by_cue = self._pieces_by_cue_number()
        first_number = self.cue_count - len(self.cues)
        for index, cue in enumerate(self.cues):
            # The first cue may be kept only for the reading of the second.
            is_context = index == 0 and self.has_settled
            if not is_context:
                cue_number = first_number + index
                changed_lines += self._changed_lines(cue, pieces_by_cue[cue_number])
        return changed_lines

    def speaker(self) -> str | None:
        """Return who spoke last."""
        for cue in reversed(self.cues):
            if cue.spoken_lines():
                return cue.spoken_lines()[-1].speaker
        return self.earlier_speech.speaker

    def _pieces_by_cue_number(self) -> dict[int, list[SpeechPiece]]:
        """Return the speech of each cue by its number."""
        # Some programs write the speaker as the identifier of a cue.
        speakers = identified_speakers([cue.identifier for cue in self.cues])
        numbered_pieces: list[SpeechPiece] = []
        for cue in self.cues:
            numbered_pieces += cue.pieces_by(speakers.get(cue.identifier))
        if self.cut is LineCut.WHOLE:
            single_pieces, _ = caption_speech.without_doubles(numbered_pieces)
            spoken_pieces = caption_speech.with_speakers(single_pieces, self.earlier_speech)
        else:
            parsed = caption_speech.read_cues(
                numbered_pieces, self.source, earlier_speech=self.earlier_speech
            )
            spoken_pieces = parsed.pieces
        pieces_by_cue: dict[int, list[SpeechPiece]] = defaultdict(list)
        for piece in self._without_repeats(spoken_pieces):
            pieces_by_cue[piece.line_number].append(piece)
        return pieces_by_cue

    def _without_repeats(self, pieces: Sequence[SpeechPiece]) -> list[SpeechPiece]:
        """Return pieces without those that the next one repeats or completes at the same second."""
        single_pieces: list[SpeechPiece] = []
        for piece in pieces:
            previous_piece = single_pieces[-1] if single_pieces else None
            if previous_piece and self._repeats(previous_piece, piece):
                if piece.text == previous_piece.text:
                    continue
                # The piece is the previous one with more words, and takes its place.
                single_pieces.pop()
            single_pieces.append(piece)
        return single_pieces

    def _repeats(self, previous_piece: SpeechPiece, piece: SpeechPiece) -> bool:
        """Return whether a piece has all words of the one before it, sent at the same second."""
        is_same_cue = piece.line_number == previous_piece.line_number
        if is_same_cue or piece.speaker != previous_piece.speaker:
            return False
        # "Good evening", "Good evening everybody"
        is_longer = piece.text.startswith(previous_piece.text + " ")
        if piece.text != previous_piece.text and not is_longer:
            return False
        if len(previous_piece.text.split()) < MIN_DOUBLE_WORDS:
            return False
        if piece.start is not None and previous_piece.start is not None:
            return int(piece.start) == int(previous_piece.start)
        # Cues without times are compared by their arrival. A piece has the number of
        # its cue as ``line``, and ``cues`` has the latest ones.
        first_number = self.cue_count - len(self.cues)
        previous_cue = self.cues[previous_piece.line_number - first_number]
        cue = self.cues[piece.line_number - first_number]
        return cue.arrival_s - previous_cue.arrival_s < DOUBLE_WITHIN_S

    def _changed_lines(self, cue: RecentCue, pieces: Sequence[SpeechPiece]) -> list[Line]:
        """Return the lines of a cue that differ from those returned before; a text may be gone."""
        if pieces == cue.spoken_pieces:
            return []
        cue.spoken_pieces = pieces
        line_by_unit: dict[str, Line] = {}
        for number, piece in enumerate(pieces):
            # The first line of a cue has the key of the cue as its unit.
            unit = f"{cue.key}/{number}" if number else cue.key
            cut = self.cut
            if cut is LineCut.AUTO and piece.starts_turn:
                cut = LineCut.TURN
            line_by_unit[unit] = Line(
                self.source, unit, piece.text, piece.speaker, piece.start, piece.end, cut=cut
            )
        # An empty text takes back a line of the earlier reading.
        for unit, line in cue.lines.items():
            line_by_unit.setdefault(unit, replace(line, text=""))
        changed_lines = [line for unit, line in line_by_unit.items() if cue.lines.get(unit) != line]
        cue.lines = line_by_unit
        return changed_lines

    def _settle_oldest(self) -> None:
        """Forget the oldest cues, but neither their speakers nor who speaks after them."""
        oldest_cues = self.cues[:SETTLED_AT_ONCE]
        self.cues = self.cues[SETTLED_AT_ONCE:]
        self.has_settled = True
        for cue in oldest_cues:
            for speaker in cue.speakers():
                # The name moves to the end.
                self.settled_names.pop(speaker, None)
                self.settled_names[speaker] = None
        names = list(self.settled_names)[-MAX_SETTLED_NAMES:]
        self.settled_names = dict.fromkeys(names)
        self.earlier_speech = EarlierSpeech(self._next_speaker(), frozenset(names))

    def _next_speaker(self) -> str | None:
        """Return who speaks in the first cue whose speaker follows from earlier cues."""
        for cue in self.cues:
            is_named_by_format = any(piece.speaker for piece in cue.pieces)
            if cue.spoken_lines() and not is_named_by_format:
                return cue.spoken_lines()[0].speaker
        return self.earlier_speech.speaker
