"""The microphone of a browser as a source.

What it has sent is on the disk already, and is heard from there.

The page's route writes the sound (``assistant.ui.microphone_route``), whichever process that is
in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag

from assistant.core.settings import Settings
from assistant.live.event_log import EventLog
from assistant.live.live_lines import position_at
from assistant.live.sound_buffer import SoundBuffer
from assistant.live.sources.listen import SMALLEST_STEP_S, ListenPosition, ListenSource
from assistant.transcription.decoding import BYTES_PER_SAMPLE, SAMPLE_RATE_HZ

NAME = "microphone of a browser"
ADDRESS = "browser of {}"
SILENT_S = 10.0  # without sound from the browser: it is said
SILENT = "no sound comes from the browser: look at the page that records. What it has recorded is sent later."


@dataclass
class BrowserSource(ListenSource):
    """Listens to what a browser sends for an event."""

    def parts(self, begin: float, stop: Flag) -> Iterator[bytes | str]:
        """Yield what the browser has sent from a second on, as it comes, until it says that no more will."""
        next_sample = int(begin * SAMPLE_RATE_HZ)
        silence_s = 0.0
        while not stop.is_set():
            is_over = (
                self.sound_buffer.is_over
            )  # asked first: what came before the end is still read
            samples = self.sound_buffer.since(next_sample)
            if samples:
                next_sample += len(samples) // BYTES_PER_SAMPLE
                if silence_s > SILENT_S:
                    yield "sound comes again."
                silence_s = 0.0
                yield samples
            elif is_over:
                return
            else:
                stop.wait(SMALLEST_STEP_S)
                had_sound = silence_s <= SILENT_S
                silence_s += SMALLEST_STEP_S
                if had_sound and silence_s > SILENT_S:
                    yield SILENT


def source(event: str, settings: Settings, hot_words: str = "") -> BrowserSource:
    """Return the source that hears what a browser sends for an event."""
    return BrowserSource(ADDRESS.format(event), settings, hot_words=hot_words, name=NAME)


def heard_to(log: EventLog, event: str) -> int:
    """Return the sample from which the sound of an event is not final yet."""
    return int(position_at(ListenPosition, log.cursor(event, NAME)).begin * SAMPLE_RATE_HZ)


def forget(home: Path, event: str) -> None:
    """Delete the sound that a browser has sent for an event."""
    SoundBuffer.of(home, ADDRESS.format(event)).forget()
