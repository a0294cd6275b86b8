"""Listens to a recording, a stream or a microphone, and hands on the words that are final.

A thread reads the sound, so that none is missed while the recogniser works; what waits is in
memory, and the sound of a stream that is not final yet is on the disk, too, so that after a kill
it is heard again.
"""

from __future__ import annotations

import argparse
import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from typing import Self

import numpy as np
from numpy.typing import NDArray

from assistant.claims.claim_store import ClaimStore
from assistant.claims.likely_names import fitting_names, likely_names, split_names
from assistant.core import confined, settings
from assistant.core.domain import SpokenWord
from assistant.core.errors import LecternError, NetworkError, SettingsError
from assistant.live.live_lines import Arrival, Line, LineCut, cursor_at, position_at
from assistant.live.sound_buffer import SoundBuffer
from assistant.transcription import decoding, recogniser, srt_stream, whisper_model
from assistant.transcription.decoding import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ
from assistant.transcription.recogniser import DecodingEffort, PrecedingSound, SpeechContext
from assistant.transcription.speech_segments import Samples
from assistant.transcription.streaming import LIVE_PADDED_S, LowLatencyStream, WindowedStream
from assistant.transcription.whisper_internals import MAX_SOUND_S
from assistant.web import fetching

MICROPHONE = "microphone"
# sound between two looks for stretches; more of it where the recogniser is slow
SMALLEST_STEP_S = 0.25
LARGEST_STEP_S = 10.0
WHOLE_STEP_S = 2.0  # of a file that is not heard at its own speed
JOIN_TIMEOUT_S = 2.0  # for the thread that reads to end
BACKLOG_WARNING_S = 5.0  # of sound that waits: it is said
LISTEN_PROTOCOLS = (*fetching.PAGE_SCHEMES, *decoding.STREAM_SCHEMES)
STREAM_RETRY_S = 3.0


@dataclass
class ListenPosition:
    """What a stream needs to go on: see ``LowLatencyStream``."""

    begin: float = 0.0
    said: float = 0.0
    before: list[str] = field(default_factory=list)
    inside: int = 0


@dataclass
class ListenSource:
    """Listens at an address.

    ``speed``: of a file, as of a replay; 0 is as fast as it can be heard.

    What is said now is final soon; at speed 0 nobody waits, and a file has the words of a finished
    recording.
    """

    address: str
    app_settings: settings.Settings
    private: bool = False
    speed: float = 1.0
    hot_words: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.name or f"sound of {self.address.partition('?')[0][:150]}"
        self.sound_buffer = SoundBuffer.of(self.app_settings.home, self.address)

    def sound(self) -> Iterator[bytes | str]:
        """Yield the samples of the stream or microphone.

        Raises: NetworkError where it breaks off; SettingsError.
        """
        if self.address == MICROPHONE:
            return _microphone()
        arguments = (self.address, self.private)
        where = self.address[:200]
        return confined.each(
            decoding.decode_stream,
            *arguments,
            where=where,
            refusal=NetworkError,
            together=1,
            lasting=True,
        )

    def parts(self, begin: float, stop: Flag) -> Iterator[bytes | str]:
        """Yield the sound from a second on, and in words what is wrong with it."""
        path = Path(self.address)
        return (
            self._sound_of_file(path, begin, stop)
            if path.is_file()
            else self._sound_of_stream(begin, stop)
        )

    def follow(self, cursor: str, stop: Flag) -> Iterator[Arrival]:
        """Yield the words as they become final, until a file ends or a stream that ended cannot be opened again."""
        speech_model = whisper_model.load_speech_model(
            self.app_settings.speech_model, network=bool(self.app_settings.network)
        )
        position = position_at(ListenPosition, cursor)
        padded_s = LIVE_PADDED_S if self.speed else MAX_SOUND_S
        effort = DecodingEffort(padded_s=padded_s)

        def recognise(
            samples: Samples,
            start_s: float,
            previous_text: str,
            preceding: PrecedingSound | None = None,
        ) -> list[SpokenWord]:
            context = SpeechContext(self.hot_words, previous_text, preceding)
            return recogniser.recognise(speech_model, samples, start_s, context, effort)

        stream: WindowedStream | LowLatencyStream = WindowedStream(
            recognise, position.begin, position.said, position.before
        )
        if self.speed:
            stream = LowLatencyStream(
                recognise, position.begin, position.said, position.before, position.inside
            )
        with SoundReader(self, position.begin).reading() as reader:
            yield from self._arrivals(stream, reader, stop)

    def _arrivals(
        self, stream: WindowedStream | LowLatencyStream, reader: SoundReader, stop: Flag
    ) -> Iterator[Arrival]:
        smallest_step_s = SMALLEST_STEP_S if self.speed else WHOLE_STEP_S
        step_s = smallest_step_s
        was_behind = False
        # Words that the board shows and that may change, None if it is not known which: before a
        # kill there may have been some.
        interim_words: list[SpokenWord] | None = None
        while not stop.is_set():
            sound, is_last = reader.next_sound(step_s, stop)
            for warning in reader.warnings():
                yield Arrival(warning=warning)
            started_s = time.monotonic()
            lines = self._transcribed_lines(stream, sound, is_last, interim_words)
            interim_words = stream.pending_words
            position = ListenPosition(
                stream.begin_s, stream.final_s, stream.previous_words, stream.preceding_count
            )
            # Nobody waits for sound that is read as fast as it can be.
            waiting_s = reader.waiting_s if self.speed else 0.0
            yield Arrival(lines, cursor_at(position), unheard=waiting_s)
            self.sound_buffer.delete_before(stream.begin_s)
            if is_last:
                return
            elapsed_s = time.monotonic() - started_s
            step_s = min(max(smallest_step_s, 1.2 * elapsed_s), LARGEST_STEP_S)
            is_behind = waiting_s > BACKLOG_WARNING_S
            if is_behind and not was_behind:
                yield Arrival(warning=_backlog_warning(waiting_s, step_s))
            elif was_behind and not is_behind:
                yield Arrival(warning="listening has caught up.")
            was_behind = is_behind

    def _transcribed_lines(
        self,
        stream: WindowedStream | LowLatencyStream,
        sound: NDArray[np.int16],
        is_last_sound: bool,
        shown_interim: list[SpokenWord] | None,
    ) -> tuple[Line, ...]:
        """Hear sound; return what is final now, and what may still change if that is other than the words ``shown_interim``.

        The unit of a line is the second up to which all was final before it, so that final words
        replace others.
        """
        # The unit of a line is its name: the second up to which all words are final.
        lines: list[Line] = []
        unit = f"{stream.final_s:.2f}"
        final_words = stream.add_sound(sound, is_last=is_last_sound)
        next_unit = f"{stream.final_s:.2f}"
        is_new_unit = next_unit != unit
        # A final line without words removes interim words that are shown under its unit.
        may_be_shown = shown_interim != []
        must_be_removed = may_be_shown and (is_new_unit or not stream.pending_words)
        if final_words or must_be_removed:
            lines.append(self._line(unit, final_words, final=True))
        has_other_interim = is_new_unit or stream.pending_words != shown_interim
        if stream.pending_words and has_other_interim:
            lines.append(self._line(next_unit, stream.pending_words, final=False))
        return tuple(lines)

    def _line(self, unit: str, words: list[SpokenWord], *, final: bool) -> Line:
        text = " ".join(word.text for word in words)
        start = words[0].start if words else None
        end = words[-1].end if words else None
        return Line(self.name, unit, text, None, start, end, final, cut=LineCut.ANYWHERE)

    def _sound_of_file(self, path: Path, begin: float, stop: Flag) -> Iterator[bytes | str]:
        """Yield a file at its speed, as a stream comes."""
        started_s = time.monotonic()
        bytes_to_skip = int(begin * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE
        bytes_given = 0
        block_s = decoding.LIVE_BLOCK_S if self.speed else decoding.FILE_BLOCK_S
        block_bytes = int(block_s * SAMPLE_RATE_HZ) * BYTES_PER_SAMPLE
        sound = confined.each(
            decoding.decode_file,
            str(path.resolve()),
            where=path.name,
            refusal=NetworkError,
            together=decoding.BLOCKS_PER_ANSWER,
            lasting=True,
        )
        for part in sound:
            if isinstance(part, str):
                yield part
                continue
            if not isinstance(part, bytes):
                continue
            unread = part[bytes_to_skip:]
            bytes_to_skip = max(bytes_to_skip - len(part), 0)
            for offset in range(0, len(unread), block_bytes):
                block = unread[offset : offset + block_bytes]
                bytes_given += len(block)
                if self.speed:
                    # The time from the start at which a stream would have brought the block.
                    due_s = bytes_given / SAMPLE_RATE_HZ / BYTES_PER_SAMPLE / self.speed
                    wait_s = due_s - (time.monotonic() - started_s)
                    if wait_s > 0 and stop.wait(wait_s):
                        return
                yield block

    def _sound_of_stream(self, begin: float, stop: Flag) -> Iterator[bytes | str]:
        """Yield what a stream that was heard before has left, then the stream, opened again where it breaks off."""
        # The buffer has sound on the disk that came before a restart and was not transcribed.
        next_sample = int(begin * SAMPLE_RATE_HZ)
        for first_sample, data in self.sound_buffer.parts():
            samples_to_skip = max(next_sample - first_sample, 0)
            yield data[samples_to_skip * BYTES_PER_SAMPLE :]
            next_sample = max(next_sample, first_sample + len(data) // BYTES_PER_SAMPLE)
        has_sound = False
        while not stop.is_set():
            try:
                for block in self.sound():
                    if isinstance(block, bytes):
                        has_sound = True
                        self.sound_buffer.add(next_sample, block)
                        next_sample += len(block) // BYTES_PER_SAMPLE
                    yield block
                return
            except NetworkError as error:
                if not has_sound:
                    raise
                yield f"{error} Trying again."
                stop.wait(STREAM_RETRY_S)


def _backlog_warning(waiting: float, step: float) -> str:
    return f"listening is {waiting:.0f} s behind; it goes on in steps of {step:.0f} s, and nothing is left out."


@dataclass
class SoundReader:
    """Reads the sound of a source in a thread of its own, from second ``begin``."""

    source: ListenSource
    begin: float
    stop: Flag = field(default_factory=Flag)
    _blocks: queue.SimpleQueue[bytes | str | None] = field(default_factory=queue.SimpleQueue)
    _warnings: list[str] = field(default_factory=list)
    _taken_byte_count: int = 0
    _put_byte_count: int = 0
    _is_over: bool = False

    @contextmanager
    def reading(self) -> Iterator[Self]:
        """Read until the ``with`` ends."""
        thread = threading.Thread(
            target=self.run, name=f"sound of {self.source.address[:40]}", daemon=True
        )
        thread.start()
        try:
            yield self
        finally:
            self.stop.set()
            thread.join(timeout=JOIN_TIMEOUT_S)

    def run(self) -> None:
        """Read until the end; an error becomes a warning and the end."""
        try:
            for block in self.source.parts(self.begin, self.stop):
                if self.stop.is_set():
                    return
                self._put_byte_count += len(block) if isinstance(block, bytes) else 0
                self._blocks.put(block)
        except LecternError as error:
            self._blocks.put(str(error))
        finally:
            self._blocks.put(None)

    def next_sound(self, seconds: float, stop: Flag) -> tuple[NDArray[np.int16], bool]:
        """Return the next sound, at least so many seconds, and whether it was the last."""
        blocks: list[bytes] = []
        needed_bytes = seconds * SAMPLE_RATE_HZ * BYTES_PER_SAMPLE
        taken_bytes = 0
        while not self._is_over and not stop.is_set() and taken_bytes < needed_bytes:
            try:
                block = self._blocks.get(timeout=0.2)
            except queue.Empty:
                continue
            # The queue also brings warnings, as text, and None at the end.
            if block is None:
                self._is_over = True
            elif isinstance(block, str):
                self._warnings.append(block)
            else:
                blocks.append(block)
                taken_bytes += len(block)
        self._taken_byte_count += taken_bytes
        return np.frombuffer(b"".join(blocks), np.int16), self._is_over

    @property
    def waiting_s(self) -> float:
        """Return how much sound waits."""
        return (self._put_byte_count - self._taken_byte_count) / SAMPLE_RATE_HZ / BYTES_PER_SAMPLE

    def warnings(self) -> list[str]:
        """Return what was said since the last call."""
        warnings = self._warnings
        self._warnings = []
        return warnings


def _microphone() -> Iterator[bytes]:
    """Yield the sound of this computer's microphone. Raises: SettingsError without one."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:  # OSError: PortAudio is missing
        raise SettingsError(
            "the microphone needs the package sounddevice, which isn't installed.",
            remedy="Run `make desktop` to install the package.",
        ) from error
    block = int(decoding.LIVE_BLOCK_S * SAMPLE_RATE_HZ)
    try:
        with sounddevice.RawInputStream(
            samplerate=SAMPLE_RATE_HZ, channels=1, dtype="int16", blocksize=block
        ) as stream:
            while True:
                yield bytes(stream.read(block)[0])
    except sounddevice.PortAudioError as error:
        raise NetworkError(f"the microphone can't be used ({error}).") from error


def make(address: str, options: argparse.Namespace) -> ListenSource:
    """Return the source at an address.

    Raises: SettingsError if it is none that can be listened to.
    """
    scheme, separator, _ = address.partition("://")
    is_stream = bool(separator) and scheme in LISTEN_PROTOCOLS
    is_recording = Path(address).is_file()
    if address != MICROPHONE and not is_recording and not is_stream:
        protocols = ", ".join(f"{name}://" for name in LISTEN_PROTOCOLS)
        remedy = f"Give the path of a recording, {MICROPHONE}, or an address that begins with {protocols}."
        raise SettingsError(
            "isn't an audio source that Lectern supports.", where=address[:200], remedy=remedy
        )
    if separator and scheme == srt_stream.SCHEME:
        srt_stream.program()
    chosen_settings = settings.load(
        home=getattr(options, "home", None), speech_model=getattr(options, "speech_model", None)
    )
    allows_private_addresses = bool(getattr(options, "allow_private", False))
    names = fitting_names(split_names(getattr(options, "names", "")))
    if getattr(options, "names_of_claims", False):
        with ClaimStore.open(chosen_settings.database) as store:
            names = likely_names(store, names)
    return ListenSource(
        address,
        chosen_settings,
        allows_private_addresses,
        getattr(options, "speed", 1.0),
        ", ".join(names),
    )
