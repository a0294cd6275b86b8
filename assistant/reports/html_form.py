"""The report as one HTML page: the list and the transcript, without scripts or network.

Every sentence has an anchor (``#s12``), every match its evidence. The page shows the state of the
review on the screen and on every printed page. The same report gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from assistant.core import logo
from assistant.core.domain import CheckedSentence, Tier
from assistant.report import contents, wording
from assistant.report.selection import selection_words
from assistant.report.settled_parts import is_settling, left_open, settles
from assistant.report.view import ReportView
from assistant.reports import html_cards

STYLE = Path(__file__).parent / "page.css"
SAFE_IN_STYLE = " .,:;()-"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(view: ReportView) -> bytes:
    """Return the page as UTF-8."""
    return "\n".join([*_head(view), *_body(view), "</html>", ""]).encode()


def _head(view: ReportView) -> list[str]:
    state = wording.review_state(view).replace('"', "'")
    return [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escape(view.title)}</title>",
        f"<style>\n{STYLE.read_text('utf-8')}{_every_printed_page(state)}</style>\n</head>",
    ]


def _every_printed_page(review_state: str) -> str:
    """Return the style that prints the state of the review at the foot of each page."""
    safe_characters = []
    for character in review_state:
        is_safe = character.isalnum() or character in SAFE_IN_STYLE
        safe_characters.append(character if is_safe else " ")
    safe_text = "".join(safe_characters)
    # Doubled braces are single ones in the style.
    return f'@media print {{ @page {{ @bottom-left {{ content: "{safe_text}"; }} }} }}\n'


def _body(view: ReportView) -> list[str]:
    done_class = "" if view.undecided else " done"
    state = escape(wording.review_state(view))
    entries = contents.entries(view, lambda match: not contents.is_rejected(match))
    lines = [
        f'<body>\n<aside class="state{done_class}" aria-label="Review">{state}</aside>',
        *_opening(view),
        "<main>",
        *_ranked_section(view, entries),
        *_rejected_section(view),
    ]
    is_whole_report = not selection_words(view.report)
    if is_whole_report:
        lines += _transcript_section(view, entries)
    ratings_note = escape(wording.RATINGS_ARE_THE_PUBLISHERS)
    lines += [
        "</main>",
        f"<footer><p>{ratings_note}</p><p>{state}.</p></footer>",
        "</body>",
    ]
    return lines


def _opening(view: ReportView) -> list[str]:
    """Return title, counts, and the facts about the report."""
    event_day = wording.day(view.event_date, "event date unknown")
    # A selection of statements says so; a whole report has its counts.
    selection = selection_words(view.report)
    coverage_words = selection or wording.coverage(view)
    counts_html = "" if selection else f'<p class="soft">{escape(wording.list_counts(view))}</p>'
    facts_html = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>"
        for name, value in contents.report_facts(view)
    )
    return [
        f'<header><p class="lectern">{logo.logo_svg()} Lectern</p>',
        f"<h1>{escape(view.title)}</h1>",
        f'<p class="soft">{escape(event_day)}</p><p>{escape(coverage_words)}</p>',
        counts_html,
        f"<details><summary>About this report</summary><dl class='facts'>{facts_html}</dl></details>",
        _warnings(view),
        "</header>",
    ]


def _warnings(view: ReportView) -> str:
    if not view.report.warnings:
        return ""
    items = "".join(f"<li>{escape(text)}</li>" for text in view.report.warnings)
    return f"<details open><summary>Warnings</summary><ul class='warnings'>{items}</ul></details>"


def _ranked_section(view: ReportView, entries: list[contents.ReportEntry]) -> Iterator[str]:
    """Yield the listed passages, confirmed ones first, then the sentences without a match."""
    # A selection of statements has no timeline, which shows the whole debate.
    yield '<section id="ranked"><h2>Ranked</h2>'
    if entries and not selection_words(view.report):
        yield html_cards.timeline_figure(view, _entry_by_sentence(entries))
        yield _links_by_speaker(entries)
    elif not entries:
        yield f"<p>{escape(wording.nothing_found(view))}</p>"
    confirmed_entries = [entry for entry in entries if _is_confirmed(entry)]
    suggested_entries = [entry for entry in entries if not _is_confirmed(entry)]
    yield from _section(contents.CONFIRMED, confirmed_entries, view)
    yield from _section(contents.SUGGESTED, suggested_entries, view)
    yield _unlisted_sentences(view)
    yield "</section>"


def _is_confirmed(entry: contents.ReportEntry) -> bool:
    return any(contents.is_confirmed(match) for _, match in entry.matches)


def _section(heading: str, entries: list[contents.ReportEntry], view: ReportView) -> Iterator[str]:
    if not entries:
        return
    yield f'<h3 class="status">{escape(heading)}</h3><ol class="ranked">'
    for entry in entries:
        yield _entry_html(entry, view)
    yield "</ol>"


def _unlisted_sentences(view: ReportView) -> str:
    """Return the sentences with a mixed rating only and those without a match, collapsed."""
    lists_html = ""
    mixed_sentences = contents.mixed_sentences(view)
    if mixed_sentences:
        list_items = ""
        for number, text, fact_check in mixed_sentences:
            fact_check_note = f'<span class="soft">— {escape(fact_check)}</span>'
            list_items += f"<li>{_number_link(number)} {escape(text)} {fact_check_note}</li>"
        total = wording.count(len(mixed_sentences), "sentence")
        lists_html += _collapsed(f"{contents.MIXED} for {total}", list_items)
    if view.unmatched:
        list_items = "".join(_unmatched_item(checked) for checked in view.unmatched)
        total = wording.count(len(view.unmatched), "check-worthy sentence")
        lists_html += _collapsed(f"Nothing found for {total}", list_items)
    return lists_html


def _collapsed(summary: str, items: str) -> str:
    return f'<details class="nothing"><summary>{summary}</summary><ul class="small">{items}</ul></details>'


def _number_link(number: int) -> str:
    return f'<a href="#s{number}">{number}</a>'


def _unmatched_item(checked_sentence: CheckedSentence) -> str:
    """Return a sentence without a match, with the claim on whose topic it is."""
    topic_note = ""
    if checked_sentence.on_topic and checked_sentence.nearest is not None:
        statement = escape(checked_sentence.nearest.claim.statement)
        topic_note = f' <span class="soft">— on the topic of: {statement}</span>'
    sentence = checked_sentence.sentence
    return f"<li>{_number_link(sentence.number)} {escape(sentence.text)}{topic_note}</li>"


def _entry_html(entry: contents.ReportEntry, view: ReportView) -> str:
    """Return a listed passage with the cards of its matches, all but the first collapsed."""
    best = entry.best
    sentences = entry.passage.sentences
    tier_class = escape(str(best.listed_tier or ""))
    strength = escape(contents.strength_word(best))
    first_number = sentences[0].sentence.number
    heading = (
        f'<p class="place"><b>{entry.passage.rank or ""}</b><b>{escape(entry.speaker)}</b>'
        f'<a href="#s{first_number}">{entry.place}</a><span class="tier">{strength}</span></p>'
    )
    quotation = f"<blockquote>{_passage_text(sentences, best)}</blockquote>"
    passage_html = f"{_context(entry)}{quotation}{_repeats_html(entry)}{_settled_parts(best)}"
    match_cards = []
    for checked, match in entry.matches:
        match_cards.append(
            _sentence_note(entry, checked)
            + html_cards.card(match, checked.sentence.text, view.event_date)
        )
    first_card, *more_cards = match_cards
    best_matches = [match for checked, match in entry.matches if checked is best]
    ratings_side_by_side = html_cards.side_by_side(best_matches)
    return (
        f'<li class="{tier_class}" id="m{best.sentence.number}">'
        f"{heading}{passage_html}{ratings_side_by_side}{first_card}{_more_matches(more_cards)}</li>"
    )


def _context(entry: contents.ReportEntry) -> str:
    """Return the earlier sentence that the passage points back to, "" if there is none."""
    context = contents.context_line(entry)
    return f'<p class="small soft">{escape(context)}</p>' if context else ""


def _more_matches(cards: Sequence[str]) -> str:
    if not cards:
        return ""
    summary = wording.count(len(cards), "more match", "more matches")
    return f"<details><summary>{summary}</summary>{''.join(cards)}</details>"


def _passage_text(sentences: Sequence[CheckedSentence], best: CheckedSentence | None) -> str:
    """Return the text of a passage, its best sentence emphasised."""
    return contents.passage_text(sentences, best, escape, _strong)


def _strong(text: str) -> str:
    return f"<strong>{escape(text)}</strong>"


def _sentence_note(entry: contents.ReportEntry, checked_sentence: CheckedSentence) -> str:
    """Return which sentence of the passage the next card is for, "" if it is the best one."""
    text = contents.sentence_note(entry, checked_sentence)
    return f'<p class="on small soft">{escape(text)}</p>' if text else ""


def _repeats_html(entry: contents.ReportEntry) -> str:
    """Return where else it was said, and on demand the words."""
    if not entry.repeats:
        return ""
    list_items = ""
    for repeat in entry.repeats:
        time = contents.passage_time(repeat.sentences)
        # Sentence 12 has the anchor "s12" in the page.
        time_link = f'<a href="#s{repeat.placement.best}">{time}</a>'
        list_items += f"<li>{time_link} {_passage_text(repeat.sentences, repeat.best)}</li>"
    summary = escape(contents.repeats_line(entry))
    item_list = f'<ul class="small">{list_items}</ul>'
    return f'<details class="also"><summary>{summary}</summary>{item_list}</details>'


def _settled_parts(checked_sentence: CheckedSentence) -> str:
    """Return the parts of a sentence that its matches settle, and those they leave open."""
    lines = []
    for match in contents.unrejected_matches(checked_sentence):
        # Such as "the second part: “he voted for it”", "" if the match is about the whole sentence
        part_words = settles(checked_sentence.sentence.text, match.claim.statement)
        verb = "settles" if is_settling(match) else "may settle"
        if part_words:
            lines.append(f"Match {match.rank} {verb} {part_words}")
    open_line = left_open(checked_sentence)
    if open_line:
        lines.append(open_line)
    return "".join(f'<p class="small">{escape(line)}.</p>' for line in lines)


def _links_by_speaker(entries: list[contents.ReportEntry]) -> str:
    """Return a table of contents: every speaker with the numbers of the best sentences."""
    numbers_by_speaker: dict[str, list[int]] = {}
    for entry in entries:
        sentence_number = entry.best.sentence.number
        numbers_by_speaker.setdefault(entry.speaker, []).append(sentence_number)
    list_items = ""
    for speaker, numbers in sorted(numbers_by_speaker.items()):
        # The entry of sentence 12 has the anchor "m12".
        entry_links = ", ".join(f'<a href="#m{number}">{number}</a>' for number in sorted(numbers))
        list_items += f"<dt>{escape(speaker)}</dt><dd>{entry_links}</dd>"
    speaker_list = f'<dl class="facts">{list_items}</dl>'
    return f'<details class="screen"><summary>By speaker</summary>{speaker_list}</details>'


def _rejected_section(view: ReportView) -> Iterator[str]:
    """Yield the matches that a person rejected, in a section of their own."""
    entries = contents.entries(view, contents.is_rejected)
    if not entries:
        return
    yield '<section id="rejected"><h2>Rejected in review</h2><ul class="small">'
    for entry in entries:
        decisions = []
        for _, match in entry.matches:
            decision = wording.decision_text(match.decision)
            decisions.append(f"{match.claim.statement} ({decision})")
        decision_note = "; ".join(decisions)
        repeats_line = contents.repeats_line(entry)
        if repeats_line:
            decision_note = f"{decision_note}. {repeats_line}"
        time_link = f'<a href="#s{entry.best.sentence.number}">{entry.place}</a>'
        passage_text = _passage_text(entry.passage.sentences, entry.best)
        yield f'<li>{time_link} {passage_text} <span class="soft">— {escape(decision_note)}</span></li>'
    yield "</ul></section>"


def _transcript_section(view: ReportView, entries: list[contents.ReportEntry]) -> Iterator[str]:
    """Yield all sentences by turns; a reader can hide the turns without a match."""
    entry_by_sentence = _entry_by_sentence(entries)
    yield '<section id="transcript"><h2>Transcript</h2>'
    yield (
        '<p class="small screen"><label><input type="checkbox" id="condensed">'
        "Only turns with a match</label></p>"
    )
    for turn in view.turns:
        has_match = any(contents.unrejected_matches(checked) for checked in turn.sentences)
        quiet_class = "" if has_match else " quiet"
        turn_time = wording.clock(turn.start_s)
        recording_address = wording.recording_link(view.report.transcript, turn.start_s)
        if recording_address:
            turn_time = f'<a href="{recording_address}">{turn_time}</a>'
        speaker = escape(turn.speaker or contents.SPEAKER_UNKNOWN)
        speaker_and_time = (
            f'<span class="who">{speaker} <span class="soft">{turn_time}</span></span>'
        )
        turn_text = " ".join(
            _sentence_html(checked, entry_by_sentence) for checked in turn.sentences
        )
        yield f'<p class="turn{quiet_class}">{speaker_and_time}{turn_text}</p>'
    yield "</section>"


def _entry_by_sentence(entries: Iterable[contents.ReportEntry]) -> dict[int, int]:
    """Return the anchor number of each entry by the numbers of its sentences."""
    anchor_numbers = {}
    for entry in entries:
        for passage in (entry.passage, *entry.repeats):
            for checked_sentence in passage.sentences:
                anchor_numbers[checked_sentence.sentence.number] = entry.best.sentence.number
    return anchor_numbers


def _sentence_html(checked_sentence: CheckedSentence, entry_by_sentence: Mapping[int, int]) -> str:
    """Return a sentence with its anchor, and its ratings for the margin."""
    # In the page, sentence 12 has the anchor "s12" and the entry of its passage "m" and a number.
    number = checked_sentence.sentence.number
    sentence_html = escape(checked_sentence.sentence.text)
    matches = contents.unrejected_matches(checked_sentence)
    ratings_html = ""
    if matches:
        tier = Tier.LIKELY if checked_sentence.tier == Tier.LIKELY else Tier.POSSIBLE
        css_class = f"{tier} confirmed" if contents.is_confirmed(matches[0]) else str(tier)
        if number in entry_by_sentence:
            sentence_html = f'<a href="#m{entry_by_sentence[number]}">{sentence_html}</a>'
        sentence_html = f'<mark class="{css_class}">{sentence_html}</mark>'
        rating_notes = "".join(html_cards.note(match, number) for match in matches)
        ratings_html = f' <span class="note">{rating_notes}</span>'
    number_link = f'<a class="n" href="#s{number}">{number}</a>'
    return f'<span class="s" id="s{number}">{number_link}{sentence_html}{ratings_html}</span>'
