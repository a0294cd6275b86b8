"""Hostile files: what was seen to stop or fill a reader, and further kinds.

Each is made when it is asked for.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

from tests.fuzz import made

_TEXT = b"BT /F1 12 Tf 10 10 Td (hello there) Tj ET\n"
_CUE = b"WEBVTT\n\n00:00.000 --> 00:02.000\n%b\n"
_TTML = b'<tt xmlns="http://www.w3.org/ns/ttml"><body><div>%b</div></body></tt>'
_P = b"<p begin='1s' end='2s'>"
_PAGE = b"<html><body>%b"
_TEI = b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>%b</text></TEI>'
_MESSAGE = b"From: a\nTo: b\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n%b"
_ASS = b"[Script Info]\n\n[Events]\nFormat: Layer, Start, End, Style, Name, Text\n%b"


def _bomb() -> bytes:
    return made.page(
        zlib.compress(zlib.compress(_TEXT * 2_000_000)), b"[/FlateDecode /FlateDecode]"
    )


def _nested_table(depth: int) -> str:
    table_xml = "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a b</w:t></w:r></w:p>"
    return table_xml * depth + "</w:tc></w:tr></w:tbl>" * depth


# Seen in transcripts, as they were reported.
SEEN: dict[str, Callable[[], bytes]] = {
    "480 spaces": lambda: b"A" + b" " * 480 + b"b\nJANE: hello there.\n",
    "lines of spaces": lambda: (b"A" + b" " * 300 + b"b\n") * 3000,
    "bold that never ends": lambda: b"**a " * 200_000,
    "marks in one order": lambda: ("a" + "\u0301" * 200_000).encode(),
    "marks in turn": lambda: ("a" + "\u0301\u0316" * 200_000).encode(),
    "voices in WebVTT": lambda: _CUE % (b"<v " * 100_000),
    "nested tables in HTML": lambda: _PAGE % (b"<table><tr><td>" * 3000 + b"hello there friend"),
    "a row far down in XLSX": lambda: made.workbook(
        f'<row r="300000000">{made.cell("A300000000", "x")}</row>'
    ),
    "cells far right in XLSX": lambda: made.workbook(
        "".join(f'<row r="{i}">{made.cell(f"XFD{i}", "x")}</row>' for i in range(1, 3000))
    ),
    "nested objects in PDF": lambda: made.pdf(
        b"<</Type/Catalog/Pages 2 0 R>>", b"[" * 100_000 + b"]" * 100_000
    ),
    "nested spans in TTML": lambda: (
        _TTML % (_P + b"<span>" * 50_000 + b"x" + b"</span>" * 50_000 + b"</p>")
    ),
    "hours of 5,000 digits in TTML": lambda: (
        _TTML % (b"<p begin='" + b"9" * 5000 + b":00:00'>hello there</p>")
    ),
    "an endless time in TTML": lambda: (
        _TTML % (b"<p begin='" + b"9" * 400 + b"s' end='inf'>hello there</p>")
    ),
    "² as a time in CSV": lambda: (
        "Speaker,Start,End,Text\nA,²,³,hello there\nB,²,³,hello you\n".encode()
    ),
    "brackets as JSON": lambda: b"[" * 100_000,
    "50,000 rows in JSON": lambda: b"[" + b",".join([b'["A","hello there"]'] * 50_000) + b"]",
    "columns of numbers in JSON": lambda: (
        b'{"speaker":{"' + b"9" * 5000 + b'":"A","1":"B"},"text":["hello there","hello you"]}'
    ),
    "a text of brackets in JSON": lambda: b'{"text":"' + b"(A) hello there. " * 20_000 + b'"}',
    "a language of 100 kB": lambda: (
        b'{"segments":[{"start":0,"end":1,"text":"hello there","avg_logprob":1}],"language":"'
        + b"x" * 100_000
        + b'"}'
    ),
}

OWN: dict[str, Callable[[], bytes]] = {
    "one line of spaces": lambda: b" " * 100_000 + b"x",
    "a name with spaces in it": lambda: b"Jane" + b" " * 100_000 + b"Doe",
    "underlines": lambda: b"__a " * 200_000,
    "all marks": lambda: "".join(chr(0x300 + i % 112) for i in range(400_000)).encode(),
    "hangul": lambda: ("\u1100\u1161\u11a8" * 200_000).encode(),
    "a voice of spaces": lambda: _CUE % (b"<v" + b" " * 200_000),
    "tables side by side": lambda: _PAGE % (b"<table><tr><td>a</td><td>b</td></tr></table>" * 3000),
    "nested containers": lambda: _PAGE % (b"<div class=transcript>" * 20_000 + b"x"),
    "articles side by side": lambda: _PAGE % (b"<article>a</article>" * 10_000),
    "entities": lambda: _PAGE % (b"<p>" + b"&lt;" * 200_000),
    "attributes": lambda: _PAGE % (b"<p " + b"a=b " * 100_000 + b">hello</p><br>"),
    "comments": lambda: _PAGE % (b"<p>" + b"<!--" * 200_000),
    "a cell nowhere": lambda: made.workbook(f'<row r="1">{made.cell("ZZZZZZZ1", "x")}</row>'),
    "a row backwards": lambda: made.workbook(
        f'<row r="9">{made.cell("A9", "x")}</row><row r="-1">{made.cell("A1", "y")}</row>'
    ),
    "a doubly packed page": _bomb,
    "an open dictionary in PDF": lambda: made.pdf(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</A" * 50_000
    ),
    "pages in a circle": lambda: made.pdf(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R]/Count 9>>"
    ),
    "a reference to itself": lambda: made.pdf(b"1 0 R"),
    "nested paragraphs in TTML": lambda: _TTML % (_P * 900 + b"x" + b"</p>" * 900),
    "rates without end": lambda: (
        b'<tt xmlns="http://www.w3.org/ns/ttml" xmlns:t="http://www.w3.org/ns/ttml#parameter" t:frameRate="'
        + b"9" * 400
        + b'" t:tickRate="0"><body><p begin="1f" end="2t">hello there</p></body></tt>'
    ),
    "entities in XML": lambda: (
        b'<!DOCTYPE tt [<!ENTITY a "aaaa">]>' + _TTML % (_P + b"&a;" * 1000 + b"</p>")
    ),
    "a time without end in CSV": lambda: (
        b"Speaker,Start,Text\nA," + b"9" * 400 + b",hello there you\n"
    ),
    "a wide table": lambda: (
        b"Speaker,Text" + b",x" * 50_000 + b"\n" + b"a,b" + b",c" * 50_000 + b"\n"
    ),
    "tabs": lambda: b"\t" * 500_000,
    "a quote that never ends": lambda: b'a,"' + b"x," * 500_000,
    "one row again and again": lambda: b"Name Name,hello there my friend\n" * 30_000,
    "more brackets": lambda: b"[" * 2_000_000,
    "objects in objects": lambda: b'{"a":' * 100_000,
    "a number of 100,000 digits": lambda: (
        b'{"segments":[{"start":' + b"9" * 100_000 + b',"text":"a"}]}'
    ),
    "a key of megabytes": lambda: b'{"' + b"x" * 2_000_000 + b'":1}',
    "many speakers": lambda: b"".join(b"SPEAKER %d: hello there.\n" % i for i in range(20_000)),
    "many people": lambda: b"".join(
        b"Aa%c Bb%c: hello.\n" % (97 + i % 26, 97 + i // 26 % 26) for i in range(20_000)
    ),
    "many cues": lambda: b"".join(
        b"%d\n00:00:0%d,000 --> 00:00:0%d,500\nhello\n\n" % (i, i % 9, i % 9) for i in range(9000)
    ),
    "arrows": lambda: b"-->\n" * 60_000,
    "brackets behind a cue": lambda: (
        b"1\n00:00:01,000 --> 00:00:02,000 " + b"[" * 200_000 + b"\nhi\n"
    ),
    "a number before a cue": lambda: b"0" * 100_000 + b"\n00:00:01,000 --> 00:00:02,000\nhello\n",
    "one long line": lambda: b"word " * 200_000,
    "one long word": lambda: b"a" * 2_000_000,
    "full stops": lambda: b"." * 500_000,
    "short sentences": lambda: b"a. " * 100_000,
    "quotes": lambda: b'"' * 500_000,
    "capitals": lambda: b"AB " * 200_000 + b"x",
    "colons": lambda: b"A:" * 200_000,
    "labels": lambda: b"Ab: " * 200_000,
    "chevrons": lambda: b">> " * 200_000,
    "only chevrons": lambda: b">" * 1_000_000,
    "chevrons as entities": lambda: b"&gt;&gt;" * 200_000,
    "stage directions": lambda: b"[a] " * 200_000,
    "open brackets": lambda: b"((" * 500_000,
    "music": lambda: "♪a".encode() * 300_000,
    "stars": lambda: b"*abc" * 300_000,
    "empty lines": lambda: b"\n" * 1_000_000 + b"x",
    "half characters": lambda: b"\xff\xfe" + b"\x00\xd8" * 300_000,
    "all bytes": lambda: bytes(range(160, 256)) * 10_000,
    "lost characters": lambda: ("a\ufffds " * 100_000).encode(),
    "garbled characters": lambda: ("donâ€™t " * 60_000).encode(),
    "captions in SCC": lambda: (
        b"Scenarist_SCC V1.0\n\n"
        + b"".join(
            b"00:00:%02d:00\t9420 9420 9470 c8e5 ecec ef80 942f 942f\n\n" % (i % 60)
            for i in range(2000)
        )
    ),
    "captions that roll": lambda: (
        b"Scenarist_SCC V1.0\n\n"
        + b"".join(
            b"00:00:%02d:00\t9425 9425 94ad 94ad 9470 c8e5 ecec ef80\n\n" % (i % 60)
            for i in range(1000)
        )
    ),
    "a clock of 5,000 digits": lambda: (
        b"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:"
        + b"9" * 5000
        + b",LOCAL:00:00:00.000\n\n00:00.000 --> 00:02.000\nhello there\n"
    ),
    "a name of a cue": lambda: (
        b"WEBVTT\n\n" + b"0" * 200_000 + b"\n00:00.000 --> 00:02.000\nhello there\n"
    ),
    "one cue again and again": lambda: (
        b"WEBVTT\n\n" + b"00:00.000 --> 00:02.000\nhello there\n\n" * 20_000
    ),
    "cues that roll": lambda: (
        b"WEBVTT\n\n" + (b"00:00.000 --> 00:02.000\n" + b"same line\n" * 300 + b"\n") * 100
    ),
    "nested tables in DOCX": lambda: made.document(_nested_table(60)),
    "dates": lambda: b"September 1" * 20_000,
    "a heading of dates": lambda: b"Jan 1, 2020 " * 20_000 + b"\nJANE DOE: hello.\n",
    "one sentence again and again": lambda: b"hello there.\n" * 50_000,
    "groups in RTF": lambda: b"{\\rtf1 " + b"{" * 200_000 + b"hello there",
    "struck groups in RTF": lambda: b"{\\rtf1 " + b"{\\strike " * 100_000 + b"hello there",
    "links in RTF": lambda: b"{\\rtf1 " + b'{\\field{\\*\\fldinst{HYPERLINK "a"' * 20_000,
    "pictures in RTF": lambda: b"{\\rtf1 " + b"\\pict\\bin9 " * 50_000 + b"}",
    "fonts in RTF": lambda: b"{\\rtf1{\\fonttbl" + b"\\f1 " * 50_000 + b"}hello there}",
    "escapes in RTF": lambda: b"{\\rtf1 " + b"\\'e4" * 300_000 + b"}",
    "numbers in RTF": lambda: b"{\\rtf1 \\u9999999999 hello \\ansicpg99999 there}",
    "spaces in ODT": lambda: made.opendocument('<text:p>a<text:s text:c="999"/>b</text:p>' * 9000),
    "nested spans in ODT": lambda: made.opendocument("<text:span>" * 5000 + "</text:span>" * 5000),
    "nested tables in ODT": lambda: made.opendocument(
        "<table:table-row><table:table-cell>" * 25
        + "<text:p>hello there</text:p>"
        + "</table:table-cell></table:table-row>" * 25
    ),
    "entities in ODT": lambda: made.packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": '<!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>',
        }
    ),
    "nested speeches": lambda: _TEI % (b"<u who='#a'>" * 50 + b"hello" + b"</u>" * 50),
    "speeches side by side": lambda: _TEI % (b"<u who='#a'>hello there</u>" * 30_000),
    "speeches in depth": lambda: _TEI % (b"<u>" * 50_000),
    "slots of ELAN": lambda: (
        b"<ANNOTATION_DOCUMENT>"
        + b"<TIER TIER_ID='a'>" * 30
        + b"</TIER>" * 30
        + b"</ANNOTATION_DOCUMENT>"
    ),
    "tiers in a TextGrid": lambda: (
        b'File type = "ooTextFile"\n"TextGrid"\n' + b'"IntervalTier" "a" 0 1 9 ' * 50_000
    ),
    "a quote in a TextGrid": lambda: b'"ooTextFile"\n"TextGrid"\n' + b'"' * 400_001,
    "a number in a TextGrid": lambda: (
        b'"ooTextFile"\n"TextGrid"\n"IntervalTier" "a" 0 1 1 ' + b"9" * 100_000 + b' 1 "hi"'
    ),
    "codes in CHAT": lambda: b"@UTF8\n*AB:\t" + b"[x" * 100_000 + b"\n*AB:\thello there.\n",
    "people in CHAT": lambda: b"@UTF8\n@Participants:\t" + b"A " * 200_000 + b"\n*AB:\thi.\n",
    "parts of a message": lambda: _MESSAGE % (b"--x\n\nhello\n" * 50_000),
    "messages in messages": lambda: (
        _MESSAGE % (b"--x\nContent-Type: multipart/mixed; boundary=y\n\n" * 5000)
    ),
    "a message in a message": lambda: (
        _MESSAGE % (b"--x\nContent-Type: message/rfc822\n\nFrom: a\n" * 150)
    ),
    "a header without end": lambda: b"From: a\nTo: b\nMIME-Version: " + b"a " * 500_000,
    "overrides in ASS": lambda: (
        _ASS % (b"Dialogue: 0,0:00:01.00,0:00:02.00,D,N," + b"{\\b1" * 100_000 + b"\n")
    ),
    "fields of ASS": lambda: _ASS % (b"Dialogue: " + b"," * 500_000 + b"\n"),
    "frames of MicroDVD": lambda: b"{1}{2}hello there|you\n" * 30_000,
    "settings of MicroDVD": lambda: b"{1}{2}" + b"{y:b}" * 100_000 + b"hello\n",
    "tenths of MPL2": lambda: b"[1][2]hello there|/you\n" * 30_000,
    "lines of SAMI": lambda: b"<SAMI><BODY>" + b"<SYNC Start=1><P>hello there" * 20_000,
    "times of LRC": lambda: b"[ti:a]\n" + b"[00:01.00]" * 100_000 + b"hello there\n",
    "fields of LRC": lambda: b"[ti:" * 100_000 + b"\n[00:01.00]hello there\n",
    "braces in QuickTime": lambda: b"{QTtext}" + b"{" * 300_000 + b"\n[00:00:01.00]\nhello\n",
    "cues of SBV": lambda: b"0:00:01.000,0:00:02.000\nhello there\n\n" * 20_000,
    "bars of CCExtractor": lambda: b"00:00:01,000|00:00:02,000|POP|" + b"|" * 500_000,
    "timecodes of Avid": lambda: b"1 00:00:01:00 00:00:02:00 hello there\n" * 20_000,
    "a console": lambda: b"[00:00.000 --> 00:02.000]  hello there\n" * 20_000,
    "arrows behind a time": lambda: b"00:00:01,000 " + b"-" * 200_000 + b"> hello\n",
    "times in a line": lambda: b"00:00:01,000 --> 00:00:02,000 " * 30_000,
}
