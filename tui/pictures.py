"""Paths of pictures in what the user writes, so that the model sees the pictures and not only their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from agent.tools.tool import Attachment

_ENDINGS = r"\.(?:png|jpe?g|gif|webp)"
# In quotes, or a word in which blanks are escaped, as terminals write what is dropped on them.
_NAMED = re.compile(
    rf"""(?<!\S)@?(?:'([^'\n]+{_ENDINGS})'|"([^"\n]+{_ENDINGS})"|((?:\\.|[^\s'"\\])+{_ENDINGS}))(?=[\s,;:!?)]|\.?$)""",
    re.IGNORECASE | re.MULTILINE,
)
_MOST = 8


def named(text: str) -> list[tuple[str, str]]:
    """What is written of each, and the path that it means."""
    return [(found[0], _path(found)) for found in _NAMED.finditer(text)]


def resolved(path: str, root: Path) -> Path:
    return root / Path(path).expanduser()


def is_picture(path: Path) -> bool:
    """By what is in it."""
    from agent.pictures import media_type

    try:
        with path.open("rb") as file:
            return media_type(file.read(16)) is not None
    except (OSError, ValueError):
        return False


def attachments(paths: Sequence[Path]) -> tuple[tuple[Attachment, ...], list[str]]:
    """Those that there are, and what is to be said of others; a path that leads to no picture is a word."""
    from agent.pictures import media_type
    from agent.tools.read import IMAGE_BYTES
    from agent.tools.tool import Attachment

    found: list[Attachment] = []
    problems: list[str] = []
    for path in dict.fromkeys(paths):
        if not is_picture(path):
            continue
        if len(found) == _MOST:
            problems.append(f"only {_MOST} pictures go with a message; {path.name} is left out")
            continue
        try:
            data = path.read_bytes()
        except OSError as error:
            problems.append(f"{path} cannot be read: {error.strerror}")
            continue
        if len(data) > IMAGE_BYTES:
            problems.append(f"{path.name} is too large to be shown, {len(data):,} bytes; make a smaller copy")
        else:
            found.append(Attachment(media_type(data) or "", data, path.name))
    return tuple(found), problems


def _path(found: re.Match[str]) -> str:
    quoted = found[1] or found[2]
    path = quoted or re.sub(r"\\(.)", r"\1", found[3])
    return unquote(path.removeprefix("file://")) if path.startswith("file:///") else path
