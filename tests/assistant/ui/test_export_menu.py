"""The files of the export menu stay until their browsers have fetched them."""

from __future__ import annotations

from types import SimpleNamespace

from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from assistant.ui import export_menu


def test_a_file_is_kept_while_other_pages_are_drawn(monkeypatch):
    """Every page that is drawn, whoever looks at it, clears away the files that no page holds."""
    storage = MemoryMediaFileStorage("/media")
    files = MediaFileManager(storage)
    server = SimpleNamespace(
        exists=lambda: True, get_instance=lambda: SimpleNamespace(media_file_mgr=files)
    )
    monkeypatch.setattr(export_menu, "runtime", server)
    offer = files.add_deferred(
        lambda: export_menu._keep_for_download(b"{}", "debate.json", "application/json"),
        "application/json",
        "the button",
        file_name="debate.json",
    )

    address = files.execute_deferred(offer)
    for _ in range(9):
        files.remove_orphaned_files()

    assert storage.get_file(address.removeprefix("/media/")).content == b"{}"
