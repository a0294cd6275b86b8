"""Listening: words with times out of a recording, none out of silence, and nothing heard twice after a kill."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from assistant import transcripts
from assistant.core.domain import SpokenWord
from assistant.core.errors import Cancelled, MalformedTranscript, ModelUnavailable
from assistant.transcription import (
    checkpoints,
    recogniser,
    speech_segments,
    transcriber,
    whisper_model,
)
from assistant.transcription.checkpoints import RecordingCheckpoint
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.recogniser import PrecedingSound, SpeechContext, without_loops
from assistant.transcription.speech_segments import SpeechSegment
from assistant.transcription.transcriber import TranscriptionOptions
from tests.assistant.transcription import sounds


@pytest.fixture(scope="module")
def opening(tmp_path_factory):
    """The first ten seconds of the sample, from a silent second on, as WAV."""
    samples = np.concatenate(
        [np.zeros(SAMPLE_RATE_HZ, np.int16), sounds.sample()[: 10 * SAMPLE_RATE_HZ]]
    )
    return sounds.write(
        tmp_path_factory.mktemp("sound") / "2026-02-24_opening.wav", samples, "pcm_s16le"
    )


@pytest.fixture(scope="module")
def transcript(opening):
    """The transcript of the opening, read once."""
    return transcripts.read(opening, how=TranscriptionOptions(opening.parent))


def test_a_recording_becomes_a_transcript_with_timed_words(transcript, opening):
    """The sentences have the words that were said, each with its time, and the samples are gone from the disk."""
    sentence = transcript.sentences[0]
    assert sentence.text.startswith("Good evening")
    assert transcript.source.format == "sound" and str(transcript.event_date) == "2026-02-24"
    assert " ".join(word.text for word in sentence.words) == sentence.text
    assert (sentence.start, sentence.end) == (sentence.words[0].start, sentence.words[-1].end)
    assert 1.0 < sentence.start < 2.2  # a second of silence was put before it
    assert not list(opening.parent.rglob("*.s16"))


@pytest.mark.parametrize(
    "make",
    [
        sounds.tone,
        sounds.noise,
        sounds.music,
        lambda s: np.zeros(int(s * SAMPLE_RATE_HZ), np.int16),
    ],
)
def test_no_speech_is_found_where_nobody_speaks(make):
    """Silence, noise, tones and music never reach the recogniser."""
    assert [
        segment for _, segments in speech_segments.segment_windows(make(20)) for segment in segments
    ] == []


def test_a_recording_in_which_nobody_speaks_is_refused(tmp_path):
    """The error says so; no words are invented."""
    path = sounds.write(tmp_path / "a.wav", sounds.noise(5), "pcm_s16le")

    with pytest.raises(MalformedTranscript, match="no speech was found"):
        transcripts.read(path, how=TranscriptionOptions(tmp_path))


def test_segments_cover_the_speech_once():
    """They come in order, never overlap, and are no longer than Whisper's input.

    The windows have no gap.
    """
    sound = sounds.sample()
    windows = list(speech_segments.segment_windows(sound))
    window_ends = [end for end, _ in windows]
    segments = [segment for _, segments in windows for segment in segments]
    segment_lengths = [segment.end - segment.start for segment in segments]
    window_lengths = [end - begin for begin, end in pairwise([0, *window_ends])]

    assert window_ends[-1] == len(sound)
    assert all(segment.end <= following.start for segment, following in pairwise(segments))
    assert max(segment_lengths) <= 28 * SAMPLE_RATE_HZ
    assert max(window_lengths) <= 58 * SAMPLE_RATE_HZ
    assert sum(segment_lengths) > 0.9 * len(sound)


@pytest.fixture
def hearings(monkeypatch):
    """Hearings by seconds of sound: (start of the words, their length).

    ``contexts`` has start and context of each.
    """
    heard: dict[int, list[SpokenWord]] = {}
    contexts: list[tuple[float, str]] = []

    def recognise_once(speech_model, samples, start_s, context, effort):
        contexts.append((start_s, context.previous_text))
        return heard[len(samples) // SAMPLE_RATE_HZ]

    monkeypatch.setattr(recogniser, "_recognise_once", recognise_once)
    segments = [
        SpeechSegment(0, 5 * SAMPLE_RATE_HZ),
        SpeechSegment(5 * SAMPLE_RATE_HZ, 11 * SAMPLE_RATE_HZ),
        SpeechSegment(11 * SAMPLE_RATE_HZ, 20 * SAMPLE_RATE_HZ),
    ]
    monkeypatch.setattr(recogniser, "detect_speech", lambda samples: segments)
    return heard, contexts


def said(text: str, start: float, each: float) -> list[SpokenWord]:
    """Return words that follow each other, each so many seconds long."""
    return [
        SpokenWord(word, start + i * each, start + (i + 1) * each, 0.9)
        for i, word in enumerate(text.split())
    ]


SKIPS = [*said("we", 100, 8), *said("vote now", 108, 1), *said("or never again", 110, 3)]


@pytest.mark.parametrize(
    ("second", "words"),
    [("or never again", "first come we vote or never again"), ("", "we vote now or never again")],
    ids=["more words", "fewer words"],
)
def test_sound_in_which_speech_is_skipped_is_heard_again_in_two_parts(hearings, second, words):
    """The model skips where a word has eight seconds.

    It is divided at the pause nearest the middle; more words win.
    """
    heard, contexts = hearings
    heard |= {20: SKIPS, 11: said("first come we vote", 100, 1), 9: said(second, 111, 1)}

    recognised = recogniser.recognise(
        None, np.zeros(20 * SAMPLE_RATE_HZ, np.float32), 100.0, SpeechContext(previous_text="Yes.")
    )

    assert " ".join(word.text for word in recognised) == words
    assert contexts == [(100.0, "Yes."), (100.0, "Yes."), (111.0, "Yes. first come we vote")]


@pytest.mark.parametrize(
    ("words", "earlier"),
    [
        (said("a b c d e f g h i j", 100, 2), None),
        (SKIPS, PrecedingSound(np.zeros(SAMPLE_RATE_HZ, np.float32), "so")),
    ],
    ids=["no long word", "live"],
)
def test_other_sound_is_heard_once(hearings, words, earlier):
    """Neither where every word is short, nor live, where the next hearing follows at once."""
    heard, contexts = hearings
    heard[20] = words

    assert (
        recogniser.recognise(
            None, np.zeros(20 * SAMPLE_RATE_HZ, np.float32), 100.0, SpeechContext(preceding=earlier)
        )
        == words
    )
    assert len(contexts) == 1


@pytest.fixture
def decoded(monkeypatch):
    """Sound whose tokens depend on the hot words alone; ``likelihood`` by the first token."""
    hearings = {}
    likelihood = {}
    monkeypatch.setattr(
        recogniser._Decoder, "decode", lambda decoder, hot_words, previous_text: hearings[hot_words]
    )
    sound = SimpleNamespace(
        text=lambda tokens: " ".join(map(str, tokens)),
        log_likelihood=lambda tokens: likelihood[tokens[0]],
    )
    return recogniser._Decoder(sound, [], beam_size=5), hearings, likelihood


@pytest.mark.parametrize(("less", "taken"), [(-1.0, True), (3.9, True), (4.1, False)])
def test_what_terms_suggest_is_taken_unless_the_sound_speaks_against_it(decoded, less, taken):
    """The model without any context decides how much less likely the second hearing is.

    Names stay before terms.
    """
    sound, hearings, likelihood = decoded
    hearings["Tremblay, coal, plant"] = [2, 7]
    likelihood |= {1: -10.0, 2: -10.0 - less}
    transcribed_texts = []

    def terms(heard):
        transcribed_texts.append(heard)
        return ("coal", "plant")

    tokens = sound.decode_with_terms(SpeechContext("Tremblay", suggest_terms=terms), [1, 7])
    assert tokens == ([2, 7] if taken else [1, 7])
    assert transcribed_texts == ["1 7"]


@pytest.mark.parametrize(
    ("tokens", "again", "names"), [([], [2], ("coal",)), ([1], [], ("coal",)), ([1], [2], ())]
)
def test_nothing_heard_or_nothing_expected_is_left_as_it_is(decoded, tokens, again, names):
    """Terms put no words into silence."""
    sound, hearings, _ = decoded
    hearings["coal"] = again

    context = SpeechContext(suggest_terms=lambda heard: names)
    assert sound.decode_with_terms(context, tokens) == tokens


@pytest.mark.slow
def test_terms_reach_the_recogniser():
    """The suggester gets the transcribed text. Without a suggestion, the words stay the same."""
    sound = sounds.sample()[: 8 * SAMPLE_RATE_HZ]
    speech_model = whisper_model.load_speech_model()
    transcribed_texts = []

    def suggest_terms(text):
        transcribed_texts.append(text)
        return ()

    plain_windows = list(transcriber.transcribe_samples(speech_model, sound))
    context = SpeechContext(suggest_terms=suggest_terms)
    windows = list(transcriber.transcribe_samples(speech_model, sound, context))

    assert windows == plain_windows
    assert "Good evening" in transcribed_texts[0]


class Killed(Exception):
    """Stands for the end of the process: nothing after it runs."""


@pytest.fixture
def counted(monkeypatch):
    """Where the recogniser was asked: (second, seconds); it hears one word a stretch."""
    segments: list[tuple[float, float]] = []

    def recognise(speech_model, samples, start_s, context):
        segments.append((start_s, len(samples) / SAMPLE_RATE_HZ))
        return [SpokenWord(f"word{start_s:.0f}.", start_s, start_s + 1, 0.9)]

    monkeypatch.setattr(transcriber, "recognise", recognise)
    return segments


@pytest.mark.slow
def test_what_was_heard_before_a_kill_is_not_heard_again(counted, tmp_path):
    """Ended in the middle and begun again, a recording costs no stretch twice, and the words are the same."""
    transcription = transcriber.transcribe(sounds.SAMPLE, TranscriptionOptions(tmp_path / "whole"))
    segment_count = len(counted)
    partial_count = []

    def dies(stage, done, total):
        if stage == "listening" and done > 60:
            raise Killed

    with pytest.raises(Killed):
        transcriber.transcribe(sounds.SAMPLE, TranscriptionOptions(tmp_path / "b", progress=dies))
    partial_count = len(counted) - segment_count
    resumed = transcriber.transcribe(sounds.SAMPLE, TranscriptionOptions(tmp_path / "b"))

    assert 0 < partial_count < segment_count and 2 * segment_count == len(counted)
    assert transcription == resumed


def test_a_line_torn_by_a_kill_is_heard_again(tmp_path):
    """Half a line at the end of the file is left out, and what follows it is read."""
    folder = RecordingCheckpoint.of(tmp_path, "a" * 64)
    folder.folder.mkdir()
    words = [SpokenWord("one", 0.0, 0.5, 0.9)], [SpokenWord("two", 1.0, 1.5, 0.9)]
    folder.add("key", 0, 10, words[0])
    path = folder.folder / "key.jsonl"
    path.write_bytes(path.read_bytes() + b'{"begin": 10, "end": 2')

    assert folder.words("key") == (10, words[0])
    folder.add("key", 10, 20, words[1])
    assert folder.words("key") == (20, words[0] + words[1])


def test_a_finished_recording_is_known_until_it_is_forgotten(counted, tmp_path):
    """A check that is killed after the hearing does not hear again; afterwards nothing is left."""
    transcription = transcriber.transcribe(sounds.SAMPLE, TranscriptionOptions(tmp_path))
    segment_count = len(counted)

    assert transcriber.transcribe(sounds.SAMPLE, TranscriptionOptions(tmp_path)) == transcription
    assert len(counted) == segment_count
    checkpoints.delete_checkpoint(tmp_path, transcription.digest)
    assert list((tmp_path / checkpoints.CHECKPOINTS_FOLDER).iterdir()) == []


def test_cancelling_ends_at_the_next_stretch(counted, tmp_path):
    """Cancelled comes through, and what was heard stays."""

    def cancel(stage, done, total):
        if done:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        transcriber.transcribe(sounds.SAMPLE, TranscriptionOptions(tmp_path, progress=cancel))


def test_sound_of_the_telephone_is_read_with_a_warning(counted, tmp_path):
    """8 kHz is said, because more words are wrong then."""
    path = sounds.write(
        tmp_path / "a.wav", sounds.sample()[: 6 * SAMPLE_RATE_HZ : 2], "pcm_s16le", 8000
    )

    assert any(
        "8 kHz" in line
        for line in transcriber.transcribe(path, TranscriptionOptions(tmp_path)).warnings
    )


def test_unsure_words_are_told_with_their_place(counted, monkeypatch, tmp_path):
    """Another language comes out as improbable words; the warning says from when to when."""
    words = [SpokenWord("no", i, i + 0.5, 0.2 if 40 <= i < 90 else 0.95) for i in range(150)]

    warnings = transcriber._doubt_warnings(words)

    assert (
        len(warnings) == 1
        and warnings[0].startswith("0:00:3")
        and "another language" in warnings[0]
    )


@pytest.mark.parametrize("size", [1, 3, 8])
def test_a_loop_is_cut(size):
    """The same words four times in a row are Whisper's loop; three times may be said."""
    words = [SpokenWord(f"w{i % size}", i, i + 1) for i in range(size * 6)]

    assert len(without_loops(words)) == size
    assert without_loops(words[: size * 3]) == words[: size * 3]


def test_a_model_that_is_not_here_is_refused_in_one_line(tmp_path):
    """Without the network, a name of the hub is explained; so are an empty folder and nonsense."""
    for name, message in [
        ("small.en", "isn't on this computer"),
        (str(tmp_path), "model.bin is missing"),
        ("nonsense", "the name or folder of a speech model"),
    ]:
        with pytest.raises(ModelUnavailable, match=message):
            whisper_model.load_speech_model(name)


def test_other_weights_under_the_embedded_name_are_refused(monkeypatch):
    """The sha256 of the weights is pinned."""
    monkeypatch.setattr(whisper_model, "EMBEDDED_SHA256", "0" * 64)

    with pytest.raises(ModelUnavailable, match="differ from the released weights"):
        whisper_model.load_speech_model.__wrapped__()


def test_an_order_keeps_the_words(transcript):
    """An interrupted check goes on with the times of every word."""
    from assistant.jobs import job_specs

    order = job_specs.JobSpec(transcript)

    assert job_specs.from_bytes(job_specs.to_bytes(order)) == order
