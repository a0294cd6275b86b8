"""Signatures follow the Standard Webhooks specification."""

from __future__ import annotations

import base64

import pytest

from assistant.alerts import webhook_signature


def test_the_example_of_the_specification():
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    message_id = "msg_p5jXN8AQM9LWM0D4loKWxJek"

    headers = webhook_signature.signed_headers(
        secret, message_id, 1614265330, b'{"test": 2432232314}'
    )

    assert headers == {
        "webhook-id": message_id,
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


@pytest.mark.parametrize("changed", ["id", "time", "body", "secret"])
def test_each_part_changes_the_signature(changed):
    first_secret = webhook_signature.new_secret()
    parts = {"id": "msg_1", "time": 100, "body": b"{}", "secret": first_secret}
    others = {
        "id": "msg_2",
        "time": 101,
        "body": b"[]",
        "secret": webhook_signature.new_secret(),
    }

    def signature(values):
        headers = webhook_signature.signed_headers(
            values["secret"], values["id"], values["time"], values["body"]
        )
        return headers["webhook-signature"]

    assert signature(parts) != signature({**parts, changed: others[changed]})


def test_a_new_secret_is_a_secret_and_differs():
    secrets = {webhook_signature.new_secret() for _ in range(20)}

    assert len(secrets) == 20
    assert all(webhook_signature.is_secret(secret) for secret in secrets)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "whsec_",
        "whsec_short",
        "whsec_" + base64.b64encode(b"x" * 23).decode(),
        "whsec_" + base64.b64encode(b"x" * 65).decode(),
        base64.b64encode(b"x" * 32).decode(),
        "whsec_ünïcode",
    ],
)
def test_other_texts_are_not_secrets(text):
    assert webhook_signature.is_secret(text) is False
