from __future__ import annotations

import pytest
from hypothesis import given, strategies

from agent.tools import patch as patching
from agent.tools.diff import summary
from agent.tools.hunks import parse, patched
from agent.tools.local import LocalWorkspace
from agent.tools.patch import patch
from agent.tools.read import read
from agent.tools.tool import Change, Target, ToolError

SEVERAL = """diff --git a/old.txt b/old.txt
index 1..2 100644
--- a/old.txt
+++ b/old.txt
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
--- /dev/null
+++ b/new/made.txt
@@ -0,0 +1,2 @@
+hello
+there
--- a/from.txt
+++ b/to.txt
@@ -1,2 +1,2 @@
-a
+A
 b
"""


def fill(workspace: LocalWorkspace) -> None:
    (workspace.root / "old.txt").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    (workspace.root / "gone.txt").write_text("bye\n")
    (workspace.root / "from.txt").write_text("a\nb\n")


async def test_several_files_change_at_once(workspace: LocalWorkspace) -> None:
    fill(workspace)

    output = await patch(workspace, SEVERAL)

    contents = {path.name: path.read_bytes() for path in workspace.root.rglob("*.txt")}
    assert contents == {
        "old.txt": b"one\r\nTWO\r\nthree\r\n",
        "made.txt": b"hello\nthere\n",
        "to.txt": b"A\nb\n",
    }
    assert sorted(output.text.split("\n")) == [
        "changed old.txt", "created new/made.txt", "created to.txt", "deleted from.txt", "deleted gone.txt",
    ]  # fmt: skip
    assert "+TWO" in output.metadata["diff"]


async def test_one_hunk_that_does_not_fit_leaves_all_files_alone(workspace: LocalWorkspace) -> None:
    fill(workspace)
    (workspace.root / "from.txt").write_text("something else\n")

    with pytest.raises(ToolError, match=r"to\.txt: the hunk at line 1 does not match.*nothing was changed"):
        await patch(workspace, SEVERAL)

    assert (workspace.root / "old.txt").read_bytes() == b"one\r\ntwo\r\nthree\r\n"
    assert (workspace.root / "gone.txt").exists()
    assert not (workspace.root / "new").exists()


async def test_a_path_that_may_not_be_written_stops_the_whole_patch(workspace: LocalWorkspace) -> None:
    fill(workspace)

    with pytest.raises(ToolError, match=r"inside \.git"):
        await patch(workspace, SEVERAL + "--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+evil\n")

    assert (workspace.root / "gone.txt").exists()


async def test_a_file_changed_since_it_was_read_stops_the_whole_patch(workspace: LocalWorkspace) -> None:
    fill(workspace)
    await read(workspace, "gone.txt")
    (workspace.root / "gone.txt").write_text("bye\nmore\n")

    with pytest.raises(ToolError, match="changed since you read it"):
        await patch(workspace, SEVERAL)

    assert (workspace.root / "old.txt").read_bytes() == b"one\r\ntwo\r\nthree\r\n"


async def test_creating_over_an_existing_file_is_refused(workspace: LocalWorkspace) -> None:
    (workspace.root / "a").write_text("x\n")

    with pytest.raises(ToolError, match="exists already"):
        await patch(workspace, "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n")


def test_every_file_of_a_patch_is_a_target() -> None:
    targets = patching.TOOL.targets({"diff": SEVERAL})

    names = ["from.txt", "gone.txt", "new/made.txt", "old.txt", "to.txt"]
    assert targets == tuple(Target("edit", name) for name in names)


@pytest.mark.parametrize(
    ("before", "hunk", "after"),
    [
        pytest.param(b"a\nb\nc\n", "@@ -90,9 +2 @@\n-b\n+B", b"a\nB\nc\n", id="wrong numbers"),
        pytest.param(b"x\na\nx\na\nx\na\n", "@@ -4 +4 @@\n-a\n+A", b"x\na\nx\nA\nx\na\n", id="nearest place"),
        pytest.param(b"a\n\nb\n", "@@ -1,3 +1,3 @@\n a\n\n-b\n+B\n\n", b"a\n\nB\n", id="bare blank line"),
        pytest.param(b"a\nb\n", "@@ -1,0 +2 @@\n+x", b"a\nx\nb\n", id="pure insertion"),
        pytest.param(
            b"a\nb\nc\nd\n",
            "@@ -1,0 +2,2 @@\n+p\n+q\n@@ -3,0 +6 @@\n+r",
            b"a\np\nq\nb\nc\nr\nd\n",
            id="a hunk after one that moved it",
        ),
        pytest.param(b"a\nlast", "@@ -2 +2,2 @@\n last\n+more", b"a\nlast\nmore\n", id="after an open end"),
        pytest.param(b"a\n", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file", b"b", id="open end made"),
        pytest.param(b"\xef\xbb\xbfa\n", "@@ -1 +1 @@\n-a\n+b", b"\xef\xbb\xbfb\n", id="byte order mark"),
        pytest.param(b"-- x\n", "@@ -1 +1 @@\n--- x\n+++ y", b"++ y\n", id="lines like headers"),
    ],
)
def test_a_hunk_as_models_write_it_finds_its_place(before: bytes, hunk: str, after: bytes) -> None:
    section = parse(f"--- a/f\n+++ b/f\n{hunk}\n")

    assert patched("f", before, section[0].hunks) == after


@pytest.mark.parametrize("diff", ["", "hello", "*** Begin Patch", "--- a/f\n+++ b/f\n@@ -1 +1 @@\nwrong\n"])
async def test_what_is_no_unified_diff_is_refused(workspace: LocalWorkspace, diff: str) -> None:
    with pytest.raises(ToolError):
        await patch(workspace, diff)


texts = strategies.lists(
    strategies.sampled_from(["a\n", "b\n", "c\n", "\n", "+x\n", "- y\n"]), max_size=30
).map("".join)


@given(before=texts, after=texts)
def test_the_diff_shown_of_any_change_applies_to_give_that_change(before: str, after: str) -> None:
    from pathlib import Path

    shown = summary(Path("/r"), [Change(Path("/r/f"), before.encode(), after.encode())])["diff"]

    assert (before == after) == (shown == "")
    if shown:
        assert patched("f", before.encode(), parse(shown)[0].hunks) == after.encode()
