"""Recognises speaker labels in a line: ``TRUMP:``, ``Mr. McHenry.``, ``[Alba]``, ``SPEAKER_02:``.

One family of patterns serves plain text, DOCX, PDF, HTML and the text in caption cues. This module
knows lines, but no files; ``caption_speech`` applies it to cues, ``turn_openings`` to running text.
A label that names nobody (``UNIDENTIFIED MALE``, ``Crosstalk``) has ``speaker`` None.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from assistant.transcripts import full_stop_labels, timestamps
from assistant.transcripts.nonspeech import is_stage_direction
from assistant.transcripts.timestamps import TIME_PATTERN

MIN_CAPITAL_SHARE = 0.6  # of capital letters confirm a label at first sight
MAX_NAME_WORDS = 7
MAX_ROLE_WORDS = 15
MAX_ASIDE_WORDS = 7
MAX_COLON_CHARACTERS = 170  # a label is shorter, with its bullet and its time
NAME_CACHE_SIZE = 32_768  # a file repeats its names
RECENT_LABEL_LINES = 512  # live sources read the latest lines again with every new one
LINE_CACHE_SIZE = 32_768  # several steps ask about each line
MAX_HEAD_CHARACTERS = 300  # a longer line has no label beyond them
MAX_LABEL_CHARACTERS = 70
_SPEECH_START_CHARACTERS = '[(*“"'
_ROLE_SEPARATOR_PATTERN = re.compile(r",\s*|\s[–—-]\s")


@dataclass(frozen=True, slots=True)
class SpeakerLabel:
    """A label at the head of a line, which ends where the speech begins.

    ``name`` is the label as written without role, time and marks. ``speaker`` is the same, None if
    it names nobody. ``start`` is a time inside the label. ``is_sure`` is false if only the rest of the
    file shows whether this is a label at all.
    """

    name: str
    speaker: str | None
    end: int
    start: float | None = None
    is_sure: bool = True


# A label with a colon, maybe in bold and with a time: "**HOLT (12:03):** Good evening"
_COLON_LABEL_PATTERN = re.compile(
    rf"""
    ^\s*(?:(?:\[\*\]|\*\*|__|\#{{1,6}}\s)\s*)?          # the beginning of bold type or a heading
    (?P<head>[^\s:;：\[(*>\-–—•][^:;：\n]{{0,119}}?)     # the name, with its role
    (?:                                                 # (12:03)
        \s*+(?P<bracket>[\[(]\s*+)?
        (?P<time>(?<!\d)(?=\d{{1,4}}[:;]\ ?\d\d){TIME_PATTERN})
        (?:\s*+[\])])?
    )?
    \s*+(?:(?:\*\*|__)\s*+)?                            # the end of bold type
    (?P<colon>:{{1,2}}|[;：])
    (?P<gap>\s*(?:(?:\*\*|__)\s*)?)
    (?=$|\S)
    """,
    re.VERBOSE,
)
# A label in brackets: "[Alba] En 1928,"
_BRACKETED_LABEL_PATTERN = re.compile(
    r"^\s*[\[(]\s*(?P<head>[^\s\[\]():][^\[\]()\n:]{1,59}?)\s*[\])](?:\s*:)?(?P<gap>\s+|$)"
)
_OPEN_BRACKETS = tuple("[(<【〔［")
# A label in the wide brackets of East Asian texts, which need no space behind them
_WIDE_BRACKET_LABEL_PATTERN = re.compile(
    r"^\s*[【〔［](?P<head>[^【】〔〕［］\n:：]{1,40})[】〕］][:：]?(?P<gap>\s*)(?=\S)"
)
# "Q.", "A.", "Q    " in depositions and press briefings
# "Q1.", "Q (Jones, AP):", "Q - "
_QUESTION_LABEL_PATTERN = re.compile(
    r"""
    ^\s*(?P<head>[QA])
    (?:
        \d{0,3}[.:：)]\s+                # Q. / Q1. / A:
      | \s{0,4}\([^()\n]{2,60}\):\s+     # Q (Jones, AP):
      | \s?[–—-]\s+                      # Q -
      | \t\s*
      | \s{2,}
    )
    (?=[^\s(])
    """,
    re.VERBOSE,
)
# "Q (By Mr. Hale) Good evening", "Q. BY MR. HALE: Good evening"
_QUESTION_BY_EXAMINER_PATTERN = re.compile(
    r"""
    ^\s*Q[.:]?\s{1,6}
    \(?\s?(?:BY|By|by)\s
    (?P<examiner>(?:MR|MS|MRS|DR|Mr|Ms|Mrs|Dr|THE|The)\.?\s[A-Z][\w’'-]{1,30})
    \s?(?:\)\s?:?|:)\s*(?=\S)
    """,
    re.VERBOSE,
)
# A bullet, the number of a list, the number of a question: "- ", "1. ", "Q12 "
_LIST_MARK_PATTERN = re.compile(
    r"""
    ^\s*
    (?:
        [-–—•*▪◦·►‣]\s{1,4}(?=[^\s\-])     # a bullet
      | \(?\d{1,3}[.)]\s{1,4}(?=[^\s\d])   # the number of an entry
      | Q\d{1,4}[.:]?\s{1,4}(?=[A-Z])      # the number of a question
    )
    """,
    re.VERBOSE,
)
# A remark in place of a name: "(INAUDIBLE): They are lying."
_REMARK_LABEL_PATTERN = re.compile(r"^\s*[\[(](?P<head>[^\[\]()\n:]{2,40})[\])]\s?:\s+(?=\S)")
# "BY MR. SMITH:" in depositions
_EXAMINER_LINE_PATTERN = re.compile(
    r"""
    ^\s*(?:BY|By)
    \ (?P<examiner>
        (?:MR|MS|MRS|MISS|DR|Mr|Ms|Mrs|Dr|THE|The)\.?   # a title
        \ [A-Z][\w’'-]+(?:\ [A-Z][\w’'-]+)?             # one or two names
    )
    \s?:?\s*$
    """,
    re.VERBOSE,
)
# "(speaker 0)'s a lot of money": a recogniser's label needs no space behind it
_BRACKETED_IDENTIFIER_PATTERN = re.compile(
    r"^\s*[\[(]\s?(?P<head>(?:speaker|spk|spkr)[ _-]?(?:\d{1,3}|\?))\s?[\])](?P<gap>)",
    re.IGNORECASE,
)
# "<Maria> Good evening", "<@maria_l> Good evening", as in logs of chats
_ANGLE_BRACKET_LABEL_PATTERN = re.compile(
    r"^\s*<\s?[@+%&~]?(?P<head>[^\s<>/!:][^<>\n/!:]{0,39})>(?P<gap>\s+)(?=\S)"
)
# A name in a chat, which may be in lower case, unlike the tags of a page
_NICKNAME_PATTERN = re.compile(
    r"(?!(?:br|em|li|td|tr|th|hr|dd|dt|ul|ol|div|span|font|strong|cite)$)\w[\w.|^{}\[\]`-]{1,38}$"
)
# ">>" in captions, also as one character
_CHEVRON_PATTERN = re.compile(
    r"""
    (?:(?<!\S)[-–—=]{1,2})?(?:>|&gt;){2,}\s*   # >> or >>>, maybe behind a dash
    | [≫⋙]\s*
    | (?:^|(?<=\n))»\s+                        # » at the head of a line
    """,
    re.VERBOSE,
)
# Pictures and signs before a name: "🎤 Jane Doe"
_LEADING_SIGNS_PATTERN = re.compile(r"^(?:[^\w\s?“\"'‘’(\[.-]{1,4}\s{1,2})+")
# The beginning of a date or of a numbered heading: "December 9", "5.6 Budget"
_DATE_OR_SECTION_PATTERN = re.compile(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"\s\d|\d{1,2}\.\d",
    re.IGNORECASE,
)
# Characters without which a text has no chevron
_CHEVRON_CHARACTER_PATTERN = re.compile(r"[>&≫⋙»]")
# A party or a role behind a name: "HOLT (NBC)"
_BRACKETED_ROLE_PATTERN = re.compile(r"(?<!\s)\s*[\[(][^\[\]()]{1,40}[\])]")
# Surnames with commas and an "and" between them: "HALE, ABARA AND ROE"
_SURNAME = r"[^\W\d_a-z][\w’'-]*"
_SEVERAL_SURNAMES_PATTERN = re.compile(
    rf"^{_SURNAME}(?:, {_SURNAME})+,? (?:and|AND|And|&) {_SURNAME}$"
)
_SURNAME_SEPARATOR_PATTERN = re.compile(r",? (?:and|AND|And|&) |, ")
# Words in lower case that a name or a role may have: "Ursula von der Leyen"
_PARTICLES = frozenset(
    "of the and for von van der den de la le al el bin ibn di da du dos y st to in at".split()
)
# Nouns that never name a person, however they are capitalised: "Breaking News: the port closed"
_COMMON_NOUNS = frozenset(
    "a advertisement alert an and answer background bottom breaking caveat check clarification clear "
    "closing comment comments conclusion context correction data detail details disclaimer "
    "email exclusive fact facts figure figures final first for full fun good headline headlines "
    "here history idea in issue issues item key last latest lesson line live message more my "
    "new news next note number numbers of on one opening option our part phone photo plan "
    "please point points problem promise proof quick quote reality reason reasons related "
    "reminder remarks result results rule second short side simple simply solution spoiler "
    "statement statements step story summary takeaway the theme third tip to top topic truth "
    "two update us verdict warning".split()
)
# Nouns that say which role a person has
_ROLE_NOUNS = frozenset(
    "host cohost co-host moderator anchor reporter correspondent candidate mayor governor senator "
    "representative congressman congresswoman president chairman chairwoman chair director "
    "professor doctor economist analyst editor journalist commentator panelist guest byline "
    "secretary minister spokesman spokeswoman spokesperson attorney counsel witness ceo founder "
    "nominee leader member author pollster strategist activist resident voter teacher "
    "student narrator interviewer commissioner chief councillor deputy".split()
)
# Words that begin a remark on how something was said: "Ms. Roe, to the clerk"
_ASIDE_STARTS = frozenset("to from at in on off with by through via over aside rising".split())
# Labels of text on the screen, which is not said
_SCREEN_LABEL_PATTERN = re.compile(
    r"^(?:text|graphics?|on[- ]?screen(?: (?:text|graphic|title))?|full[- ]?screen|chyron|banner|super|"
    r"lower third|title card|caption|headline|tweet|slide)$",
    re.IGNORECASE,
)
# "d'Arcy", "l’Estrange"
_ELIDED_PARTICLE_PATTERN = re.compile(r"^[a-z]{1,3}[’'][^\W\d_a-z]")
_DASH_AT_END_PATTERN = re.compile(r"\s?[–—-]\s*$")
# Marks inside a sentence, which no name has
_MARK_INSIDE_SENTENCE_PATTERN = re.compile(r"[.?!]\s+(?=[a-z])|[?!]|\.{2,}|…|--")
# The beginning of a clock time or a date, whose colon ends no label
_CLOCK_BEFORE_COLON_PATTERN = re.compile(r"\b(?:at|At|by|until|from)\s\d{1,2}$|^\d+$|^[\d\s./-]+$")
# Words with a colon that are fields or phrases, not labels
_FIELD_WORDS = frozenset(
    "speakers speaker(s) participants participant moderators panel panelists panellists note "
    "notes source sources transcript transcripts location date time title subject topic event "
    "venue keywords summary duration length kind language url link http https www mailto re cc "
    "to from ps attendees present witnesses agenda contents warning updated published posted "
    "video audio file recorded credit credits copyright related by for and but so also fact "
    "facts example remember moderator(s)".split()
)
# Phrases with a colon that are not labels
_FIELD_PHRASE_PATTERN = re.compile(
    r"""
    ^(?:
        # "Part 2", "Question one"
        (?:part|section|chapter|number|step|point|item|question|round|topic|page|figure|table
           |day|act|title|rule)
        \ (?:\d+|[ivx]+|one|two|three|four|five|six)
        # "Page B-12"
      | (?:page|column)\ [a-z]{1,2}-?\d+
        # "Hosted by"
      | (?:transcribed|transcription|hosted|provided|edited|prepared|recorded|sponsored
           |moderated|captioned)\ by
      | editor[’']s\ note | read\ more | for\ (?:example|instance) | candidates\ present
      | last\ updated | start\ time | end\ time
    )$
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Words that begin a sentence, not a name
_PROSE_WORDS = frozenset(
    "i we you he she it they this that these those here there my our your his their what why "
    "how who when where is are was were not no yes so but if because one two three first "
    "second third look listen remember again thing things fact question questions answer "
    "answers number point following example let's here's it's that's there's i'm".split()
)
# Labels that name nobody
_NOBODY_PATTERN = re.compile(
    r"""
    # "Unidentified Male"
    ^(?:un-?identified|unknown|unidentifiable|anonymous|unnamed)(?:\W.*)?$
    # "Female Voice 2"
    | ^(?:male|female|man|woman|other|new|another)\s
      (?:voice|speaker|audience\ member|questioner)(?:\s\#?\d+)?$
    | ^(?:
        audience | audience\ members? | members?\ of\ (?:the\ )?audience | crowd | group
      | everyone | everybody | all | both | voices?
      | (?:multiple|several)(?:\ speakers|\ voices)? | several | candidates | speakers | chorus
      | cross\ ?talk | off-?screen(?:\ voice)?
        # "Opposition members interjecting"
      | (?:opposition|government|coalition|hon(?:ou?rable|\.)?|some|several|many|other|senate|an?)
        \ (?:members?|senators?|deputies|mps?|voices?|peers?|lords?|hon\.?\ members?)
        (?:\ (?:opposite|interjecting))?
        # Codes of programs
      | voice-?over | u_ukn | ukn | unk | none | n/?a | \?+ | -+ | spk_?unk | speaker\ \?
        # "Woman 2"
      | (?:male|female|man|woman|boy|girl|children|kids|men|women|protesters?|students?)(?:\ \d+)?
    )$
    """,
    re.IGNORECASE | re.VERBOSE,
)
# People whom a label only describes: "A man in the audience", "Question from the floor"
_DESCRIBED_PERSON_PATTERN = re.compile(
    r"""
    ^(?:
        # "Another young voter"
        (?:an?|another|one|some|unknown)\ (?:[\w-]{1,20}\ ){0,2}
        (?:members?|senators?|deput(?:y|ies)|mp|voices?|man|woman|person|people|speakers?|students?
           |reporters?|protest[eo]rs?|hecklers?|audience|questioner|caller|viewer|voter|journalist)
        # "Voice", before a place
      | (?:questions?|comments?|voices?|shouts?|speakers?|man|woman|heckler|person|somebody|someone)
        (?=\ (?:in|from|at|off|on)\b)
    )
    # "from the back row"
    (?:\ (?:in|from|at|off|on)\ (?:the\ )?(?:[\w-]{1,20}\ ?){1,3})?$
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Numbered speakers: "SPEAKER_02", "S1"
_VOICE_IDENTIFIER_PATTERN = re.compile(
    r"""
    # "SPEAKER_02", "S1"
    ^(?:speaker|spk|spkr|guest|participant|person|candidate|panell?ist|caller|S|F|M)
     [ _-]?\#?\d{1,3}$
    # "F_S1"
    | ^[FMU]_[SU]\w+$
    # "Speaker A"
    | ^(?:speaker|guest|participant|person|candidate|panell?ist|caller|voice)[ _-][A-Z]$
    # "The second voter"
    | ^(?:the\ )?(?:first|second|third|fourth|fifth|sixth|\d{1,2}(?:st|nd|rd|th))
      \ (?:speaker|voice|man|woman|person|caller|reporter|questioner|juror|witness|student|voter
         |panell?ist|candidate|debater|guest|interviewer|moderator|host|member|senator|delegate
         |protester)$
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Roles that stand for a name
_ROLE_PATTERN = re.compile(
    r"""
    ^(?:the\ )?(?:
        moderator | (?:vice\ )?president | governor | senator | chair(?:man|woman|person)? | host
      | anchor | announcer | narrator | interviewer | interviewee | reporter | question
      | questioner | answer | witness | court | clerk | speaker | secretary | mayor
      | audience\ question | operator | translator | interpreter | caller | panelist
      | prime\ minister | judge
    )$
    """,
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(maxsize=NAME_CACHE_SIZE)
def speaker_or_none(name: str) -> str | None:
    """Return the speaker in a field of the source, None if it is empty or names nobody."""
    bare_name = name.strip(" \t\n[]()*:;")
    has_role_at_end = bare_name.count("(") == bare_name.count(")") + 1
    if has_role_at_end and f"{bare_name})" in name:  # "Jane Doe (Mayor)"
        bare_name += ")"
    speaker = " ".join(_LEADING_SIGNS_PATTERN.sub("", bare_name).split())
    if not speaker or _NOBODY_PATTERN.match(speaker) or _DESCRIBED_PERSON_PATTERN.match(speaker):
        return None
    return speaker


@lru_cache(maxsize=RECENT_LABEL_LINES)
def label_at(line: str) -> SpeakerLabel | None:
    """Return the label at the beginning of a line, None if there is none."""
    return (
        question_label_at(line) or colon_label_at(line) or _titled_label(line[:MAX_HEAD_CHARACTERS])
    )


def question_label_at(line: str) -> SpeakerLabel | None:
    """Return the label Q or A at the beginning of a line, as in depositions."""
    if line.lstrip()[:1] not in ("Q", "A"):
        return None
    if _QUESTION_BY_EXAMINER_PATTERN.match(line):
        return SpeakerLabel(
            "Q", "Q", _match_end(_QUESTION_BY_EXAMINER_PATTERN, line), is_sure=False
        )
    question = _QUESTION_LABEL_PATTERN.match(line)
    if question is None:
        return None
    has_number = line.lstrip()[1:2].isdigit()
    if has_number and colon_label_at(line[question.end() :]):
        return None  # "Q12. Chair: Good morning"
    letter = question["head"]
    return SpeakerLabel(letter, letter, question.end(), is_sure=False)


def colon_label_at(line: str) -> SpeakerLabel | None:
    """Return the label with a colon at the beginning of a line, also behind a bullet."""
    head = line[:MAX_COLON_CHARACTERS]
    if ":" not in head and ";" not in head and "：" not in head:
        return None
    return _colon_label_in(line[:MAX_HEAD_CHARACTERS])


@lru_cache(maxsize=LINE_CACHE_SIZE)
def _colon_label_in(head: str) -> SpeakerLabel | None:
    remark = _REMARK_LABEL_PATTERN.match(head)
    if remark and is_stage_direction(remark["head"]):
        return SpeakerLabel(remark["head"], None, remark.end())
    mark_length = _match_end(_LIST_MARK_PATTERN, head)
    label = _colon_label(head[mark_length:])
    if label is None:
        return None
    return replace(label, end=label.end + mark_length)


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    """Return the end of a pattern at the beginning of a text, 0 if it doesn't match."""
    match = pattern.match(text)
    return match.end() if match else 0


def examiner_at(line: str) -> str | None:
    """Return the examiner in a line such as ``BY MR. SMITH:``, who asks the questions below it."""
    match = _EXAMINER_LINE_PATTERN.match(line)
    return match["examiner"] if match else None


def question_examiner(line: str) -> str | None:
    """Return the examiner in a question such as ``Q (By Mr. Hale) Good evening``."""
    match = _QUESTION_BY_EXAMINER_PATTERN.match(line)
    return match["examiner"] if match else None


def is_screen_label(name: str) -> bool:
    """Return whether a label introduces text on the screen: ``TEXT:``, ``GRAPHIC:``."""
    return _SCREEN_LABEL_PATTERN.match(name) is not None


def is_prose_word(word: str) -> bool:
    """Return whether a word in lower case begins a sentence or a field, not a name."""
    return word in _PROSE_WORDS or word in _FIELD_WORDS


def is_common_noun(word: str) -> bool:
    """Return whether a word heads a phrase such as *fun fact* or *breaking news*, not a name."""
    return word.lower() in _COMMON_NOUNS


def bracketed_label_at(line: str) -> SpeakerLabel | None:
    """Return the label in brackets at the beginning of a line.

    ``[Alba] En 1928,`` has one, ``[applause]`` has none.
    """
    if line.lstrip()[:1] not in _OPEN_BRACKETS:
        return None
    match = _brackets_at_head(line[:MAX_HEAD_CHARACTERS])
    # "[applause]" is a stage direction.
    if match is None or is_stage_direction(match["head"]):
        return None
    text_in_brackets = match["head"].strip()
    is_in_angle_brackets = match.re is _ANGLE_BRACKET_LABEL_PATTERN
    # "<jane_doe>" in a chat
    if is_in_angle_brackets and _NICKNAME_PATTERN.match(text_in_brackets):
        nickname = text_in_brackets
        return SpeakerLabel(nickname, speaker_or_none(nickname), match.end(), is_sure=False)
    if is_standard_label(text_in_brackets):
        name = text_in_brackets
    else:
        name = name_in_label(text_in_brackets) or ""
        if not _has_name_capitals(name):
            return None
    if _ends_as_sentence(name):
        return None
    is_identifier = _VOICE_IDENTIFIER_PATTERN.match(name) is not None
    # A single word may be a remark with a capital.
    is_sure = is_identifier or len(name.split()) > 1
    return SpeakerLabel(name, speaker_or_none(name), match.end(), is_sure=is_sure)


def _brackets_at_head(head: str) -> re.Match[str] | None:
    """Return the match of the first pattern of a label in brackets, None if none fits."""
    for pattern in (
        _BRACKETED_LABEL_PATTERN,
        _BRACKETED_IDENTIFIER_PATTERN,
        _ANGLE_BRACKET_LABEL_PATTERN,
        _WIDE_BRACKET_LABEL_PATTERN,
    ):
        match = pattern.match(head)
        if match:
            return match
    return None


def _ends_as_sentence(name: str) -> bool:
    """Return whether words in brackets end in a full stop, as remarks do: ``[Aside.]``"""
    last_word = name.split()[-1]
    is_abbreviated = last_word.lower().rstrip(".") in full_stop_labels.TITLES
    is_initial = len(last_word.rstrip(".").split(".")[-1]) == 1
    return last_word.endswith(".") and not is_abbreviated and not is_initial


def split_at_chevrons(text: str) -> list[tuple[bool, str]]:
    """Return the text divided at ``>>`` and ``>>>``.

    Each part comes with whether it follows a chevron, and so begins a turn.
    """
    if not _CHEVRON_CHARACTER_PATTERN.search(text):
        spoken = text.strip()
        return [(False, spoken)] if spoken else []
    # Pairs of whether a chevron is before the text, and the text
    divided_texts = []
    start = 0
    follows_chevron = False
    for chevron in _CHEVRON_PATTERN.finditer(text):
        spoken = text[start : chevron.start()].strip()
        if spoken:
            divided_texts.append((follows_chevron, spoken))
        start = chevron.end()
        follows_chevron = True
    spoken = text[start:].strip()
    if spoken:
        divided_texts.append((follows_chevron, spoken))
    return divided_texts


def confirmed_names(labels: Iterable[SpeakerLabel]) -> set[str]:
    """Return the names that are surely labels, or that occur at least twice in a file."""
    labels = list(labels)
    name_counts = Counter(label.name for label in labels)
    return {label.name for label in labels if label.is_sure or name_counts[label.name] > 1}


def _colon_label(line: str) -> SpeakerLabel | None:
    """Return the label before a colon (or a semicolon typed for one)."""
    match = _COLON_LABEL_PATTERN.match(line)
    if not match:
        return None
    written_time = match["time"]
    if _CLOCK_BEFORE_COLON_PATTERN.search(match["head"]) and not written_time:
        return None
    name = name_in_label(match["head"])
    if name is None:
        return None
    is_in_capitals = _capital_share(name) >= MIN_CAPITAL_SHARE
    if match["colon"] == ";" and not is_in_capitals:
        return None
    needs_no_space = match["colon"] == "："
    next_character = line[match.end() : match.end() + 1]
    if not match["gap"] and not needs_no_space:
        if not _begins_speech(next_character, is_in_capitals):
            return None
    start = timestamps.seconds_of(written_time) if written_time else None
    is_long_in_capitals = is_in_capitals and len(name) > 2
    # A bare time may be a verse: "John 3:16: For God so loved the world".
    has_time_in_brackets = bool(written_time) and bool(match["bracket"])
    is_sure = has_time_in_brackets or is_long_in_capitals or is_standard_label(name)
    return SpeakerLabel(name, speaker_or_none(name), match.end(), start, is_sure)


def _begins_speech(character: str, is_name_in_capitals: bool) -> bool:
    """Return whether a character right behind a colon begins speech.

    ``HOLT:Good`` and ``Jane Doe:Good`` are labels, ``example:this`` and ``9:00`` are not.
    """
    if character in _SPEECH_START_CHARACTERS or character.isupper():
        return True
    return is_name_in_capitals and character.isalpha()


def names_nobody(name: str) -> bool:
    """Return whether a label only describes people: ``Audience members``, ``A man``."""
    return (
        _NOBODY_PATTERN.match(name) is not None or _DESCRIBED_PERSON_PATTERN.match(name) is not None
    )


@lru_cache(maxsize=NAME_CACHE_SIZE)
def is_standard_label(name: str) -> bool:
    """Return whether a name is an identifier, a role or a word for unknown speakers."""
    patterns = (
        _VOICE_IDENTIFIER_PATTERN,
        _NOBODY_PATTERN,
        _ROLE_PATTERN,
        _DESCRIBED_PERSON_PATTERN,
    )
    return any(pattern.match(name) for pattern in patterns)


def _titled_label(line: str) -> SpeakerLabel | None:
    """Return a label that ends with a full stop and begins with a title, as in records.

    It is confirmed if it occurs often.
    """
    # "Mr. HALE. I rise": the ends of the name and of the label, with its full stop
    ends = full_stop_labels.label_ends(line)
    if ends is None:
        return None
    name_end, label_end = ends
    name = " ".join(line[:name_end].split())
    if not full_stop_labels.is_titled(name) or full_stop_labels.addresses_office(name):
        return None
    speech = line[label_end:].lstrip()
    speech_start = len(line) - len(speech)
    return SpeakerLabel(name, speaker_or_none(name), speech_start, is_sure=False)


@lru_cache(maxsize=NAME_CACHE_SIZE)
def name_in_label(head: str) -> str | None:
    """Return the name in a label without role, party and marks, None if there is none."""
    head = head.strip(' \t*_“”"#')
    text_before_mark, footnote_mark, text_after_mark = head.partition("[*]")
    if footnote_mark:
        # The mark is behind the name, or between a role and the name.
        is_role_first = _ROLE_PATTERN.match(text_before_mark.strip()) is not None
        head = text_after_mark if is_role_first else text_before_mark
    unbracketed_head = _BRACKETED_ROLE_PATTERN.sub("", head)
    # A dash at the end: the speaker is interrupted.
    bare_head = _DASH_AT_END_PATTERN.sub("", unbracketed_head)
    is_interrupted = bare_head != unbracketed_head
    # "Jane Doe, Mayor of Springfield"
    name_and_roles = [text.strip(" ,*_") for text in _ROLE_SEPARATOR_PATTERN.split(bare_head)]
    name, *roles = name_and_roles
    if roles and _names_several_people(bare_head):
        return bare_head
    if not is_interrupted and not all(_is_role(role) for role in roles):
        return None
    return name if _may_name_speaker(name) else None


def _may_name_speaker(name: str) -> bool:
    """Return whether words are a standard label ("Moderator") or may be the name of a person."""
    words = name.split()
    if not words or len(name) > MAX_LABEL_CHARACTERS or _is_phrase_or_sentence(name):
        return False
    # "3 May 2017", "Section 2"
    if _DATE_OR_SECTION_PATTERN.match(_LEADING_SIGNS_PATTERN.sub("", name)):
        return False
    if is_standard_label(name):
        return True
    # "And Jane Doe", "Income tax"
    if words[0].lower() in _PROSE_WORDS or not _are_name_words(words, MAX_NAME_WORDS):
        return False
    return not all(is_common_noun(word) for word in words)


def _names_several_people(head: str) -> bool:
    """Return whether a head names three people or more: ``HALE, ABARA AND ROE``."""
    if not _SEVERAL_SURNAMES_PATTERN.match(head):
        return False
    surnames = {surname.lower() for surname in _SURNAME_SEPARATOR_PATTERN.split(head)}
    return surnames.isdisjoint(_ROLE_NOUNS) and surnames.isdisjoint(_PROSE_WORDS)


def _is_role(text: str) -> bool:
    """Return whether words behind a name are a role: ``HOST``, ``mayor of Lorne``."""
    words = text.split()
    if _are_name_words(words, MAX_ROLE_WORDS):
        return True
    lower_words = text.lower().split()
    first_word = lower_words[0] if lower_words else ""
    # "to the clerk", "interrupting"
    begins_aside = first_word in _ASIDE_STARTS or first_word.endswith("ing")
    is_short = len(words) <= MAX_ASIDE_WORDS
    if begins_aside and is_short and _PROSE_WORDS.isdisjoint(lower_words):
        return True
    bare_words = {word.strip(".,") for word in lower_words}
    has_role_noun = not bare_words.isdisjoint(_ROLE_NOUNS)
    return has_role_noun and bare_words.isdisjoint(_PROSE_WORDS)


def _is_phrase_or_sentence(name: str) -> bool:
    """Return whether words before a colon are a phrase or a sentence, not a name."""
    if name.lower() in _FIELD_WORDS or _FIELD_PHRASE_PATTERN.match(name):
        return True
    # "Some hon. members" has a full stop inside.
    return _MARK_INSIDE_SENTENCE_PATTERN.search(name) is not None and not is_standard_label(name)


def _are_name_words(words: list[str], max_words: int) -> bool:
    """Return whether a few words begin with capitals or digits, apart from particles."""
    return len(words) <= max_words and all(_is_name_word(word) for word in words)


def _is_name_word(word: str) -> bool:
    """Return whether a word may be in a name: with a capital, a particle, of a script without."""
    bare_word = word.strip("“”\"'‘’(")
    if not bare_word or not word[0].isalpha() or not bare_word[0].islower():
        return True
    # "van" and "de la", "d'" and "l'"
    is_particle = word.lower() in _PARTICLES or _ELIDED_PARTICLE_PATTERN.match(word) is not None
    if is_particle:
        return True
    # deFazio, iPhone
    has_capital_inside = any(letter.isupper() for letter in word[1:4])
    return has_capital_inside and word.isalpha()


def _has_name_capitals(name: str) -> bool:
    """Return whether words in brackets name a person: one to four words with capitals."""
    words = name.split()
    if not 1 <= len(words) <= 4:
        return False
    return all(_begins_with_capital(word) and word.lower() not in _PROSE_WORDS for word in words)


def _begins_with_capital(word: str) -> bool:
    """Return whether a word begins with a capital or with a letter of a script without them."""
    return word[0].isalpha() and not word[0].islower()


def _capital_share(name: str) -> float:
    letters = [character for character in name if character.isalpha()]
    if not letters:
        return 0.0
    return sum(letter.isupper() for letter in letters) / len(letters)
