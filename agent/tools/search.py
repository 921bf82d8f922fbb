"""Searches files for a regular expression in a process of its own.

A pattern that backtracks for ever would otherwise hold the interpreter, and with it the whole screen.
Run by path in a bare interpreter; the request is a JSON file, the answer lines of path, number and text.
"""

from __future__ import annotations

# ruff: noqa: T201
import json
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import TypedDict

LARGEST = 10_000_000
LINE = 300


class Request(TypedDict):
    root: str
    pattern: str
    ignore_case: bool
    most: int
    paths: list[str]


def main(request_path: str) -> int:
    request: Request = json.loads(Path(request_path).read_text(encoding="utf-8"))
    try:
        pattern = re.compile(request["pattern"], re.IGNORECASE if request["ignore_case"] else 0)
    except re.error as error:
        print(error)
        return 2
    left = request["most"]
    for path in request["paths"]:
        left -= _search(request["root"], path, pattern, left)
        if left <= 0:
            break
    return 0


def _search(root: str, path: str, pattern: re.Pattern[str], most: int) -> int:
    data = _read(root, path)
    if data is None or b"\0" in data[:8192]:
        return 0
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    if not _maybe(pattern, text):
        return 0
    found = 0
    for number, line in enumerate(text.split("\n"), 1):
        if found >= most:
            break
        if pattern.search(line):
            found += 1
            print(f"{path}\t{number}\t{line[:LINE]}")
    return found


def _maybe(pattern: re.Pattern[str], text: str) -> bool:
    """One search through a file is far cheaper than one a line; looks and escapes must go the long way."""
    return "(?" in pattern.pattern or "\\" in pattern.pattern or _by_line(pattern).search(text) is not None


@cache
def _by_line(pattern: re.Pattern[str]) -> re.Pattern[str]:
    return re.compile(pattern.pattern, pattern.flags | re.MULTILINE)


def _read(root: str, path: str) -> bytes | None:
    try:
        descriptor = os.open(Path(root) / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if os.fstat(descriptor).st_size > LARGEST or not _inside(descriptor, root):
            return None
        return file.read()


def _inside(descriptor: int, root: str) -> bool:
    """Whether it is still below the root: a directory on the way may have been swapped for a symlink."""
    try:
        real = Path(f"/proc/self/fd/{descriptor}").readlink()
    except OSError:
        return True
    return real.is_relative_to(root)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
