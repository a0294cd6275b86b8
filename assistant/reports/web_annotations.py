"""The matches as W3C Web Annotations, anchored by quotation.

There is no position selector: a report does not know positions in the source file, and a quotation
with its context survives small edits. Source: https://www.w3.org/TR/annotation-model/.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.core.domain import Match, Sentence
from assistant.report import contents, wording
from assistant.report.view import ReportView

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
CONTEXT_CHARACTERS = 40  # on either side of a quotation
CONTEXT_SENTENCES = 3


def render(view: ReportView) -> bytes:
    """Return an annotation page as UTF-8 JSON-LD."""
    source = f"urn:sha256:{view.report.transcript.source.sha256}"
    sentences = view.report.transcript.sentences
    annotations = []
    for index, checked_sentence in enumerate(view.report.sentences):
        if not checked_sentence.matches:
            continue
        annotation_target = {"source": source, "selector": _selectors(sentences, index)}
        for match in checked_sentence.matches:
            annotation_id = f"{source}#s{checked_sentence.sentence.number}-{match.rank}"
            annotations.append({"id": annotation_id, **_annotation(match, annotation_target)})
    annotation_page = {
        "@context": CONTEXT,
        "id": f"{source}#annotations",
        "type": "AnnotationPage",
        "label": f"{view.title}: {wording.review_state(view)}",
        "generator": {"type": "Software", "name": f"Lectern {view.report.manifest.lectern}"},
        "lectern": dict(contents.report_facts(view)),
        "items": annotations,
    }
    return contents.json_for_pages(annotation_page)


def _annotation(match: Match, target: dict[str, Any]) -> dict[str, Any]:
    """Return the annotation of a match without its id."""
    rating_sentence = f"{wording.rating_sentence(match.claim)}: {match.claim.statement}"
    bodies: list[dict[str, Any]] = [
        _text_body("describing", rating_sentence),
        _text_body("tagging", contents.review_status(match)),
    ]
    url = contents.address(match.claim)
    if url:
        bodies.append({"id": url, "format": "text/html", "purpose": "linking"})
    annotation: dict[str, Any] = {
        "type": "Annotation",
        "motivation": "assessing" if contents.is_confirmed(match) else "linking",
        "body": bodies,
        "target": target,
    }
    decision = match.decision
    if decision and decision.by:
        annotation["creator"] = {"type": "Person", "name": decision.by}
    if decision and decision.at:
        annotation["created"] = decision.at
    return annotation


def _text_body(purpose: str, text: str) -> dict[str, Any]:
    return {"type": "TextualBody", "purpose": purpose, "format": "text/plain", "value": text}


def _selectors(sentences: Sequence[Sentence], index: int) -> list[dict[str, Any]]:
    """Return the selectors of a sentence: its quotation, and its time if it is known."""
    sentence = sentences[index]
    # The words before and after a quotation tell it apart from others with the same words.
    first_before = max(0, index - CONTEXT_SENTENCES)
    first_after = index + 1
    sentences_before = sentences[first_before:index]
    sentences_after = sentences[first_after : first_after + CONTEXT_SENTENCES]
    quote_selector = {
        "type": "TextQuoteSelector",
        "exact": sentence.text,
        "prefix": _joined_texts(sentences_before)[-CONTEXT_CHARACTERS:],
        "suffix": _joined_texts(sentences_after)[:CONTEXT_CHARACTERS],
    }
    if sentence.start is None:
        return [quote_selector]
    time_interval = f"t={sentence.start:.3f}"
    if sentence.end is not None and sentence.end > sentence.start:
        time_interval += f",{sentence.end:.3f}"
    time_selector = {
        "type": "FragmentSelector",
        "conformsTo": "http://www.w3.org/TR/media-frags/",
        "value": time_interval,
    }
    return [quote_selector, time_selector]


def _joined_texts(sentences: Sequence[Sentence]) -> str:
    return " ".join(sentence.text for sentence in sentences)
