"""Reads unified diffs as models write them: counts may be wrong, context may not."""

from __future__ import annotations

from agent.tools.capture import shorten
from agent.tools.tool import ToolError
from store.frozen import frozen

BOM = b"\xef\xbb\xbf"
NO_NEWLINE = "\\ No newline"
_BETWEEN_FILES = (
    "diff ",
    "index ",
    "new file",
    "deleted file",
    "old mode",
    "new mode",
    "similarity",
    "rename ",
)


@frozen
class Hunk:
    """`line` is where the diff claims it starts; each line is its sign and its text without the end."""

    line: int
    lines: tuple[tuple[str, str], ...]
    open_end: bool

    @property
    def old(self) -> list[bytes]:
        return [text.encode() for sign, text in self.lines if sign != "+"]


@frozen
class FilePatch:
    """A None name is /dev/null."""

    old: str | None
    new: str | None
    hunks: tuple[Hunk, ...]


def parse(diff: str) -> list[FilePatch]:
    lines = diff.replace("\r\n", "\n").split("\n")
    starts = [number for number in range(len(lines)) if _opens_file(lines, number)]
    if not starts:
        raise ToolError("this is no unified diff: it needs '--- a/path', '+++ b/path' and '@@' lines")
    ends = [*starts[1:], len(lines)]
    return [_file(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def patched(name: str, data: bytes, hunks: tuple[Hunk, ...]) -> bytes:
    """Lines that the hunks keep, keep their bytes; added lines end as most of the file does."""
    mark = BOM if data.startswith(BOM) else b""
    lines = _lines(data.removeprefix(mark))
    ending = b"\r\n" if data.count(b"\r\n") * 2 > data.count(b"\n") else b"\n"
    moved = 0
    floor = 0
    for hunk in hunks:
        at = _locate(name, lines, hunk, moved, floor)
        end = at + len(hunk.old)
        fresh = _renewed(hunk, lines[at:end], ending)
        moved += len(fresh) - (end - at)
        lines[at:end] = fresh
        floor = at + len(fresh)
        if hunk.open_end and floor == len(lines) and lines:
            lines[-1] = _bare(lines[-1])
    closed = [line if line.endswith(b"\n") else line + ending for line in lines[:-1]]
    return mark + b"".join([*closed, *lines[-1:]])


def _opens_file(lines: list[str], number: int) -> bool:
    # A removed line may itself begin with "-- ".
    return (
        lines[number].startswith("--- ")
        and number + 2 < len(lines)
        and lines[number + 1].startswith("+++ ")
        and lines[number + 2].startswith("@@")
    )


def _file(lines: list[str]) -> FilePatch:
    starts = [number for number, line in enumerate(lines) if line.startswith("@@")]
    ends = [*starts[1:], len(lines)]
    hunks = tuple(_hunk(lines[start:end]) for start, end in zip(starts, ends, strict=True))
    old, new = _name(lines[0]), _name(lines[1])
    if old is None and new is None:
        raise ToolError("both names are /dev/null")
    return FilePatch(old, new, hunks)


def _name(line: str) -> str | None:
    name = line[4:].split("\t", maxsplit=1)[0].strip()
    if name == "/dev/null":
        return None
    return name[2:] if name.startswith(("a/", "b/")) else name


def _hunk(lines: list[str]) -> Hunk:
    header, body = lines[0], lines[1:]
    digits = header.partition("-")[2].partition(",")[0].partition(" ")[0]
    marked: list[tuple[str, str]] = []
    open_end = False
    for line in _body(body):
        if line.startswith(NO_NEWLINE):
            open_end = bool(marked) and marked[-1][0] != "-"
        else:
            marked.append((line[:1] or " ", line[1:]))
    return Hunk(int(digits) if digits.isdigit() else 1, tuple(marked), open_end)


def _body(lines: list[str]) -> list[str]:
    """Up to what belongs to the next file; an empty line at the end is the end of the text, not context."""
    body: list[str] = []
    for line in lines:
        if line and line[0] not in " +-\\":
            if line.startswith(_BETWEEN_FILES):
                break
            raise ToolError(f"a hunk line must start with a blank, + or -: {shorten(line, 200)!r}")
        body.append(line)
    while body and not body[-1]:
        body.pop()
    return body


def _lines(data: bytes) -> list[bytes]:
    """Split at LF only: a lone CR is part of its line."""
    *ended, rest = data.split(b"\n")
    return [line + b"\n" for line in ended] + ([rest] if rest else [])


def _bare(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r")


def _locate(name: str, lines: list[bytes], hunk: Hunk, moved: int, floor: int) -> int:
    old = hunk.old
    if not old:
        # Without old lines the number names the line before the new ones.
        return min(max(floor, hunk.line + moved), len(lines))
    plain = [_bare(line) for line in lines]
    places = [
        start
        for start in range(floor, len(lines) - len(old) + 1)
        if plain[start] == old[0] and plain[start : start + len(old)] == old
    ]
    if not places:
        raise ToolError(
            f"{name}: the hunk at line {hunk.line} does not match the file; nothing was changed. "
            f"Read the file and repeat its lines exactly, from {shorten(old[0].decode(), 200)!r} on"
        )
    return min(places, key=lambda start: abs(start - (hunk.line - 1 + moved)))


def _renewed(hunk: Hunk, kept: list[bytes], ending: bytes) -> list[bytes]:
    """The new lines; those that were there before keep their own bytes."""
    remaining = iter(kept)
    fresh: list[bytes] = []
    for sign, text in hunk.lines:
        if sign == "+":
            fresh.append(text.encode() + ending)
            continue
        line = next(remaining)
        if sign == " ":
            fresh.append(line)
    return fresh
