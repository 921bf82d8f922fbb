from __future__ import annotations

import pytest

from agent.tools.local import LocalWorkspace
from agent.tools.read import read
from agent.tools.tool import ToolError
from agent.tools.write import write


async def test_a_new_file_is_created_with_its_parents(workspace: LocalWorkspace) -> None:
    output = await write(workspace, "a/b.txt", "one\ntwo\n")

    assert (workspace.root / "a/b.txt").read_bytes() == b"one\ntwo\n"
    assert output.text == "created a/b.txt, 2 lines"
    assert output.metadata == {
        "files": ["a/b.txt"],
        "diff": "--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n",
        "added": 2,
        "removed": 0,
    }


async def test_a_file_never_read_is_not_overwritten(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("precious")

    with pytest.raises(ToolError, match="read it first"):
        await write(workspace, "a.txt", "new")

    assert (workspace.root / "a.txt").read_text() == "precious"


async def test_a_file_changed_since_it_was_read_is_not_overwritten(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("old")
    await read(workspace, "a.txt")
    (workspace.root / "a.txt").write_text("theirs")

    with pytest.raises(ToolError, match="changed since you read it"):
        await write(workspace, "a.txt", "new")

    assert (workspace.root / "a.txt").read_text() == "theirs"


async def test_a_file_removed_since_it_was_read_is_not_brought_back(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("old")
    await read(workspace, "a.txt")
    (workspace.root / "a.txt").unlink()

    with pytest.raises(ToolError, match="changed since you read it"):
        await write(workspace, "a.txt", "new")


async def test_what_was_read_or_written_may_be_written_again(workspace: LocalWorkspace) -> None:
    await write(workspace, "a.txt", "one")
    await write(workspace, "a.txt", "two")

    assert (workspace.root / "a.txt").read_text() == "two"
    assert (await read(workspace, "a.txt")).text == "1\ttwo"


async def test_a_directory_is_not_a_file(workspace: LocalWorkspace) -> None:
    (workspace.root / "src").mkdir()

    with pytest.raises(ToolError, match="is a directory"):
        await write(workspace, "src", "x")
    with pytest.raises(ToolError):
        await write(workspace, ".", "x")


async def test_a_file_in_the_way_of_a_parent_is_named(workspace: LocalWorkspace) -> None:
    (workspace.root / "src").touch()

    with pytest.raises(ToolError, match="src"):
        await write(workspace, "src/a.py", "x")
