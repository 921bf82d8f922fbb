from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from agent.permissions.confined import folder_inside, open_inside
from agent.permissions.errors import PermissionsError
from agent.permissions.paths import Places


def content(root: Path, path: str) -> str:
    with os.fdopen(open_inside(root, path)) as file:
        return file.read()


def test_a_file_inside_opens_also_through_a_link_that_stays_inside(places: Places) -> None:
    (places.root / "alias").symlink_to("src")

    assert content(places.root, "src/a.py") == content(places.root, "alias/a.py") == "a\n"


@pytest.mark.parametrize("path", ["../secret.txt", "link", "out/secret.txt", "/etc/passwd", ".", "loop"])
def test_what_leads_outside_does_not_open(places: Places, path: str) -> None:
    (places.root / "loop").symlink_to("loop")

    with pytest.raises(PermissionsError):
        open_inside(places.root, path)


def test_a_named_pipe_and_a_folder_do_not_open_and_do_not_wait(places: Places) -> None:
    os.mkfifo(places.root / "pipe")

    for path in ("pipe", "src"):
        with pytest.raises(PermissionsError, match="not a regular file"):
            open_inside(places.root, path)


def test_truncation_waits_until_the_file_is_known_to_be_one(places: Places) -> None:
    os.close(open_inside(places.root, "src/a.py", os.O_WRONLY | os.O_TRUNC))

    assert (places.root / "src" / "a.py").read_text() == ""


def test_missing_folders_are_made_only_when_asked(places: Places) -> None:
    with pytest.raises(FileNotFoundError):
        open_inside(places.root, "new/deep/file", os.O_WRONLY | os.O_CREAT)

    with folder_inside(places.root, "new/deep/file", create=True) as (folder, name):
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT, dir_fd=folder))

    assert (places.root / "new" / "deep" / "file").exists()


def test_a_folder_swapped_for_a_link_never_gives_the_outside_file(places: Places, tmp_path: Path) -> None:
    """Another thread swaps without rest; every open gives our file or an error."""
    outside, inside, spare = tmp_path / "outside", places.root / "dir", places.root / "spare"
    outside.mkdir()
    inside.mkdir()
    (outside / "f").write_text("outside")
    (inside / "f").write_text("inside")
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            inside.rename(spare)
            inside.symlink_to(outside)
            inside.unlink()
            spare.rename(inside)

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[str] = set()
    try:
        for _ in range(2000):
            try:
                seen.add(content(places.root, "dir/f"))
            except (PermissionsError, OSError) as error:
                seen.add(type(error).__name__)
    finally:
        done.set()
        swapper.join()

    assert "outside" not in seen
