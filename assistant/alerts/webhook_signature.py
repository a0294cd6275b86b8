"""Signatures of webhooks by HMAC-SHA256, as https://www.standardwebhooks.com specifies them.

The signature covers id, time and body, so that none of them can be changed and an old message
cannot be sent again later.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import secrets

SECRET_PREFIX = "whsec_"
SECRET_BYTES = 32
MIN_SECRET_BYTES = 24
MAX_SECRET_BYTES = 64
ID_HEADER = "webhook-id"
TIME_HEADER = "webhook-timestamp"
SIGNATURE_HEADER = "webhook-signature"
SIGNATURE_VERSION = "v1"


def new_secret() -> str:
    """Return a new secret."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def is_secret(text: str) -> bool:
    """Return whether a text is a secret for signatures."""
    try:
        secret_bytes = _secret_bytes(text)
    except (ValueError, binascii.Error):
        return False
    has_prefix = text.startswith(SECRET_PREFIX)
    return has_prefix and MIN_SECRET_BYTES <= len(secret_bytes) <= MAX_SECRET_BYTES


def signed_headers(secret: str, message_id: str, seconds: int, body: bytes) -> dict[str, str]:
    """Return the headers of a webhook. ``seconds``: the time of this attempt, since 1970."""
    signed_bytes = b"%b.%d.%b" % (message_id.encode(), seconds, body)
    signature = hmac.digest(_secret_bytes(secret), signed_bytes, "sha256")
    return {
        ID_HEADER: message_id,
        TIME_HEADER: str(seconds),
        SIGNATURE_HEADER: f"{SIGNATURE_VERSION},{base64.b64encode(signature).decode()}",
    }


def _secret_bytes(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(SECRET_PREFIX), validate=True)
