from __future__ import annotations

from pathlib import Path

import pytest

from agent.tools.local import LocalWorkspace
from agent.tools.read import read
from agent.tools.tool import ToolError


async def test_lines_come_numbered_from_one(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\n")

    assert (await read(workspace, "a.txt")).text == "1\tone\n2\ttwo"


async def test_a_part_says_how_to_go_on(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 11)))

    output = await read(workspace, "a.txt", offset=3, limit=2)

    assert output.text == "3\tline 3\n4\tline 4\n(lines 3-4 of 10; continue with offset=5)"


async def test_a_long_file_stops_at_the_limit_and_can_be_read_to_its_end(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("".join(f"{'x' * 90} {number}\n" for number in range(1, 1001)))

    first = await read(workspace, "a.txt")
    last = await read(workspace, "a.txt", offset=900)

    assert len(first.text) < 30_000
    assert "continue with offset=" in first.text
    assert last.text.endswith("1000")


async def test_a_long_line_is_cut(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("x" * 10_000)

    assert "[... 8000 characters ...]" in (await read(workspace, "a.txt")).text


async def test_past_the_end_says_how_long_the_file_is(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").write_text("one\n")

    with pytest.raises(ToolError, match="has 1 lines"):
        await read(workspace, "a.txt", offset=9)


async def test_an_empty_file_is_said_to_be_empty(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.txt").touch()

    assert (await read(workspace, "a.txt")).text == "(the file is empty)"


@pytest.mark.parametrize(
    ("head", "media"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBP", "image/webp"),
    ],
)
async def test_a_picture_is_attached(workspace: LocalWorkspace, head: bytes, media: str) -> None:
    (workspace.root / "picture").write_bytes(head)

    output = await read(workspace, "picture")

    assert [(one.media_type, one.data, one.name) for one in output.attachments] == [(media, head, "picture")]


async def test_a_binary_is_refused_with_a_way_to_look_inside(workspace: LocalWorkspace) -> None:
    (workspace.root / "a.bin").write_bytes(b"\x7fELF\0\0")

    with pytest.raises(ToolError, match=r"a\.bin is binary.*xxd"):
        await read(workspace, "a.bin")


async def test_a_directory_shows_what_is_in_it(workspace: LocalWorkspace) -> None:
    (workspace.root / "src" / "sub").mkdir(parents=True)
    (workspace.root / "src" / "a.py").touch()

    with pytest.raises(ToolError, match=r"is a directory(.|\n)*a\.py\nsub/"):
        await read(workspace, "src")


async def test_a_missing_file_suggests_its_neighbours(workspace: LocalWorkspace) -> None:
    (workspace.root / "src").mkdir()
    (workspace.root / "src" / "session.py").touch()

    with pytest.raises(ToolError, match=r"did you mean src/session\.py\?"):
        await read(workspace, "src/sesion.py")


async def test_utf_16_is_read_as_text(workspace: LocalWorkspace, root: Path) -> None:
    (root / "a.txt").write_bytes("héllo".encode("utf-16"))

    assert (await read(workspace, "a.txt")).text == "1\théllo"
