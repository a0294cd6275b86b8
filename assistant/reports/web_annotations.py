"""The matches as W3C Web Annotations.

One annotation per sentence and match, anchored by quotation.

There is no position selector: places in the file that was read are not known to a view, and a
quotation with what stands before and after it survives small edits. Source:
https://www.w3.org/TR/annotation-model/.
"""

from __future__ import annotations

from typing import Any

from assistant.core.domain import CheckedSentence, Match
from assistant.report import contents, wording
from assistant.report.view import ReportView

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
AROUND = 40  # characters of context on either side of a quotation


def render(view: ReportView) -> bytes:
    """Return an annotation page as UTF-8 JSON-LD."""
    base = f"urn:sha256:{view.report.transcript.source.sha256}"
    rows = [(i, match) for i, c in enumerate(view.report.sentences) for match in c.matches]
    page = {
        "@context": CONTEXT,
        "id": f"{base}#annotations",
        "type": "AnnotationPage",
        "label": f"{view.title}: {wording.reviewed(view)}",
        "generator": {"type": "Software", "name": f"Lectern {view.report.manifest.lectern}"},
        "lectern": dict(contents.about(view)),
        "items": [_annotation(view, i, match, base) for i, match in rows],
    }
    return contents.json_for_pages(page)


def _annotation(view: ReportView, place: int, match: Match, base: str) -> dict[str, Any]:
    checked = view.report.sentences[place]
    decision = match.decision
    link = contents.address(match.claim)
    made: dict[str, Any] = {
        "id": f"{base}#s{checked.sentence.number}-{match.rank}",
        "type": "Annotation",
        "motivation": "assessing" if contents.is_confirmed(match) else "linking",
        "body": [
            {
                "type": "TextualBody",
                "purpose": "describing",
                "format": "text/plain",
                "value": _description(match),
            },
            {
                "type": "TextualBody",
                "purpose": "tagging",
                "format": "text/plain",
                "value": contents.status(match),
            },
        ],
        "target": {"source": base, "selector": _selectors(view, place, checked)},
    }
    if link:
        made["body"].append({"id": link, "format": "text/html", "purpose": "linking"})
    if decision and decision.by:
        made["creator"] = {"type": "Person", "name": decision.by}
    if decision and decision.at:
        made["created"] = decision.at
    return made


def _description(match: Match) -> str:
    return f"{wording.rated(match.claim)}: {match.claim.statement}"


def _selectors(view: ReportView, place: int, checked: CheckedSentence) -> list[dict[str, Any]]:
    sent = checked.sentence
    before = " ".join(c.sentence.text for c in view.report.sentences[max(0, place - 3) : place])
    after = " ".join(c.sentence.text for c in view.report.sentences[place + 1 : place + 4])
    quotation = {
        "type": "TextQuoteSelector",
        "exact": sent.text,
        "prefix": before[-AROUND:],
        "suffix": after[:AROUND],
    }
    if sent.start is None:
        return [quotation]
    end = f",{sent.end:.3f}" if sent.end is not None and sent.end > sent.start else ""
    time = {
        "type": "FragmentSelector",
        "conformsTo": "http://www.w3.org/TR/media-frags/",
        "value": f"t={sent.start:.3f}{end}",
    }
    return [quotation, time]
