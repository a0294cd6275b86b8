"""Formats beyond the usual ones: each is read, with its speakers, times and title."""

from __future__ import annotations

import zipfile
from io import BytesIO
from textwrap import dedent

import pytest

from assistant.core.domain import Transcript
from assistant.core.errors import LecternError
from assistant.transcripts import reader

Spoken = tuple[str | None, str, float | None]


def transcript(text: str | bytes, name: str = "debate.txt") -> Transcript:
    """Read a text of these lines, or bytes."""
    data = dedent(text).strip("\n").encode() if isinstance(text, str) else text
    return reader.transcript(data, name)


def spoken(text: str | bytes) -> list[Spoken]:
    """Return speaker, text and start of each sentence."""
    return [(s.speaker, s.text, s.start) for s in transcript(text).sentences]


def recognised(text: str | bytes) -> str:
    """Return the short name of the format."""
    return transcript(text).source.format


def packed(files: dict[str, str]) -> bytes:
    """Return a ZIP archive of texts by name."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return file.getvalue()


def test_spans_in_brackets_are_read_without_the_console_messages() -> None:
    """Whisper prints two times before each line."""
    console = """
        Loading the model.
        [00:00.000 --> 00:04.000]  Good evening.
        [01:00:12.000 --> 01:00:15.000]  It is.
        """
    assert spoken(console) == [(None, "Good evening.", 0.0), (None, "It is.", 3612.0)]
    assert transcript(console).warnings[0] == (
        "the text before the first caption was left out: “Loading the model.”"
    )


def test_adobe_encore_has_the_number_before_the_timecodes() -> None:
    """The number and the frames are left out."""
    encore = """
        1 00:00:02:00 00:00:06:00 Good evening.
        2 00:00:06:15 00:00:11:00 HALE: We built 400 schools
        and two roads.
        """
    assert spoken(encore) == [
        (None, "Good evening.", 2.0),
        ("HALE", "We built 400 schools and two roads.", 6.5),
    ]


def test_spruce_has_settings_and_bars() -> None:
    """Settings and comments are left out, a bar breaks a line."""
    spruce = """
        //English
        $FontName = Arial
        00:00:02:00 , 00:00:06:00 , Good evening|and welcome.
        """
    assert spoken(spruce) == [(None, "Good evening and welcome.", 2.0)]


def test_ccextractor_counts_dates_from_the_first() -> None:
    """The form with dates gives the time of day."""
    dated = """
        20261120235959.000|20261120235959.500|CC1|RU2|Good evening.
        20261120235959.900|20261120235959.950|CC1|RU2|Thank you.
        """
    assert spoken(dated) == [(None, "Good evening.", 0.0), (None, "Thank you.", 0.9)]


def test_ass_lines_are_sorted_and_comments_left_out() -> None:
    """A subtitler's comment and a drawn shape are not speech."""
    ass = """
        [Script Info]
        Title: Harbor debate

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:06.50,0:00:11.00,Default,Abara,0,0,0,,{\\i1}We built{\\i0} 400 schools.
        Comment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,check this
        Dialogue: 0,0:00:02.00,0:00:06.00,Default,,0,0,0,,Good evening\\Nand welcome.
        Dialogue: 0,0:00:02.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}
        """
    assert spoken(ass) == [
        (None, "Good evening and welcome.", 2.0),
        ("Abara", "We built 400 schools.", 6.5),
    ]
    assert transcript(ass).title == "Harbor debate"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{1}{1}25.0\n{50}{150}Good evening|and welcome.\n", 2.0),
        ("{50}{150}Good evening|and welcome.\n{175}{200}Yes.\n", 2.0),
        ("[20][60]Good evening|and welcome.\n[70][80]Yes.\n", 2.0),
        (
            "<SAMI><HEAD><TITLE>x</TITLE></HEAD><BODY><SYNC Start=2000>"
            "<P Class=EN>Good evening<br>and welcome.\n<SYNC Start=6000><P Class=EN>&nbsp;\n"
            "</BODY></SAMI>",
            2.0,
        ),
    ],
    ids=["microdvd", "microdvd without a rate", "mpl2", "sami"],
)
def test_subtitles_of_the_library(written: str, expected: float) -> None:
    """Frames, tenths and milliseconds become seconds."""
    assert spoken(written)[0] == (None, "Good evening and welcome.", expected)


def test_microdvd_without_a_frame_rate_says_so() -> None:
    """A guess of times is a warning."""
    warnings = transcript("{50}{150}Good evening.\n{175}{200}Yes.\n").warnings
    assert any("how many frames" in warning for warning in warnings)


def test_lrc_has_an_offset_repeats_and_times_of_words() -> None:
    """A positive offset moves the text forward; a line with two times is sung twice."""
    lrc = """
        [ti:Harbor debate]
        [offset:+500]
        [00:02.00]<00:02.00>Good <00:02.40>evening.
        [00:06.50][00:20.50]We shall see.
        """
    assert spoken(lrc) == [
        (None, "Good evening.", 1.5),
        (None, "We shall see.", 6.0),
        (None, "We shall see.", 20.0),
    ]


def test_quicktime_text_follows_its_times() -> None:
    """Settings in braces are left out."""
    quicktime = "{QTtext} {font:Geneva}\n[00:00:02.00]\nGood evening.\n[00:00:06.00]\n\n"
    assert spoken(quicktime) == [(None, "Good evening.", 2.0)]


def test_a_short_text_grid_and_its_points() -> None:
    """The short form has values without names; doubled quotes are one."""
    short = (
        'File type = "ooTextFile"\n"TextGrid"\n\n0\n14\n<exists>\n2\n"IntervalTier"\n"Abara"\n'
        '0\n14\n2\n0\n6\n"He said ""no"" to it."\n6\n14\n""\n"TextTier"\n"Hale"\n0\n14\n1\n7\n"Yes."\n'
    )
    assert spoken(short) == [("Abara", 'He said "no" to it.', 0.0), ("Hale", "Yes.", 7.0)]


def test_chat_has_people_times_and_codes() -> None:
    """Codes, dependent tiers and times are left out; a tab continues a line."""
    chat = (
        "@UTF8\n@Begin\n@Languages:\teng\n@Participants:\tABA Tom_Abara Adult, MOD Adult\n"
        "*ABA:\twe built (.) 400 [//] schools &=laughs\n\tin two years . \x152000_6500\x15\n"
        "%mor:\tpro|we\n*MOD:\tis that so ?\n@End\n"
    )
    assert spoken(chat) == [
        ("Tom Abara", "we built 400 schools in two years.", 2.0),
        ("MOD", "is that so?", None),
    ]


def test_exmaralda_events_have_moments() -> None:
    """Events of a tier of speech, in the order of the timeline."""
    exmaralda = """
        <?xml version="1.0"?><basic-transcription><head><speakertable>
        <speaker id="SPK0"><abbreviation>Abara</abbreviation></speaker></speakertable></head>
        <basic-body><common-timeline><tli id="T0" time="2.0"/><tli id="T1" time="6.0"/>
        </common-timeline><tier id="A" speaker="SPK0" type="t">
        <event start="T0" end="T1">We built schools.</event></tier>
        <tier id="B" speaker="SPK0" type="a" display-name="en">
        <event start="T0" end="T1">translation</event></tier></basic-body></basic-transcription>
        """
    assert spoken(exmaralda) == [("Abara", "We built schools.", 2.0)]
    assert "tiers that annotate the speech were left out: 1 (en)" in transcript(exmaralda).warnings


def test_parlamint_names_its_people_and_notes_are_left_out() -> None:
    """A reference is looked up in the list of people."""
    tei = """
        <?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en"><teiHeader>
        <title>Harbor debate</title><date when="2025-03-12"/><listPerson>
        <person xml:id="A"><persName><surname>Abara</surname><forename>Tom</forename></persName>
        </person></listPerson></teiHeader><text><body><note type="speaker">ABARA:</note>
        <u who="#A"><seg>We built <w>400</w> schools.</seg><note>Applause.</note>
        <vocal><desc>laughs</desc></vocal><seg>In two years.</seg></u></body></text></TEI>
        """
    assert spoken(tei) == [
        ("Tom Abara", "We built 400 schools.", None),
        ("Tom Abara", "In two years.", None),
    ]
    assert transcript(tei).title == "Harbor debate"
    assert str(transcript(tei).event_date) == "2025-03-12"


@pytest.mark.parametrize(
    "speech",
    [
        '<speech by="#abara"><from>Mr Tom Abara (Harbor)</from><p>We built schools.</p></speech>',
        "<speech><talk.start><talker><name>Tom Abara</name></talker>"
        "<para>We built schools.</para></talk.start></speech>",
        "<Intervention><PersonSpeaking><Affiliation>Tom Abara (Harbor)</Affiliation>"
        "</PersonSpeaking><Content><ParaText>We built schools.</ParaText></Content></Intervention>",
        '<rede id="1"><p klasse="redner"><redner><name><vorname>Tom</vorname>'
        "<nachname>Abara</nachname></name></redner>Tom Abara (SPD):</p>"
        "<p>We built schools.</p></rede>",
        "<sp><speaker>Tom Abara.</speaker><p>We built schools.</p></sp>",
    ],
    ids=["akoma ntoso", "australia", "canada", "bundestag", "drama"],
)
def test_records_of_parliaments(speech: str) -> None:
    """The schemas differ in their names only."""
    record = (
        '<?xml version="1.0"?><debate><TLCPerson id="abara" showAs="Tom Abara"/>'
        f"{speech}<note>End</note></debate>"
    )
    ((speaker, text, _),) = spoken(record)
    assert text == "We built schools."
    assert speaker in ("Tom Abara", "Mr Tom Abara")


def test_transcriber_names_speakers_in_its_head() -> None:
    """Turns have times in seconds."""
    trs = """
        <?xml version="1.0" encoding="UTF-8"?><!DOCTYPE Trans SYSTEM "trans-14.dtd">
        <Trans><Speakers><Speaker id="spk1" name="Tom Abara"/></Speakers><Episode><Section>
        <Turn speaker="spk1" startTime="2.5" endTime="9"><Sync time="2.5"/>We built schools.
        <Event desc="laugh"/></Turn></Section></Episode></Trans>
        """
    assert spoken(trs) == [("Tom Abara", "We built schools.", 2.5)]


def test_times_of_day_in_a_record_count_from_the_first() -> None:
    """The first speech is at 0 seconds."""
    record = """
        <?xml version="1.0"?><publicwhip><speech speakername="A B" time="14:30:00"><p>One.</p>
        </speech><speech speakername="C D" time="14:31:00"><p>Two.</p></speech></publicwhip>
        """
    assert spoken(record) == [("A B", "One.", 0.0), ("C D", "Two.", 60.0)]


ODT_SPACES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
ODT_BODY = (
    '<office:automatic-styles><style:style style:name="T1"><style:text-properties '
    'style:text-line-through-style="solid"/></style:style></office:automatic-styles>'
    "<office:body><office:text><text:tracked-changes><text:p>Deleted.</text:p>"
    "</text:tracked-changes><text:p>HALE: We<text:tab/>built<text:s/>400 "
    '<text:span text:style-name="T1">500 </text:span>schools.<text:note><text:p>1</text:p>'
    "</text:note></text:p><text:p>ABARA: No.</text:p><text:p>HALE: Yes.</text:p>"
    "</office:text></office:body>"
)


@pytest.mark.parametrize(
    "data",
    [
        packed(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": f"<office:document-content {ODT_SPACES}>{ODT_BODY}"
                "</office:document-content>",
                "meta.xml": f"<office:document-meta {ODT_SPACES}><dc:title>Harbor</dc:title>"
                "</office:document-meta>",
            }
        ),
        (
            f'<?xml version="1.0"?><office:document {ODT_SPACES} '
            'office:mimetype="application/vnd.oasis.opendocument.text">'
            f"<dc:title>Harbor</dc:title>{ODT_BODY}</office:document>"
        ).encode(),
    ],
    ids=["odt", "fodt"],
)
def test_opendocument(data: bytes) -> None:
    """Struck and deleted text and notes are left out."""
    assert spoken(data) == [
        ("HALE", "We built 400 schools.", None),
        ("ABARA", "No.", None),
        ("HALE", "Yes.", None),
    ]
    assert transcript(data).title == "Harbor"


def test_rich_text_without_hidden_and_struck_text() -> None:
    """Escapes are characters; what is hidden, struck or deleted was not said."""
    rtf = (
        r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}}{\info{\title Harbor}}\f0 "
        r"{\b HALE:} It\'92s {\strike 500 }400\u8217? schools.\par "
        r"ABARA: \v secret\v0 No.{\deleted gone}\par HALE: Yes.\par}"
    )
    assert spoken(rtf.encode()) == [
        ("HALE", "It’s 400’ schools.", None),
        ("ABARA", "No.", None),
        ("HALE", "Yes.", None),
    ]
    assert transcript(rtf.encode()).title == "Harbor"


def test_a_message_with_a_page_and_an_attachment() -> None:
    """The plain part is read, and the attachment is named."""
    message = """
        Received: from a by b
        From: Press <press@harbor.example>
        Subject: Fwd: Re: Debate
        Date: Wed, 12 Mar 2025 14:03:12 +0000
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary="x"

        --x
        Content-Type: text/html

        <p><b>HALE:</b> We built schools.</p><p><b>ABARA:</b> No.</p><p>HALE: Yes.</p>
        --x
        Content-Type: text/plain; name="notes.txt"
        Content-Disposition: attachment; filename="notes.txt"

        secret
        --x--
        """
    actual = transcript(message)
    assert [(s.speaker, s.text) for s in actual.sentences] == [
        ("HALE", "We built schools."),
        ("ABARA", "No."),
        ("HALE", "Yes."),
    ]
    assert (actual.title, str(actual.event_date)) == ("Debate", "2025-03-12")
    assert any("notes.txt" in warning for warning in actual.warnings)


def test_a_transcript_that_begins_like_a_message_is_none() -> None:
    """One or two labels that are also headers are speech."""
    text = "Subject: The port.\n\nHALE: Good evening.\n\nABARA: No.\n\nHALE: Yes.\n"
    assert recognised(text) == "text"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"850STL25.01" + b"0" * 90, "EBU STL"),
        (b"From a@b.c Mon Jan  1 00:00:00 2024\nSubject: x\n\nHi.\n", "mailbox"),
        (b'<window type="generic"><time begin="1"/>Good evening.</window>', "RealText"),
    ],
)
def test_other_known_files_are_refused_by_name(head: bytes, kind: str) -> None:
    """A file with a known header is never read as prose."""
    with pytest.raises(LecternError, match=kind):
        transcript(head)
