from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from agent.tools import files
from agent.tools.local import LocalWorkspace
from agent.tools.tool import Change, ToolError


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "a/../../secret.txt",
        "./././../x",
        "/etc/passwd",
        "/proc/self/environ",
        "outside_link/secret.txt",
        "file_link",
        "dangling_link",
        "loop_link",
        "../project-evil/x",
        "foo\0.txt",
        "~/.ssh/id_rsa",
        "",
    ],
)
@pytest.mark.parametrize("writing", [False, True])
def test_no_path_leads_out_of_the_root(workspace: LocalWorkspace, path: str, *, writing: bool) -> None:
    outside = workspace.root.parent
    (outside / "secret.txt").write_text("secret")
    (outside / "project-evil").mkdir()
    (workspace.root / "outside_link").symlink_to(outside)
    (workspace.root / "file_link").symlink_to(outside / "secret.txt")
    (workspace.root / "dangling_link").symlink_to(outside / "new.txt")
    (workspace.root / "loop_link").symlink_to("loop_link")

    with pytest.raises(ToolError):
        workspace.resolve(path, writing=writing)


def test_a_grant_opens_what_is_below_it_for_one_call(workspace: LocalWorkspace, tmp_path: Path) -> None:
    granted = workspace.bound(workspace.doors, allowed=(tmp_path / "other",))

    assert granted.resolve("../other/x") == tmp_path / "other" / "x"
    with pytest.raises(ToolError):
        workspace.resolve("../other/x")


@pytest.mark.parametrize(
    "path", [".git/config", ".GIT/hooks/x", "sub/.git", "mine.toml", "Mine.toml", "link/config"]
)
def test_protected_paths_are_read_but_never_written(root: Path, tmp_path: Path, path: str) -> None:
    workspace = LocalWorkspace(root, tmp_path / "logs", {}, protected=(root / "mine.toml",))
    (root / ".git").mkdir()
    (root / "link").symlink_to(".git")

    workspace.resolve(path)
    with pytest.raises(ToolError):
        workspace.resolve(path, writing=True)


def test_secret_paths_are_not_even_read(root: Path, tmp_path: Path) -> None:
    workspace = LocalWorkspace(root, tmp_path / "logs", {}, secret=(root / "keys",))

    with pytest.raises(ToolError):
        workspace.resolve("keys/openai")


async def test_a_named_pipe_is_refused_instead_of_waited_for(workspace: LocalWorkspace) -> None:
    os.mkfifo(workspace.root / "pipe")

    with pytest.raises(ToolError, match="not a file"):
        await workspace.read(workspace.root / "pipe")


async def test_a_file_of_a_terabyte_is_refused_before_it_is_read(workspace: LocalWorkspace) -> None:
    with (workspace.root / "big").open("wb") as file:
        file.truncate(10**12)

    with pytest.raises(ToolError, match="use grep"):
        await workspace.read(workspace.root / "big")


async def test_a_change_keeps_the_mode_and_leaves_nothing_beside_the_file(workspace: LocalWorkspace) -> None:
    path = workspace.root / "run.sh"
    path.write_bytes(b"old")
    path.chmod(0o751)

    await workspace.apply([Change(path, b"old", b"new")])

    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o751
    assert [entry.name for entry in workspace.root.iterdir()] == ["run.sh"]


async def test_a_new_file_gets_its_parents_and_the_usual_mode(workspace: LocalWorkspace) -> None:
    path = workspace.root / "a" / "b" / "c.txt"
    umask = os.umask(0o022)
    os.umask(umask)

    await workspace.apply([Change(path, None, b"new")])

    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask


async def test_writing_through_a_symlink_keeps_the_symlink(workspace: LocalWorkspace) -> None:
    (workspace.root / "real").write_bytes(b"old")
    (workspace.root / "link").symlink_to("real")

    await workspace.apply([Change(workspace.resolve("link", writing=True), b"old", b"new")])

    assert (workspace.root / "link").is_symlink()
    assert (workspace.root / "real").read_bytes() == b"new"


async def test_several_changes_happen_all_or_not_at_all(workspace: LocalWorkspace) -> None:
    first, second, third = (workspace.root / name for name in ("first", "second", "new/third"))
    first.write_bytes(b"1")
    second.write_bytes(b"changed by someone else")

    with pytest.raises(ToolError, match="second was changed by someone else"):
        await workspace.apply(
            [Change(first, b"1", b"one"), Change(third, None, b"3"), Change(second, b"2", None)]
        )

    assert first.read_bytes() == b"1"
    assert sorted(entry.name for entry in workspace.root.iterdir()) == ["first", "second"]


async def test_a_failure_between_two_renames_is_rolled_back(workspace: LocalWorkspace) -> None:
    first = workspace.root / "first"
    first.write_bytes(b"1")
    first.chmod(0o640)
    fresh = workspace.root / "fresh"
    same = workspace.root / "gone"
    same.write_bytes(b"2")

    # The second removal of one file passes the check and fails at the disk.
    with pytest.raises(ToolError, match="nothing was written"):
        await workspace.apply(
            [
                Change(first, b"1", b"one"),
                Change(fresh, None, b"x"),
                Change(same, b"2", None),
                Change(same, b"2", None),
            ]
        )

    assert (first.read_bytes(), first.stat().st_mode & 0o777, same.read_bytes()) == (b"1", 0o640, b"2")
    assert not fresh.exists()


async def test_a_file_changed_since_it_was_shown_is_not_written(workspace: LocalWorkspace) -> None:
    path = workspace.root / "file"
    path.write_bytes(b"old")
    await workspace.read(path, shown=True)
    path.write_bytes(b"theirs")

    with pytest.raises(ToolError, match="changed since you read it"):
        await workspace.apply([Change(path, b"theirs", b"mine")])

    assert path.read_bytes() == b"theirs"


async def test_a_touched_file_with_the_same_content_is_not_stale(workspace: LocalWorkspace) -> None:
    path = workspace.root / "file"
    path.write_bytes(b"old")
    await workspace.read(path, shown=True)
    os.utime(path, (1, 1))

    await workspace.apply([Change(path, b"old", b"new")])

    assert path.read_bytes() == b"new"


def test_a_directory_swapped_for_a_symlink_never_leads_outside(tmp_path: Path) -> None:
    """The swapper and the reader race; whoever wins, the reader sees the inside or an error."""
    inside, outside = tmp_path / "in", tmp_path / "out"
    for folder in (inside / "d", outside):
        folder.mkdir(parents=True)
        (folder / "f").write_text(folder.name)
    ended = threading.Event()

    def swap() -> None:
        while not ended.is_set():
            with suppress(OSError):
                (inside / "d").rename(inside / "kept")
                (inside / "d").symlink_to(outside)
            with suppress(OSError):
                (inside / "d").unlink()
            with suppress(OSError):
                # The writer may just have made the missing folder.
                (inside / "d").rmdir()
            with suppress(OSError):
                (inside / "kept").rename(inside / "d")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        seen = {_read_or_error(inside / "d" / "f") for _ in range(2000)}
        for _ in range(500):
            _write_or_error(inside / "d" / "f", b"d")
    finally:
        ended.set()
        swapper.join()

    assert b"out" not in seen
    assert (outside / "f").read_text() == "out"


def _read_or_error(path: Path) -> bytes:
    try:
        return files.read(path)
    except (ToolError, FileNotFoundError):
        return b""


def _write_or_error(path: Path, data: bytes) -> None:
    with suppress(ToolError, FileNotFoundError):
        files.replace([Change(path, b"d", data)])
