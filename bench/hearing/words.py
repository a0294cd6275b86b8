"""How well are sample debates heard, and a real recording.

Does Lectern write words where nobody speaks?

``python -m bench.hearing.words [--minutes M] [--parts debates,names,real,nothing] [--json FILE]``. The four sample
debates are read by voices of espeak-ng (``reading_aloud``), ``M`` minutes of each. Lectern hears with the terms of the
sample fact-checks, as the product does; beside it faster-whisper hears the same samples with its own defaults, in the
same run. The real recording is `two_cities.wav` of the package
moonshine-voice (the opening of *A Tale of Two Cities*, public domain), as it is, with white noise at 10 dB, and at
8 kHz; nothing is tuned on it. Expected: word error rate (WER) of the debates at most .12 and not above the plain
library's; of the real recording .05, .12 and .10; no word in silence, noise, tones and music; at least eight times as
fast as speech.

WER is counted after Whisper's own normalisation of English (figures, contractions, punctuation),
which the field uses.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from assistant import transcripts
from assistant.check import loaded_models
from assistant.check.index_opening import as_index
from assistant.claims.likely_names import fitting_names, frequent_names
from assistant.claims.likely_terms import LikelyTerms
from assistant.core.settings import EMBEDDED
from assistant.transcription import transcriber, whisper_model
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.recogniser import SpeechContext
from bench.command import command, option, table
from bench.hearing.reading_aloud import DEBATES, Samples, read_aloud, resampled
from bench.samples import sample_claims

Hear = Callable[[Samples], str]
NOISE_DB = 10.0
NOTHING_S = 150.0  # of each of four sounds: ten minutes
PARTS = ("debates", "names", "real", "nothing")
# What a reporter would put into the briefing of each debate: speakers and places.
BRIEFINGS = {
    "2024-10-03_ridgeway-energy-forum": ("Ridgeway",),
    "2025-05-08_lindmoor-university": ("Lindmoor",),
    "2025-09-18_harrow-falls": ("Harrow Falls",),
    "2026-02-24_kestrel-bay-senate": ("Kestrel Bay", "Port Lorne", "Nora Brannigan", "Kwame Osei"),
}
TWO_CITIES = (
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of "
    "foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was "
    "the season of Darkness, it was the spring of hope, it was the winter of despair, we had everything before "
    "us, we had nothing before us, we were all going direct to Heaven, we were all going direct the other way - "
    "in short, the period was so far like the present period, that some of its noisiest authorities insisted on "
    "its being received, for good or for evil, in the superlative degree of comparison only"
)


@cache
def sample_terms() -> LikelyTerms:
    """Return the terms of the sample fact-checks, with which the product hears."""
    return LikelyTerms(as_index(sample_claims(), loaded_models.load(EMBEDDED, None).encoders))


def lectern(hot_words: str = "") -> Hear:
    """Return Lectern's hearing of samples.

    Speech is looked for, then recognised stretch by stretch, and once more with
    the terms of near fact-checks.
    """
    loaded = whisper_model.load_speech_model()
    terms = sample_terms()

    def words(samples: Samples) -> str:
        wide = (np.clip(samples, -1, 1) * 32767).astype(np.int16)
        context = SpeechContext(hot_words, suggest_terms=terms)
        segments = transcriber.transcribe_samples(loaded, wide, context)
        return " ".join(word.text for _, segment_words in segments for word in segment_words)

    return words


def plain(samples: Samples) -> str:
    """Return what faster-whisper hears with its own defaults."""
    segments, _ = whisper_model.load_speech_model().whisper.transcribe(samples, language="en")
    return " ".join(segment.text for segment in segments)


def errors(spoken_text: str, heard: str) -> tuple[int, int]:
    """Return the number of wrong, missing and invented words, and the number of words said."""
    import jiwer
    from transformers.models.whisper.english_normalizer import EnglishTextNormalizer

    normalised = EnglishTextNormalizer({})
    if not normalised(spoken_text):
        return len(normalised(heard).split()), 0
    word_alignment = jiwer.process_words(normalised(spoken_text), normalised(heard))
    wrong = word_alignment.substitutions + word_alignment.deletions + word_alignment.insertions
    return wrong, word_alignment.hits + word_alignment.substitutions + word_alignment.deletions


def debates(minutes: float) -> Iterator[dict[str, Any]]:
    """Yield a row for each debate, and one for all.

    WER of both, and how many times as fast as speech they are.
    """
    recognisers: dict[str, Hear] = {"lectern": lectern(), "plain": plain}
    wrong = dict.fromkeys(recognisers, 0)
    words = 0
    seconds = 0.0
    took = dict.fromkeys(recognisers, 0.0)
    clock = dict.fromkeys(recognisers, 0.0)
    for path in _debates():
        recording = read_aloud(transcripts.read(path).sentences, longest_s=minutes * 60)
        figures: dict[str, Any] = {
            "sound": path.stem,
            "minutes": len(recording.samples) / SAMPLE_RATE_HZ / 60,
        }
        for name, hear in recognisers.items():
            begun = time.process_time()
            started = time.perf_counter()
            heard = hear(recording.samples)
            took[name] += time.process_time() - begun
            clock[name] += time.perf_counter() - started
            mistakes, total = errors(recording.text, heard)
            wrong[name] += mistakes
            figures[f"WER {name}"] = mistakes / total
        words = words + total
        seconds = seconds + len(recording.samples) / SAMPLE_RATE_HZ
        yield figures
    totals = {
        "sound": "all",
        "minutes": seconds / 60,
        **{f"WER {name}": wrong[name] / words for name in recognisers},
    }
    totals |= {f"times real time, {name}": seconds / clock[name] for name in recognisers}
    yield {
        **totals,
        **{
            f"seconds of sound a processor second, {name}": seconds / took[name]
            for name in recognisers
        },
    }


def names(minutes: float) -> Iterator[dict[str, Any]]:
    """Yield the share of names that come out right.

    With those of speakers and places as hot words, without any, and with the most frequent names
    of the sample fact-checks after them, which are counted by themselves, too.
    """
    claim_names = of_claims()
    for path in _debates():
        sentences = transcripts.read(path).sentences
        recording = read_aloud(sentences, longest_s=minutes * 60)
        expected_names = _names(
            {sentence.speaker or "" for sentence in sentences}, BRIEFINGS[path.stem]
        )
        name_counts = {}
        for name in expected_names:
            if name in recording.text:
                name_counts[name] = recording.text.count(name)
        figures: dict[str, Any] = {"sound": path.stem, "names": sum(name_counts.values())}
        other_names = {
            name_word for name in claim_names for name_word in name.split()
        } - expected_names
        also = {name: recording.text.count(name) for name in other_names if name in recording.text}
        figures["names of fact-checks"] = sum(also.values())
        briefing_words = ", ".join(sorted(expected_names))
        hot_words = {
            "with": briefing_words,
            "without": "",
            "and of fact-checks": ", ".join(fitting_names([*sorted(expected_names), *claim_names])),
        }
        for variant, words in hot_words.items():
            heard = lectern(words)(recording.samples)
            figures[variant], figures[f"{variant}: of fact-checks"] = (
                _right(names, heard) for names in (name_counts, also)
            )
        yield figures


def of_claims() -> list[str]:
    """Return the most frequent names of the sample fact-checks, as ``--names-of-claims`` finds them."""
    claims = sample_claims()
    return frequent_names(
        Counter(claim.statement for claim in claims), Counter(claim.claimant for claim in claims)
    )


def _right(name_counts: dict[str, int], heard: str) -> float:
    """Return the share of names that are heard as they are said."""
    return sum(min(heard.count(name), count) for name, count in name_counts.items()) / max(
        sum(name_counts.values()), 1
    )


def _names(speakers: set[str], briefing: tuple[str, ...]) -> set[str]:
    """Return surnames of speakers and the names of the briefing, word by word."""
    spoken = {
        name.title().split()[-1] for name in speakers if name and not name.startswith("SPEAKER_")
    }
    return spoken | {name_word for name in briefing for name_word in name.split()}


def real() -> Iterator[dict[str, Any]]:
    """Yield the WER of the real recording as it is, with noise, and at 8 kHz."""
    sound = real_recording()
    random = np.random.default_rng(0).standard_normal(len(sound)).astype(np.float32)
    loud = np.sqrt(np.mean(sound**2)) * 10 ** (-NOISE_DB / 20)
    sounds = {"as it is": sound, "noise at 10 dB": sound + random * loud}
    sounds["8 kHz"] = resampled(resampled(sound, SAMPLE_RATE_HZ, 8000), 8000, SAMPLE_RATE_HZ)
    for name, samples in sounds.items():
        figures: dict[str, Any] = {
            "sound": f"two_cities.wav, {name}",
            "minutes": len(samples) / SAMPLE_RATE_HZ / 60,
        }
        for recogniser_name, hear in {"lectern": lectern(), "plain": plain}.items():
            wrong, words = errors(TWO_CITIES, hear(samples))
            figures[f"WER {recogniser_name}"] = wrong / words
        yield figures


def nothing() -> Iterator[dict[str, Any]]:
    """Yield how many words are written where nobody speaks, in 150 seconds of each sound."""
    size = int(NOTHING_S * SAMPLE_RATE_HZ)
    at = np.arange(size) / SAMPLE_RATE_HZ
    random = np.random.default_rng(0).standard_normal(size).astype(np.float32)
    tones = sum(
        np.sin(2 * np.pi * hertz * at) * (np.sin(at * hertz / 90) > 0) for hertz in (330, 440, 880)
    )
    beat = np.exp(-3 * (at % 0.5))
    roots = 220 * 2 ** (np.array([0, 5, 7, 3])[(at * 2).astype(int) % 4] / 12)
    phase = 2 * np.pi * np.cumsum(roots) / SAMPLE_RATE_HZ
    music = beat * sum(np.sin(ratio * phase) / ratio for ratio in (1, 1.25, 1.5, 2, 3))
    sounds = {
        "silence": np.zeros(size),
        "noise": random * 0.1,
        "tones": tones * 0.1,
        "music": music * 0.1,
    }
    for name, samples in sounds.items():
        figures: dict[str, Any] = {"sound": name, "minutes": NOTHING_S / 60}
        for recogniser_name, hear in {"lectern": lectern(), "plain": plain}.items():
            figures[f"words {recogniser_name}"] = len(hear(samples.astype(np.float32)).split())
        yield figures


def real_recording(name: str = "two_cities.wav") -> Samples:
    """Return a recording of the package moonshine-voice."""
    import wave

    spec = find_spec("moonshine_voice")
    folder = next(iter((spec and spec.submodule_search_locations) or ()))
    with wave.open(str(Path(folder) / "assets" / name)) as file:
        rate = file.getframerate()
        channels = file.getnchannels()
        wide = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, channels)
    return resampled(wide.mean(axis=1).astype(np.float32) / 32768, rate, SAMPLE_RATE_HZ)


def _debates() -> list[Path]:
    return [next(DEBATES.glob(f"{stem}.*")) for stem in BRIEFINGS]


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run the parts that were asked for, print a table of each, and return their rows."""
    rows_of_part: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
        "debates": lambda: debates(options.minutes),
        "names": lambda: names(options.minutes),
        "real": real,
        "nothing": nothing,
    }
    rows_by_part: dict[str, list[dict[str, Any]]] = {}
    for part_name in options.parts.split(","):
        rows_by_part[part_name] = []
        for figures in rows_of_part[part_name]():
            rows_by_part[part_name].append(figures)
            print(table([figures]), flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"memory at most {peak:.2f} GB")
    return {"rows": rows_by_part, "memory_gb": peak}


main = command(
    measure,
    option("--minutes", type=float, default=25.0, help="of each debate (default: all)"),
    option(
        "--parts", default=",".join(PARTS), metavar="NAME,NAME", help=f"some of {', '.join(PARTS)}"
    ),
)

if __name__ == "__main__":
    sys.exit(main())
