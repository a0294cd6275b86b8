"""Real caption and recogniser files of the data folder parse to what the README beside them says."""

from __future__ import annotations

from collections import Counter

import pytest

from assistant.core.errors import UnknownFormat
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource
from tests.assistant.transcripts.reading import data_folder, first_format

pytestmark = pytest.mark.data


def read(path: str) -> ParsedTranscript:
    """Return what the reader of a file of the data folder makes of it."""
    source = RawSource(path.rpartition("/")[2], (data_folder() / path).read_bytes())
    return first_format(source).parse(source)


def texts(path: str) -> list[str]:
    return [piece.text for piece in read(path).pieces]


@pytest.mark.parametrize(
    ("path", "cues", "first_text"),
    [
        ("vtt/youtube_auto_2020.vtt", 220, "good evening from the health education"),
        ("vtt/youtube_auto_styled_1980.vtt", 80, "good evening i'm ruth hinerfeld of the"),
        ("vtt/edge/captions_with_bom.vtt", 4, "Caption text #1"),
        ("vtt/edge/comments.vtt", 3, "Ta en kopp varmt te."),
        ("vtt/edge/styles.vtt", 1, "Hello world."),
        ("vtt/edge/metadata_headers_multiline.vtt", 2, "Caption text #1"),
        ("vtt/edge/using_identifiers.vtt", 6, "Caption text #1"),
        ("vtt/edge/cue_tags.vtt", 3, "When the moon hits your eye"),
        ("vtt/edge/missing_caption_text.vtt", 4, "Caption text #1"),
        ("vtt/edge/sample.vtt", 16, "Caption text #1"),
        ("vtt/netflix_settings_notes.vtt", 14, "En 1928,"),
        ("vtt/podcast_voice_tags.vtt", 7, "In today's episode, you'll learn whether or not you"),
        ("srt/pbs_caption_labels.srt", 86, "When we think of E equals m c-squared,"),  # 90 with four sounds
        ("srt/asr_hearing_chevrons.srt", 140, "This hearing is in order. We've got our witnesses ready and --"),
        ("srt/edge/sample.srt", 5, "Caption text #1"),
        ("srt/edge/missing_caption_text.srt", 4, "Caption text #1"),
        ("srt/edge/invalid_timeframe.srt", 5, "Caption text #1"),
        ("ttml/pbs_example.ttml", 57, "When we think of E equals m c-squared,"),  # 60 with three sounds
        ("ttml/w3c_example.ttml", 11, "It seems a paradox, does it not,"),
        ("scc/pbs_example.scc", 3, "Letra traducida al Español ♪ ¡Uooye! ¡Vámonos! ♪"),
        ("scc/pop-on.scc", 2, "HEY, THE"),  # 3 with a horn
        ("derived/teams_style.vtt", 165, "Tonight, the high-stakes showdown here in Philadelphia"),
        ("derived/youtube_auto_2020.json3", 80, "good evening from the health education"),
        ("json/whisperx_board_meeting.json", 45, "of audit and finance will read the audit announcement"),
        ("json/google_stt_words.json", 8, "There was a day about 10 years ago when I asked a friend"),
        ("json/assemblyai_utterances.json", 6, "So what has changed in terms of our understanding?"),
    ],
)  # fmt: skip
def test_cues_with_text(path: str, cues: int, first_text: str) -> None:
    """The number of cues (segments, results) that have speech, and how the first begins."""
    pieces = read(path).pieces
    assert len({piece.line_number for piece in pieces}) == cues
    assert pieces[0].text.startswith(first_text)


def test_rolling_youtube_captions_are_read_once() -> None:
    """The threefold lines give the text that the file without repetition gives."""
    assert texts("vtt/youtube_auto_2020.vtt")[:60] == texts("derived/youtube_rolling_2020.vtt")


def test_json3_equals_the_vtt_of_the_same_video() -> None:
    """Two exports of the same captions."""
    assert texts("vtt/youtube_auto_2020.vtt")[:80] == texts("derived/youtube_auto_2020.json3")


def test_srt_and_ttml_of_the_same_programme_agree() -> None:
    """Sixty captions, the same words, the same times."""
    srt_pieces, second = (
        read(path).pieces for path in ("srt/pbs_caption_labels.srt", "ttml/pbs_example.ttml")
    )
    cut = [piece for piece in srt_pieces if piece.end <= second[-1].end]
    assert [(piece.text, piece.start, piece.end) for piece in second] == [
        (piece.text, piece.start, piece.end) for piece in cut
    ]


def test_youtube_dl_edge_case() -> None:
    """Rolling lines with and without tags, and no blank line between two cues."""
    assert " ".join(texts("vtt/edge/youtube_dl.vtt")) == "yeah what this will happen is I'm telling"


def test_a_bad_cue_among_six_good_ones() -> None:
    """Six cues have both times; the bad one keeps its start and its text, with a warning."""
    parsed = read("vtt/edge/invalid_timeframe.vtt")
    assert [piece.start for piece in parsed.pieces if piece.end is None] == [7.0]
    assert sum(piece.end is not None for piece in parsed.pieces) == 6
    assert len(parsed.warnings) == 1


def test_text_without_a_timing_line_stays() -> None:
    """Its number is not speech."""
    parsed = read("srt/edge/missing_timeframe.srt")
    assert [f"Caption text #{i}" for i in range(1, 6)] == [piece.text for piece in parsed.pieces]
    assert sum(piece.start is not None for piece in parsed.pieces) == 4
    assert len(parsed.warnings) == 1


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("derived/teams_style.vtt", {"David Muir": 45, "Linsey Davis": 10, "Vice President Kamala Harris": 52,
                                     "Former President Donald Trump": 58}),
        ("vtt/podcast_voice_tags.vtt", {"Sarah": 5, "Gillian": 2}),
        ("json/whisperx_board_meeting.json", {"SPEAKER_02": 37, "SPEAKER_11": 8}),
        ("json/assemblyai_utterances.json", {"Speaker A": 3, "Speaker B": 3}),
        ("json/podcast_namespace.json", {"Darth Vader": 1, "Luke": 1}),
    ],
)  # fmt: skip
def test_speakers(path: str, expected: dict[str, int]) -> None:
    """Pieces of each speaker."""
    assert dict(Counter(piece.speaker for piece in read(path).pieces)) == expected


def test_labels_in_captions_start_turns() -> None:
    """Two turns of LITHGOW, one each of the actor and the narrator.

    Men and women without a name are unknown.
    """
    starts = Counter(
        piece.speaker for piece in read("srt/pbs_caption_labels.srt").pieces if piece.starts_turn
    )
    assert {name: n for name, n in starts.items() if name} == {
        "LITHGOW": 2,
        "ACTOR AS EINSTEIN": 1,
        "NARRATOR": 1,
    }


def test_chevrons_start_sixteen_turns() -> None:
    """Some are in the middle of a cue."""
    assert sum(piece.starts_turn for piece in read("srt/asr_hearing_chevrons.srt").pieces) == 16


def test_paint_on_gives_each_line_once() -> None:
    """Eighteen steps of growing text are four lines."""
    joined = " ".join(texts("scc/paint-on.scc"))
    assert joined == (
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit. "
        "Pellentesque interdum lacinia sollicitudin. Integer luctus et ligula ac sagittis."
    )


def test_aws_glues_punctuation_and_keeps_an_empty_label_unknown() -> None:
    """219 words, 21 marks glued to the left."""
    pieces = read("json/aws_transcribe_speakers.json").pieces
    text = "\n".join(piece.text for piece in pieces)
    speakers = {piece.speaker for piece in pieces if piece.speaker}
    assert len(text.split()) == 219
    assert speakers == {"spk_0", "spk_1"}
    assert " ." not in text
    assert " ," not in text


def test_google_words_of_the_last_result_are_read_once() -> None:
    """120 tagged words, and not the transcript field beside them."""
    pieces = read("json/google_stt_diarization_tail.json").pieces
    assert sum(len(piece.text.split()) for piece in pieces) == 120
    assert {piece.speaker for piece in pieces} == {"Speaker 2"}


def test_watson_drops_hesitations() -> None:
    """Eight results by speaker 1."""
    pieces = read("json/ibm_watson.json").pieces
    assert (
        len({piece.line_number for piece in pieces}),
        {piece.speaker for piece in pieces},
    ) == (8, {"Speaker 1"})
    assert not any("%HESITATION" in piece.text for piece in pieces)


def test_deepgram_reads_paragraphs_where_the_words_are_cut_short() -> None:
    """One paragraph of five sentences by speaker 0."""
    pieces = read("json/deepgram_prerecorded.json").pieces
    assert (len(pieces), {piece.speaker for piece in pieces}) == (5, {"Speaker 0"})
    assert sum(len(piece.text.split()) for piece in pieces) == 54


def test_digital_paper_edit_joins_words_and_paragraphs() -> None:
    """306 words in twelve paragraphs; an unknown speaker stays unknown."""
    pieces = read("json/digital_paper_edit.json").pieces
    assert sum(len(piece.text.split()) for piece in pieces) == 306
    assert dict(Counter(piece.speaker for piece in pieces if piece.starts_turn)) == {
        None: 5,
        "F_S10": 4,
        "F_S12": 3,
    }


def test_council_turns_are_in_milliseconds() -> None:
    """Forty turns, one of them an editor's note; Group is not a person."""
    parsed = read("json/council_turns.json")
    counts = Counter(piece.speaker for piece in parsed.pieces)
    assert (len(parsed.pieces), counts["Mayor Catherine S. Read"], counts["Suzanne Levy"]) == (
        39,
        15,
        3,
    )
    assert "Group" not in counts
    assert parsed.pieces[0].start == 0.16


def test_json_without_text_is_refused() -> None:
    """The sentences of this format are kept in another file."""
    with pytest.raises(UnknownFormat, match="but the keys version, language, sentenceMetadata"):
        read("json/compact_sentence_metadata.json")
