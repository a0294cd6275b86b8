"""One window per data directory.

The first start holds a lock, and a later one asks it to come to the front.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QLockFile, QStandardPaths
from PySide6.QtNetwork import QLocalServer, QLocalSocket

CALL_TIMEOUT_S = 10.0  # the first start may be so young that it does not listen yet
CALL_POLL_S = 0.1
ANSWER_MS = 2000
DIGEST_DIGITS = 16


class SingleInstance:
    """The lock of a data directory's window; the lock of a process that died is void."""

    def __init__(self, home: Path) -> None:
        """Take the lock if it is free; ``is_first`` says whether it was."""
        runtime = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.RuntimeLocation)
        digest = sha256(str(home.resolve()).encode()).hexdigest()[:DIGEST_DIGITS]
        self.name = str(Path(runtime) / f"lectern-{digest}")
        self.lock = QLockFile(f"{self.name}.lock")
        self.lock.setStaleLockTime(0)  # no age makes it void
        self.is_first = self.lock.tryLock(0)
        self.server = QLocalServer()

    def listen(self, bring_to_front: Callable[[], None]) -> None:
        """Call ``bring_to_front`` in the thread of the window whenever a later start asks."""
        QLocalServer.removeServer(self.name)  # of a process that died: the lock is ours
        self.server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self.server.newConnection.connect(lambda: self._answer(bring_to_front))
        self.server.listen(self.name)

    def _answer(self, bring_to_front: Callable[[], None]) -> None:
        connection = self.server.nextPendingConnection()
        bring_to_front()
        connection.write(b".")
        connection.disconnectFromServer()

    def call(self) -> bool:
        """Ask the open window to come to the front; return whether it answered."""
        deadline = time.monotonic() + CALL_TIMEOUT_S
        while time.monotonic() < deadline:
            connection = QLocalSocket()
            connection.connectToServer(self.name)
            if connection.waitForReadyRead(ANSWER_MS):
                return True
            time.sleep(CALL_POLL_S)
        return False
