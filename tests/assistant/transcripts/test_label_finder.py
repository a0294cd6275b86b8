"""Labels are found by the whole text, whatever their shape, case or script."""

from __future__ import annotations

import pytest

from assistant.transcripts import LabelChoices, reader

SPEECH = (
    "Good evening and welcome to the harbor debate.",
    "The port lost 14 percent of its traffic in 2024.",
    "That is not true, and you know it.",
    "Mr. Abara, is that number right?",
    "Yes, the auditor confirmed it in May.",
    "Exports fell by $200 million under your watch.",
)


def turns(text: str, choices: LabelChoices | None = None) -> list[tuple[str | None, str]]:
    transcript = reader.transcript(text.encode(), "debate.txt", choices=choices or LabelChoices())
    return [(sentence.speaker, sentence.text) for sentence in transcript.sentences]


@pytest.mark.parametrize(
    ("names", "form"),
    [
        (("محمد علي", "سارة", "Tom Abara"), "{}: {}"),
        (("Иван Петров", "Мария", "Олег"), "{}: {}"),
        (("田中", "鈴木", "佐藤"), "{}：{}"),
        (("maria", "tom", "jo"), "{}: {}"),
        (("Maria", "Tom", "Jo"), "{} - {}"),
        (("MARIA", "TOM", "JO"), "{}—{}"),
        (("Maria Roe", "Tom Lind", "Jo Hale"), "{}. {}"),
        (("ML", "TA", "JH"), "{}: {}"),
        (("@maria", "@tom_abara", "user42"), "{}: {}"),
        (("Maria’s iPad", "Galaxy S21", "Conference Room 2"), "{}: {}"),
        (("First Speaker", "Second Speaker", "Third Speaker"), "{}: {}"),
        (("Maria", "Tom", "Jo"), "<{}> {}"),
        (("Maria", "Tom", "Jo"), "• {}: {}"),
        (("Maria Roe", "Tom Lind", "Jo Hale"), "{}\n\n{}"),
        (("Maria Roe", "Tom Lind", "Jo Hale"), "**{}**\n\n{}"),
        (("Maria", "Tom", "Jo"), "### {}\n\n{}"),
        (("Maria", "Tom", "Jo"), "_{}_ {}"),
    ],
)
def test_names_that_recur_in_company_are_labels(names: tuple[str, ...], form: str) -> None:
    speakers = [*names, *names]

    text = "\n\n".join(map(form.format, speakers, SPEECH))

    assert turns(text) == list(zip(speakers, SPEECH, strict=True))


def test_a_label_inside_a_line_begins_a_turn() -> None:
    text = "HALE: We built 400 schools. OKAFOR: You did not.\n\nREYES: Exports fell. HALE: No."
    assert turns(text) == [
        ("HALE", "We built 400 schools."),
        ("OKAFOR", "You did not."),
        ("REYES", "Exports fell."),
        ("HALE", "No."),
    ]


def test_a_label_that_was_not_believed_gives_an_unknown_speaker() -> None:
    text = "ROE: Good evening.\n\nмария: Нет.\n\nROE: Yes.\n\nLIND: No."
    transcript = reader.transcript(text.encode(), "debate.txt")

    assert transcript.sentences[1].speaker is None
    assert [doubtful.label for doubtful in transcript.doubtful_labels] == ["мария"]
    assert any("мария: Нет." in warning for warning in transcript.warnings)


def test_a_person_accepts_or_refuses_a_label() -> None:
    text = "ROE: Good evening.\n\nмария: Нет.\n\nROE: Yes.\n\nLIND: No."

    accepted = turns(text, LabelChoices(accepted=("мария",)))
    refused = turns(text, LabelChoices(refused=("мария",)))

    assert accepted[1] == ("мария", "Нет.")
    assert refused[1] == ("ROE", "мария: Нет.")


@pytest.mark.parametrize(
    "label", ["Question from the audience", "A man in the audience", "An opposition member"]
)
def test_a_person_whom_a_label_only_describes_is_unknown(label: str) -> None:
    text = f"HALE: We built schools.\n\n{label}: You lie!\n\nHALE: Please."
    assert [speaker for speaker, _ in turns(text)] == ["HALE", None, "HALE"]


def test_speakers_have_their_turns_and_the_grounds_for_their_labels() -> None:
    text = "HALE: One.\n\nLIND: Two.\n\nHALE: Three."
    evidence = reader.transcript(text.encode(), "debate.txt").speaker_evidence

    assert [(each.speaker, each.turn_count) for each in evidence] == [("HALE", 2), ("LIND", 1)]
    assert evidence[0].evidence.startswith("HALE: 2 lines with a colon")


def test_labels_end_at_their_own_full_stop() -> None:
    text = (
        "  Mr. HALE of Ohio. No. I object.\n  The PRESIDING OFFICER. Without objection.\n"
        "  Mrs. McCARTHY-DIAZ (rising). Yes.\n  The motion was agreed to.\n"
        "  Hon. J. D. LIND. Exports fell.\n"
    )
    assert [speaker for speaker, _ in turns(text)] == [
        "Mr. HALE of Ohio",
        "The PRESIDING OFFICER",
        "Mrs. McCARTHY-DIAZ",
        None,
        "Hon. J. D. LIND",
    ]


def test_a_short_name_that_is_also_a_word_is_a_label_among_labels() -> None:
    """A play shortens Andrew to "And." and Toby to "To."."""
    names = ("Vio", "To", "Mar", "And")
    text = "\n".join(f"{names[i % 4]}. {SPEECH[i % 6]}" for i in range(24))

    assert turns(text) == [(names[i % 4], SPEECH[i % 6]) for i in range(24)]


def test_a_play_numbers_people_without_a_name() -> None:
    names = ("Vio", "1.Off", "Mar", "2.Off")
    text = "\n".join(f"{names[i % 4]}. {SPEECH[i % 6]}" for i in range(24))

    assert turns(text) == [(names[i % 4], SPEECH[i % 6]) for i in range(24)]


def test_a_recogniser_that_ends_a_sentence_behind_a_word_names_nobody() -> None:
    """Without labels around it, "And." begins a sentence that was cut."""
    text = "\n".join(f"HALE: One thing.\nAnd. {speech}" for speech in SPEECH)

    assert {speaker for speaker, _ in turns(text)} == {"HALE"}


def test_footnotes_and_divided_words_are_repaired() -> None:
    text = (
        "ROE: The adminis-\ntration lost 5 per-\ncent of its traffic.[1]\n\n"
        "LIND: It is well-\nknown.\n\nROE: No.\n\n[1] Port Authority.\n"
    )
    assert turns(text) == [
        ("ROE", "The administration lost 5 percent of its traffic."),
        ("LIND", "It is well-known."),
        ("ROE", "No."),
    ]


def test_names_are_merged_only_with_proof() -> None:
    labels = ["TOM HALE SR.", "TOM HALE II", "ROE & LIND", "LIND", "A. LIND", "B. LIND"]
    text = "\n\n".join(f"{label}: {speech}" for label, speech in zip(labels, SPEECH, strict=True))
    assert [speaker for speaker, _ in turns(text)] == labels
