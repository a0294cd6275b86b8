"""Voices kept under a name.

Only where the operator allows it, listed, forgotten, and gone with their debate.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.commands.cli import main
from assistant.core.errors import SettingsError
from assistant.core.settings import Settings, load
from assistant.jobs import voiceprints
from assistant.jobs.voiceprints import Voiceprint, VoiceprintStore
from tests.assistant.transcription import sounds
from tests.assistant.ui import factory


def voice(name: str, document: str, seed: int = 0, seconds: float = 30.0) -> Voiceprint:
    vector = np.random.default_rng(seed).standard_normal(256).astype(np.float32)
    vector /= np.linalg.norm(vector)
    return Voiceprint(name, document, "A debate", None, seconds, vector.tobytes(), "ben", 5.0)


@pytest.fixture
def store(tmp_path):
    with VoiceprintStore.open(f"sqlite:///{tmp_path / 'lectern.db'}") as opened:
        yield opened


@settings(deadline=None, max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 9)), max_size=8
    ),
    st.data(),
)
def test_what_is_kept_is_what_was_neither_forgotten_nor_purged(tmp_path_factory, kept, data):
    """Whatever the order: of a name and a debate the last voice, none of a name or debate that has gone."""
    folder = tmp_path_factory.mktemp("voices")
    with VoiceprintStore.open(f"sqlite:///{folder / 'lectern.db'}") as store:
        expected = {}
        for name, document, seed in kept:
            store.keep(voice(name, document, seed))
            expected[name, document] = voice(name, document, seed)
        gone = data.draw(st.sampled_from("abc"))
        purged = data.draw(st.sampled_from("xyz"))
        assert sum(name == gone for name, _ in expected) == store.forget(gone)
        store.purge(purged)
        expected = {key: v for key, v in expected.items() if gone != key[0] and purged != key[1]}

        assert {(v.name, v.document): v for v in store.all()} == expected
        assert {name for name, _ in store.mean_vectors()} == {name for name, _ in expected}
        for _, vector in store.mean_vectors():
            assert pytest.approx(np.linalg.norm(np.frombuffer(vector, np.float32)), abs=1e-5) == 1.0


def test_a_name_with_voices_of_several_debates_is_between_them(store):
    """Weighted by how long each was heard."""
    voiceprint = voice("Ada", "x", 1, seconds=90.0)
    two = voice("Ada", "y", 2, seconds=10.0)
    store.keep(voiceprint)
    store.keep(two)

    ((name, vector),) = store.mean_vectors()

    voice_vector = np.frombuffer(vector, np.float32)
    assert name == "Ada"
    assert (
        voice_vector @ np.frombuffer(voiceprint.vector, np.float32)
        > 0.9
        > voice_vector @ np.frombuffer(two.vector, np.float32)
    )


def test_nothing_is_compared_or_kept_unless_the_operator_allows_it(store, tmp_path):
    """Off by default; voices that were kept earlier are not used then."""
    store.keep(voice("Ada", "x"))
    off = load(home=str(tmp_path), environ={})

    assert voiceprints.known_voiceprints(off) == ()
    with pytest.raises(SettingsError, match="LECTERN_VOICES=1"):
        voiceprints.make_voiceprint(
            off, tmp_path / "a.wav", [(0.0, 20.0)], "Ada", factory.report().transcript, "ben"
        )
    assert store.mean_vectors() == voiceprints.known_voiceprints(
        load(home=str(tmp_path), environ={"LECTERN_VOICES": "1"})
    )
    (tmp_path / "lectern.toml").write_text("voices = true\n")
    assert load(home=str(tmp_path), environ={}).voices


def test_a_voice_is_taken_from_the_sentences_of_its_speaker(tmp_path):
    """From a recording on the disk to a vector, with the debate that it hangs on."""
    path = sounds.write(tmp_path / "a.wav", sounds.sample()[: 40 * 16_000], "pcm_s16le")
    transcript = factory.report().transcript
    timed_sentences = [
        replace(s, start=s.number * 2.0, end=s.number * 2.0 + 1.8) for s in transcript.sentences
    ]
    transcript = replace(transcript, sentences=tuple(timed_sentences))
    heard = voiceprints.speaking_spans(transcript, factory.SPEAKERS[0])

    voiceprint = voiceprints.make_voiceprint(
        Settings(home=tmp_path, voices=True), path, heard[:8], " Alma  Reyes ", transcript, "ben"
    )

    assert [(s.start, s.end) for s in timed_sentences if s.speaker == factory.SPEAKERS[0]] == heard
    assert voiceprint.name == "Alma Reyes"
    assert transcript.source.sha256 == voiceprint.document
    assert voiceprint.kept_by == "ben"
    assert len(voiceprint.vector) == 256 * 4
    assert voiceprint.seconds == pytest.approx(8 * 1.8)


def test_voices_are_kept_listed_and_forgotten_on_the_command_line(tmp_path, monkeypatch, capsys):
    """With one sentence about what such data are; `purge` takes them with their debate."""
    path = sounds.write(
        tmp_path / "2026-02-24_night.wav", sounds.sample()[: 40 * 16_000], "pcm_s16le"
    )
    home = ["--home", str(tmp_path)]
    keep = [
        "voices",
        "keep",
        str(path),
        "--name",
        "Nora Brannigan",
        "--at",
        "0:02-0:14",
        "--at",
        "20-24.5",
        *home,
    ]
    monkeypatch.delenv("LECTERN_VOICES", raising=False)

    assert main(keep) == 1
    assert "turned off" in capsys.readouterr().err
    monkeypatch.setenv("LECTERN_VOICES", "1")
    assert main(keep) == 0
    assert "biometric data" in capsys.readouterr().err
    assert main(["voices", "list", *home]) == 0
    name, seconds, document, title, _ = capsys.readouterr().out.strip().split("\t")
    assert name == "Nora Brannigan"
    assert seconds == "16 s"
    assert title == "Night"

    assert main(["purge", *home, document, "--yes"]) == 0
    assert "1 voice\t" in capsys.readouterr().out
    assert main(["voices", "list", *home]) == 0
    assert capsys.readouterr().out == ""
    assert main(keep) == 0
    assert main(["voices", "forget", "Nora Brannigan", *home]) == 0
    capsys.readouterr()
    assert main(["voices", "forget", "Nora Brannigan", *home]) == 1
    assert "no voice is saved under this name" in capsys.readouterr().err
