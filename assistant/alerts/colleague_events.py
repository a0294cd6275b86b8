"""Events by which colleagues turn to a person: a mention in a comment, an assignment."""

from __future__ import annotations

from assistant.alerts.alert_events import ASSIGNMENT, MENTION, AlertEvent, AlertItem
from assistant.core.settings import Settings
from assistant.review import assignment_placement
from assistant.review.assignment_store import Assignment, AssignmentStore
from assistant.review.comment_store import CommentMention, CommentStore


def mentions_since(settings: Settings, since: float) -> list[AlertEvent]:
    """Return the mentions since a time, each for the person who is mentioned."""
    with CommentStore.open(settings.database) as store:
        mentions = store.mentions(since)
    return [_mention_event(mention) for mention in mentions]


def assignments_since(settings: Settings, since: float) -> list[AlertEvent]:
    """Return the assignments since a time to another person, each for its recipient."""
    with AssignmentStore.open(settings.database) as store:
        assignments = store.since(since)
    events = []
    for assignment in assignments:
        if not assignment.is_for(assignment.by):
            events.append(_assignment_event(assignment))
    return events


def _mention_event(mention: CommentMention) -> AlertEvent:
    """Return the event of a mention, with the comment and the match that it is about."""
    comment = mention.comment
    anchor = mention.anchor
    fields = {
        "person": mention.person,
        "by": comment.by,
        "comment": comment.text,
        "title": anchor.title,
        "speaker": anchor.speaker,
        "sentence": anchor.text,
        "statement": anchor.statement,
    }
    return AlertEvent(
        MENTION,
        f"mention/{comment.id}/{mention.person}",
        mention.at,
        (AlertItem(fields),),
        owner=mention.person,
        debates=_debates(anchor.document),
    )


def _assignment_event(assignment: Assignment) -> AlertEvent:
    """Return the event of an assignment."""
    assigned_extent = assignment_placement.extent_words(assignment)
    fields = {
        "person": assignment.person,
        "by": assignment.by,
        "title": assignment.title,
        "note": f"To review: {assigned_extent}.",
    }
    return AlertEvent(
        ASSIGNMENT,
        f"assignment/{assignment.id}",
        assignment.made,
        (AlertItem(fields),),
        owner=assignment.person,
        debates=_debates(assignment.document),
    )


def _debates(document: str) -> tuple[str, ...]:
    return (document,) if document else ()
