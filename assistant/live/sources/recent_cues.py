"""The latest cues or lines of a live source, read together as ``check`` reads those of a file.

A label is often confirmed, and rolling captions are recognised, only by later cues. So every new
cue is read with those before it, and the lines that now read differently are returned again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.live.live_lines import Line, LineCut
from assistant.transcripts import caption_speech
from assistant.transcripts.caption_speech import EarlierSpeech
from assistant.transcripts.speech_pieces import Piece

MAX_RECENT_CUES = 40  # cues that may still be read differently
MIN_DOUBLE_WORDS = 3  # a shorter line may have been said twice within a second
DOUBLE_WITHIN_S = 1.0


@dataclass
class RecentCue:
    """A cue or line with the time of its arrival, and the ``lines`` it was returned as, by unit."""

    key: str
    pieces: Sequence[Piece]
    arrival_s: float
    lines: dict[str, Line] = field(default_factory=dict)


@dataclass
class RecentCues:
    """The latest cues of one source. ``earlier`` is known from the cues before them."""

    source: str
    cut: LineCut
    earlier: EarlierSpeech
    cues: list[RecentCue] = field(default_factory=list)

    def copy(self) -> RecentCues:
        """Return cues that can be read without changing these."""
        copied_cues = [replace(cue, lines=dict(cue.lines)) for cue in self.cues]
        return replace(self, cues=copied_cues)

    def add(self, cue: RecentCue) -> list[Line]:
        """Return the lines that are new or read differently with one more cue."""
        self.cues.append(cue)
        changed: list[Line] = []
        pieces_by_cue = self._read()
        # The oldest cue has nothing before it any more to be compared with.
        settled_count = max(0, len(self.cues) - MAX_RECENT_CUES)
        for index, recent_cue in enumerate(self.cues):
            if index >= settled_count:
                changed += self._changes(recent_cue, pieces_by_cue[index])
        if settled_count:
            self._settle_oldest()
        return changed

    def speaker(self) -> str | None:
        """Return who spoke last."""
        for cue in reversed(self.cues):
            spoken_lines = [line for line in cue.lines.values() if line.text]
            if spoken_lines:
                return spoken_lines[-1].speaker
        return self.earlier.speaker

    def _read(self) -> dict[int, list[Piece]]:
        """Return the speech of each cue by its index."""
        numbered_pieces = []
        for index, cue in enumerate(self.cues):
            numbered_pieces += [replace(piece, line=index) for piece in cue.pieces]
        if self.cut is LineCut.WHOLE:
            single_pieces, _ = caption_speech.without_doubles(numbered_pieces)
            spoken_pieces = caption_speech.with_speakers(single_pieces, self.earlier)
        else:
            parsed = caption_speech.read_cues(numbered_pieces, self.source, earlier=self.earlier)
            spoken_pieces = parsed.pieces
        pieces_by_cue: dict[int, list[Piece]] = defaultdict(list)
        for piece in self._without_repeats(spoken_pieces):
            pieces_by_cue[piece.line].append(piece)
        return pieces_by_cue

    def _without_repeats(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Return pieces without those that the next one repeats or completes at the same second."""
        single_pieces: list[Piece] = []
        for piece in pieces:
            previous = single_pieces[-1] if single_pieces else None
            if previous and self._repeats(previous, piece):
                if piece.text == previous.text:
                    continue
                single_pieces.pop()
            single_pieces.append(piece)
        return single_pieces

    def _repeats(self, previous: Piece, piece: Piece) -> bool:
        """Return whether a piece has all words of the one before it, sent at the same second."""
        if piece.line == previous.line or piece.speaker != previous.speaker:
            return False
        is_longer = piece.text.startswith(previous.text + " ")
        if piece.text != previous.text and not is_longer:
            return False
        if len(previous.text.split()) < MIN_DOUBLE_WORDS:
            return False
        if piece.start is not None and previous.start is not None:
            return int(piece.start) == int(previous.start)
        arrival_gap_s = self.cues[piece.line].arrival_s - self.cues[previous.line].arrival_s
        return arrival_gap_s < DOUBLE_WITHIN_S

    def _changes(self, cue: RecentCue, pieces: Sequence[Piece]) -> list[Line]:
        """Return the lines of a cue that differ from those returned before; a text may be gone."""
        lines: dict[str, Line] = {}
        for number, piece in enumerate(pieces):
            unit = f"{cue.key}/{number}" if number else cue.key
            cut = self.cut
            if cut is LineCut.AUTO and piece.starts_turn:
                cut = LineCut.TURN
            times = (piece.start, piece.end)
            lines[unit] = Line(self.source, unit, piece.text, piece.speaker, *times, cut=cut)
        for unit, line in cue.lines.items():
            lines.setdefault(unit, replace(line, text=""))
        changed = [line for unit, line in lines.items() if cue.lines.get(unit) != line]
        cue.lines = lines
        return changed

    def _settle_oldest(self) -> None:
        """Forget the oldest cue, but neither its speakers nor who speaks after it."""
        oldest = self.cues.pop(0)
        names = {line.speaker for line in oldest.lines.values() if line.speaker}
        speaker = self.earlier.speaker
        for cue in self.cues:
            is_named_by_format = any(piece.speaker for piece in cue.pieces)
            if cue.lines and not is_named_by_format:
                speaker = next(iter(cue.lines.values())).speaker
                break
        self.earlier = EarlierSpeech(speaker, self.earlier.names | names)
