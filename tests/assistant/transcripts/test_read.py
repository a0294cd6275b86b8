"""``read``: from any file to a transcript, or to one line that says what the file is and what to do."""

from __future__ import annotations

import zipfile
from datetime import date
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.errors import MalformedTranscript, TranscriptError, UnknownFormat
from assistant.transcripts import html, read, read_bytes, reader
from assistant.transcripts.text_decoding import MAX_BYTES

TEXT = (
    b"HALE: Good evening. (Applause) We lost 40,000 jobs.\n\nLUND: [crosstalk]\n\nHALE: Is it so?\n"
)


def test_transcript(tmp_path) -> None:
    """Sentences are numbered, have line and speaker, and no stage direction is one.

    The source has its digest.
    """
    path = tmp_path / "2016-09-26 hall debate.txt"
    path.write_bytes(TEXT)
    transcript = read(path)
    sentences = [
        (sentence.number, sentence.line, sentence.speaker, sentence.text) for sentence in transcript
    ]
    assert sentences == [
        (1, 1, "HALE", "Good evening."),
        (2, 1, "HALE", "We lost 40,000 jobs."),
        (3, 5, "HALE", "Is it so?"),
    ]
    assert (transcript.title, transcript.event_date) == ("Hall debate", date(2016, 9, 26))
    assert (transcript.source.format, len(transcript.source.sha256)) == ("text", 64)
    assert any(
        "26 September 2016 was taken from the name" in warning for warning in transcript.warnings
    )


CAPTION = "Sen. Ann Hale speaks during the City Debate on Tuesday, Jan. 14, 2020, in Ames."
CREDITED = "The bridge fell in May. (Photo by Max Roe/Getty Images)"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "debate.txt",
            f"HALE: We lost 40,000 jobs.\n{CAPTION}\nWe have to act.\n{CREDITED}\nLUND: No.\nHALE: Yes.\n",
        ),
        (
            "debate.csv",
            f'speaker,text\nHALE,"We lost 40,000 jobs."\nHALE,"{CAPTION}"\nHALE,We have to act.\n'
            f'HALE,"{CREDITED}"\nLUND,No.\n',
        ),
    ],
)
def test_a_caption_stays_and_has_no_speaker(name, text) -> None:
    """A page has put it between the words of a speaker, who goes on below it."""
    transcript = read_bytes(text.encode(), name)
    speaker_by_text = {sentence.text: sentence.speaker for sentence in transcript}
    assert speaker_by_text["We lost 40,000 jobs."] == "HALE"
    assert speaker_by_text[CAPTION] is None
    assert speaker_by_text["We have to act."] == "HALE"
    credited = [speaker_by_text[text] for text in speaker_by_text if text in CREDITED]
    assert credited
    assert set(credited) == {None}
    (warning,) = [text for text in transcript.warnings if "captions of pictures" in text]
    assert CAPTION[:50] in warning


def test_given_title_and_date_win() -> None:
    """A title and date that the user gives are not guessed."""
    transcript = read_bytes(TEXT, "20160926.txt", title="Mine", event_date=date(2020, 1, 2))
    assert (transcript.title, transcript.event_date) == ("Mine", date(2020, 1, 2))
    assert not any("date" in warning for warning in transcript.warnings)


def test_two_different_dates_are_reported() -> None:
    """The date inside the file wins, and another one in its name is reported."""
    transcript = read_bytes(b"September 26, 2016\n\n" + TEXT, "2016-10-09.txt")
    assert transcript.event_date == date(2016, 9, 26)
    assert any("file says 9 October 2016" in warning for warning in transcript.warnings)


def test_no_date_is_reported() -> None:
    """Without a date the event date is unknown and a warning asks for it."""
    transcript = read_bytes(TEXT, "debate.txt")
    assert transcript.event_date is None and any(
        "no event date" in warning for warning in transcript.warnings
    )


def test_the_suffix_means_nothing() -> None:
    """A caption file called .txt, and a text called .srt, are read as what they are."""
    srt = b"1\n00:00:01,000 --> 00:00:03,000\nGood evening.\n"
    assert [read_bytes(*f).source.format for f in ((srt, "a.txt"), (TEXT, "a.srt"))] == [
        "srt",
        "text",
    ]


def _zip(**members: str) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return buffer.getvalue()


OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (OLE + "WordDocument".encode("utf-16-le"), "an old Word document (.doc)"),
        (OLE + "Workbook".encode("utf-16-le"), "an old Excel workbook (.xls)"),
        (_zip(mimetype="application/vnd.oasis.opendocument.graphics"), "an OpenDocument file"),
        (_zip(mimetype="application/epub+zip"), "an EPUB book"),
        (_zip(**{"ppt/slides.xml": "x"}), "a PowerPoint file (.pptx)"),
        (_zip(**{"a.txt": "HALE: Hi."}), "a ZIP archive"),
        (b"PK\x03\x04 cut off", "a damaged ZIP archive"),
        (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image"),
        (b"\x1f\x8b\x08\0\0", "a gzip archive"),
        (b"SQLite format 3\0" + b"\0" * 80, "an SQLite database"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "a program"),
        (bytes(range(256)) * 4, "a binary file of a kind not known here"),
        (b"#EXTM3U\n#EXT-X-VERSION:3\nseg0.vtt\n", "a streaming playlist (M3U8)"),
        (b"850STL25.01" + b"0" * 90, "an EBU STL subtitle file"),
        (
            b"<?xml version='1.0'?><catalog><book>one</book></catalog>",
            "XML of a kind not known here",
        ),
    ],
)
def test_refused_by_name(data: bytes, what: str) -> None:
    """A file that isn't a transcript is called by its name and comes with a way out, whatever its suffix says."""
    with pytest.raises(UnknownFormat) as caught:
        read_bytes(data, "debate.txt")
    assert str(caught.value).startswith(f"debate.txt: is {what}, which is not read. ")
    assert caught.value.remedy and "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n", b"\xef\xbb\xbf"])
def test_empty(data: bytes) -> None:
    """An empty file is refused as empty, or as one without speech."""
    with pytest.raises(TranscriptError, match="is empty|no text|not read"):
        read_bytes(data, "debate.txt")


def test_nothing_said() -> None:
    """A file with stage directions alone is an error that says why."""
    with pytest.raises(MalformedTranscript, match="only stage directions"):
        read_bytes(b"(APPLAUSE)\n\n[Music]\n", "debate.txt")


def test_too_large() -> None:
    """The limit holds for bytes as it does for files, before anything is parsed."""

    class Large(bytes):
        def __len__(self) -> int:
            return 200_000_000

    with pytest.raises(TranscriptError, match="is 200 MB in size, but Lectern reads at most"):
        read_bytes(Large(b"HALE: Hi."), "debate.txt")
    assert MAX_BYTES < 200_000_000


def test_one_sentence() -> None:
    """One sentence is a transcript."""
    assert [
        (sentence.speaker, sentence.text)
        for sentence in read_bytes(b"Jane Moss: The lake is dry.", "a.txt")
    ] == [("Jane Moss", "The lake is dry.")]


@pytest.mark.slow
def test_twenty_thousand_sentences() -> None:
    """A transcript of twenty thousand sentences comes out whole."""
    turns = "\n\n".join(
        f"{'HALE' if i % 2 else 'LUND'}: This is number {i}. It is odd." for i in range(10_000)
    )
    assert len(read_bytes(turns.encode(), "a.txt")) == 20_000


def test_ten_thousand_words_in_one_sentence() -> None:
    """A sentence of ten thousand words becomes windows that a model can read, with a warning."""
    transcript = read_bytes(b"HALE: Good evening. Thank you. " + b"and so on " * 3334, "a.txt")
    assert max(len(sentence.text.split()) for sentence in transcript) <= 40
    assert any("words" in warning for warning in transcript.warnings)


def test_script_is_text() -> None:
    """Tags in a text are words, not tags; what shows them must escape them."""
    transcript = read_bytes(
        b"HALE: He wrote <script>alert(1)</script> there.\n\nLUND: <b>No</b>.", "a.txt"
    )
    assert [sentence.text for sentence in transcript] == [
        "He wrote <script>alert(1)</script> there.",
        "<b>No</b>.",
    ]


def test_tags_without_end_are_refused_in_one_line() -> None:
    """A page whose tags are nested thousands deep is refused, not a crash."""
    with pytest.raises(MalformedTranscript, match="nested too deeply|no speech"):
        read_bytes(b"<div><p>" * 5000, "a.html")


def test_people_are_merged_and_reported() -> None:
    """Two labels of one person are one speaker, with a warning that names both."""
    text = b"DAVID LUND, PUBLIC RADIO: Good evening.\n\nHALE: Hello.\n\nMR. LUND: We begin.\n"
    transcript = read_bytes(text, "a.txt")
    assert [sentence.speaker for sentence in transcript] == ["DAVID LUND", "HALE", "DAVID LUND"]
    assert any("MR. LUND" in warning and "DAVID LUND" in warning for warning in transcript.warnings)


def test_same_bytes_same_transcript() -> None:
    """Reading is repeatable."""
    assert read_bytes(TEXT, "a.txt") == read_bytes(TEXT, "a.txt")


@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(str.encode)))
def test_any_file_is_read_or_refused_in_one_line(data: bytes) -> None:
    """No file whatever gives anything but a transcript or one of our errors in one line."""
    try:
        assert len(read_bytes(data, "debate.txt")) > 0
    except TranscriptError as error:
        assert str(error).startswith("debate.txt") and "\n" not in str(error)


def test_an_empty_file_is_named_in_a_sentence() -> None:
    """No colon stands between the name and its verb."""
    with pytest.raises(TranscriptError, match=r"^empty\.txt is empty\. Export"):
        reader.transcript(b" ", "empty.txt")


def test_notes_have_no_terms_of_programs() -> None:
    """Encodings have the names of writing, and days are written out."""
    lines = "Town hall, 3 June 2024\n\nANNA HALE: The caf\xe9 is open.\nTOM ROE: No."
    warnings = "\n".join(reader.transcript(lines.encode("cp1252"), "hall.txt").warnings)

    assert "its letters were read as Western European (Windows-1252)" in warnings
    assert "the event date 3 June 2024 was taken from the file" in warnings
    assert "cp1252" not in warnings


@pytest.mark.parametrize(
    ("limit", "counted"), [("MAX_WORDS", "8 words"), ("MAX_SENTENCES", "2 sentences")]
)
def test_a_transcript_that_is_far_too_long_is_refused(limit, counted, monkeypatch):
    """Two sentences of four words each exceed a limit of one."""
    monkeypatch.setattr(reader, limit, 1)
    with pytest.raises(MalformedTranscript, match=f"has {counted}, more than the 1 that"):
        reader.transcript(b"We have five ferries. They cross the bay.", "long.txt")


def test_a_page_with_too_many_tags_is_refused_before_it_is_parsed(monkeypatch):
    """The parser would take minutes."""
    monkeypatch.setattr(html, "_parse_page", lambda text: pytest.fail("was parsed"))
    page = b"<html><body>" + b"<div>" * html.MAX_TAGS + b"We have five ferries."
    with pytest.raises(MalformedTranscript, match="more than 100,000 tags"):
        reader.transcript(page, "a.html")
