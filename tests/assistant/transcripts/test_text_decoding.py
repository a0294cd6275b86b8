"""Bytes become text in the right encoding; damage is repaired where it can be, and reported."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.errors import TranscriptError
from assistant.transcripts import text_decoding as source_bytes
from assistant.transcripts.text_decoding import RawSource, load

TEXT = "It’s 40 % – “no,” said Élise.\n" * 3


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_encodings(encoding: str) -> None:
    """Text comes out the same from every encoding that newsrooms meet."""
    assert RawSource("a.txt", TEXT.encode(encoding)).text == TEXT


def test_guessed_encoding_is_reported() -> None:
    """An encoding that the file does not give is named in a warning; UTF-8 needs none."""
    assert "(Windows-1252)" in RawSource("a.txt", TEXT.encode("cp1252")).warnings[0]
    assert RawSource("a.txt", TEXT.encode()).warnings == []


def test_other_scripts() -> None:
    """Bytes mostly beyond ASCII are given to the detector."""
    text = "Добрый вечер. Мы говорим о налогах и о школах, и это важно для всех нас."
    assert RawSource("a.txt", text.encode("cp1251")).text == text


def test_a_damaged_place_does_not_spoil_utf8() -> None:
    """One broken byte at the end of UTF-8 is reported, the rest is read as UTF-8."""
    source = RawSource("a.txt", "Café après midi".encode() + b"\xc3")
    assert source.text.startswith("Café après midi") and "not valid UTF-8" in source.warnings[0]


def test_mojibake_is_repaired() -> None:
    """Text decoded wrongly by somebody before is put right, and reported."""
    source = RawSource("a.txt", "I donâ€™t. Itâ€™s CafÃ©.".encode())
    assert source.text == "I don’t. It’s Café." and "garbled" in source.warnings[0]


@pytest.mark.parametrize(
    ("garbled", "repaired"),
    [
        ("My rebuttalsÌâåÊand the rest.", "My rebuttals and the rest."),
        ("ThankåÊyou, it‰Ûªs late.", "Thank you, it’s late."),
        ("He said ‰ÛÏno in the cafÌ©.", "He said “no in the café."),
        ("Costs ‰ÛÓ and taxes ‰ÛÓ rose.", "Costs — and taxes — rose."),
    ],
)
def test_characters_that_a_mac_garbled_again_are_repaired(garbled, repaired) -> None:
    source = RawSource("a.txt", garbled.encode())

    assert source.text == repaired
    assert "garbled" in source.warnings[0]


@pytest.mark.parametrize(
    "text",
    [
        "Hun er blåøyd, og han er blåøyd også på lørdag.",
        "Ånders Ångström byggde bron på Åland, två år före Örebro.",
        "BLÅØYD, ÆRLIG OG ÅPEN.",
        "“Naïve”… l’été à Nîmes – c’est ÇÀ, déjà.",
        "Đặng Ngọc Ẩn nói: “Được”.",
        "Он сказал: «Нет».",
    ],
)
def test_words_with_accents_are_not_taken_for_garbled_ones(text) -> None:
    source = RawSource("a.txt", text.encode())

    assert source.text == text
    assert source.warnings == []


def test_lost_characters_are_put_back() -> None:
    """U+FFFD in contractions, quotations and dashes is put back; what cannot be is counted."""
    source = RawSource(
        "a.txt", "I don\ufffdt, he\ufffds. \ufffdYes.\ufffd We \ufffd all x\ufffdz.".encode()
    )
    assert source.text == "I don’t, he’s. “Yes.” We – all x\ufffdz."
    assert "6 characters were lost" in source.warnings[0] and "1 left" in source.warnings[0]


def test_invisible_characters_go() -> None:
    """Zero-width and soft characters vanish, odd spaces and breaks become plain, letters are composed."""
    text = "\ufeffa\u00adb\u200bc\u00a0d\u2028e\r\nf\rg e\u0301"
    assert RawSource("a.txt", text.encode()).text == "abc d\ne\nf\ng é"


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 8,
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"%PDF-1.4\n%\xe2\xe3",
        b"PK\x03\x04abc",
    ],
)
def test_binary_has_no_text(data: bytes) -> None:
    """A binary file is no text, whatever it is called."""
    assert (RawSource("a.txt", data).text, RawSource("a.txt", data).warnings) == ("", [])


def test_too_large_is_refused_before_reading(tmp_path, monkeypatch) -> None:
    """A file of 200 MB is refused by its size; its contents are never read."""
    path = tmp_path / "debate.txt"
    with open(path, "wb") as file:
        file.truncate(200_000_000)
    monkeypatch.setattr(type(path), "read_bytes", lambda self: pytest.fail("was read"))
    with pytest.raises(
        TranscriptError, match=r"debate.txt: is 200 MB in size, but Lectern reads at most 100 MB"
    ):
        load(path)
    assert source_bytes.MAX_BYTES < 200_000_000


def test_a_missing_file_is_reported(tmp_path) -> None:
    """A wrong path is one line with the reason."""
    with pytest.raises(TranscriptError, match="No such file"):
        load(tmp_path / "none.txt")


@given(st.binary(max_size=300))
def test_any_bytes_are_decoded(data: bytes) -> None:
    """No bytes whatever make decoding fail, and the text has plain line breaks only."""
    assert "\r" not in RawSource("a.txt", data).text
