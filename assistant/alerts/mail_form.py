"""Messages by mail, over TLS, in plain text."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime

from assistant.alerts.alert_events import AlertMessage
from assistant.alerts.chat_forms import text_lines
from assistant.core.errors import NetworkError, SettingsError
from assistant.core.mail_server import MailSecurity, MailServer

MAX_MAIL_ITEMS = 100
MAIL_TIMEOUT_S = 20.0
NO_SERVER = "there is no mail server in the settings."
MAIL_REMEDY = "Set host and sender in the [mail] table of lectern.toml."


def mail_message(server: MailServer, recipient: str, message: AlertMessage) -> EmailMessage:
    """Return the mail of a message; its Message-ID is the same in every attempt."""
    mail = EmailMessage()
    mail["From"] = server.sender
    mail["To"] = recipient
    mail["Subject"] = f"Lectern: {message.event.headline}"
    # A mail program shows two mails with the same id once.
    mail["Message-ID"] = f"<{message.id}@lectern.invalid>"
    mail["Date"] = format_datetime(datetime.fromtimestamp(message.event.at, UTC))
    # Programs that answer for an absent person leave such a mail alone (RFC 3834).
    mail["Auto-Submitted"] = "auto-generated"
    lines = text_lines(message, list(message.event.items[:MAX_MAIL_ITEMS]))
    mail.set_content("\n".join(lines) + "\n")
    return mail


def send_mail(server: MailServer, recipient: str, message: AlertMessage) -> None:
    """Send a message by mail.

    Raises: SettingsError without a server; NetworkError, without texts of the server, if it
    cannot be reached or refuses.
    """
    if not server.host:
        raise SettingsError(NO_SERVER, remedy=MAIL_REMEDY)
    mail = mail_message(server, recipient, message)
    try:
        with _connection(server) as connection:
            if server.user:
                connection.login(server.user, server.password)
            connection.send_message(mail)
    except smtplib.SMTPResponseException as error:
        message_text = f"the mail server answered {error.smtp_code}."
        raise NetworkError(message_text) from None
    except smtplib.SMTPRecipientsRefused as error:
        (code, _), *_ = error.recipients.values()
        raise NetworkError(f"the mail server refused the recipient ({code}).") from None
    except ssl.SSLError as error:
        raise NetworkError(
            f"the mail server has no valid TLS certificate ({error.reason})."
        ) from None
    except (OSError, smtplib.SMTPException) as error:
        reason = type(error).__name__
        raise NetworkError(f"the mail server isn't responding ({reason}).") from None


@contextmanager
def _connection(server: MailServer) -> Iterator[smtplib.SMTP]:
    """Yield a connection that is encrypted, and whose server has proven its name."""
    context = ssl.create_default_context(cafile=server.ca_file or None)
    if server.security is MailSecurity.TLS:
        with smtplib.SMTP_SSL(
            server.host, server.usual_port, timeout=MAIL_TIMEOUT_S, context=context
        ) as connection:
            yield connection
        return
    with smtplib.SMTP(server.host, server.usual_port, timeout=MAIL_TIMEOUT_S) as connection:
        # Raises unless the server offers it: nothing goes out in clear text.
        connection.starttls(context=context)
        yield connection
