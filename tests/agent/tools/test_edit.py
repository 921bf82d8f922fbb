from __future__ import annotations

import pytest
from hypothesis import assume, given, strategies

from agent.tools.edit import edit, replaced
from agent.tools.local import LocalWorkspace
from agent.tools.read import read
from agent.tools.tool import ToolError


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\nb\nc\n", "b", "B", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", b"x\r\ny\r\nz\r\nc\r\n"),
        (b"a\r\nb\r\n", "b", "x\ny", b"a\r\nx\r\ny\r\n"),
        (b"a\r\nb\r\n", "\nb", "\nx", b"a\r\nx\r\n"),
        (b"a\nb\r\nc\n", "b\nc", "x\ny", b"a\nx\r\ny\n"),
        (b"\xef\xbb\xbfa\nb\n", "a\n", "x\n", b"\xef\xbb\xbfx\nb\n"),
        (b"\xff\xfe a \xff", "a", "b", b"\xff\xfe b \xff"),
        (b"a.c abc", "a.c", r"\g<0>", rb"\g<0> abc"),
        (b"no end", "end", "end\n", b"no end\n"),
    ],
)
def test_only_the_match_changes(before: bytes, old: str, new: str, after: bytes) -> None:
    assert replaced(before, old, new) == (after, 1)


@pytest.mark.parametrize(("data", "old"), [(b"a b a", "a"), (b"aaa", "aa")])
def test_what_is_not_unique_is_refused_with_the_lines(data: bytes, old: str) -> None:
    with pytest.raises(ToolError, match="2 times, from lines 1"):
        replaced(data, old, "x")


def test_all_replaces_each(workspace: LocalWorkspace) -> None:
    assert replaced(b"a b a", "a", "x", everywhere=True) == (b"x b x", 2)


def test_white_space_that_differs_is_pointed_out() -> None:
    with pytest.raises(ToolError, match=r"only the white space differs(.|\n)*2\t    return 1"):
        replaced(b"def f():\n    return 1\n", "def f():\n\treturn 1\n", "x")


def test_the_nearest_lines_are_shown() -> None:
    with pytest.raises(ToolError, match=r"copy it exactly(.|\n)*2\tdef handle_request\(self\):"):
        replaced(b"import os\ndef handle_request(self):\n    pass\n", "def handle_reqest(self):", "x")


@pytest.mark.parametrize(("old", "new"), [("", "x"), ("a", "a"), ("zzz", "x")])
def test_an_edit_that_cannot_be_meant_is_refused(old: str, new: str) -> None:
    with pytest.raises(ToolError):
        replaced(b"a\nb\n", old, new)


async def test_the_file_on_disk_changes_and_the_diff_is_told(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("".join(f"{number}\n" for number in range(1, 21)))

    output = await edit(workspace, "a.txt", "\n10\n", "\nten\n")

    assert output.text == "edited a.txt"
    assert output.metadata["diff"] == (
        "--- a/a.txt\n+++ b/a.txt\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n"
    )
    assert (output.metadata["added"], output.metadata["removed"]) == (1, 1)


async def test_a_file_changed_since_it_was_read_is_left_alone(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("one\n")
    await read(workspace, "a.txt")
    (workspace.root / "a.txt").write_text("one\nmore\n")

    with pytest.raises(ToolError, match="changed since you read it"):
        await edit(workspace, "a.txt", "one", "two")

    assert (workspace.root / "a.txt").read_text() == "one\nmore\n"


async def test_several_edits_follow_one_read(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("one two\n")
    await read(workspace, "a.txt")

    await edit(workspace, "a.txt", "one", "1")
    await edit(workspace, "a.txt", "two", "2")

    assert (workspace.root / "a.txt").read_text() == "1 2\n"


async def test_a_missing_file_points_to_write(workspace: LocalWorkspace) -> None:
    with pytest.raises(ToolError, match="use write"):
        await edit(workspace, "a.txt", "x", "y")


@pytest.mark.parametrize("path", ["../a.txt", ".git/config"])
async def test_an_edit_stays_where_it_may_write(workspace: LocalWorkspace, path: str) -> None:
    (workspace.root / ".git").mkdir()
    (workspace.root / path).write_text("x")

    with pytest.raises(ToolError):
        await edit(workspace, path, "x", "y")

    assert (workspace.root / path).read_text() == "x"


pieces = strategies.lists(
    strategies.one_of(
        strategies.sampled_from([b"\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b"\xff", b"  ", b"\t"]),
        strategies.text(alphabet="abé€😀", max_size=6).map(str.encode),
    ),
    max_size=12,
).map(b"".join)


@given(
    head=pieces,
    tail=pieces,
    lines=strategies.lists(strategies.text("abé. ", max_size=5), min_size=1, max_size=4),
)
def test_bytes_outside_the_replaced_range_never_change(head: bytes, tail: bytes, lines: list[str]) -> None:
    old = "\n".join(lines) + "Z"
    found = old.replace("\n", "\r\n").encode() if head.count(b"\r") % 2 else old.encode()
    # A carriage return right before a leading line end would belong to it.
    assume(not (head.endswith(b"\r") and found.startswith(b"\n")))

    after, count = replaced(head + found + tail, old, "X\nY")

    assert count == 1
    assert after.startswith(head)
    assert after.endswith(tail)
    middle = after[len(head) : len(after) - len(tail)]
    assert middle in (b"X\nY", b"X\r\nY")
