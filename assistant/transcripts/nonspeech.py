"""Recognises text that is not speech: stage directions, headings, notes, footers, inventions.

It knows words and lines, but no format. ``[sic]`` and the editor's additions in brackets are part
of the text and stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from assistant.core.domain import Sentence

MIN_REPEATED_LINES = 3  # in a row: a recogniser stuck in silence, or a chant
MAX_HEADING_WORDS = 9
MAX_SHOWN_NUMBERS = 5
MAX_RECORD_NOTE_CHARACTERS = 240

# A bracket is a stage direction if it holds one of these words and otherwise only the words that
# go with them.
_STAGE_WORDS = frozenset(
    "applause applauds applauding laughter laughs laughing laugh chuckles chuckling giggles "
    "cheers cheering cheer boos booing boo jeers jeering shouts shouting shout screams "
    "screaming yelling chanting chants crosstalk conversation inaudible unintelligible "
    "indiscernible indistinct inaudibly continuing off-mike off-mic off-microphone off-camera "
    "timer bell buzzer gavel music theme singing sings commercial break silence pause pauses "
    "paused sighs sigh gasps gasping groans groaning coughs coughing sneezes clapping "
    "whistling whistles hissing murmurs murmuring mumbles mumbling whispers whispering "
    "voice-over voiceover on-camera translator interpreter interpretation ph phonetic sp clip "
    "video audio videotape footage playing plays begins ends ticking honking ringing rings "
    "beeping barking chatter noise noises static feedback foreign overtalk overlapping "
    "interposing recess adjourned gunshots crying cries sobbing sobs sniffles clears throat "
    "knocking footsteps wind thunder rain engine sirens siren beep bleep bleeped censored "
    "redacted muffled garbled".split()
)
_STAGE_FILLER_WORDS = frozenset(
    "and or of the a an in from by with to at on off for through over is are as some more much "
    "no audio equal amounts scattered prolonged loud light sustained continued continues mild "
    "brief long short audience crowd speaker speakers simultaneous cross talk mike mic camera "
    "begin end start video commercial voice voices two people both all several multiple heard "
    "spanish french german speaking language languages technical difficulty difficulties then "
    "second seconds minute minutes upbeat dramatic soft playing intro outro horn clock dog dogs phone door".split()
)
_STAGE_PHRASES = {
    "cross talk",
    "talk over",
    "off mike",
    "off mic",
    "voice over",
    "on camera",
    "off camera",
    "speaking spanish",
}
# Up to two short lines in brackets, maybe with a full stop behind them
_BRACKETED_TEXT_PATTERN = re.compile(
    r"[\[(](?P<words>[^\[\]()\n]{1,80}(?:\n[^\[\]()\n]{1,60})?)[\])](?:\.(?!\.))?"
)
# Sung text between notes: ♪ We shall overcome ♪
_SUNG_TEXT_PATTERN = re.compile(r"[♪♫♬][^♪♫♬\n]*[♪♫♬]+|[♪♫♬]+")
# Words between stars: *laughs*
_STARRED_WORDS_PATTERN = re.compile(r"(?<!\*)\*(?P<words>[A-Za-z][A-Za-z ]{2,30})\*(?!\*)")
# Overlapping words of two speakers: "//That is// a fact"
_OVERLAPPING_WORDS_PATTERN = re.compile(r"(?<![:\w])//(?P<spoken>[^/\n]{1,300})//")
# Directions of a play: "[Enter the Duke]", "Exeunt"
_ENTRANCE_PATTERN = re.compile(
    r"^[\[(\s]{0,3}(?:Re-?enter|Enter|Exit|Exeunt)(?:\s(?:(?:the|a|all|severally)\s)?[A-Z][^.?!]{0,120})?[.\])\s]{0,3}$"
)
_CLOCK_TIME_PATTERN = re.compile(r"\b\d{1,2}(?::\d\d){1,2}\b")
_SEVERAL_SPACES_PATTERN = re.compile(r"[ \t]{2,}")
# The space that a stage direction leaves before a comma or a full stop
_SPACE_BEFORE_MARK_PATTERN = re.compile(r" (?=[,.;:!?](?:\s|$))")
_LETTER_WORD_PATTERN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

# Lines about the transcript or its page
_UNSPOKEN_LINE_PATTERN = re.compile(
    r"""^(?:
      \W*(?:END|\(?FOOTNOTE\)?)\b(?:\s*$|\W*$|.*\b(?:Part|half|of|debate|transcript)\b.*|.*\\\d.*)
    | (?:Part|Section|Segment)\s\d+\s*(?:[:.].{0,80})?
    | \W*(?:Transcri(?:pt|ption|bed)|Captions?|Captioning|Subtitles?|Translat(?:ed|ion))\s(?:\w+\s)?by\b.*
    | (?:Note|NOTE|Editor[’']s\snote|Source|SOURCE|NOTES|Notes)\s*:.*
    | \(\s*FOOTNOTE\s*\).*
    | (?:THIS\sIS\sA\s)?RUSH\sTRANSCRIPT.*|.*MAY\sNOT\sBE\sIN\sITS\sFINAL\sFORM.*
    | Aired\s.{3,60}ET.*
    | (?:Content\sand\sprogramming\s)?(?:Copyright|©|\(c\))\s.{0,200}
    | TO\sORDER\sA\s.*|All\sRights\sReserved.*
    | No\sStressLens|No\sSignal(?:\s\([\d.]+\))?
    | (?:Page\s)?\d{1,4}\sof\s\d{1,4}|Page\s\d{1,4}|-\s?\d{1,4}\s?-
    | (?:View|Read|Download|Print|Share|Play|Copy)\s(?:Full\s|This\s)?(?:Transcript|Page|Video|Article).{0,20}
    | \W*\[?Transcript\sprovided\sby.*
    | Transcribed\sby\shttps?://otter\.ai.*
    | (?:Transcription|Recording|Meeting)\s(?:started|ended|stopped|paused|resumed)\s(?:after|at)\s\d[\d:.\w\s]{0,40}\W{0,4}
    | (?!(?:I|We|You|He|She|It|They)\s)(?:[A-Z][\w.’'-]{0,30},?\s){1,5}(?:\([^()]{1,40}\)\s)?
      (?:started|stopped|paused|resumed)\s(?:the\s)?(?:transcription|recording)
    | https?://\S+ | WEBVTT
    | (?:ACT|SCENE)\s(?:[IVXLC]+|\d{1,2})\.?(?:\s[^.?!]{1,60}\.?)?
    | (?:ACT|SCENE)\s?:\s[^.?!]{1,80}\.?
    | (?:\d{1,2}\s\w{3,9}\s\d{4}\s?:\s?)?(?:Column|Col\.|Page)\s?\d{1,5}(?:WH|GC|W|WS)?
    | (?:(?:.{0,40}\s)?(?:[Mm]embers|[Ss]enators|MPs|[Dd]eputies)\s(?:\w+\s)?
      |(?:Mr|Mrs|Ms|Miss|Dr|Hon|Senator)\.?\s(?:[A-Z][\w’'-]{1,30}\s){1,3})(?:interjecting|interrupting|dissent(?:ing)?)\b.{0,20}
    | (?:Interruption|Interjection|Laughter|Applause|Uproar)s?\s?[.—–-]{0,3}
    )$""",
    re.VERBOSE,
)
# A note with words enough for a statement
_NOTE_LINE_PATTERN = re.compile(
    r"^(?:Notes?|NOTES?|Editor[’']s note|Source|SOURCE)\s*:(?:\s+\S+){3}"
)
# What a program writes into a log of a chat: "*** tom has joined", "[20:00] * ann has quit"
_CHAT_NOTICE_PATTERN = re.compile(
    r"""
    ^\[?(?:\d{1,2}:\d\d(?::\d\d)?\]?\s{1,4})?       # a time
    (?:
        (?:\*{3}|-!-|-->|<--)\s{1,4}[^\s\d]         # a mark of the program
      | \*\s{1,4}\S{1,40}\s(?:has|have)\s(?:joined|left|quit|set|changed|been)\b
    )
    """,
    re.VERBOSE,
)
# Sentences of a record about its proceedings
_NOTE_OF_PROCEEDINGS_PATTERN = re.compile(
    r"""
    ^(?:
        There\ (?:was|were|being)\ no\ (?:further\ )?objections?\b.{0,40}
        # "The motion was agreed to"
      | (?:The|A)\ (?:motion|amendment|resolution|bill|question|nomination|vote|previous\ question
          |joint\ resolution|concurrent\ resolution|Clerk|clerk|Journal|conference\ report)\b.{0,120}?
        \b(?:was|were)\ (?:then\ )?(?:agreed\ to|taken|ordered|laid|read|passed|rejected|adopted
          |considered|withdrawn|confirmed)\b.{0,120}
        # "The Clerk will read the bill"
      | The\ (?:Clerk|clerk|legislative\ clerk|bill\ clerk|assistant\ legislative\ clerk)\ (?:will\ )?
        (?:read|reported|called|proceeded|designated)\b.{0,160}
      | Whereupon,?\ .{0,160}
      | By\ unanimous\ consent,?\ .{0,160}
      | Question\ (?:put|agreed\ to|accordingly)\b.{0,60}
      | Bill\ (?:accordingly\ )?read\b.{0,60}
        # "Heated discussion about the budget", in minutes
      | (?:(?:General|Further|More|Heated|Long|Brief|Some|Major)\ (?:discussion|digression|debate)
          |Discussion|Digression|Debate)\ (?:of|about|on|over|re|regarding|around)\b
        (?!.*\b(?:is|was|are|were|has|have|had|will|would|should|must|can|did)\b).{1,160}
        # "The House adjourned"
      | (?:The|And\ the)\ (?:House|Senate|Committee|meeting|hearing|sitting)\ (?:was\ )?
        (?:adjourned|recessed|divided|suspended|stood)\b.{0,120}
        # "The session ended at 9:30 p.m."
      | The\ (?:House|Senate|Committee|meeting|hearing|sitting|session|deposition)
        \ (?:rose|concluded|ended|closed|convened)\ at\ \d.{0,60}
    )$
    """,
    re.VERBOSE,
)
# Words that are a sentence by themselves, never a heading
_ONE_WORD_SENTENCES = frozenset(
    "yes no yeah yep nope right okay ok thanks sure exactly absolutely correct wrong true "
    "false well please what why how who when where never always maybe perhaps sorry sir madam "
    "hello hi bye goodbye good great nothing nobody everybody amen bravo wow oh hey indeed "
    "certainly definitely agreed ma'am me you him them it this that".split()
)
# Words in lower case that a heading may have
_LOWER_CASE_HEADING_WORDS = frozenset("a an and at by for from in of on or the to vs with".split())
_NEVER_ENDS_HEADING = '.?!…,;:—-"”)]'
_NEVER_BEGINS_HEADING = "-–—>[("
# Sentences that recognisers invent in silence
_INVENTED_LINE_PATTERN = re.compile(
    r"""
    ^\W*(?:
        thanks?\ (?:you\ )?(?:so\ much\ |very\ much\ )?for\ (?:watching|listening|viewing)
        (?:\ (?:this|the|my)\ video)?
      | subtitles\ by\ the\ amara\.org\ community
      | (?:please\ )?(?:like\ and\ )?subscribe(?:\ to\ (?:my|our|the)\ channel)?
      | transcribed\ by\ https?://otter\.ai
      | transcription\ by\ castingwords
      | see\ you\ (?:in\ the\ )?next\ (?:time|video)
      | www\.\S+\.\w+
      | subs?\ by\ \S+
      | captions?\ by\ \S+
    )\W*$
    """,
    re.IGNORECASE | re.VERBOSE,
)


def is_stage_direction(text: str) -> bool:
    """Return whether these words, brackets or not, are a stage direction.

    ``(Laughter and applause)``, ``crosstalk 00:12``.
    """
    if _ENTRANCE_PATTERN.match(text):
        return True
    bare_text = _CLOCK_TIME_PATTERN.sub("", text).strip(" \t\n[]().,;:!*♪♫-–—").lower()
    if not bare_text:
        return bool(text.strip())
    words = _LETTER_WORD_PATTERN.findall(bare_text)
    if not words:
        return re.search("[♪♫]", text) is not None
    if " ".join(words) in _STAGE_PHRASES:
        return True
    # "the audience" alone has only fillers; "the audience applauds" is a stage direction.
    other_words = [word for word in words if word not in _STAGE_WORDS]
    has_stage_word = len(other_words) < len(words)
    return has_stage_word and all(word in _STAGE_FILLER_WORDS for word in other_words)


def without_stage_directions(text: str) -> str:
    """Return the text without stage directions in brackets, between stars or notes.

    Other brackets stay.
    """
    if "//" in text:
        text = _OVERLAPPING_WORDS_PATTERN.sub(r"\g<spoken>", text)
    if not any(mark in text for mark in "[(*♪♫♬"):
        return text
    text = _SUNG_TEXT_PATTERN.sub(" ", text)
    text = _STARRED_WORDS_PATTERN.sub(_space_for_stage_direction, text)
    text = _BRACKETED_TEXT_PATTERN.sub(_space_for_stage_direction, text)
    text = _SEVERAL_SPACES_PATTERN.sub(" ", text)
    return _SPACE_BEFORE_MARK_PATTERN.sub("", text).strip(" \t")


def _space_for_stage_direction(match: re.Match[str]) -> str:
    """Return a space in place of a stage direction, other words as they are."""
    return " " if is_stage_direction(match["words"]) else match.group()


def is_unspoken_line(line: str) -> bool:
    """Return whether a line is a note, credit, footer or page number that nobody said."""
    return bool(_UNSPOKEN_LINE_PATTERN.match(line.strip())) or is_chat_notice(line)


def is_note_of_proceedings(text: str) -> bool:
    """Return whether a paragraph reports the proceedings: ``No objection was raised.``"""
    return (
        len(text) < MAX_RECORD_NOTE_CHARACTERS
        and _NOTE_OF_PROCEEDINGS_PATTERN.match(text) is not None
    )


def is_bracketed_note_of_proceedings(text: str) -> bool:
    """Return whether brackets around a line hold a report: ``(Whereupon, the case ended.)``"""
    return text[:1] in "([" and text[-1:] in ")]" and is_note_of_proceedings(text[1:-1])


def is_editors_note(line: str) -> bool:
    """Return whether a line is a note of an editor, or speech that reads like one."""
    return _NOTE_LINE_PATTERN.match(line.strip()) is not None


def is_chat_notice(line: str) -> bool:
    """Return whether a line of a chat was written by the program: ``*** tom has joined``."""
    return _CHAT_NOTICE_PATTERN.match(line.strip()) is not None


def is_heading(line: str) -> bool:
    """Return whether a line looks like the heading of a section.

    It is short, in title case or capitals, and has no full stop. This is not sure by itself:
    callers ask only about a line between blank lines, in text whose paragraphs end in full stops.
    """
    text = line.strip()
    words = text.split()
    if not 1 <= len(words) <= MAX_HEADING_WORDS:
        return False
    if text[-1] in _NEVER_ENDS_HEADING or text[0] in _NEVER_BEGINS_HEADING:
        return False
    first_word = words[0]
    if len(words) == 1 and first_word.lower().strip("’'") in _ONE_WORD_SENTENCES:
        return False
    return first_word[0].isupper() and all(_is_heading_word(word) for word in words)


def _is_heading_word(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit() or word.lower() in _LOWER_CASE_HEADING_WORDS


def invention_warnings(sentences: Sequence[Sentence]) -> list[str]:
    """Return warnings about sentences that a speech recogniser may have made up, by number.

    No sentence is removed.
    """
    warnings = []
    invented_numbers = [
        sentence.number for sentence in sentences if _INVENTED_LINE_PATTERN.match(sentence.text)
    ]
    if invented_numbers:
        shown_numbers = ", ".join(map(str, invented_numbers[:MAX_SHOWN_NUMBERS]))
        if len(invented_numbers) > MAX_SHOWN_NUMBERS:
            shown_numbers += f" and {len(invented_numbers) - MAX_SHOWN_NUMBERS} more"
        plural = "s" if len(invented_numbers) > 1 else ""
        warnings.append(
            f"sentence{plural} {shown_numbers} may be made up by a speech recogniser in silence"
        )
    for words, neighbours in groupby(sentences, key=_lower_words):
        same_sentences = list(neighbours)
        if words and len(same_sentences) >= MIN_REPEATED_LINES:
            first_number = same_sentences[0].number
            last_number = same_sentences[-1].number
            warnings.append(
                f"sentences {first_number} to {last_number} are the same line "
                f"{len(same_sentences)} times: a recogniser stuck, or a chant"
            )
    return warnings


def _lower_words(sentence: Sentence) -> list[str]:
    return _LETTER_WORD_PATTERN.findall(sentence.text.lower())
