"""The errors that a user can cause or solve, as one tree.

::

    LecternError
     ├─ TranscriptError          a transcript cannot be read
     │   ├─ UnknownFormat        no reader recognises the bytes
     │   └─ MalformedTranscript  the format is known, but the file has nothing usable
     ├─ ClaimError               verified claims cannot be read, stored or found
     │   ├─ MalformedClaim       one row or object is refused
     │   ├─ StoreError           the database refuses
     │   └─ ClaimIndexError      the index is missing, unfinished or made by other models
     │       └─ IndexBusy        somebody else is writing it
     ├─ ReviewError              a decision cannot be made
     │   └─ DecisionConflict     somebody else decided in the meantime
     ├─ SettingsError            a flag, a variable or a settings file is wrong
     ├─ AccessDenied             the account lacks the role, or its login has ended
     ├─ ModelUnavailable         the files of a model are missing
     ├─ NetworkError             a download failed or was refused
     │   ├─ TooLarge             a download exceeds its limit of bytes
     │   ├─ TooSlow              a download exceeds its limit of time
     │   └─ Unanswered           a server does not answer, or not with what was asked for
     ├─ Busy                     a person has asked for too much at once
     └─ Cancelled                the user stopped the work

Each names the finding, its place, the expectation and the remedy; ``str(error)`` is one line to
show as it is.
"""

from __future__ import annotations

from typing import Any


class LecternError(Exception):
    """An error of the user's input or environment in one line: ``where: what. remedy``."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head} {self.remedy}".strip()


class TranscriptError(LecternError):
    """A transcript cannot be read."""


class UnknownFormat(TranscriptError):
    """No reader recognises the bytes."""


class MalformedTranscript(TranscriptError):
    """The format is known, but the file has nothing usable."""


class ClaimError(LecternError):
    """Verified claims cannot be read, stored or found."""


class MalformedClaim(ClaimError):
    """One row or object is refused; the rest of the file is read."""


class StoreError(ClaimError):
    """The database refuses."""


class ClaimIndexError(ClaimError):
    """The index is missing, unfinished or made by other models."""


class IndexBusy(ClaimIndexError):
    """Somebody else is writing the index."""


class ReviewError(LecternError):
    """A decision cannot be made."""


class DecisionConflict(ReviewError):
    """Somebody else decided in the meantime; ``theirs`` is their decision."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs
        by = getattr(theirs, "done_by", "") or "somebody"
        super().__init__(
            f"{by} changed this decision in the meantime.",
            remedy="Look at theirs, then decide again.",
        )


class SettingsError(LecternError):
    """A flag, a variable or a settings file is wrong."""


class AccessDenied(LecternError):
    """The account lacks the role, or its login has ended."""


class ModelUnavailable(LecternError):
    """The files of a model are missing."""


class NetworkError(LecternError):
    """A download failed or was refused."""


class TooLarge(NetworkError):
    """A download exceeds its limit of bytes."""


class TooSlow(NetworkError):
    """A download exceeds its limit of time."""


class Unanswered(NetworkError):
    """A server does not answer, or not with what was asked for."""


class Busy(LecternError):
    """A person has asked for too much at once."""


class Cancelled(LecternError):
    """The user stopped the work."""
