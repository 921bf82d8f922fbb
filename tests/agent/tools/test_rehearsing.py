from typing import Any

import pytest

from agent.tools import edit, patch, write
from agent.tools.local import LocalWorkspace
from agent.tools.rehearsing import as_written, rehearsed
from agent.tools.tool import Tool, ToolError

BEFORE = "one\ntwo\nthree\n"
AFTER = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (edit.TOOL, {"path": "notes.txt", "old": "two", "new": "2"}),
        (write.TOOL, {"path": "notes.txt", "content": "one\n2\nthree\n"}),
        (patch.TOOL, {"diff": "--- a/notes.txt\n+++ b/notes.txt\n@@ -9 +9 @@\n-two\n+2\n"}),
    ],
    ids=lambda value: value.name if isinstance(value, Tool) else "",
)
async def test_a_rehearsal_tells_what_would_change_and_changes_nothing(
    workspace: LocalWorkspace, tool: Tool, arguments: dict[str, Any]
):
    file = workspace.root / "notes.txt"
    file.write_text(BEFORE)
    await workspace.read(file, shown=True)

    rehearsal = await rehearsed(tool, workspace.rehearsal(), arguments)

    assert rehearsal.diff == AFTER
    assert file.read_text() == BEFORE


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        (edit.TOOL, {"path": "none.txt", "old": "two", "new": "2"}, "does not exist"),
        (edit.TOOL, {"path": "notes.txt", "old": "four", "new": "4"}, "old was not found"),
        (write.TOOL, {"path": "notes.txt/below", "content": "x"}, "not a directory"),
        (write.TOOL, {"path": "notes.txt", "content": "x"}, "you have not read it"),
        (patch.TOOL, {"diff": "--- a/notes.txt\n+++ b/notes.txt\n@@ -9 +9 @@\n-four\n+4\n"}, "notes.txt"),
    ],
)
async def test_a_change_that_cannot_be_made_is_an_error(
    workspace: LocalWorkspace, tool: Tool, arguments: dict[str, Any], problem: str
):
    (workspace.root / "notes.txt").write_text(BEFORE)

    with pytest.raises(ToolError, match=problem):
        await rehearsed(tool, workspace.rehearsal(), arguments)


def test_a_change_of_files_that_may_not_be_read_is_told_as_it_was_written():
    rehearsal = as_written({"path": "none.txt", "old": "two\n", "new": "2\n"})

    assert rehearsal.diff == "--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-two\n+2\n"
    assert not rehearsal.prints


async def test_a_form_feed_does_not_end_a_line(workspace: LocalWorkspace):
    (workspace.root / "paged.c").write_text("one\n\x0ctwo\nthree\n")

    rehearsal = await rehearsed(
        edit.TOOL, workspace.rehearsal(), {"path": "paged.c", "old": "three", "new": "3"}
    )

    assert rehearsal.diff == "--- a/paged.c\n+++ b/paged.c\n@@ -1,3 +1,3 @@\n one\n \x0ctwo\n-three\n+3\n"
