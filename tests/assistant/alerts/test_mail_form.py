"""Mail: plain text, over TLS only, with the same Message-ID in every attempt."""

from __future__ import annotations

import email
import email.policy
import socketserver
import ssl
import subprocess
import threading
from dataclasses import dataclass, field, replace

import pytest

from assistant.alerts import mail_form
from assistant.alerts.alert_events import AlertItem
from assistant.core.errors import NetworkError, SettingsError
from assistant.core.mail_server import MailSecurity, MailServer, read_mail_server
from tests.assistant.alerts.alert_samples import FACT_CHECK_ADDRESS, SENTENCE, sample_message

SERVER = MailServer("mail.example", sender="lectern@example.org")
RECIPIENT = "ann@example.org"


@dataclass
class MailReceiver:
    """A mail server that notes the commands, and the mails that came over TLS."""

    context: ssl.SSLContext
    offers_tls: bool = True
    recipient_answer: str = "250 ok"
    commands: list[str] = field(default_factory=list)
    mails: list[bytes] = field(default_factory=list)
    port: int = 0


class MailHandler(socketserver.StreamRequestHandler):
    """Speaks as much SMTP as a mail needs."""

    receiver: MailReceiver
    security: MailSecurity

    def handle(self):
        if self.security is MailSecurity.TLS:
            self.encrypt()
        self.answer("220 mail")
        while line := self.rfile.readline():
            verb = line.decode().split()[0].upper()
            self.receiver.commands.append(verb)
            self.answer(self.reply(verb))
            if verb == "STARTTLS":
                self.encrypt()
            elif verb == "DATA":
                lines = iter(self.rfile.readline, b".\r\n")
                self.receiver.mails.append(b"".join(lines))
                self.answer("250 ok")

    def reply(self, verb):
        offer = "250-STARTTLS\r\n" if self.receiver.offers_tls else ""
        replies = {
            "EHLO": f"250-mail\r\n{offer}250 AUTH PLAIN",
            "STARTTLS": "220 go",
            "AUTH": "235 ok",
            "RCPT": self.receiver.recipient_answer,
            "DATA": "354 go",
            "QUIT": "221 bye",
        }
        return replies.get(verb, "250 ok")

    def encrypt(self):
        self.connection = self.receiver.context.wrap_socket(self.connection, server_side=True)
        self.rfile = self.connection.makefile("rb")

    def answer(self, text):
        self.connection.sendall(f"{text}\r\n".encode())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return the folder of a certificate for localhost."""
    folder = tmp_path_factory.mktemp("tls")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    command += " -keyout key.pem -out cert.pem -subj /CN=localhost"
    arguments = [*command.split(), "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(arguments, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(params=[MailSecurity.STARTTLS, MailSecurity.TLS])
def mail_server(request, certificate):
    """Yield a receiver of mail, and the settings with which it is reached."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
    receiver = MailReceiver(context)
    attributes = {"receiver": receiver, "security": request.param}
    handler = type("Handler", (MailHandler,), attributes)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.handle_error = lambda *_: None
        threading.Thread(target=server.serve_forever, daemon=True).start()
        receiver.port = server.server_address[1]
        ca_file = str(certificate / "cert.pem")
        yield (
            receiver,
            MailServer(
                "localhost", receiver.port, request.param, "lectern@example.org", ca_file=ca_file
            ),
        )
        server.shutdown()


def parsed(mail_bytes):
    return email.message_from_bytes(mail_bytes, policy=email.policy.default)


def test_a_mail_comes_over_tls(mail_server):
    receiver, settings = mail_server

    mail_form.send_mail(settings, RECIPIENT, sample_message())

    (mail,) = map(parsed, receiver.mails)
    assert (mail["To"], mail["From"]) == (RECIPIENT, "lectern@example.org")
    assert mail["Subject"] == "Lectern: Strong match in a live event"
    assert mail.get_content_type() == "text/plain"
    assert f"Said: {SENTENCE}" in mail.get_content().replace("\u2060", "")
    assert FACT_CHECK_ADDRESS in mail.get_content().splitlines()


def test_a_login_comes_after_tls(mail_server):
    receiver, settings = mail_server

    mail_form.send_mail(
        replace(settings, user="ann", password="s3cret"), RECIPIENT, sample_message()
    )

    commands = receiver.commands
    assert "AUTH" in commands
    if settings.security is MailSecurity.STARTTLS:
        assert commands.index("STARTTLS") < commands.index("AUTH")


@pytest.mark.threat("publisher")
def test_no_mail_goes_to_a_server_that_cannot_prove_its_name(mail_server):

    receiver, settings = mail_server

    with pytest.raises(NetworkError, match="no valid TLS"):
        mail_form.send_mail(replace(settings, ca_file=""), RECIPIENT, sample_message())
    assert receiver.mails == []


@pytest.mark.threat("reader")
def test_no_mail_goes_out_without_tls(mail_server):
    receiver, settings = mail_server
    receiver.offers_tls = False
    if settings.security is MailSecurity.TLS:
        pytest.skip("TLS from the first byte needs no offer")

    with pytest.raises(NetworkError):
        mail_form.send_mail(settings, RECIPIENT, sample_message())
    assert (receiver.mails, "MAIL" in receiver.commands) == ([], False)


def test_a_refused_recipient_is_an_error(mail_server):
    receiver, settings = mail_server
    receiver.recipient_answer = "550 no such user s3cret"

    with pytest.raises(NetworkError, match=r"refused the recipient \(550\)\."):
        mail_form.send_mail(settings, RECIPIENT, sample_message())


def test_a_server_that_is_away_is_an_error():
    with pytest.raises(NetworkError, match="isn't responding"):
        mail_form.send_mail(
            MailServer("127.0.0.1", 9, sender="a@b.example"), RECIPIENT, sample_message()
        )


def test_without_a_server_no_mail_is_sent():
    with pytest.raises(SettingsError, match="no mail server"):
        mail_form.send_mail(MailServer(), RECIPIENT, sample_message())


def test_the_message_id_is_the_same_in_every_attempt():
    first, second = (mail_form.mail_message(SERVER, RECIPIENT, sample_message()) for _ in range(2))

    assert first["Message-ID"] == second["Message-ID"] == "<msg_1@lectern.invalid>"
    assert first["Auto-Submitted"] == "auto-generated"


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("text", ["a\r\nBcc: bob@example.org", "a\n.\nMAIL FROM:<x@y.example>"])
def test_words_of_strangers_add_no_line_to_a_mail(text):
    items = (AlertItem({"sentence": text, "speaker": text}, "https://a.example/\r\nBcc: b"),)

    mail = mail_form.mail_message(SERVER, RECIPIENT, sample_message(items=items))

    assert "Bcc" not in mail
    lines = mail.get_content().replace("\u2060", "").splitlines()
    assert [line for line in lines if line.startswith(("Bcc", ".", "MAIL"))] == []


@pytest.mark.parametrize(
    "table",
    [
        {"host": "mail.example"},
        {"host": 5},
        {"port": "587"},
        {"port": True},
        {"port": 70_000},
        {"security": "none"},
        {"servr": "x"},
    ],
)
def test_a_wrong_setting_is_refused(table):
    with pytest.raises(SettingsError):
        read_mail_server(table, "", where="lectern.toml")


@pytest.mark.parametrize(("security", "port"), [("tls", 465), ("starttls", 587)])
def test_the_usual_port_follows_the_security(security, port):
    table = {"host": "mail.example", "sender": "a@b.example", "security": security}

    assert read_mail_server(table, "", where="").usual_port == port


@pytest.mark.threat("reader")
def test_the_password_is_not_shown_and_the_variable_wins():
    table = {"host": "mail.example", "sender": "a@b.example", "password": "from-the-file"}

    server = read_mail_server(table, "s3cret", where="")

    assert server.password == "s3cret"
    assert "s3cret" not in repr(server)
