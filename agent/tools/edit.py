"""Replaces an exact piece of a file and leaves every other byte as it was."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from agent.tools.capture import shorten
from agent.tools.diff import shown, summary
from agent.tools.tool import Change, Output, Target, Tool, ToolError, Workspace


async def edit(
    workspace: Workspace,
    path: str,
    old: Annotated[str, "exact text, without line numbers"],
    new: str,
    all: bool = False,  # noqa: A002 (the name the model sees)
) -> Output:
    real = workspace.resolve(path, writing=True)
    try:
        before = await workspace.read(real)
    except FileNotFoundError as error:
        raise ToolError(f"{path} does not exist; use write to create it") from error
    except IsADirectoryError as error:
        raise ToolError(f"{path} is a directory; give the path of a file in it") from error
    try:
        after, count = replaced(before, old, new, everywhere=all)
    except ToolError as error:
        raise ToolError(f"{path} was not changed: {error}") from error
    change = Change(real, before, after)
    await workspace.apply([change])
    times = f" {count} times" if count > 1 else ""
    return Output(f"edited {shown(workspace.root, real)}{times}", metadata=summary(workspace.root, [change]))


def replaced(data: bytes, old: str, new: str, *, everywhere: bool = False) -> tuple[bytes, int]:
    """The new content and how often `old` was found. A line end in `old` matches LF and CRLF alike."""
    if not old:
        raise ToolError("old is empty; give the text to replace, or use write for a whole file")
    pattern = _pattern(old)
    matches = list(pattern.finditer(data))
    if not matches:
        raise ToolError(_nearest(data, old))
    overlapping = pattern.search(data, matches[0].start() + 1) is not None
    if (len(matches) > 1 or overlapping) and not everywhere:
        lines = ", ".join(str(data.count(b"\n", 0, match.start()) + 1) for match in matches[:10])
        raise ToolError(
            f"old is there {max(2, len(matches))} times, from lines {lines}; "
            "add surrounding lines to make it unique, or set all"
        )
    pieces: list[bytes] = []
    end = 0
    for match in matches:
        pieces += [data[end : match.start()], _in_style(new, match[0], data)]
        end = match.end()
    after = b"".join([*pieces, data[end:]])
    if after == data:
        raise ToolError("old and new are the same")
    return after, len(matches)


def _pattern(old: str) -> re.Pattern[bytes]:
    lines = old.replace("\r\n", "\n").split("\n")
    return re.compile(rb"(?:\r\n|(?<!\r)\n)".join(re.escape(line.encode()) for line in lines))


def _in_style(new: str, found: bytes, data: bytes) -> bytes:
    """`new` with the line ends of what it replaces, or of the file where that has none."""
    sample = found if b"\n" in found else data
    windows = sample.count(b"\r\n") * 2 > sample.count(b"\n")
    text = new.replace("\r\n", "\n")
    return (text.replace("\n", "\r\n") if windows else text).encode()


def _nearest(data: bytes, old: str) -> str:
    """What the model probably meant, with line numbers, so that it can correct itself without a read."""
    if b"\0" in data[:8192]:
        return "this is not a UTF-8 text file; use shell to change it"
    lines = data.decode("utf-8", "replace").splitlines()
    wanted = [line.strip() for line in old.splitlines()]
    start, score = _best_window([line.strip() for line in lines], wanted)
    if score == 0:
        return "old was not found, nor anything like it; read the file again"
    shown_lines = lines[start : start + min(len(wanted), 20)]
    listing = "\n".join(
        f"{start + index + 1}\t{shorten(line, 400)}" for index, line in enumerate(shown_lines)
    )
    hint = "only the white space differs" if score == len(wanted) else "copy it exactly"
    return f"old was not found; {hint}. The nearest lines are:\n{listing}"


def _best_window(lines: list[str], wanted: list[str]) -> tuple[int, float]:
    """Where most lines agree, and how many; half a line for one that only resembles the first."""
    places: dict[str, list[int]] = {}
    for index, line in enumerate(wanted[:200]):
        if line:
            places.setdefault(line, []).append(index)
    votes: dict[int, int] = {}
    for number, line in enumerate(lines):
        for index in places.get(line, ()):
            votes[number - index] = votes.get(number - index, 0) + 1
    if votes:
        start, score = max(votes.items(), key=lambda vote: vote[1])
        blanks = sum(1 for line in wanted if not line)
        return max(0, start), min(len(wanted), score + blanks)
    from difflib import get_close_matches

    first = next((line for line in wanted if line), "")
    near = get_close_matches(first[:400], [line[:400] for line in lines[:5000]], 1, 0.5)
    if not near:
        return 0, 0
    return next(number for number, line in enumerate(lines) if line[:400] == near[0]), 0.5


def _targets(arguments: Mapping[str, Any]) -> tuple[Target, ...]:
    return (Target("edit", arguments["path"]),)


def _title(arguments: Mapping[str, Any]) -> str:
    return arguments["path"]


TOOL = Tool("edit", edit, _targets, _title, rehearsable=True)
