"""A window from which a file can be dragged.

``python -m tests.assistant.ui.desktop.drag_source FILE TITLE X Y``.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QApplication, QLabel


class Source(QLabel):
    """A label that is a file to whoever drags it."""

    def mouseMoveEvent(self, _event: object) -> None:
        data = QMimeData()
        drag = QDrag(self)
        data.setUrls([QUrl.fromLocalFile(sys.argv[1])])
        drag.setMimeData(data)
        drag.exec(Qt.DropAction.CopyAction)


if __name__ == "__main__":
    application = QApplication(sys.argv)
    source = Source("A file")
    source.setWindowTitle(sys.argv[2])
    source.setFixedSize(200, 60)
    source.move(int(sys.argv[3]), int(sys.argv[4]))
    source.show()
    application.exec()
