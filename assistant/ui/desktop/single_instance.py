"""One window a home folder.

The first start holds a lock, a later one asks it to come to the front.
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


class SingleInstance:
    """The one place for a window of a home folder; a lock of a process that died is void."""

    def __init__(self, home: Path) -> None:
        """Take the place if it is free, which ``taken`` says."""
        runtime = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.RuntimeLocation)
        self.name = str(
            Path(runtime) / f"lectern-{sha256(str(home.resolve()).encode()).hexdigest()[:16]}"
        )
        self.lock = QLockFile(f"{self.name}.lock")
        self.lock.setStaleLockTime(0)  # no age makes it void
        self.taken = self.lock.tryLock(0)
        self.server = QLocalServer()

    def listen(self, come: Callable[[], None]) -> None:
        """Call ``come`` in the thread of the window whenever a later start asks."""
        QLocalServer.removeServer(self.name)  # of a process that died: the lock is ours
        self.server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self.server.newConnection.connect(lambda: self._answer(come))
        self.server.listen(self.name)

    def _answer(self, come: Callable[[], None]) -> None:
        asking = self.server.nextPendingConnection()
        come()
        asking.write(b".")
        asking.disconnectFromServer()

    def call(self) -> bool:
        """Ask the window that has the place to come to the front; return whether it answered."""
        end = time.monotonic() + CALL_TIMEOUT_S
        while time.monotonic() < end:
            asking = QLocalSocket()
            asking.connectToServer(self.name)
            if asking.waitForReadyRead(ANSWER_MS):
                return True
            time.sleep(CALL_POLL_S)
        return False
