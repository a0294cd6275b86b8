"""Every error that a user can cause or cure.

::

    LecternError
     ├─ TranscriptError          a transcript cannot be read
     │   ├─ UnknownFormat        no reader knows these bytes
     │   └─ MalformedTranscript  a reader knows the format but found nothing to use
     ├─ ClaimError               verified claims cannot be read, stored or found
     │   ├─ MalformedClaim       one row or object is refused
     │   ├─ StoreError           the database refuses
     │   └─ ClaimIndexError      the index is missing, unfinished, or made by other models
     ├─ ReviewError              a decision cannot be made
     │   └─ DecisionConflict     somebody else decided in the meantime
     ├─ SettingsError            a flag, variable or file of settings is wrong
     ├─ ModelUnavailable         a model's files are not there
     ├─ NetworkError             a download failed or was refused
     │   ├─ TooLarge             there is more than anybody wants
     │   └─ TooSlow              it takes longer than anybody waits
     └─ Cancelled                the user stopped the work

Each says what was found, where, what was expected and what to do; ``str(error)`` is one line that can be shown as is.
"""

from __future__ import annotations

from typing import Any


class LecternError(Exception):
    """An error of the user's input or surroundings, told in one line: ``where: what. remedy``."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        self.what, self.where, self.remedy = what, where, remedy
        super().__init__(str(self))

    def __str__(self) -> str:
        head = f"{self.where}: {self.what}" if self.where else self.what
        return f"{head} {self.remedy}".strip()


class TranscriptError(LecternError):
    """A transcript cannot be read."""


class UnknownFormat(TranscriptError):
    """No reader knows these bytes."""


class MalformedTranscript(TranscriptError):
    """The format is known, but nothing in the file can be used."""


class ClaimError(LecternError):
    """Verified claims cannot be read, stored or found."""


class MalformedClaim(ClaimError):
    """One row or object is refused; the rest of the file goes on."""


class StoreError(ClaimError):
    """The database refuses."""


class ClaimIndexError(ClaimError):
    """The index is missing, unfinished, or made by other models."""


class ReviewError(LecternError):
    """A decision cannot be made."""


class DecisionConflict(ReviewError):
    """Somebody else decided in the meantime; ``theirs`` is what they wrote."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs
        by = getattr(theirs, "done_by", "") or "somebody"
        super().__init__(f"{by} changed this decision in the meantime.", remedy="Look at theirs, then decide again.")


class SettingsError(LecternError):
    """A flag, a variable or a file of settings is wrong."""


class ModelUnavailable(LecternError):
    """A model's files are not there."""


class NetworkError(LecternError):
    """A download failed or was refused."""


class TooLarge(NetworkError):
    """What stands at an address is larger than anybody wants."""


class TooSlow(NetworkError):
    """What stands at an address takes longer than anybody waits."""


class Cancelled(LecternError):
    """The user stopped the work."""
