"""Shows a file to the model: numbered lines, a picture, or what to do instead."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from agent.pictures import media_type
from agent.tools.capture import shorten
from agent.tools.diff import shown
from agent.tools.tool import Attachment, Output, Target, Tool, ToolError, Workspace

LINES = 2_000
BYTES = 28_000
IMAGE_BYTES = 5_000_000
LISTED = 100


async def read(
    workspace: Workspace,
    path: str,
    offset: Annotated[int, "first line, from 1"] = 1,
    limit: int = LINES,
) -> Output:
    real = workspace.resolve(path)
    try:
        data = await workspace.read(real, shown=True)
    except IsADirectoryError as error:
        hint = "is a directory; read one of its files, or use glob in it"
        raise ToolError(f"{path} {hint}:\n{listing(real)}") from error
    except FileNotFoundError as error:
        raise ToolError(_missing(workspace, path, real)) from error
    media = media_type(data)
    if media is not None:
        return _picture(path, media, data)
    text = _text(path, data)
    return Output(
        _numbered(text, max(1, offset), max(1, limit)), metadata={"path": shown(workspace.root, real)}
    )


def _picture(path: str, media: str, data: bytes) -> Output:
    if len(data) > IMAGE_BYTES:
        raise ToolError(f"{path} is an image of {len(data)} bytes, too large to show; make a smaller copy")
    attachment = Attachment(media, data, Path(path).name)
    return Output(f"{path}: {media}, {len(data)} bytes, attached", attachments=(attachment,))


def _text(path: str, data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:8192]:
        raise ToolError(
            f"{path} is binary, {len(data)} bytes; use shell with file, strings or xxd to look inside"
        )
    return data.decode("utf-8-sig", "replace")


def _numbered(text: str, offset: int, limit: int) -> str:
    lines = text.replace("\r\n", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        return "(the file is empty)"
    if offset > len(lines):
        raise ToolError(f"offset {offset} is past the end: the file has {len(lines)} lines")
    result: list[str] = []
    size = 0
    for number, line in enumerate(lines[offset - 1 : offset - 1 + limit], offset):
        numbered = f"{number}\t{shorten(line)}"
        size += len(numbered.encode("utf-8", "replace")) + 1
        if size > BYTES:
            break
        result.append(numbered)
    last = offset + len(result) - 1
    if last < len(lines):
        result.append(f"(lines {offset}-{last} of {len(lines)}; continue with offset={last + 1})")
    return "\n".join(result)


def listing(real: Path) -> str:
    """The names in a folder, those of folders with a slash."""
    entries = sorted(f"{entry.name}/" if entry.is_dir() else entry.name for entry in real.iterdir())
    more = f"\n... and {len(entries) - LISTED} more" if len(entries) > LISTED else ""
    names = "\n".join(entries[:LISTED])
    return f"{names}{more}"


def _missing(workspace: Workspace, path: str, real: Path) -> str:
    from difflib import get_close_matches

    folder = real.parent
    if not folder.is_dir():
        return f"{path} does not exist, nor does its directory; use glob to find it"
    names = [entry.name for entry in folder.iterdir()]
    near = get_close_matches(real.name, names, 3, 0.5)
    if not near:
        return f"{path} does not exist; use glob to find it"
    names = [shown(workspace.root, folder / name) for name in near]
    return f"{path} does not exist; did you mean {' or '.join(names)}?"


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return (Target("read", arguments["path"]),)


def _title(arguments: Mapping[str, Any]) -> str:
    first = arguments.get("offset", 1)
    return f"{arguments['path']}:{first}" if first > 1 else arguments["path"]


TOOL = Tool("read", read, _targets, _title, safe=True)
